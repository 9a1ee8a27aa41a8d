import {describe, expect, test} from 'vitest'
import {createActor} from 'xstate'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {deletionWatchMachine, type DeletionWatchEvent} from '#machines/deletion-watch/deletion-watch.machine.ts'
import {environment, settled} from './conversation-list-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'

const events = {
  'names.seen': [
    {type: 'names.seen', listed: ['a', 'b'], deleted: []},
    {type: 'names.seen', listed: ['b'], deleted: ['a']},
    {type: 'names.seen', listed: [], deleted: []},
    {type: 'names.seen', listed: [], deleted: ['a', 'b']},
  ],
} satisfies EventFixtures<DeletionWatchEvent>

/** A list that was not read: it has what the device has. */
const listOf = (...keys: string[]) => {
  const restored = keys.map((key) => ({...settled(key), id: `id-${key}`}))
  return createActor(conversationListMachine, {
    input: {userId: 'u-1', environment, parentRef: nobody, restored},
  }).start()
}

describe('what is open on conversations', () => {
  const {edges, coverage} = describeRules(deletionWatchMachine, {
    input: {list: listOf(), names: ['a', 'b']},
    events: events['names.seen'],
    endless: ['seenNames'],
    key: ({value, context: {remaining}}) => [value, remaining],
  })
  test('every transition is taken', () => expect(coverage.missing(deletionWatchMachine)).toEqual([]))
  test('only what the list had is missed, and only once none of it remains', () => {
    const ends = edges.filter(({nextState}) => nextState.matches('deleted'))
    expect(ends.length).toBeGreaterThan(0)
    for (const {state, event} of ends) {
      expect(state.context.remaining.length).toBeGreaterThan(0)
      expect(event).toEqual({
        deleted: expect.arrayContaining([...state.context.remaining]),
        type: 'names.seen',
        listed: [],
      })
    }
  })
})

const watch = (list: ReturnType<typeof listOf>, ...names: string[]) =>
  createActor(deletionWatchMachine, {input: {list, names}}).start()

test('several are deleted together or one after the other, by key or the id of the server', () => {
  const list = listOf('a', 'b', 'c')
  const [both, last] = [watch(list, 'a', 'id-b'), watch(list, 'id-c')]
  list.send({type: 'conversations.removed', keys: ['id-a']})
  expect([both.getSnapshot().value, last.getSnapshot().value]).toEqual(['watching', 'watching'])
  list.send({type: 'conversations.removed', keys: ['id-b', 'id-c']})
  expect([both.getSnapshot().value, last.getSnapshot().value]).toEqual(['deleted', 'deleted'])
})

test('what this page deletes and can take back is not deleted elsewhere, nor what was never listed', () => {
  const list = listOf('a')
  const [own, never] = [watch(list, 'a'), watch(list, 'b')]
  list.send({type: 'conversations.remove', keys: ['a']})
  list.send({type: 'conversations.removed', keys: ['b']})
  expect([own.getSnapshot().value, never.getSnapshot().value]).toEqual(['watching', 'watching'])
})
