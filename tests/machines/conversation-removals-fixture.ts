import {expect} from 'vitest'
import type {Conversation} from '#contract/chat.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {start} from './conversation-fixture.ts'
import {eventually} from '../eventually.ts'

export const [one, first, two, second] = [
  {role: 'user', content: 'one', id: 'q-1', state: 'finished'},
  {role: 'assistant', content: 'first', id: 'a-1', attempt: 1, state: 'finished'},
  {role: 'user', content: 'two', id: 'q-2', state: 'finished'},
  {role: 'assistant', content: 'second', id: 'a-2', attempt: 1, state: 'finished'},
] as const satisfies RecordMessage[]
export const deleted = (message: RecordMessage): RecordMessage => ({...message, removing: true})

/** A conversation in which something was deleted a moment ago; `copy` is what the server has once it heard of it. */
export function open(messages: RecordMessage[], copy: RecordMessage[]) {
  const record: ConversationRecord = {key: 'c-1', id: 'c-1', model: 'm', messages, updatedAt: 0}
  const truncate = (): Promise<Conversation> => Promise.resolve({id: 'c-1', messages: copy, updated_at: 1})
  return start({record, capabilities: ['resume', 'stop', 'idempotency', 'versions'], truncate})
}
/** The network stays away. */
export async function giveUp({actor, clock}: Pick<ReturnType<typeof start>, 'actor' | 'clock'>) {
  await eventually(() => {
    clock.increment(60_000)
    expect(actor.getSnapshot().hasTag('settled')).toBe(true)
  })
}
export const contents = (messages: readonly RecordMessage[]) => messages.map(({content}) => content)
