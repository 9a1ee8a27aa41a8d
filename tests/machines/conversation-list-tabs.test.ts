import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {answeringKeys} from '#machines/conversation-list/conversation-list.rules.ts'
import {running, settled, failure, start, theirs} from './conversation-list-fixture.ts'

describe('what other tabs report to the list of conversations', () => {
  test('another tab has asked: what is on screen is read and followed, the rest when it has ended, nothing twice', async () => {
    const answered = {...settled('a'), updatedAt: 2, messages: [...settled('a').messages, ...theirs.messages]}
    const {list, calls, streams, context} = start(
      [],
      async () => [settled('a'), settled('b')],
      async () => answered,
    )
    list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    const heard = {type: 'conversation.heard', id: 'a', last: 'm-foo'} as const
    list.send({...heard, isSettled: false})
    list.send({...heard, last: 'm-a', isSettled: true})
    expect(calls).toEqual([])
    list.send({type: 'conversation.open', key: 'a'})
    list.send({...heard, isSettled: false})
    list.send({...heard, isSettled: false})
    expect(calls).toEqual(['find a'])
    await waitFor(list, ({context: held}) => answeringKeys(held).includes('a'))
    list.send({...heard, isSettled: true})
    expect(calls).toEqual(['find a'])
    expect(selectActiveConversation(list.getSnapshot())?.getSnapshot().context.messages).toEqual([
      ...settled('a').messages,
      {role: 'user', content: 'foo, as the server has it'},
    ])
    // followed, by no stream of its own
    expect([...streams.keys()]).toEqual(['foo, as the server has it'])
    list.send({type: 'conversation.heard', id: 'b', last: 'm-b2', isSettled: true})
    await waitFor(list, ({context: {finding}}) => finding.length === 0)
    expect(calls).toEqual(['find a', 'find b'])
    expect(context().failure).toBeUndefined()
  })

  test('what another tab told of during an own answer is read when that has ended, unless it is known by then', async () => {
    const {list, calls} = start(
      [],
      async () => [settled('a')],
      async () => settled('a'),
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    const changed = (phase: 'running' | 'settled', last: string) =>
      list.send({
        type: 'conversation.changed',
        phase,
        record: {
          ...settled('a'),
          messages: [
            {role: 'assistant', content: 'foo', id: last, state: phase === 'running' ? 'answering' : 'finished'},
          ],
        },
      })
    list.send({type: 'conversation.open', key: 'a'})
    changed('running', 'm-own')
    list.send({type: 'conversation.heard', id: 'a', last: 'm-own', isSettled: true})
    changed('settled', 'm-own')
    expect(calls).toEqual([])
    changed('running', 'm-next')
    list.send({type: 'conversation.heard', id: 'a', last: 'm-elsewhere', isSettled: true})
    expect(calls).toEqual([])
    // the other tab follows the own answer now and reports that one too
    list.send({type: 'conversation.heard', id: 'a', last: 'm-next', isSettled: false})
    expect(calls).toEqual([])
    changed('settled', 'm-next')
    expect(calls).toEqual(['find a'])
    expect(list.getSnapshot().context.missed).toEqual([])
  })

  test('what another tab told of while a copy is on its way is read after it, once, if the copy lacks it', async () => {
    const {list, calls, context} = start(
      [],
      async () => [settled('a')],
      async () => settled('a', 2),
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    for (const last of ['m-first', 'm-elsewhere', 'm-a'])
      list.send({type: 'conversation.heard', id: 'a', last, isSettled: true})
    expect(calls).toEqual(['find a'])
    await waitFor(list, () => calls.length > 1)
    await waitFor(list, ({context: {finding}}) => finding.length === 0)
    expect(calls).toEqual(['find a', 'find a'])
    expect(context().missed).toEqual([])
  })

  test('another tab changed or deleted messages: the conversation is read again, after an answer that runs here', async () => {
    const {list, calls} = start(
      [],
      async () => [settled('a'), settled('b')],
      async (key) => settled(key, 2),
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.heard', id: 'b', isSettled: true})
    expect(calls).toEqual(['find b'])
    await waitFor(list, ({context: {finding}}) => finding.length === 0)
    list.send({type: 'conversation.open', key: 'a'})
    const answer = {role: 'assistant', content: 'foo', id: 'm-own', state: 'answering'} as const
    const record = {...settled('a'), messages: [answer]}
    list.send({type: 'conversation.changed', phase: 'running', record})
    list.send({type: 'conversation.heard', id: 'a', isSettled: true})
    expect(calls).toEqual(['find b'])
    const ended = {...record, messages: [{...answer, state: 'finished' as const}]}
    list.send({type: 'conversation.changed', phase: 'settled', record: ended})
    expect(calls).toEqual(['find b', 'find a'])
    await waitFor(list, ({context: {finding, missed}}) => finding.length + missed.length === 0)
    expect(calls).toEqual(['find b', 'find a'])
  })

  test('a question that the server refused to replace: the conversation is read again', async () => {
    const {list, calls} = start(
      [],
      async () => [settled('a')],
      async () => settled('a'),
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'conversation.rejected', key: 'a', failure})
    expect(calls).toEqual(['find a'])
  })

  test('what another tab told of cannot be found: the list stays as it is', async () => {
    const {list, calls, context} = start(
      [],
      async () => [settled('a')],
      async () => {
        throw Object.assign(new Error('foo'), {name: 'TypeError'})
      },
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.heard', id: 'a', last: 'm-a2', isSettled: true})
    expect(context().finding).toEqual(['a'])
    await waitFor(list, ({context: {finding}}) => finding.length === 0)
    expect(calls).toEqual(['find a'])
    expect(list.getSnapshot().matches('success')).toBe(true)
    expect(context().items).toEqual([{...settled('a')}])
  })

  test('other tabs hear of an answer that began and of its end, by the names of the server', () => {
    const {list, ask, answer} = start()
    const heard: unknown[] = []
    list.on('conversation.heard', (fact) => heard.push(fact))
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    ask('new', 'foo')
    expect(heard).toEqual([])
    answer('foo', 'c-1')
    expect(heard).toEqual(
      [false, true].map((isSettled) => ({type: 'conversation.heard', id: 'c-1', last: 'm-foo', isSettled})),
    )
  })

  test('what one tab deleted is gone in all, also where it is answered', async () => {
    const {list, clock, context, keys} = start(
      [settled('a'), settled('seen'), running],
      undefined,
      undefined,
      [],
      ['run', 'seen'],
    )
    const reports: unknown[] = []
    list.on('conversations.removed', (fact) => reports.push(fact))
    list.send({type: 'conversations.remove', keys: ['a']})
    clock.increment(8_000)
    await waitFor(list, (snapshot) => snapshot.context.removed.length === 1)
    expect(reports).toEqual([{type: 'conversations.removed', keys: ['a']}])
    list.send({type: 'conversation.open', key: 'run'})
    list.send({type: 'conversations.removed', keys: ['run', 'seen', 'unknown']})
    expect([keys(), context().phases, context().unread]).toEqual([[], {}, []])
    expect(context().removed).toEqual(['a', 'run', 'seen', 'unknown'])
    expect(reports).toHaveLength(1)
  })

  test('what another tab deleted is not deleted once more by the own deletion, which has nothing to take back', () => {
    const {list, clock, calls, facts} = start([{...settled('c-1'), key: 'a'}, settled('b')])
    list.send({type: 'conversations.remove', keys: ['a', 'b']})
    list.send({type: 'conversations.removed', keys: ['c-1']})
    clock.increment(8_000)
    expect([calls, Object.keys(list.getSnapshot().children)]).toEqual([
      ['remove b'],
      ['environmentChanges', 'removal/b'],
    ])
    list.send({type: 'conversations.restore', keys: ['a']})
    expect(facts.at(-1)).toEqual({type: 'list.failed', kind: 'restore'})
  })

  test('what is unread in one tab is so in all, until any of them shows it', async () => {
    const {list, context} = start([], async () => [settled('a'), settled('b')], undefined, [], ['a'])
    const reported: unknown[] = []
    list.on('unread.heard', ({keys, isUnread}) => reported.push([keys, isUnread]))
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    // another tab may show it
    expect(reported.splice(0)).toEqual([[['a'], true]])
    list.send({type: 'unread.heard', keys: ['a'], isUnread: false})
    expect(context().unread).toEqual([])
    list.send({type: 'unread.heard', keys: ['a', 'b'], isUnread: true})
    expect(context().unread).toEqual(['a', 'b'])
    expect(reported).toEqual([])

    list.send({type: 'conversation.open', key: 'b'})
    expect(context().unread).toEqual(['a'])
    list.send({type: 'unread.heard', keys: ['a', 'b'], isUnread: true})
    expect(context().unread).toEqual(['a'])
    // once for being opened, once because the other tab calls it unread
    expect(reported.splice(0)).toEqual([
      [['b'], false],
      [['b'], false],
    ])

    list.send({type: 'conversation.changed', phase: 'settled', record: settled('a')})
    list.send({type: 'conversation.changed', phase: 'settled', record: settled('b')})
    expect(reported).toEqual([[['a'], true]])
  })
})
