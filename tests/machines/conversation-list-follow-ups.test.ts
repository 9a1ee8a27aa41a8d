import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {createChatSlice, persistConversations} from '#app/logic/persistence.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {settled, failed, theirs, waiting, start} from './conversation-list-fixture.ts'
import {createWorld} from './root-world.ts'

describe('questions that wait for their turn, in the list of conversations', () => {
  const running: ConversationRecord = {
    key: 'a',
    id: 'a',
    model: 'm',
    updatedAt: 5,
    messages: [
      {role: 'user', content: 'foo'},
      {role: 'assistant', content: 'ba', state: 'answering', id: 'm-a', attempt: 1, seq: 1},
    ],
  }

  test('go out off the screen too, and the conversation keeps its actor until then', async () => {
    const {list, streams, context} = start([{...settled('a'), followUps: [waiting]}], async () => [settled('a')])
    list.send({type: 'credential.ready'})
    await expect.poll(() => [...streams.keys()]).toEqual(['next'])
    expect(context().answering).toEqual(['a'])
    expect(context().items[0]?.followUps).toBeUndefined()
  })

  test('are held after a failure, without an actor off the screen, and with one when it is opened', async () => {
    const {list, streams, context} = start([{...failed('a'), followUps: [waiting]}], async () => [failed('a')])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(context().live).toEqual([])
    list.send({type: 'conversation.open', key: 'a'})
    expect(context().live).toEqual(['a'])
    expect(context().answering).toEqual([])
    expect(context().items[0]?.followUps).toEqual([waiting])
    expect([...streams.keys()]).toEqual([])
  })

  test('are the same in all tabs', async () => {
    const {list, ask, context} = start([running, settled('b')], async () => [settled('b')])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    const facts: unknown[] = []
    list.on('followUps.heard', (fact) => facts.push(fact))
    list.send({type: 'conversation.open', key: 'a'})
    ask('a', 'and then?')
    const added = {question: 'and then?', references: [], key: 'key of and then?'}
    expect(facts).toEqual([{type: 'followUps.heard', key: 'a', items: [added], was: []}])
    list.send({type: 'followUps.heard', key: 'a', items: [waiting, added]})
    list.send({type: 'followUps.heard', key: 'b', items: [waiting]})
    expect(facts).toHaveLength(1)
    const followUps = Object.fromEntries(context().items.map((item) => [item.key, item.followUps]))
    expect(followUps).toEqual({a: [waiting, added], b: [waiting]})
  })

  test('are there once the conversation is, where another tab said so before, and are not brought back later', async () => {
    const {list, context} = start([], async () => [failed('b')])
    list.send({type: 'credential.ready'})
    list.send({type: 'followUps.heard', key: 'b', items: [waiting]})
    list.send({type: 'followUps.heard', key: 'c', items: [waiting]})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(context().items.map(({key, followUps}) => [key, followUps])).toEqual([['b', [waiting]]])
    list.send({type: 'conversation.loaded', record: failed('c')})
    expect(context().items.find(({key}) => key === 'c')?.followUps).toEqual([waiting])
    for (const key of ['b', 'c']) list.send({type: 'followUps.heard', key, items: []})
    for (const key of ['b', 'c']) list.send({type: 'conversation.loaded', record: failed(key)})
    expect(context().items.flatMap(({followUps = []}) => followUps)).toEqual([])
  })

  test('are told again by the name of the server as soon as there is one', async () => {
    const {list, streams, ask} = start([], async () => [])
    list.send({type: 'credential.ready'})
    list.send({type: 'conversation.create', key: 'k', model: 'm'})
    ask('k', 'foo')
    ask('k', 'and then?')
    const facts: unknown[] = []
    list.on('followUps.heard', (fact) => facts.push(fact))
    await expect.poll(() => streams.size).toBe(1)
    const [stream] = streams.values()
    stream?.next({type: 'answer.started', conversation: 'a', message: 'm-a', attempt: 1})
    expect(facts).toMatchObject([{key: 'a', items: [{question: 'and then?'}]}])
  })

  /** A page that was left asked it, before the server named its conversation `c-1`. */
  const asked: ConversationRecord = {
    ...{key: 'new', model: 'm', updatedAt: 1, followUps: [waiting]},
    messages: [
      {role: 'user', content: 'foo'},
      {role: 'assistant', content: '', state: 'pending', id: 'key of foo'},
    ],
  }
  const own = {...waiting, key: 'key-1'}

  /** It hears that name now, under which another tab has told of a question. @returns what waits in each record */
  async function hearName(listed: ConversationRecord[], shownKey?: string) {
    const {list, context, streams, clock} = start([asked], async () => listed)
    const {deps, bulkItems} = createWorld({})
    deps.bulk.saveConversation('u-1', asked)
    persistConversations(deps, createChatSlice(deps), 'u-1', list)
    list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']})
    if (shownKey !== undefined) list.send({type: 'conversation.open', key: shownKey})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'followUps.heard', key: 'c-1', items: [own], was: []})
    clock.increment(1_000)
    streams.get('foo')?.next({type: 'answer.started', conversation: 'c-1', message: 'm-foo', attempt: 1})
    return {
      list,
      stored: async () => {
        await deps.bulk.flush()
        return [...bulkItems.keys()].map((key) => key.split('/').at(-1))
      },
      items: () => context().items.map(({key, followUps}) => ({key, followUps})),
      queue: (key: string) =>
        selectConversation(list.getSnapshot(), key)?.getSnapshot().context.followUps.getSnapshot().context.items,
    }
  }

  test('stay with the record of the server that is on screen, where a question under another key hears its name', async () => {
    const {list, items, queue, stored} = await hearName([theirs], 'c-1')
    expect(items()).toEqual([{key: 'c-1', followUps: [waiting, own]}])
    // a page that is loaded again does not ask it a second time
    expect(await stored()).toEqual(['c-1'])
    list.send({type: 'conversation.open', key: 'c-1'})
    expect(queue('c-1')).toEqual([waiting, own])
  })

  test.each([
    ['listed', [theirs]],
    ['not listed', []],
  ])('of a record of the server that is %s go to the question that hears its name', async (_, listed) => {
    const {list, items, queue} = await hearName(listed, 'new')
    expect(items()).toEqual([{key: 'new', followUps: [own, waiting]}])
    expect(queue('new')).toEqual([own, waiting])
    list.send({type: 'conversation.loaded', record: {...theirs, updatedAt: 3}})
    expect(items()).toEqual([{key: 'new', followUps: [own, waiting]}])
  })
})
