/** Letters that Unicode does not decompose, and forms that a searcher takes for the same letter. */
const sameLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  // Arabic: ta marbuta, alif maqsura, Persian kaf and ya
  ة: 'ه',
  ى: 'ي',
  ک: 'ك',
  ی: 'ي',
}
const letters = new RegExp(`[${Object.keys(sameLetters).join('')}]`, 'g')

/**
 * Latin, Greek, Cyrillic, Hebrew and Arabic marks, the Arabic tatweel, and characters without a width. Not the Japanese voicing marks, which make
 * other words.
 */
const marks =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u200b-\u200f\ufeff]/g
const plain = /^[\u0000-\u007f]*$/

/**
 * Text as it is compared in a search: without case, diacritics, width and the forms of Arabic letters. What is folded
 * character by character is the same, so that a position in it can be found in the original (`originalRange`).
 */
export function foldForSearch(text: string): string {
  const lower = text.toLowerCase()
  if (plain.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(marks, '')
    .replace(letters, (letter) => sameLetters[letter] ?? letter)
}

/** The range of the original text that was folded to the characters `start` to `end`. */
export function originalRange(text: string, start: number, end: number): {start: number; end: number} {
  let folded = 0
  let position = 0
  let first: number | undefined
  for (const character of text) {
    if (folded >= end) break
    const length = foldForSearch(character).length
    if (first === undefined && folded + length > start) first = position
    folded += length
    position += character.length
  }
  return {start: first ?? position, end: position}
}
