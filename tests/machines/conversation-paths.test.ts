import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ChatCapability} from '#contract/management.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {selectIsSettled, selectMessages, selectRecord} from '#machines/conversation/conversation.selectors.ts'
import {selectItems} from '#machines/follow-ups/follow-ups.machine.ts'
import {ask, start, type Options} from './conversation-fixture.ts'

/* A path that is shown without being chosen (decision 172). */

const question = {role: 'user', content: 'one', id: 'q-1', state: 'finished'} as const
const answer = (id: string, content: string): RecordMessage => ({
  role: 'assistant',
  content,
  id,
  attempt: 1,
  state: 'finished',
  versions: ['a-1', 'a-2'],
})
const chosen = [question, answer('a-2', 'other')]
const older = [
  question,
  answer('a-1', 'first'),
  {role: 'user', content: 'two', id: 'q-2', state: 'finished'},
  {role: 'assistant', content: 'second', id: 'a-3', attempt: 1, state: 'finished'},
] satisfies RecordMessage[]
const path = {type: 'path.show', message: 'q-2', messages: older} as const
const record: ConversationRecord = {key: 'c-1', id: 'c-1', model: 'm', messages: chosen, updatedAt: 5}
const capabilities: ChatCapability[] = ['resume', 'stop', 'idempotency', 'versions', 'paths']

const texts = (messages: readonly RecordMessage[]) => messages.map(({content}) => content)

/** A conversation that shows the older path. */
function visit(options: Options = {}) {
  const started = start({record, capabilities, ...options})
  started.actor.send(path)
  expect(started.value()).toBe('visiting')
  return started
}
const shownIn = ({actor}: ReturnType<typeof visit>) => texts(selectMessages(actor.getSnapshot()))
const storedIn = ({actor}: ReturnType<typeof visit>) => selectRecord(actor.getSnapshot()).messages

describe('a path that is not chosen', () => {
  test('is shown; the record keeps what is chosen', () => {
    const visited = visit()
    expect(shownIn(visited)).toEqual(['one', 'first', 'two', 'second'])
    expect(storedIn(visited)).toEqual(chosen)
    expect(selectIsSettled(visited.actor.getSnapshot())).toBe(true)
    visited.actor.send({type: 'path.leave'})
    expect([visited.value(), shownIn(visited)]).toEqual(['finished', ['one', 'other']])
    expect(visited.reports).toEqual([])
  })

  test('what another page changes is read beside it, and throws nobody off', () => {
    const visited = visit()
    const more: RecordMessage[] = [...chosen, {role: 'user', content: 'elsewhere', id: 'q-9'}]
    visited.actor.send({type: 'history.loaded', record: {...record, messages: more, updatedAt: 6}})
    expect(shownIn(visited)).toEqual(['one', 'first', 'two', 'second'])
    expect(texts(storedIn(visited))).toEqual(['one', 'other', 'elsewhere'])
    visited.actor.send({...path, messages: [...older, {role: 'user', content: 'below', id: 'q-8'}]})
    expect(shownIn(visited)).toEqual(['one', 'first', 'two', 'second', 'below'])
    visited.actor.send({type: 'path.leave'})
    expect(shownIn(visited)).toEqual(['one', 'other', 'elsewhere'])
  })
})

