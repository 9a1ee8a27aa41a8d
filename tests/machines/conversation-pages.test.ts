import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, SimulatedClock, waitFor} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
  type ConversationPageInput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {createCoverage, endlessInvokes, unguardedInvokes, walk} from './graph.ts'

const record = (key: string): ConversationRecord => ({key, id: key, model: 'm', messages: [], updatedAt: 0})

describe('pages of conversations', () => {
  const coverage = createCoverage()
  const {states} = walk(conversationPagesMachine, {
    observe: coverage.inspect,
    input: {userId: 'u', kept: []},
    events: [],
    outputs: {getConversations: [{records: [record('a')], next: 1}, {records: [record('b')]}]},
    key: ({context: {records}}) => records.length,
  })
  test('every transition is taken, and it ends with records or a failure', () => {
    expect(coverage.missing(conversationPagesMachine)).toEqual([])
    expect([...new Set(states.map(({value}) => value))].sort()).toEqual(['done', 'reading'])
  })
  test('each page has an onError and a deadline', () => {
    expect([unguardedInvokes(conversationPagesMachine), endlessInvokes(conversationPagesMachine)]).toEqual([[], []])
  })
})

const run = (read: (offset: number) => Promise<ConversationPage>) => {
  const clock = new SimulatedClock()
  const offsets: number[] = []
  const machine = conversationPagesMachine.provide({
    actors: {
      getConversations: fromPromise<ConversationPage, ConversationPageInput>(({input}) => {
        offsets.push(input.offset)
        return read(input.offset)
      }),
    },
  })
  const actor = createActor(machine, {clock, input: {userId: 'u', kept: []}}).start()
  return {actor, clock, offsets, output: async () => (await waitFor(actor, ({status}) => status === 'done')).output}
}

describe('reading all conversations', () => {
  test('each page begins where the last one ended, and no record comes twice', async () => {
    const pages = new Map<number, ConversationPage>([
      [0, {records: [record('a')], next: 1}],
      [1, {records: [record('a'), record('b')], next: 3}],
      [3, {records: [record('c')]}],
    ])
    const {offsets, output} = run(async (offset) => pages.get(offset) ?? {records: []})
    expect((await output())?.records.map(({key}) => key)).toEqual(['a', 'b', 'c'])
    expect(offsets).toEqual([0, 1, 3])
  })

  test('a server that sends the same page again has no more', async () => {
    const {offsets, output} = run(async () => ({records: [record('a')], next: 1}))
    expect(await output()).toEqual({kept: [], records: [record('a')], failure: undefined})
    expect(offsets).toEqual([0, 1])
  })

  test('a page without an answer ends it with a failure', async () => {
    const {actor, clock, offsets, output} = run((offset) =>
      offset === 0 ? Promise.resolve({records: [record('a')], next: 1}) : new Promise(() => {}),
    )
    await waitFor(actor, () => offsets.length === 2)
    clock.increment(20_000)
    expect(await output()).toEqual({
      kept: [],
      failure: {code: 'timeout', detail: 'The server did not answer in time.', lost: true},
      records: [{key: 'a', id: 'a', model: 'm', messages: [], updatedAt: 0}],
    })
  })
})
