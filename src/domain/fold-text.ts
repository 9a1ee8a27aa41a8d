/** Characters that Unicode does not decompose, and forms that a searcher takes for the same character. */
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
  // Arabic, Persian, Urdu: ta marbuta, alif maqsura, kaf, ya and heh
  ة: 'ه',
  ى: 'ي',
  ک: 'ك',
  ی: 'ي',
  ہ: 'ه',
  ھ: 'ه',
}
/** The signs that keyboards and models write in several ways: apostrophes, quotation marks, hyphens, dashes, minus. */
const sameSigns: Record<string, string> = {"'": '‘’‚‛ʼ′', '"': '“”„‟«»', '-': '‐‑‒–—―−'}
for (const [sign, others] of Object.entries(sameSigns)) for (const other of others) sameLetters[other] = sign
/** Digits of Arabic, Persian and Urdu. */
for (let digit = 0; digit < 10; digit += 1)
  for (const zero of [0x660, 0x6f0]) sameLetters[String.fromCharCode(zero + digit)] = String(digit)

/**
 * Latin, Greek, Cyrillic, Hebrew and Arabic marks, the Arabic tatweel, and characters without a width. Not the Japanese
 * voicing marks, which make other words.
 */
const marks = String.raw`\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u200b-\u200f\u2060\ufeff`
/** One pass leaves out and replaces: passes are most of what it costs to fill the search. */
const foldedCharacters = new RegExp(`[${marks}${Object.keys(sameLetters).join('')}]`, 'g')
const plain = /^[\u0000-\u007f]*$/

/** The pieces of a text that fold alone as within it: letters of a Korean syllable, a character with its marks. */
const clusters = /[\u1100-\u115f]+[\u1160-\u11ff]*|[^][\p{M}\uff9e\uff9f]*/gu

/**
 * Text as it is compared in every search: without case, diacritics, width and the forms of letters and signs. Whole
 * syllables and kana with their voicing marks stay what they are.
 */
export const foldText = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .toLowerCase()
        .replace(foldedCharacters, (character) => sameLetters[character] ?? '')
        .normalize('NFC')

export type TextRange = {start: number; end: number}

/** Maps ranges of the folded text, in order, to those of the original text: whole characters. */
export function originalRanges(text: string, ranges: readonly TextRange[]): readonly TextRange[] {
  if (plain.test(text)) return ranges
  const textRanges: TextRange[] = []
  let foldedLength = 0
  let start: number | undefined
  for (const {0: cluster, index} of text.matchAll(clusters)) {
    foldedLength += foldText(cluster).length
    for (
      let next = ranges[textRanges.length];
      next !== undefined && foldedLength > next.start;
      next = ranges[textRanges.length]
    ) {
      start ??= index
      if (foldedLength < next.end) break
      textRanges.push({start, end: index + cluster.length})
      start = undefined
    }
    if (textRanges.length === ranges.length) break
  }
  return textRanges
}
