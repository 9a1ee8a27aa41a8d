/*
 * Words in a text, whatever their case, marks and forms: `resume` finds `Résumé`, `ｆｏｏ` finds `Foo`. Dakuten stay, since
 * they make another letter.
 */

/** A folded text; `starts[i]` is where its character `i` begins in the original, absent where both are equally long. */
type Folded = {text: string; starts: number[] | undefined}

const plainPattern = /^[\x20-\x7e\n\r\t]*$/
/** Marks of letters, the tatweel and what is not shown; not the two marks of kana. */
const droppedPattern = /(?![\u3099\u309a])\p{M}|[\u0640\u00ad\u200b-\u200f\u2060\ufeff]/gu

const foldCharacter = (character: string) =>
  /\s/.test(character) && character !== '\n'
    ? ' '
    : character.normalize('NFKD').replace(droppedPattern, '').normalize('NFC').toLowerCase().replace('ς', 'σ')

function fold(text: string): Folded {
  if (plainPattern.test(text)) return {text: text.toLowerCase(), starts: undefined}
  let folded = ''
  let at = 0
  const starts: number[] = []
  for (const character of text) {
    const form = foldCharacter(character)
    folded += form
    for (let index = 0; index < form.length; index += 1) starts.push(at)
    at += character.length
  }
  starts.push(at)
  return {text: folded, starts}
}

/** A text as it is searched: all of `fold` but where its characters were, many times as fast. */
export const foldText = (text: string): string =>
  plainPattern.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(droppedPattern, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(/[^\S\n]/g, ' ')
        // only a whole word has a final sigma
        .replaceAll('ς', 'σ')

/** How often a folded query is in a folded text. */
export function countMatches(text: string, query: string): number {
  if (query === '') return 0
  let count = 0
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, at + query.length)) count += 1
  return count
}

/** Where a folded query is in a text: begin and end of each match. */
export function findMatches(text: string, query: string): [from: number, to: number][] {
  if (query === '') return []
  const folded = fold(text)
  const original = (index: number) => folded.starts?.[index] ?? index
  const matches: [number, number][] = []
  for (let at = folded.text.indexOf(query); at !== -1; at = folded.text.indexOf(query, at + query.length)) {
    const last = original(at + query.length - 1)
    // the end of the last character: its marks belong to it
    let end = at + query.length
    while (original(end) === last && end < folded.text.length) end += 1
    matches.push([original(at), original(end)])
  }
  return matches
}

/** Matches of one row of a conversation. */
export type RowMatches = {row: number; count: number}
export type Match = {row: number; /** Number of the match in its row, from 0. */ nth: number}

export const totalMatches = (rows: readonly RowMatches[]): number => rows.reduce((sum, {count}) => sum + count, 0)

/** Number of the first match at or below a row; the first of all where there is none. */
export function firstMatchFrom(rows: readonly RowMatches[], from: number): number {
  const above = rows.filter(({row}) => row < from)
  return above.length === rows.length ? 0 : totalMatches(above)
}

/** The match with a number over the whole conversation. */
export function matchAt(rows: readonly RowMatches[], match: number): Match | undefined {
  let before = 0
  for (const {row, count} of rows) {
    if (match < before + count) return {row, nth: match - before}
    before += count
  }
  return undefined
}
