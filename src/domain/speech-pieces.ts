/** Browsers cut off an utterance that takes about a quarter of a minute, so a text is read in pieces. */
const longestPiece = 180

/** A text in pieces of whole sentences, where one is not too long; white space alone is no piece. */
export function speechPieces(text: string, language: string): string[] {
  const sentences = [...new Intl.Segmenter(language, {granularity: 'sentence'}).segment(text)].map(
    ({segment}) => segment,
  )
  const pieces: string[] = []
  let piece = ''
  for (const part of sentences.flatMap(cut)) {
    if (piece !== '' && piece.length + part.length > longestPiece) {
      pieces.push(piece)
      piece = ''
    }
    piece += part
  }
  pieces.push(piece)
  return pieces.map((one) => one.trim()).filter((one) => /[\p{L}\p{N}]/u.test(one))
}

/** A sentence that is too long for one piece, cut where words end. */
const cut = (sentence: string): string[] =>
  sentence.length <= longestPiece
    ? [sentence]
    : (sentence.match(/[\s\S]{1,160}(?:[\s,;:、，；：]|$)|[\s\S]{1,160}/g) ?? [])

const scripts: readonly [RegExp, string, readonly string[]][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja', ['ja']],
  [/\p{Script=Hangul}/u, 'ko', ['ko']],
  [/\p{Script=Han}/u, 'zh-CN', ['zh-CN', 'zh-TW', 'ja']],
  [/\p{Script=Arabic}/u, 'ar', ['ar']],
  [/\p{Script=Cyrillic}/u, 'ru', ['ru', 'uk', 'sr']],
  [/\p{Script=Greek}/u, 'el', ['el']],
]

/** The language of the voice: the one of the page where it is written as the text is, else one that is. */
export function speechLanguage(text: string, page: string): string {
  const found = scripts.find(([script]) => script.test(text))
  if (found !== undefined) return found[2].includes(page) ? page : found[1]
  return scripts.some(([, , languages]) => languages.includes(page)) ? 'en' : page
}
