import {describe, expect, test} from 'vitest'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {start} from './conversation-fixture.ts'

const asked = (id: string): RecordMessage => ({role: 'user', content: id, id, state: 'finished'})
const answered = (id: string, time?: number): RecordMessage => ({
  role: 'assistant',
  content: id,
  id,
  attempt: 1,
  state: 'finished',
  ...(time !== undefined && {created_at: time}),
})
const record = (model: string, ...messages: RecordMessage[]): ConversationRecord => ({
  key: 'c-1',
  id: 'c-1',
  model,
  messages,
  updatedAt: 5,
})
const modelAfter = (theirs: ConversationRecord) => {
  const {actor} = start({record: record('first', asked('q-1'), answered('a-1', 20))})
  actor.send({type: 'model.choose', model: 'chosen'})
  actor.send({type: 'history.loaded', record: {...theirs, updatedAt: 6}})
  return actor.getSnapshot().context.model
}

describe('the model of the next question, once the copy of the server was read', () => {
  test('is that of an answer which another device was given since', () => {
    const longer = record('other', asked('q-1'), answered('a-1', 20), asked('q-2'), answered('a-2'))
    expect(modelAfter(longer)).toBe('other')
    expect(modelAfter(record('other', asked('q-3'), answered('a-3', 21)))).toBe('other')
  })

  test('stays as it was chosen after the same answer, and on an earlier path', () => {
    expect(modelAfter(record('other', asked('q-1'), answered('a-1', 20)))).toBe('chosen')
    expect(modelAfter(record('other', asked('q-1'), answered('a-0', 19)))).toBe('chosen')
    expect(modelAfter(record('other', asked('q-1'), answered('a-0')))).toBe('chosen')
    expect(modelAfter(record('', asked('q-1'), answered('a-1', 20), asked('q-2'), answered('a-2')))).toBe('chosen')
  })
})
