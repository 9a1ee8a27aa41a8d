import {originalRanges, foldText, type TextRange} from './fold-text.ts'

/** How often a folded query is in a folded text. */
export function countMatches(text: string, query: string): number {
  if (query === '') return 0
  let count = 0
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, at + query.length)) count += 1
  return count
}

/** The ranges of a folded query in a text, in order. */
export function findMatches(text: string, query: string): readonly TextRange[] {
  if (query === '') return []
  const foldedText = foldText(text)
  const matches: TextRange[] = []
  for (let at = foldedText.indexOf(query); at !== -1; at = foldedText.indexOf(query, at + query.length))
    matches.push({start: at, end: at + query.length})
  return originalRanges(text, matches)
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

/** The match with a number over all rows, with what else they say of its row. */
export function matchAt<Row extends RowMatches>(
  rows: readonly Row[],
  match: number,
): (Omit<Row, 'count'> & Match) | undefined {
  let before = 0
  for (const {count, ...row} of rows) {
    if (match < before + count) return {...row, nth: match - before}
    before += count
  }
  return undefined
}
