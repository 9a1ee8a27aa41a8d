import {cyrillicLanguage, latinLanguage} from './text-language.ts'

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
 * The language of the voice: the one that the words or letters of the text show, else that of the page where it is
 * written as most of the text is, else one that is. A name in other letters changes nothing.
 */
function speechLanguage(text: string, page: string): string {
  const script = scriptOf(text)
  if (script === undefined || script.first === 'en') return wordsLanguage(text, page) ?? pageInLatin(page)
  const own = script.first === 'ru' ? cyrillicLanguage(text) : undefined
  return own ?? (script.languages.includes(page) ? page : script.first)
}

const pageInLatin = (page: string) => (hasOwnScript(page) ? 'en' : page)

/** The language of Latin letters as the tag of the page names it, if its words say which it is. */
function wordsLanguage(text: string, page: string): string | undefined {
  const language = latinLanguage(text)
  return language !== undefined && page.startsWith(`${language}-`) ? page : language
}

/** The languages that a text may be read in, the likeliest first: words in Latin letters also in that of the page. */
export function speechLanguages(text: string, page: string): string[] {
  const script = scriptOf(text)
  const language = speechLanguage(text, page)
  return script === undefined || script.first === 'en' ? [...new Set([language, pageInLatin(page)])] : [language]
}

/** A part of a text in one language; `languages` that it may be read in, the likeliest first. */
export type SpokenPart = {text: string; languages: readonly string[]}

type WholeText = {textLanguage: string; textScript: Script | undefined; page: string}

function lineLanguage(line: string, script: Script | undefined, {textLanguage, textScript, page}: WholeText): string {
  if (script === undefined || script.languages.includes(textLanguage)) return textLanguage
  if (script !== textScript) return speechLanguage(line, page)
  return wordsLanguage(line, page) ?? textLanguage
}

/** The languages that may be read where a line is in `language`: without a voice for it, the next one's. */
function languagesOf(language: string, script: Script | undefined, page: string): string[] {
  const others = script === undefined || script.first === 'en' ? [pageInLatin(page)] : script.languages
  return [...new Set([language, ...others])]
}

/**
 * A text in parts of whole lines, each in one language. A line without letters goes with the one before it, and one in
 * the letters of the text with the text, unless its words say that it is in another language.
 */
export function spokenParts(text: string, page: string): SpokenPart[] {
  const [textLanguage, textScript] = [speechLanguage(text, page), scriptOf(text)]
  return text.split(/(?<=\n)/).reduce<SpokenPart[]>((parts, line) => {
    const script = scriptOf(line)
    const last = parts.at(-1)
    const language = lineLanguage(line, script, {textLanguage, textScript, page})
    if (last === undefined || (script !== undefined && last.languages[0] !== language))
      return [...parts, {text: line, languages: languagesOf(language, script, page)}]
    return [...parts.slice(0, -1), {...last, text: last.text + line}]
  }, [])
}
