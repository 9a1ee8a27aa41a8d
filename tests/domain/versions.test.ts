import {describe, expect, test} from 'vitest'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {versionPosition} from '#domain/version-position.ts'
import {versionReplaced, versionsToJoin} from '#domain/versions.ts'

const question: RecordMessage = {role: 'user', content: 'foo', id: 'q-1', state: 'finished'}
const answer = (more: Partial<RecordMessage> = {}): RecordMessage => ({
  role: 'assistant',
  content: 'bar',
  id: 'a-1',
  attempt: 1,
  state: 'finished',
  ...more,
})
const attempt = answer({id: 'key', content: '', state: 'failed', outcome: 'refused', unsent: true, versions: ['a-1']})

test('a message is joined by its own id, an attempt that no server took by those before it', () => {
  expect(versionsToJoin(answer())).toEqual(['a-1'])
  expect(versionsToJoin(answer({versions: ['a-0', 'a-1']}))).toEqual(['a-0', 'a-1'])
  expect(versionsToJoin(answer({versions: ['a-0']}))).toEqual(['a-0', 'a-1'])
  expect(versionsToJoin(attempt)).toEqual(['a-1'])
  expect(versionsToJoin({role: 'user', content: 'foo'})).toBeUndefined()
})

test('a question on its way replaces a question where it is new, else an answer', () => {
  expect(versionReplaced([question], {versions: ['a-0', 'a-1']})).toBe('a-1')
  expect(versionReplaced([{role: 'user', content: 'foo', versions: ['q-1']}], {})).toBe('q-1')
  expect(versionReplaced([{role: 'user', content: 'foo'}], {})).toBeUndefined()
})

test('the position among the versions; one alone has none', () => {
  expect(versionPosition(answer())).toBeUndefined()
  expect(versionPosition(answer({versions: ['a-1']}))).toBeUndefined()
  expect(versionPosition(answer({versions: ['a-0', 'a-1', 'a-2']}))).toEqual({
    index: 1,
    count: 3,
    previous: 'a-0',
    next: 'a-2',
  })
  expect(versionPosition(attempt)).toEqual({index: 1, count: 2, previous: 'a-1', next: undefined})
})

describe('merging', () => {
  const record = (messages: RecordMessage[], updatedAt: number): ConversationRecord => ({
    key: 'k',
    id: 'c-1',
    model: 'm',
    messages,
    updatedAt,
  })
  const merged = (ours: ConversationRecord, theirs: ConversationRecord) => mergeConversation(ours, theirs).messages

  test('a version on its way, or refused, stands where it would until the server has something newer', () => {
    const running = {...attempt, state: 'pending' as const, unsent: undefined, attempt: undefined}
    const theirs = record([question, answer()], 5)
    expect(merged(record([question, attempt], 6), theirs)).toEqual([question, attempt])
    expect(merged(record([question, running], 6), theirs)).toEqual([question, running])
    expect(merged(record([question, attempt], 4), theirs)).toEqual([question, answer()])
    const edited: RecordMessage = {role: 'user', content: 'new', unsent: true, versions: ['q-1']}
    expect(merged(record([edited, attempt], 6), theirs)).toEqual([edited, attempt])
  })

  test('another version that the server shows replaces ours', () => {
    const other = answer({id: 'a-2', content: 'other', versions: ['a-1', 'a-2']})
    expect(merged(record([question, other], 5), record([question, answer()], 6))).toEqual([question, answer()])
  })

  test('what was deleted at the end of a younger copy is gone, a failed answer too', () => {
    const failed = answer({id: 'a-2', state: 'failed', outcome: 'refused'})
    const more: RecordMessage = {...question, id: 'q-2', content: 'more'}
    const theirs = [question, answer(), more]
    expect(merged(record([...theirs, failed], 5), record(theirs, 6))).toEqual(theirs)
    expect(merged(record([...theirs, failed], 6), record(theirs, 5))).toEqual([...theirs, failed])
  })
})
