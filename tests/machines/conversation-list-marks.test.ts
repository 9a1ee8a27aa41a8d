import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {eventually} from '../eventually.ts'
import {startChanges} from './conversation-changes-fixture.ts'
import {settled, start} from './conversation-list-fixture.ts'

describe('titles and marks in the list of conversations', () => {
  test('an answer leaves the marks of its conversation as they are', () => {
    const {list, context, ask, answer} = start([{...settled('a'), pinned: true, labels: ['foo']}])
    list.send({type: 'conversation.open', key: 'a'})
    ask('a', 'bar')
    answer('bar', 'a')
    expect(context().items).toEqual([
      {
        key: 'a',
        pinned: true,
        labels: ['foo'],
        id: 'a',
        title: 'title of a',
        model: 'm',
        messages: [
          {role: 'user', content: 'foo'},
          {role: 'assistant', content: 'bar', state: 'finished', id: 'm-a'},
          {role: 'user', content: 'bar', created_at: 100},
          {
            role: 'assistant',
            content: 'answer to bar',
            id: 'm-bar',
            attempt: 1,
            model: 'm',
            created_at: 100,
            state: 'finished',
          },
        ],
        updatedAt: 100,
      },
    ])
    expect(context().items[0]?.messages.length).toBeGreaterThan(2)
  })

  test('the name that the server finds after the first answer is asked for until it is there, in list and thread', async () => {
    const names: (string | undefined)[] = [undefined, 'Foo']
    const find = async () => ({...settled('c-1'), title: names.shift()})
    const {list, context, clock, calls, ask, answer} = start([], undefined, find)
    list.send({type: 'service.changed', capabilities: ['naming']})
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    ask('new', 'foo')
    answer('foo', 'c-1')
    expect(calls).toEqual([])
    clock.increment(1_000)
    expect(context().items[0]?.title).toBeUndefined()
    await eventually(() => {
      clock.increment(2_000)
      expect(context().items[0]?.title).toBe('Foo')
    })
    expect(selectConversation(list.getSnapshot(), 'new')?.getSnapshot().context.title).toBe('Foo')
    expect(calls).toEqual(['find the name of c-1', 'find the name of c-1'])
    ask('new', 'bar')
    answer('bar', 'c-1')
    clock.increment(60_000)
    expect(calls).toHaveLength(2)
  })

  test('the name reaches the other tabs, which hear of the conversation while it has none', async () => {
    const {list, clock, ask, answer} = start([], undefined, async () => ({...settled('c-1'), title: 'Foo'}))
    const other = start([], undefined, async () => ({...settled('c-1'), title: undefined}))
    list.send({type: 'service.changed', capabilities: ['naming']})
    list.on('*', (fact) => other.list.send(fact))
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    ask('new', 'foo')
    answer('foo', 'c-1')
    await waitFor(other.list, (snapshot) => snapshot.context.items.length === 1)
    expect(other.context().items[0]?.title).toBeUndefined()
    clock.increment(1_000)
    await waitFor(other.list, (snapshot) => snapshot.context.items[0]?.title === 'Foo')
  })

  test('a page that reads or hears of the newest conversation before it has a name asks for it; older ones have none', async () => {
    const untitled = (key: string, updatedAt: number) => ({...settled(key, updatedAt), title: undefined})
    const load = async () => [untitled('c-1', 20), untitled('old', 10)]
    const {list, clock, calls} = start([], load, async (key) => untitled(key, key === 'older' ? 5 : 30))
    list.send({type: 'service.changed', capabilities: ['naming']})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    clock.increment(1_000)
    expect(calls).toEqual(['find the name of c-1'])
    for (const id of ['older', 'c-2']) list.send({type: 'conversation.heard', id, last: 'm', isSettled: true})
    await waitFor(list, (snapshot) => snapshot.context.items.length === 4)
    calls.length = 0
    clock.increment(1_000)
    expect(calls).toEqual(['find the name of c-2'])
  })

  test('a name that the user gave meanwhile stays', async () => {
    const {list, changes, context, clock, ask, answer} = startChanges([], async () => settled('c-1'))
    list.send({type: 'service.changed', capabilities: ['naming']})
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    ask('new', 'foo')
    answer('foo', 'c-1')
    changes.send({type: 'conversation.rename', key: 'new', title: 'Mine'})
    clock.increment(1_000)
    await waitFor(list, (snapshot) => snapshot.children['naming/c-1']?.getSnapshot().status !== 'active')
    expect(context().items[0]?.title).toBe('Mine')
  })

  test('where the server names nothing, or there is no model, nobody asks for a name', () => {
    const {list, clock, calls, ask, answer, streams} = start()
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    ask('new', 'foo')
    answer('foo', 'c-1')
    list.send({type: 'service.changed', capabilities: ['naming']})
    list.send({type: 'conversation.create', key: 'other', model: 'm'})
    ask('other', 'bar')
    streams.get('bar')?.next({type: 'answer.started', conversation: 'c-2', message: 'm', attempt: 1, sandbox: true})
    streams.get('bar')?.next({type: 'answer.completed'})
    clock.increment(60_000)
    expect(calls).toEqual([])
  })
})
