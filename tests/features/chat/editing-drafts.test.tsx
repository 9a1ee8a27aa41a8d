import {act, render} from '@testing-library/react'
import {expect, test} from 'vitest'
import type {RecordMessage} from '#domain/conversation.ts'
import {useEditing, type Editing} from '#features/chat/use-editing.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {InChat, createChat} from './chat-fixture.tsx'

test('a conversation looks for unsent edits of each message once, not again with every message that comes', () => {
  const {chat, drafts} = createChat(undefined)
  const reads: string[] = []
  const counted = {
    ...chat,
    drafts: {
      ...chat.drafts,
      read: (key: string) => {
        reads.push(key)
        return chat.drafts.read(key)
      },
    },
  }
  const readsOf = (change: () => void) => {
    reads.length = 0
    act(change)
    return reads.length
  }
  const many = 500
  const message = (nth: number): RecordMessage => ({role: 'user', content: 'foo?', id: `m${nth}`})
  let messages = Array.from({length: many}, (_, nth) => message(nth))
  const listeners = new Set<() => void>()
  // as: editing uses these parts of a conversation alone
  const actor = {
    getSnapshot: () => ({context: {key: 'a', messages}}),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return {unsubscribe: () => listeners.delete(listener)}
    },
  } as unknown as ConversationActor
  let editing: Editing | undefined
  const Thread = () => {
    editing = useEditing(actor)
    return null
  }
  const come = (next: RecordMessage) => () => {
    messages = [...messages, next]
    for (const listener of listeners) listener()
  }
  const first = readsOf(() => void render(<Thread />, {wrapper: ({children}) => InChat({chat: counted, children})}))
  expect(first).toBeLessThanOrEqual(many)
  expect(readsOf(come(message(many)))).toBe(1)
  expect(editing?.editing).toBeUndefined()
  // another tab left words in a message that comes
  drafts.set('edit/other', {text: 'bar', references: []})
  expect(readsOf(come({...message(0), id: 'other'}))).toBeGreaterThan(0)
  expect(editing?.editing).toBe(many + 1)
})
