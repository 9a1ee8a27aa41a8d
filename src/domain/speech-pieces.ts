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

type Script = {letters: RegExp; first: string; languages: readonly string[]}

const scripts: readonly Script[] = [
  {letters: /\p{Script=Latin}/gu, first: 'en', languages: []},
  {letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, first: 'ja', languages: ['ja']},
  {letters: /\p{Script=Hangul}/gu, first: 'ko', languages: ['ko']},
  {letters: /\p{Script=Han}/gu, first: 'zh-CN', languages: ['zh-CN', 'zh-TW', 'ja']},
  {letters: /\p{Script=Arabic}/gu, first: 'ar', languages: ['ar']},
  {letters: /\p{Script=Cyrillic}/gu, first: 'ru', languages: ['ru', 'uk', 'sr']},
  {letters: /\p{Script=Greek}/gu, first: 'el', languages: ['el']},
  {letters: /\p{Script=Hebrew}/gu, first: 'he', languages: ['he']},
  {letters: /\p{Script=Thai}/gu, first: 'th', languages: ['th']},
  {letters: /\p{Script=Devanagari}/gu, first: 'hi', languages: ['hi', 'mr', 'ne']},
]
const hasOwnScript = (page: string) => scripts.some(({languages}) => languages.includes(page))

/** The script in which most of the text is written; kana are Japanese however many characters stand beside them. */
function scriptOf(text: string): Script | undefined {
  const counts = scripts.map((script) => ({script, count: text.match(script.letters)?.length ?? 0}))
  const most = counts.reduce((one, other) => (other.count > one.count ? other : one))
  if (most.count === 0) return undefined
  const kana = counts.find(({script: {first}, count}) => first === 'ja' && count > 0)
  return most.script.first === 'zh-CN' ? (kana ?? most).script : most.script
}

/**
 * The language of the voice: the one of the page where it is written as most of the text is, else one that is. A name
 * in other letters changes nothing.
 */
export function speechLanguage(text: string, page: string): string {
  const script = scriptOf(text)
  if (script === undefined || script.first === 'en') return hasOwnScript(page) ? 'en' : page
  return script.languages.includes(page) ? page : script.first
}

/** A part of a text in one script; `languages` that are written in it, the likeliest first. */
export type SpokenPart = {text: string; languages: readonly string[]}

/** A text in parts of whole lines, each in one script. A line without letters goes with the one before it. */
export function spokenParts(text: string, page: string): SpokenPart[] {
  const textLanguage = speechLanguage(text, page)
  return text.split(/(?<=\n)/).reduce<SpokenPart[]>((parts, line) => {
    const script = scriptOf(line)
    const last = parts.at(-1)
    const {languages = []} = script ?? {}
    const language =
      script === undefined || languages.includes(textLanguage) ? textLanguage : speechLanguage(line, page)
    if (last === undefined || (script !== undefined && last.languages[0] !== language))
      return [...parts, {text: line, languages: [language, ...languages.filter((other) => other !== language)]}]
    return [...parts.slice(0, -1), {...last, text: last.text + line}]
  }, [])
}
