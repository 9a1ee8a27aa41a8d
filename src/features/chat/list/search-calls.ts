import type {SearchEntry, SearchHit} from '#domain/search-index.ts'

/** Calls from the page to the worker that searches. */
export type SearchCall =
  | {type: 'update'; entries: readonly SearchEntry[]; gone: readonly string[]}
  | {type: 'find'; query: string; most: number}
export type SearchReply = {id: number; hits: readonly SearchHit[]}
