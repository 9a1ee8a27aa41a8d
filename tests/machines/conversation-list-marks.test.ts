import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ConversationChange} from '#domain/conversation.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {eventually} from '../eventually.ts'
import {settled, start} from './conversation-list-fixture.ts'

describe('titles and marks in the list of conversations', () => {
  test('marks show at once, are told to other tabs, and can be taken back', async () => {
    const {list, calls, facts, context} = start([settled('a'), settled('b')])
    const told: unknown[] = []
    list.on('conversations.changed', (fact) => told.push(fact))
    list.send({type: 'service.changed', capabilities: ['marks']})
    list.send({
      type: 'conversations.mark',
      changes: [
        {key: 'a', archived: true},
        {key: 'b', archived: true, labels: ['foo']},
      ],
      textId: 'chat.foo',
    })
    expect(context().items).toMatchObject([{archived: true}, {archived: true, labels: ['foo']}])
    expect(calls).toEqual(['mark a {"archived":true}', 'mark b {"archived":true,"labels":["foo"]}'])
    const back = [
      {key: 'a', archived: false},
      {key: 'b', archived: false, labels: []},
    ]
    const undo = {type: 'conversations.mark' as const, changes: back}
    expect(facts).toEqual([{type: 'list.undoable', textId: 'chat.foo', count: 2, undo}])
    list.send(undo)
    expect(context().items).toMatchObject(back)
    expect(told).toEqual([
      {
        type: 'conversations.changed',
        changes: [
          {key: 'a', archived: true},
          {key: 'b', archived: true, labels: ['foo']},
        ],
      },
      {type: 'conversations.changed', changes: back},
    ])
  })

  test('what was changed before is offered back without a change', () => {
    const {list, calls, facts} = start([settled('a')])
    list.send({type: 'service.changed', capabilities: ['marks']})
    const back = [{key: 'a', labels: ['foo']}]
    list.send({type: 'conversations.mark', changes: [], textId: 'chat.foo', back})
    const undo = {type: 'conversations.mark' as const, changes: back}
    expect(facts).toEqual([{type: 'list.undoable', textId: 'chat.foo', count: 1, undo}])
    expect(calls).toEqual([])
  })

  test('refused marks are taken back, here and in other tabs, and it is told', async () => {
    const {list, fails, facts, context} = start([settled('a')])
    const told: unknown[] = []
    list.on('conversations.changed', ({changes}) => told.push(changes))
    list.send({type: 'service.changed', capabilities: ['marks']})
    fails.rename = true
    list.send({type: 'conversations.mark', changes: [{key: 'a', pinned: true}]})
    await waitFor(list, (snapshot) => snapshot.context.items[0]?.pinned === false)
    expect(facts).toMatchObject([{type: 'list.failed', kind: 'mark'}])
    expect(told).toEqual([[{key: 'a', pinned: true}], [{key: 'a', pinned: false}]])
    expect(context().items).toHaveLength(1)
  })

  test('of quick marks of one conversation the later ones wait for the first and go out as one; others do not wait', async () => {
    const {list, calls, holds, held, context} = start([settled('a'), settled('b'), settled('c')])
    const mark = (...changes: ConversationChange[]) => list.send({type: 'conversations.mark', changes})
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    mark({key: 'a', pinned: true}, {key: 'b', pinned: true})
    mark({key: 'a', pinned: false, labels: ['foo']}, {key: 'c', pinned: true})
    mark({key: 'a', labels: ['bar']})
    // no call that sets the other
    list.send({type: 'conversation.rename', key: 'a', title: 'new'})
    expect(calls.splice(3)).toEqual(['rename a new'])
    expect(calls).toEqual(['mark a {"pinned":true}', 'mark b {"pinned":true}', 'mark c {"pinned":true}'])
    held[0]?.resolve()
    await waitFor(list, () => calls.length > 3)
    expect(calls.slice(3)).toEqual(['mark a {"pinned":false,"labels":["bar"]}'])
    expect(context().changing).toEqual({'marks:c': null, 'title:a': null, 'marks:a': null})
    held.at(-1)?.resolve()
    await waitFor(list, (snapshot) => !('marks:a' in snapshot.context.changing))
    expect(context().items[0]).toMatchObject({title: 'new', pinned: false, labels: ['bar']})
    mark({key: 'a', pinned: true})
    expect(calls.at(-1)).toBe('mark a {"pinned":true}')
  })

  test('refused marks go out again with newer ones that wait; when those are refused, what the server has comes back', async () => {
    const {list, calls, facts, holds, held, context} = start([{...settled('a'), pinned: true}, settled('b')])
    const told: unknown[] = []
    list.on('conversations.changed', ({changes}) => told.push(changes))
    const mark = (...changes: ConversationChange[]) => list.send({type: 'conversations.mark', changes})
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    mark({key: 'a', pinned: false, archived: true}, {key: 'b', archived: true})
    mark({key: 'a', labels: ['foo'], pinned: true})
    mark({key: 'a', pinned: false})
    told.length = 0
    held[0]?.reject(new Error('foo'))
    await waitFor(list, () => calls.length > 2)
    expect(calls.at(-1)).toBe('mark a {"pinned":false,"archived":true,"labels":["foo"]}')
    expect(context().items).toMatchObject([{pinned: false, archived: true, labels: ['foo']}, {archived: false}])
    expect([facts.length, told]).toEqual([1, [[{key: 'b', archived: false}]]])
    held[1]?.reject(new Error('foo'))
    await waitFor(list, () => facts.length > 1)
    expect(context().items).toMatchObject([{pinned: true, archived: false, labels: []}, {archived: false}])
    expect(told.slice(1)).toEqual([[{key: 'a', pinned: true, archived: false, labels: []}]])
    expect(context().changing).toEqual({})
  })

  test('what is refused for good does not go out again: what waits goes alone, and what it does not change comes back', async () => {
    const {list, calls, facts, holds, held, context} = start([settled('a')])
    const refusal = Object.assign(new Error('foo'), {code: 'bad_request', detail: 'foo', status: 400})
    const told: unknown[] = []
    list.on('conversations.changed', ({changes}) => told.push(changes))
    const mark = (change: ConversationChange) => list.send({type: 'conversations.mark', changes: [change]})
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    mark({key: 'a', labels: ['bad'], archived: true})
    mark({key: 'a', pinned: true, archived: false})
    told.length = 0
    held[0]?.reject(refusal)
    await waitFor(list, () => calls.length > 1)
    expect(calls.at(-1)).toBe('mark a {"pinned":true,"archived":false}')
    expect(context().items).toMatchObject([{labels: [], pinned: true, archived: false}])
    expect(facts).toMatchObject([{type: 'list.failed', kind: 'mark'}])
    expect(told).toEqual([[{key: 'a', labels: []}]])
    held[1]?.reject(refusal)
    await waitFor(list, () => facts.length > 1)
    expect(context().items).toMatchObject([{labels: [], pinned: false, archived: false}])
  })

  test('a refusal says nothing while a newer wish of the same goes out', async () => {
    const {list, calls, facts, holds, held, context} = start([settled('a')])
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    list.send({type: 'conversations.mark', changes: [{key: 'a', pinned: true}]})
    list.send({type: 'conversations.mark', changes: [{key: 'a', pinned: false}]})
    held[0]?.reject(new Error('foo'))
    await waitFor(list, () => calls.length > 1)
    expect(facts).toEqual([])
    held[1]?.resolve()
    await waitFor(list, (snapshot) => Object.keys(snapshot.context.changing).length === 0)
    expect(context().items).toMatchObject([{pinned: false}])
  })

  test('a change that breaks holds up no later one', () => {
    const {list, calls, holds} = start([settled('a')])
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    list.send({type: 'conversations.mark', changes: [{key: 'a', pinned: true}]})
    list.send({type: 'xstate.error.actor.changing/marks:a', actorId: 'changing/marks:a', error: new Error('foo')})
    list.send({type: 'conversations.mark', changes: [{key: 'a', pinned: false}]})
    expect(calls).toEqual(['mark a {"pinned":true}', 'mark a {"pinned":false}'])
  })

  test('an answer leaves the marks of its conversation as they are', () => {
    const {list, context, ask, answer} = start([{...settled('a'), pinned: true, labels: ['foo']}])
    list.send({type: 'conversation.open', key: 'a'})
    ask('a', 'bar')
    answer('bar', 'a')
    expect(context().items).toMatchObject([{key: 'a', pinned: true, labels: ['foo']}])
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

  test('a name that the user gave meanwhile stays', async () => {
    const {list, context, clock, ask, answer} = start([], undefined, async () => settled('c-1'))
    list.send({type: 'service.changed', capabilities: ['naming']})
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    ask('new', 'foo')
    answer('foo', 'c-1')
    list.send({type: 'conversation.rename', key: 'new', title: 'Mine'})
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

  test('a new title shows at once and goes back when it is refused', async () => {
    const {list, fails, context, calls} = start([settled('a')])
    list.send({type: 'conversation.rename', key: 'a', title: ' bar '})
    expect(context().items[0]?.title).toBe('bar')
    expect(calls).toEqual(['rename a bar'])
    fails.rename = true
    list.send({type: 'conversation.rename', key: 'a', title: 'baz'})
    expect(context().items[0]?.title).toBe('baz')
    await waitFor(list, (snapshot) => snapshot.context.items[0]?.title === 'bar')
  })

  test('of two quick titles the second goes out after the first, whose failure brings nothing back', async () => {
    const {list, holds, held, context, calls, facts} = start([settled('a')])
    holds.changes = true
    list.send({type: 'conversation.rename', key: 'a', title: 'bar'})
    list.send({type: 'conversation.rename', key: 'a', title: 'baz'})
    expect(calls).toEqual(['rename a bar'])
    held[0]?.reject(new Error('foo'))
    await waitFor(list, () => calls.length > 1)
    expect(calls).toEqual(['rename a bar', 'rename a baz'])
    held[1]?.resolve()
    await waitFor(list, (snapshot) => Object.keys(snapshot.context.changing).length === 0)
    expect([context().items[0]?.title, facts]).toEqual(['baz', []])
    list.send({type: 'conversation.rename', key: 'a', title: 'qux'})
    expect(calls.at(-1)).toBe('rename a qux')
  })
})
