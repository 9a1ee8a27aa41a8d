import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {waitFor} from 'xstate'
import {createChatSlice, persistConversations} from '#app/logic/persistence.ts'
import {mergeConversations} from '#domain/conversation-list.ts'
import {selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {createWorld} from './root-world.ts'
import {settled, start} from './conversation-list-fixture.ts'

const names = (count: number) => Array.from({length: count}, (_, index) => `c-${index}`)

test('deletions that fail are told by one fact, which deletes all of them again, once none is on its way', async () => {
  const keys = names(5)
  const {list, clock, facts, removals} = start(keys.map((key) => settled(key)))
  let answerLast = () => undefined as void
  const refusal = Object.assign(new Error('foo'), {code: 'busy', detail: 'foo', status: 409})
  removals.answer = async (id) => {
    if (id === 'c-4') await new Promise<void>((resolve) => (answerLast = resolve))
    else throw id === 'c-0' ? refusal : new Error('foo')
  }
  list.send({type: 'conversations.remove', keys})
  clock.increment(8_000)
  await waitFor(list, (snapshot) => snapshot.context.removing.length === 1)
  expect(facts.map(({type}) => type)).toEqual(['list.undoable'])
  answerLast()
  await waitFor(list, (snapshot) => snapshot.context.removed.length === 1)
  expect(facts.slice(1)).toEqual([
    {
      type: 'list.failed',
      kind: 'remove',
      count: 4,
      failure: {code: 'busy', detail: 'foo', status: 409},
      again: {type: 'conversations.remove', keys: ['c-1', 'c-2', 'c-3']},
    },
  ])
})

test('deletions that are taken back, or wait for a credential, hold back no failure', async () => {
  const {list, clock, facts, fails} = start([settled('a'), settled('b')], undefined, undefined, ['unconfirmed'])
  fails.remove = true
  list.send({type: 'conversations.remove', keys: ['a']})
  clock.increment(8_000)
  list.send({type: 'conversations.remove', keys: ['b']})
  await waitFor(list, (snapshot) => snapshot.context.removing.length === 2)
  expect(facts.map(({type}) => type)).toEqual(['list.undoable', 'list.undoable', 'list.failed'])
})

/** Elements of arrays that are looked at by these, at most. */
const looks = ['includes', 'find', 'some', 'findIndex'] as const
let seen = 0
beforeEach(() => {
  seen = 0
  for (const name of looks) {
    const look = Array.prototype[name] as (this: unknown[], ...args: unknown[]) => unknown
    vi.spyOn(Array.prototype, name).mockImplementation(function (this: unknown[], ...args: unknown[]) {
      seen += this.length
      return look.apply(this, args) as never
    })
  }
})
afterEach(() => vi.restoreAllMocks())

test('many deletions look at the list twice for each one that ends, and Undo never', async () => {
  const keys = names(200)
  const {list, clock} = start(keys.map((key) => settled(key)))
  const {deps} = createWorld({})
  persistConversations(deps, createChatSlice(deps), 'u-1', list)
  list.subscribe((snapshot) => void selectItems(snapshot))
  seen = 0
  list.send({type: 'conversations.remove', keys})
  list.send({type: 'conversations.restore', keys})
  expect(list.getSnapshot().context.removing).toEqual([])
  expect(seen).toBeLessThan(keys.length)
  seen = 0
  list.send({type: 'conversations.remove', keys})
  clock.increment(8_000)
  await waitFor(list, (snapshot) => snapshot.context.removed.length === keys.length)
  expect(seen).toBeLessThan(2 * keys.length ** 2)
})

test('of many deletions each takes along its own stored form alone, and Undo none', async () => {
  const keys = names(200)
  let forms = 0
  const counted = (key: string) =>
    Object.defineProperty(settled(key), 'model', {enumerable: true, get: () => ((forms += 1), 'm')})
  const {list, clock} = start(keys.map(counted))
  const {deps} = createWorld({})
  const chat = createChatSlice(deps)
  persistConversations(deps, chat, 'u-1', list)
  const whole = forms
  list.send({type: 'conversations.remove', keys: keys.slice(1)})
  list.send({type: 'conversations.restore', keys: keys.slice(1)})
  expect(forms).toBe(whole)
  list.send({type: 'conversations.remove', keys: keys.slice(1)})
  clock.increment(8_000)
  await waitFor(list, (snapshot) => snapshot.context.removed.length === keys.length - 1)
  expect(forms).toBe(whole)
  expect(chat.read().conversations?.map(({id}) => id)).toEqual(['c-0'])
})

test('a list that is read again is merged with one look at each conversation', () => {
  const records = names(500).map((key) => settled(key))
  const merged = mergeConversations(
    records,
    records.map((record) => ({...record})),
    () => false,
  )
  expect(merged).toHaveLength(500)
  expect(seen).toBeLessThan(10 * records.length)
})
