import {mostMarked} from '#contract/chat.ts'

/** As many as one call takes. */
export const pagesOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({length: Math.ceil(items.length / mostMarked)}, (_, page) =>
    items.slice(page * mostMarked, (page + 1) * mostMarked),
  )
