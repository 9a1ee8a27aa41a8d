import type {ConversationChange} from '#domain/conversation.ts'
import {pagesOf} from './pages-of.ts'

/** Bodies of the calls, in order: a title has its own, which every server knows; marks are our extension, a hundred in a call. */
export const changesToSend = (changes: readonly ConversationChange[]): object[] => [
  ...changes.flatMap((change) => ('title' in change ? [{action: 'update', id: change.key, title: change.title}] : [])),
  ...pagesOf(changes.filter((change) => !('title' in change))).map((page) => ({
    action: 'mark',
    items: page.map(({key, ...marks}) => ({id: key, ...marks})),
  })),
]