describe('a question that is asked there', () => {
  test('names the message that it follows, and chooses the path with it', () => {
    const visited = visit()
    visited.actor.send(ask)
    expect(visited.opened[0]?.input).toMatchObject({request: 'ask', conversation: 'c-1', after: 'a-3'})
    expect(texts(storedIn(visited))).toEqual(['one', 'first', 'two', 'second', 'foo', ''])
    const name = {conversation: 'c-1', message: 'm-1', attempt: 1, question: 'q-3'}
    visited.stream().next({type: 'answer.started', ...name})
    visited.stream().next({type: 'answer.completed'})
    visited.actor.send({...ask, key: 'key-2'})
    expect(visited.opened[1]?.input.after).toBeUndefined()
  })

  test('is the same request after a reload', () => {
    const visited = visit()
    visited.actor.send(ask)
    const stored = JSON.parse(JSON.stringify(selectRecord(visited.actor.getSnapshot()))) as ConversationRecord // as: what is stored is JSON
    const reloaded = start({record: stored, capabilities})
    reloaded.actor.send({type: 'connection.restored'})
    expect(reloaded.opened[0]?.input).toMatchObject({after: 'a-3', exchange: {key: 'key-1'}})
  })

  test('that is refused keeps its path, also beside an older copy, and goes there when it is asked again', () => {
    const visited = visit()
    visited.actor.send(ask)
    visited.stream().error(Object.assign(new Error('foo'), {code: 'busy', detail: 'foo', status: 503}))
    const stored = selectRecord(visited.actor.getSnapshot())
    expect(texts(mergeConversation(stored, record).messages)).toEqual(['one', 'first', 'two', 'second', 'foo', ''])
    visited.actor.send({type: 'answer.retry', key: 'key-2', at: 11})
    expect(visited.opened[1]?.input.after).toBe('a-3')
    visited.stream().error(Object.assign(new Error('foo'), {code: 'busy', detail: 'foo', status: 503}))
    visited.actor.send({...ask, question: 'bar', key: 'key-3'})
    expect(visited.opened[2]?.input.after).toBe('a-3')
  })

  test('beside a younger copy of the server it follows that', () => {
    const visited = visit()
    visited.actor.send(ask)
    visited.stream().error(Object.assign(new Error('foo'), {code: 'busy', detail: 'foo', status: 503}))
    visited.actor.send({type: 'history.loaded', record: {...record, updatedAt: 90}})
    expect(shownIn(visited)).toEqual(['one', 'other', 'foo', ''])
    visited.actor.send({type: 'answer.retry', key: 'key-2', at: 91})
    expect(visited.opened[1]?.input.after).toBe('a-2')
  })

  test('while another answer runs is refused, and does not wait behind that', () => {
    const visited = visit()
    visited.actor.send(ask)
    visited.stream().error(Object.assign(new Error('foo'), {code: 'duplication', detail: 'foo', status: 409}))
    expect(visited.value()).toEqual({failed: 'refused'})
  })

  test('goes to the end of what is chosen when what it followed is gone', () => {
    const visited = visit()
    visited.actor.send(ask)
    const gone = {code: 'not_found', detail: 'foo', status: 404, field: 'after'}
    visited.stream().error(Object.assign(new Error('foo'), gone))
    visited.actor.send({type: 'answer.retry', key: 'key-2', at: 11})
    expect(visited.opened[1]?.input.after).toBeUndefined()
  })

  test('goes after what is deleted, and stays on its path', async () => {
    const deleted = {...question, removing: true}
    const visited = visit({
      record: {...record, messages: [deleted, ...chosen.slice(1)]},
      truncate: async () => ({id: 'c-1', messages: chosen.slice(1)}),
    })
    visited.actor.send({...path, messages: [deleted, ...older.slice(1)]})
    visited.actor.send(ask)
    await waitFor(visited.actor, (snapshot) => snapshot.matches('asking'))
    expect(shownIn(visited)).toEqual(['first', 'two', 'second', 'foo'])
    expect(visited.opened[0]?.input.after).toBe('a-3')
  })

  test('an answer that is given again joins the versions of the shown one', () => {
    const visited = visit()
    visited.actor.send({type: 'answer.regenerate', key: 'key-1', at: 9})
    expect(visited.opened[0]?.input.versionOf).toBe('a-3')
    expect(visited.opened[0]?.input.after).toBeUndefined()
  })
})

test('a question that waits belongs to the path that is chosen', async () => {
  const visited = visit()
  const items = [{question: 'later', references: [], key: 'key-9'}]
  visited.actor.send({type: 'followUps.heard', items})
  // the tab that told of it is silent, and leaves it to this one
  visited.clock.increment(600_000)
  await waitFor(visited.actor, (snapshot) => snapshot.matches('asking'))
  expect(shownIn(visited)).toEqual(['one', 'other', 'later'])
  expect(visited.opened[0]?.input.after).toBeUndefined()
})

test('questions that are held stay held while a path is read', async () => {
  const items = [{question: 'later', references: [], key: 'key-9'}]
  const failed = {...answer('a-2', ''), state: 'failed', outcome: 'stopped'} as const
  const visited = visit({record: {...record, messages: [question, failed], followUps: items}})
  visited.actor.send({type: 'path.leave'})
  expect(visited.value()).toEqual({failed: 'stopped'})
  expect(selectItems(visited.actor.getSnapshot().context.followUps.getSnapshot())).toEqual(items)
  expect(visited.opened).toEqual([])
})
