import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {selectFailure, selectStatus} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectIsCutOff, selectIsStale} from '#machines/conversation-list/list-rows.selectors.ts'
import type {ConversationPage} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {eventually} from '../eventually.ts'
import {settled, start} from './conversation-list-fixture.ts'

describe('reading the list of conversations', () => {
  test('a long list is read page by page, each with a deadline of its own', async () => {
    const give: ((page: ConversationPage) => void)[] = []
    const asked: number[] = []
    const {list, clock, keys} = start([], (offset) => {
      asked.push(offset)
      return new Promise<ConversationPage>((resolve) => give.push(resolve))
    })
    list.send({type: 'credential.ready'})
    const next = (count: number) => eventually(() => expect(asked).toHaveLength(count))
    clock.increment(15_000)
    give[0]?.({records: [settled('a')], next: 1})
    await next(2)
    clock.increment(15_000)
    give[1]?.({records: [settled('a'), settled('b')], next: 3})
    await next(3)
    expect(keys()).toEqual([])
    clock.increment(15_000)
    give[2]?.({records: [settled('c')]})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect([keys(), asked]).toEqual([
      ['a', 'b', 'c'],
      [0, 1, 3],
    ])
  })

  test('a page without an answer fails the whole; reading again begins at the start', async () => {
    const asked: number[] = []
    const {list, clock, context} = start([], (offset) => {
      asked.push(offset)
      return offset === 0
        ? Promise.resolve<ConversationPage>({records: [settled('a')], next: 1})
        : new Promise<ConversationPage>(() => {})
    })
    list.send({type: 'credential.ready'})
    await eventually(() => expect(asked).toHaveLength(2))
    clock.increment(20_000)
    expect(list.getSnapshot().value).toBe('error')
    expect(context()).toMatchObject({items: [], failure: {code: 'timeout'}})
    list.send({type: 'conversations.refresh'})
    expect(asked).toEqual([0, 1, 0])
  })

  test('a list that no server answered for keeps what this device has; a refused one keeps nothing of the server', async () => {
    let failure: object = {code: 'unknown', detail: 'Failed to fetch', lost: true}
    const {list, keys} = start([settled('a'), settled('b')], () =>
      Promise.reject(Object.assign(new Error('foo'), failure)),
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('error'))
    expect([keys(), list.getSnapshot().context.failure]).toEqual([['a', 'b'], failure])
    failure = {code: 'forbidden', detail: 'bar', status: 403}
    list.send({type: 'conversations.refresh'})
    await waitFor(list, (snapshot) => snapshot.matches('error'))
    expect(keys()).toEqual([])
  })

  test('what is listed stays when the server fails at reading it again, and goes when it refuses', async () => {
    const busy = {code: 'busy', detail: 'bar', status: 503}
    let failure: object | undefined
    const {list, keys} = start([], async () => {
      if (failure !== undefined) throw Object.assign(new Error('foo'), failure)
      return [settled('a'), settled('b')]
    })
    const read = async () => {
      await waitFor(list, (snapshot) => ['success', 'error'].includes(selectStatus(snapshot)))
      return [selectStatus(list.getSnapshot()), ...keys()]
    }
    list.send({type: 'credential.ready'})
    expect(await read()).toEqual(['success', 'a', 'b'])
    for (const type of ['conversations.refresh', 'connection.restored', 'credential.ready'] as const) {
      for (failure of [busy, {code: 'too_many_requests', detail: 'bar', status: 429}]) {
        list.send({type})
        expect(await read()).toEqual(['error', 'a', 'b'])
        expect(selectFailure(list.getSnapshot())).toEqual(failure)
      }
      failure = undefined
      list.send({type: 'conversations.refresh'})
      expect(await read()).toEqual(['success', 'a', 'b'])
      expect(selectFailure(list.getSnapshot())).toBeUndefined()
    }
    failure = {code: 'forbidden', detail: 'bar', status: 403}
    list.send({type: 'conversations.refresh'})
    expect(await read()).toEqual(['error'])
  })

  test('a first load that the server fails at empties the list; one after a load without an answer empties nothing', async () => {
    const busy = {code: 'busy', detail: 'bar', status: 503}
    const failures: object[] = [busy]
    const load = async () => {
      throw Object.assign(new Error('foo'), failures.shift())
    }
    const first = start([settled('a')], load)
    first.list.send({type: 'credential.ready'})
    await waitFor(first.list, (snapshot) => snapshot.matches('error'))
    expect(first.keys()).toEqual([])
    failures.push({code: 'unknown', detail: 'Failed to fetch', lost: true}, busy)
    const cutOff = start([settled('a')], load)
    cutOff.list.send({type: 'credential.ready'})
    await waitFor(cutOff.list, selectIsCutOff)
    cutOff.list.send({type: 'connection.restored'})
    await waitFor(cutOff.list, selectIsStale)
    expect(cutOff.keys()).toEqual(['a'])
  })

  test('what is refreshed while it is read is read from the start: the answer on its way may be too old', async () => {
    const answers: ((page: ConversationPage) => void)[] = []
    const {list, keys} = start([], () => new Promise<ConversationPage>((resolve) => answers.push(resolve)))
    list.send({type: 'credential.ready'})
    list.send({type: 'conversations.refresh'})
    await eventually(() => expect(answers).toHaveLength(2))
    answers[0]?.({records: [settled('a')]})
    answers[1]?.({records: [settled('a'), settled('imported')]})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(keys().toSorted()).toEqual(['a', 'imported'])
  })

  test('an answer that nobody saw stays unread over a reload, as does one that ended with the page closed', async () => {
    const running = (key: string) => {
      const record = settled(key)
      return {
        ...record,
        messages: [{role: 'assistant' as const, content: '', state: 'answering' as const, id: `m-${key}`}],
      }
    }
    const stopped = {
      ...settled('c'),
      messages: [
        {
          ...settled('c').messages[0],
          role: 'assistant' as const,
          content: '',
          state: 'failed' as const,
          outcome: 'stopped' as const,
        },
      ],
    }
    const restored = [settled('a'), settled('b'), running('c'), running('d'), running('e'), settled('f')]
    const read = async () => [settled('a'), settled('b'), stopped, settled('d'), settled('e'), settled('f')]
    const {list, context} = start(restored, read, undefined, [], ['a', 'b', 'gone'])
    expect(context().unread).toEqual(['a', 'b', 'gone'])
    list.send({type: 'conversation.open', key: 'b'})
    list.send({type: 'conversation.open', key: 'e'})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(context().unread).toEqual(['a', 'd'])
    list.send({type: 'conversation.open', key: 'd'})
    expect(context().unread).toEqual(['a'])
  })

  test('a server that sends the same page again is believed', async () => {
    const {list, keys} = start([], async () => ({records: [settled('a')], next: 1}))
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(keys()).toEqual(['a'])
  })

  test('a conversation that breaks leaves the list and its siblings alone, and opens again', () => {
    const {list, context} = start([settled('a'), settled('b')])
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'xstate.error.actor.conversation/a', actorId: 'conversation/a', error: new Error('foo')})
    expect(context().live).toEqual([])
    list.send({type: 'conversation.open', key: 'a'})
    expect(context().live).toEqual(['a'])
  })
})
