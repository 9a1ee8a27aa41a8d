import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import {PartlySent} from '#domain/partly-sent.ts'
import {changedItems} from '#machines/conversation-list/conversation-list.rules.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {changesBack, pendingChanges} from '#machines/conversation-changes/conversation-changes.rules.ts'
import {startChanges} from './conversation-changes-fixture.ts'
import {settled} from './conversation-list-fixture.ts'

describe('titles and marks on their way to the server', () => {
  test('marks show at once, are told to other tabs, and can be taken back', async () => {
    const {list, changes, calls, facts, context} = startChanges([settled('a'), settled('b')])
    const reports: unknown[] = []
    changes.on('conversations.changed', (fact) => reports.push(fact))
    list.send({type: 'service.changed', capabilities: ['marks']})
    changes.send({
      type: 'conversations.mark',
      changes: [
        {key: 'a', archived: true},
        {key: 'b', archived: true, labels: ['foo']},
      ],
      textId: 'chat.foo',
    })
    expect(context().items).toEqual([
      {...settled('a'), archived: true},
      {...settled('b'), archived: true, labels: ['foo']},
    ])
    expect(calls).toEqual(['mark a {"archived":true}', 'mark b {"archived":true,"labels":["foo"]}'])
    const back = [
      {key: 'a', archived: false},
      {key: 'b', archived: false, labels: []},
    ]
    const undo = {type: 'conversations.mark' as const, changes: back}
    expect(facts).toEqual([
      {type: 'list.undoable', about: 'marks:a/archived marks:b/archived/labels', textId: 'chat.foo', count: 2, undo},
    ])
    changes.send(undo)
    expect(context().items).toEqual(back.map((change) => ({...settled(change.key), ...change})))
    expect(reports).toEqual([
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
    const {list, changes, calls, facts} = startChanges([settled('a')])
    list.send({type: 'service.changed', capabilities: ['marks']})
    const back = [{key: 'a', labels: ['foo']}]
    changes.send({type: 'conversations.mark', changes: [], textId: 'chat.foo', back})
    const undo = {type: 'conversations.mark' as const, changes: back}
    expect(facts).toEqual([{type: 'list.undoable', about: 'marks:a/labels', textId: 'chat.foo', count: 1, undo}])
    expect(calls).toEqual([])
  })

  test('refused marks are taken back, here and in other tabs, and it is told', async () => {
    const {list, changes, fails, facts, context} = startChanges([settled('a')])
    const reports: unknown[] = []
    changes.on('conversations.changed', (fact) => reports.push(fact.changes))
    list.send({type: 'service.changed', capabilities: ['marks']})
    fails.changes = true
    changes.send({type: 'conversations.mark', changes: [{key: 'a', pinned: true}]})
    await waitFor(list, (snapshot) => snapshot.context.items[0]?.pinned === false)
    const failure = {code: 'unknown', detail: 'foo'}
    const again = {type: 'conversations.mark', changes: [{key: 'a', pinned: true}]} as const
    expect(facts).toEqual([{type: 'list.failed', about: 'marks:a/pinned', kind: 'mark', failure, again}])
    fails.changes = false
    changes.send(again)
    await waitFor(changes, (snapshot) => !('marks:a' in snapshot.context.changing))
    expect(context().items[0]?.pinned).toBe(true)
    expect(reports).toEqual([[{key: 'a', pinned: true}], [{key: 'a', pinned: false}], again.changes, again.changes])
    expect(context().items).toHaveLength(1)
  })

  test('of many marks those that arrived stay, and only the others are taken back, told and made again', async () => {
    const {list, changes, holds, held, facts, context} = startChanges(['a', 'b', 'c'].map((key) => settled(key)))
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    const marks = ['a', 'b', 'c'].map((key) => ({key, pinned: true}))
    changes.send({type: 'conversations.mark', changes: marks})
    held[0]?.reject(new PartlySent(['a', 'c'], Object.assign(new Error('foo'), {code: 'unknown', detail: 'bar'})))
    await waitFor(changes, (snapshot) => Object.keys(snapshot.context.changing).length === 0)
    expect(context().items.map(({pinned}) => pinned)).toEqual([true, false, true])
    const again = {type: 'conversations.mark', changes: [{key: 'b', pinned: true}]} as const
    const failure = {code: 'unknown', detail: 'bar'}
    expect(facts).toEqual([{type: 'list.failed', about: 'marks:b/pinned', kind: 'mark', failure, again}])
  })

  test('a change that is made while the list is read again is not replaced by the older copy', async () => {
    const copy = {...settled('a'), pinned: false, archived: false, labels: [], revision: '1'}
    const answers: ((records: ConversationRecord[]) => void)[] = []
    const load = () => new Promise<ConversationRecord[]>((resolve) => answers.push(resolve))
    const {list, changes, context, calls} = startChanges([{...copy, key: 'page'}], undefined, load)
    list.send({type: 'service.changed', capabilities: ['marks']})
    list.send({type: 'credential.ready'})
    answers[0]?.([copy])
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.open', key: 'page'})
    list.send({type: 'connection.restored'})
    for (const marks of [{pinned: true}, {labels: ['foo']}])
      changes.send({type: 'conversations.mark', changes: [{key: 'page', ...marks}]})
    changes.send({type: 'conversation.rename', key: 'page', title: 'new'})
    await waitFor(changes, (snapshot) => Object.keys(snapshot.context.changing).length === 0)
    answers[1]?.([{...copy}])
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    const expected = {title: 'new', pinned: true, labels: ['foo'], revision: undefined}
    expect(context().items[0]).toMatchObject(expected)
    expect(selectConversation(list.getSnapshot(), 'page')?.getSnapshot().context.title).toBe('new')
    // the next reading is of all that
    list.send({type: 'connection.restored'})
    answers[2]?.([{...copy, title: 'theirs', revision: '5'}])
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(context().items[0]).toMatchObject({title: 'theirs', pinned: false, revision: '5'})
    expect(calls).toHaveLength(3)
  })

  test('quick marks of one conversation wait for the first and go out as one; others do not wait', async () => {
    const {list, changes, calls, holds, held, context} = startChanges([settled('a'), settled('b'), settled('c')])
    const mark = (...marks: ConversationChange[]) => changes.send({type: 'conversations.mark', changes: marks})
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    mark({key: 'a', pinned: true}, {key: 'b', pinned: true})
    mark({key: 'a', pinned: false, labels: ['foo']}, {key: 'c', pinned: true})
    mark({key: 'a', labels: ['bar']})
    // no call that sets the other
    changes.send({type: 'conversation.rename', key: 'a', title: 'new'})
    expect(calls.splice(3)).toEqual(['rename a new'])
    expect(calls).toEqual(['mark a {"pinned":true}', 'mark b {"pinned":true}', 'mark c {"pinned":true}'])
    held[0]?.resolve()
    await waitFor(changes, () => calls.length > 3)
    expect(calls.slice(3)).toEqual(['mark a {"pinned":false,"labels":["bar"]}'])
    expect(changes.getSnapshot().context.changing).toEqual({'marks:c': null, 'title:a': null, 'marks:a': null})
    held.at(-1)?.resolve()
    await waitFor(changes, (snapshot) => !('marks:a' in snapshot.context.changing))
    expect(context().items[0]).toEqual({...settled('a'), title: 'new', pinned: false, labels: ['bar']})
    mark({key: 'a', pinned: true})
    expect(calls.at(-1)).toBe('mark a {"pinned":true}')
  })

  test('refused marks go out again with newer ones that wait; when those are refused, what the server has comes back', async () => {
    const {list, changes, calls, facts, holds, held, context} = startChanges([
      {...settled('a'), pinned: true},
      settled('b'),
    ])
    const reports: unknown[] = []
    changes.on('conversations.changed', (fact) => reports.push(fact.changes))
    const mark = (...marks: ConversationChange[]) => changes.send({type: 'conversations.mark', changes: marks})
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    mark({key: 'a', pinned: false, archived: true}, {key: 'b', archived: true})
    mark({key: 'a', labels: ['foo'], pinned: true})
    mark({key: 'a', pinned: false})
    reports.length = 0
    held[0]?.reject(new Error('foo'))
    await waitFor(changes, () => calls.length > 2)
    expect(calls.at(-1)).toBe('mark a {"pinned":false,"archived":true,"labels":["foo"]}')
    expect(context().items).toEqual([
      {...settled('a'), pinned: false, archived: true, labels: ['foo']},
      {...settled('b'), archived: false},
    ])
    expect([facts.length, reports]).toEqual([1, [[{key: 'b', archived: false}]]])
    held[1]?.reject(new Error('foo'))
    await waitFor(changes, () => facts.length > 1)
    expect(context().items).toEqual([
      {...settled('a'), pinned: true, archived: false, labels: []},
      {...settled('b'), archived: false},
    ])
    expect(reports.slice(1)).toEqual([[{key: 'a', pinned: true, archived: false, labels: []}]])
    expect(changes.getSnapshot().context.changing).toEqual({})
  })

  test('what is refused for good does not go out again: what waits goes alone, and what it does not change comes back', async () => {
    const {list, changes, calls, facts, holds, held, context} = startChanges([settled('a')])
    const refusal = Object.assign(new Error('foo'), {code: 'bad_request', detail: 'foo', status: 400})
    const reports: unknown[] = []
    changes.on('conversations.changed', (fact) => reports.push(fact.changes))
    const mark = (change: ConversationChange) => changes.send({type: 'conversations.mark', changes: [change]})
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    mark({key: 'a', labels: ['bad'], archived: true})
    mark({key: 'a', pinned: true, archived: false})
    reports.length = 0
    held[0]?.reject(refusal)
    await waitFor(changes, () => calls.length > 1)
    expect(calls.at(-1)).toBe('mark a {"pinned":true,"archived":false}')
    expect(context().items).toEqual([{...settled('a'), labels: [], pinned: true, archived: false}])
    expect(facts).toEqual([
      {
        type: 'list.failed',
        about: 'marks:a/labels/archived',
        kind: 'mark',
        failure: {code: 'bad_request', detail: 'foo', status: 400},
      },
    ])
    expect(reports).toEqual([[{key: 'a', labels: []}]])
    held[1]?.reject(refusal)
    await waitFor(changes, () => facts.length > 1)
    expect(context().items).toEqual([{...settled('a'), labels: [], pinned: false, archived: false}])
  })

  test('a refusal says nothing while a newer wish of the same goes out', async () => {
    const {list, changes, calls, facts, holds, held, context} = startChanges([settled('a')])
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    changes.send({type: 'conversations.mark', changes: [{key: 'a', pinned: true}]})
    changes.send({type: 'conversations.mark', changes: [{key: 'a', pinned: false}]})
    held[0]?.reject(new Error('foo'))
    await waitFor(changes, () => calls.length > 1)
    expect(facts).toEqual([])
    held[1]?.resolve()
    await waitFor(changes, (snapshot) => Object.keys(snapshot.context.changing).length === 0)
    expect(context().items).toEqual([{...settled('a'), pinned: false}])
  })

  test('a change that breaks holds up no later one', () => {
    const {list, changes, calls, holds} = startChanges([settled('a')])
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    changes.send({type: 'conversations.mark', changes: [{key: 'a', pinned: true}]})
    changes.send({type: 'xstate.error.actor.changing/marks:a', actorId: 'changing/marks:a', error: new Error('foo')})
    changes.send({type: 'conversations.mark', changes: [{key: 'a', pinned: false}]})
    expect(calls).toEqual(['mark a {"pinned":true}', 'mark a {"pinned":false}'])
  })

  test('a new title shows at once and goes back when it is refused', async () => {
    const {list, changes, fails, context, calls} = startChanges([settled('a')])
    changes.send({type: 'conversation.rename', key: 'a', title: ' bar '})
    expect(context().items[0]?.title).toBe('bar')
    expect(calls).toEqual(['rename a bar'])
    fails.changes = true
    changes.send({type: 'conversation.rename', key: 'a', title: 'baz'})
    expect(context().items[0]?.title).toBe('baz')
    await waitFor(list, (snapshot) => snapshot.context.items[0]?.title === 'bar')
  })

  test('the second of two quick titles goes out after the first, whose failure brings nothing back', async () => {
    const {changes, holds, held, context, calls, facts} = startChanges([settled('a')])
    holds.changes = true
    changes.send({type: 'conversation.rename', key: 'a', title: 'bar'})
    changes.send({type: 'conversation.rename', key: 'a', title: 'baz'})
    expect(calls).toEqual(['rename a bar'])
    held[0]?.reject(new Error('foo'))
    await waitFor(changes, () => calls.length > 1)
    expect(calls).toEqual(['rename a bar', 'rename a baz'])
    held[1]?.resolve()
    await waitFor(changes, (snapshot) => Object.keys(snapshot.context.changing).length === 0)
    expect([context().items[0]?.title, facts]).toEqual(['baz', []])
    changes.send({type: 'conversation.rename', key: 'a', title: 'qux'})
    expect(calls.at(-1)).toBe('rename a qux')
  })
  test('a change of the whole list walks it a few times, not once for each conversation', () => {
    let reads = 0
    const count = 500
    const items = Array.from({length: count}, (_, index) => {
      const {key, ...rest} = settled(`c${index}`)
      return {
        ...rest,
        get key() {
          reads += 1
          return key
        },
      }
    })
    // as: the rules only read
    const context = {items: items as ConversationRecord[]}
    const changes = items.map(({id}) => ({key: id ?? '', archived: true}))
    reads = 0
    expect(pendingChanges(context, changes)).toHaveLength(count)
    expect(changesBack(context, changes)[count - 1]).toEqual({key: `c${count - 1}`, archived: false})
    expect(changedItems(context, changes).filter(({archived}) => archived === true)).toHaveLength(count)
    expect(reads).toBeLessThan(20 * count)
  })
})
