import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {settled, running, start} from './conversation-list-fixture.ts'

describe('deletions in the list of conversations', () => {
  test('a deletion waits eight seconds, can be taken back, and is sent once', async () => {
    const {list, clock, keys, calls, context} = start([settled('a'), settled('b')])
    list.send({type: 'conversations.remove', keys: ['a']})
    expect(keys()).toEqual(['b'])
    list.send({type: 'conversations.restore', keys: ['a']})
    expect(keys()).toEqual(['a', 'b'])
    clock.increment(60_000)
    expect(calls).toEqual([])
    list.send({type: 'conversations.remove', keys: ['a']})
    clock.increment(8_000)
    await waitFor(list, (snapshot) => snapshot.context.removed.length === 1)
    expect(calls).toEqual(['remove a'])
    expect(context().items.map(({key}) => key)).toEqual(['b'])
  })

  test('several deletions are one: one notice, one undo, and all are sent in one moment', async () => {
    const {list, clock, keys, calls, facts, context} = start([settled('a'), settled('b'), settled('c')])
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'conversations.remove', keys: ['a', 'b', 'unknown']})
    const undo = {type: 'conversations.restore', keys: ['a', 'b']} as const
    expect(facts).toEqual([{type: 'list.undoable', about: 'removals', count: 2, undo}])
    expect([keys(), context().shown]).toEqual([['c'], []])
    list.send(undo)
    expect(keys()).toEqual(['a', 'b', 'c'])
    clock.increment(8_000)
    expect(calls).toEqual([])
    list.send({type: 'conversations.remove', keys: ['a', 'b']})
    clock.increment(7_999)
    expect(calls).toEqual([])
    clock.increment(1)
    // in the same moment, so that the server is told with one call
    expect(calls).toEqual(['remove a', 'remove b'])
    await waitFor(list, (snapshot) => snapshot.context.removed.length === 2)
  })

  test('a deletion that was taken back gives a later one of the same conversations its whole time', () => {
    const {list, clock, calls} = start([settled('a'), settled('b')])
    const remove = (...keys: string[]) => list.send({type: 'conversations.remove', keys})
    const restore = (...keys: string[]) => list.send({type: 'conversations.restore', keys})
    remove('a', 'b')
    restore('a', 'b')
    clock.increment(2_000)
    remove('a')
    clock.increment(2_000)
    restore('a')
    remove('a', 'b')
    clock.increment(7_999)
    expect(calls).toEqual([])
    clock.increment(1)
    expect(calls).toEqual(['remove a', 'remove b'])
  })

  test('a deletion waits while its offer is held, and has its whole time afterwards', () => {
    const {list, clock, calls} = start([settled('a'), settled('b')])
    list.send({type: 'conversations.remove', keys: ['a', 'b']})
    clock.increment(7_000)
    list.send({type: 'removal.hold', keys: ['a', 'b']})
    clock.increment(60_000)
    expect(calls).toEqual([])
    list.send({type: 'removal.release', keys: ['a', 'b']})
    clock.increment(7_999)
    expect(calls).toEqual([])
    clock.increment(1)
    expect(calls).toEqual(['remove a', 'remove b'])
  })

  test('a deletion is taken back by an offer that was held for long', () => {
    const {list, clock, calls, keys} = start([settled('a')])
    list.send({type: 'conversations.remove', keys: ['a']})
    list.send({type: 'removal.hold', keys: ['a']})
    clock.increment(60_000)
    list.send({type: 'conversations.restore', keys: ['a']})
    list.send({type: 'removal.release', keys: ['a']})
    clock.increment(60_000)
    expect([keys(), calls]).toEqual([['a'], []])
  })

  test('a deletion whose offer is held is sent when the page is left', () => {
    const {list, calls} = start([settled('a')])
    list.send({type: 'conversations.remove', keys: ['a']})
    list.send({type: 'removal.hold', keys: ['a']})
    list.send({type: 'page.leaving'})
    expect(calls).toEqual(['remove a'])
  })

  test('deletions in a row are one: each begins the time anew, and one offer takes all back', () => {
    const {list, clock, calls, facts, keys} = start(['a', 'b', 'c', 'd'].map((key) => settled(key)))
    for (const key of ['a', 'b', 'c', 'd']) {
      list.send({type: 'conversations.remove', keys: [key]})
      clock.increment(7_000)
    }
    expect(calls).toEqual([])
    const undo = {type: 'conversations.restore', keys: ['a', 'b', 'c', 'd']} as const
    expect(facts.at(-1)).toEqual({type: 'list.undoable', about: 'removals', count: 4, undo})
    list.send(undo)
    expect(keys()).toEqual(['a', 'b', 'c', 'd'])
    clock.increment(60_000)
    expect(calls).toEqual([])
  })

  test('the rest of a deletion that was taken back in part goes with a conversation that is deleted again', () => {
    const {list, clock, calls} = start([settled('a'), settled('b')])
    list.send({type: 'conversations.remove', keys: ['a', 'b']})
    list.send({type: 'conversations.restore', keys: ['a']})
    clock.increment(2_000)
    list.send({type: 'conversations.remove', keys: ['a']})
    clock.increment(7_999)
    expect(calls).toEqual([])
    clock.increment(1)
    expect(calls).toEqual(['remove b', 'remove a'])
  })

  test('a deletion that failed early gives a later one of the same conversations its whole time', async () => {
    const {list, clock, calls, fails} = start([settled('a'), settled('b')])
    fails.remove = true
    list.send({type: 'conversations.remove', keys: ['a', 'b']})
    list.send({type: 'page.leaving'})
    await waitFor(list, (snapshot) => snapshot.context.removing.length === 0)
    clock.increment(2_000)
    list.send({type: 'conversations.remove', keys: ['a']})
    clock.increment(7_999)
    expect(calls).toEqual(['remove a', 'remove b'])
    clock.increment(1)
    expect(calls).toEqual(['remove a', 'remove b', 'remove a'])
  })

  test('taking back the deletion of an answering conversation finds its answer again; another deletion stays', async () => {
    const other: ConversationRecord = {...running, key: 'other', id: 'other'}
    const {list, context, standing} = start([running, other], async () => [running, other])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(context().live).toEqual(['run', 'other'])
    list.send({type: 'conversations.remove', keys: ['run']})
    list.send({type: 'conversations.remove', keys: ['other']})
    expect(standing()).toEqual({removing: ['run', 'other']})
    list.send({type: 'conversations.restore', keys: ['run']})
    expect(standing()).toEqual({live: ['run'], answering: ['run'], removing: ['other']})
    expect(selectConversation(list.getSnapshot(), 'run')?.getSnapshot().hasTag('streaming')).toBe(true)
  })

  test('an undo that comes too late says so: when the time is over, when the page was left, and when all is done', async () => {
    const refusal = {type: 'list.failed', kind: 'restore'}
    const {list, clock, facts, keys, context} = start([settled('a'), settled('b'), settled('c')])
    const undo = (...restored: string[]) => {
      facts.length = 0
      list.send({type: 'conversations.restore', keys: restored})
      return facts
    }
    list.send({type: 'conversations.remove', keys: ['a']})
    expect(undo('a')).toEqual([])
    list.send({type: 'conversations.remove', keys: ['a']})
    clock.increment(8_000)
    expect(undo('a')).toEqual([refusal])
    await waitFor(list, (snapshot) => snapshot.context.removed.length === 1)
    expect(undo('a')).toEqual([refusal])
    list.send({type: 'conversations.remove', keys: ['b']})
    list.send({type: 'page.leaving'})
    // one of two is restored
    list.send({type: 'conversations.remove', keys: ['c']})
    expect(undo('b', 'c')).toEqual([refusal])
    expect([keys(), context().undoable]).toEqual([['c'], []])
  })

  test('a deletion that failed has nothing to take back', async () => {
    const {list, clock, facts, fails} = start([settled('a')])
    fails.remove = true
    list.send({type: 'conversations.remove', keys: ['a']})
    clock.increment(8_000)
    await waitFor(list, (snapshot) => snapshot.context.removing.length === 0)
    facts.length = 0
    list.send({type: 'conversations.restore', keys: ['a']})
    expect(facts).toEqual([])
  })

  test('a page that is left without a deletion to end changes nothing, and tells the other tabs nothing', () => {
    const {list} = start([settled('a')])
    const {undoable} = list.getSnapshot().context
    const facts: unknown[] = []
    list.on('*', (fact) => facts.push(fact))
    list.send({type: 'page.leaving'})
    expect(list.getSnapshot().context.undoable).toBe(undoable)
    expect(facts).toEqual([])
  })

  test('closing the page sends what was deleted', () => {
    const {list, calls} = start([settled('a')])
    list.send({type: 'conversations.remove', keys: ['a']})
    list.send({type: 'page.leaving'})
    expect(calls).toEqual(['remove a'])
  })

  test('a tab that closes leaves its deletion to the others, which tell of it when the server has it', async () => {
    const closing = start([settled('a')])
    const left: unknown[] = []
    closing.list.on('*', (fact) => left.push(fact))
    closing.list.send({type: 'conversations.remove', keys: ['a']})
    expect(left).toEqual([])
    closing.list.send({type: 'page.leaving'})
    expect(left).toEqual([{type: 'removals.left', keys: ['a']}])

    const {list, clock, calls, keys, context} = start([settled('a'), settled('b')])
    list.send({type: 'conversation.open', key: 'a'})
    const facts: unknown[] = []
    list.on('*', (fact) => facts.push(fact))
    list.send({type: 'removals.left', keys: ['a']})
    list.send({type: 'removals.left', keys: ['a']})
    expect([keys(), context().live, calls]).toEqual([['b'], [], []])
    clock.increment(8_000)
    expect(calls).toEqual(['remove a'])
    await waitFor(list, (snapshot) => snapshot.context.removed.length === 1)
    expect(facts).toEqual([{type: 'conversations.removed', keys: ['a']}])
  })

  test('a deletion that another tab left and that fails here too is shown again, and says so', async () => {
    const {list, clock, keys, facts, fails} = start([settled('a')])
    fails.remove = true
    list.send({type: 'removals.left', keys: ['a']})
    clock.increment(8_000)
    await waitFor(list, (snapshot) => snapshot.context.removing.length === 0)
    expect(keys()).toEqual(['a'])
    expect(facts).toEqual([
      {
        type: 'list.failed',
        kind: 'remove',
        count: 1,
        failure: {code: 'unknown', detail: 'foo'},
        again: {type: 'conversations.remove', keys: ['a']},
      },
    ])
  })

  test('two tabs that delete the same: the one that stays keeps its time to undo', () => {
    const {list, calls} = start([settled('a')])
    list.send({type: 'conversations.remove', keys: ['a']})
    list.send({type: 'removals.left', keys: ['a']})
    expect(calls).toEqual([])
  })

  test('a deletion whose answer an earlier page did not see is told again, and its conversation stays away', async () => {
    const kept = {...settled('a'), key: 'made here'}
    const load = async () => [settled('a'), settled('b')]
    const {list, calls, keys} = start([kept, settled('b')], load, undefined, ['a', 'gone'])
    list.send({type: 'page.leaving'})
    list.send({type: 'conversations.restore', keys: ['made here']})
    expect(keys()).toEqual(['b'])
    expect(calls).toEqual([])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(keys()).toEqual(['b'])
    await waitFor(list, (snapshot) => snapshot.context.removed.length === 3)
    expect(calls).toEqual(['remove a', 'remove gone'])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(calls).toHaveLength(2)
    expect(keys()).toEqual(['b'])
  })

  test('a refused deletion brings the conversation back and says so', async () => {
    const {list, clock, keys, fails, facts} = start([settled('a')])
    fails.remove = true
    list.send({type: 'conversations.remove', keys: ['a']})
    clock.increment(8_000)
    await waitFor(list, (snapshot) => snapshot.context.removing.length === 0)
    expect(keys()).toEqual(['a'])
    expect(facts.at(-1)).toEqual({
      type: 'list.failed',
      kind: 'remove',
      count: 1,
      failure: {code: 'unknown', detail: 'foo'},
      again: {type: 'conversations.remove', keys: ['a']},
    })
  })
})
