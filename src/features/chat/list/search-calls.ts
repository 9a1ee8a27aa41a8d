import type {SearchEntry, SearchHit} from '#domain/search-index.ts'

/** What the page asks of the worker that searches. */
export type SearchCall =
  | {type: 'update'; entries: readonly SearchEntry[]; gone: readonly string[]}
  | {type: 'find'; query: string; most: number}
export type SearchReply = {id: number; hits: readonly SearchHit[]}
