import {foldText} from './fold-text.ts'

/** The words of a query, folded, the longest first: it is the rarest. Chinese and Japanese have one: no spaces. */
export const searchWords = (query: string): string[] =>
  [...new Set(foldText(query).split(/\s+/).filter(Boolean))].sort((a, b) => b.length - a.length)
