import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {selectActiveConversation, selectIsAbsent} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectIsFilling, selectIsMissing} from '#machines/conversation-list/list-rows.selectors.ts'
import {liveKeys} from '#machines/conversation-list/conversation-list.rules.ts'
import type {ConversationPage} from '#machines/conversation-pages/conversation-pages.machine.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {eventually} from '../eventually.ts'
import {settled, start} from './conversation-list-fixture.ts'

describe('a link to a conversation that the list lacks', () => {
  test('a deep link to what the list lacks is asked for on the server, once', async () => {
    const {list, calls, context} = start(
      [],
      async () => [settled('a')],
      async (key) => settled(key),
    )
    list.send({type: 'conversation.open', key: 'unlisted'})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => liveKeys(snapshot.context).includes('unlisted'))
    expect(selectActiveConversation(list.getSnapshot())?.getSnapshot().context.id).toBe('unlisted')
    expect([calls, context().finding]).toEqual([['find unlisted'], []])
  })

  test.each([
    ['no contact can follow', {lost: true}],
    ['a server fails at', {status: 503}],
  ])('a deep link that %s is not called missing; it is tried again with the list', async (_, more) => {
    let isDown = true
    const {list, calls} = start(
      [],
      async () => [settled('a')],
      async (key) => {
        if (isDown) throw Object.assign(new Error('foo'), {code: 'unknown', detail: 'foo', ...more})
        return settled(key)
      },
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.open', key: 'unlisted'})
    await waitFor(list, (snapshot) => snapshot.matches('error'))
    expect(selectIsMissing(list.getSnapshot())).toBe(false)
    isDown = false
    list.send({type: 'conversations.refresh'})
    await waitFor(list, (snapshot) => liveKeys(snapshot.context).includes('unlisted'))
    expect(calls).toEqual(['find unlisted', 'find unlisted'])
  })

  test('a conversation that could not be looked for ends no reading of the list that began meanwhile', async () => {
    const answers: ((records: ConversationRecord[]) => void)[] = []
    let lose = (): void => undefined
    const {list, keys, calls} = start(
      [],
      () => new Promise<ConversationRecord[]>((resolve) => answers.push(resolve)),
      () =>
        new Promise((_, reject) => {
          lose = () => reject(Object.assign(new Error('foo'), {code: 'unknown', detail: 'foo', lost: true}))
        }),
    )
    list.send({type: 'credential.ready'})
    answers[0]?.([settled('a')])
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.open', key: 'unlisted'})
    list.send({type: 'connection.restored'})
    lose()
    await waitFor(list, (snapshot) => snapshot.context.finding.length === 0)
    answers[1]?.([settled('a'), settled('b')])
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(keys()).toEqual(['a', 'b'])
    // it is not listed, and looked for again
    expect(calls).toEqual(['find unlisted', 'find unlisted'])
  })

  test('what is opened while the list is read again is asked for at once, and stays when that reading lacks it', async () => {
    const answers: ((records: ConversationRecord[]) => void)[] = []
    const {list, keys, calls} = start(
      [],
      () => new Promise<ConversationRecord[]>((resolve) => answers.push(resolve)),
      async (key) => settled(key),
    )
    list.send({type: 'credential.ready'})
    answers[0]?.([settled('a'), settled('b')])
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversations.refresh'})
    list.send({type: 'conversation.open', key: 'imported'})
    await waitFor(list, (snapshot) => liveKeys(snapshot.context).includes('imported'))
    expect([list.getSnapshot().value, keys()]).toEqual([{request: 'again'}, ['imported', 'a', 'b']])
    // of another tab
    list.send({type: 'conversation.heard', id: 'heard', isSettled: true})
    await eventually(() => expect(keys()).toEqual(['heard', 'imported', 'a', 'b']))
    // begun before they were made
    answers[1]?.([settled('a')])
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect([keys(), calls]).toEqual([
      ['heard', 'imported', 'a'],
      ['find imported', 'find heard'],
    ])
    list.send({type: 'conversations.refresh'})
    answers[2]?.([settled('imported'), settled('a')])
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect([keys(), calls]).toEqual([
      ['imported', 'a'],
      ['find imported', 'find heard'],
    ])
  })

  /** A first reading whose pages come when the test gives them, and what the server says of one conversation. */
  const startReading = (find: (key: string) => Promise<ConversationRecord>) => {
    const answers: ((page: ConversationPage) => void)[] = []
    const started = start([], () => new Promise<ConversationPage>((resolve) => answers.push(resolve)), find)
    return {...started, answers}
  }
  const refusal = (status: number) => Object.assign(new Error('foo'), {code: 'unknown', detail: 'foo', status})

  test('a deep link does not wait for the first reading of the list: it is asked for by itself, once', async () => {
    const {list, keys, calls, answers} = startReading(async (key) => settled(key))
    list.send({type: 'conversation.open', key: 'late'})
    // without a credential nothing can be asked for
    expect(calls).toEqual([])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => liveKeys(snapshot.context).includes('late'))
    expect([list.getSnapshot().value, keys(), answers.length]).toEqual([{request: 'first'}, ['late'], 1])
    expect(selectIsFilling(list.getSnapshot())).toBe(true)
    answers[0]?.({records: [settled('a')], next: 1})
    await eventually(() => expect(answers).toHaveLength(2))
    answers[1]?.({records: [settled('late')]})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect([keys(), calls]).toEqual([['a', 'late'], ['find late']])
    expect(selectActiveConversation(list.getSnapshot())?.getSnapshot().context.id).toBe('late')
    expect(selectIsFilling(list.getSnapshot())).toBe(false)
  })

  test('what is opened while the list is read for the first time is asked for at once; what is listed is not', async () => {
    const {list, calls, answers} = startReading(async (key) => settled(key))
    list.send({type: 'credential.ready'})
    list.send({type: 'conversation.open', key: 'first'})
    await waitFor(list, (snapshot) => liveKeys(snapshot.context).includes('first'))
    list.send({type: 'conversation.open', key: 'second'})
    await waitFor(list, (snapshot) => liveKeys(snapshot.context).includes('second'))
    list.send({type: 'conversation.open', key: 'first'})
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    expect([calls, list.getSnapshot().value]).toEqual([['find first', 'find second'], {request: 'first'}])
    answers[0]?.({records: [settled('first'), settled('second')]})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(calls).toEqual(['find first', 'find second'])
  })

  test('a device that has copies asks for none of them by itself', async () => {
    const {list, calls} = start([settled('a')], () => new Promise<ConversationPage>(() => {}))
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'credential.ready'})
    expect([liveKeys(list.getSnapshot().context), calls]).toEqual([['a'], []])
    expect(selectIsFilling(list.getSnapshot())).toBe(false)
  })

  test('a deep link that the server does not know is missing as soon as it says so, and asked for once', async () => {
    const {list, calls, context, answers} = startReading(async () => {
      throw refusal(404)
    })
    list.send({type: 'conversation.open', key: 'unknown'})
    list.send({type: 'credential.ready'})
    expect(selectIsMissing(list.getSnapshot())).toBe(false)
    await waitFor(list, selectIsMissing)
    expect([list.getSnapshot().value, context().finding]).toEqual([{request: 'first'}, []])
    list.send({type: 'conversation.open', key: 'unknown'})
    answers[0]?.({records: [settled('a')]})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect([selectIsMissing(list.getSnapshot()), calls]).toEqual([true, ['find unknown']])
    // the list is read once more, and it too
    list.send({type: 'conversations.refresh'})
    await eventually(() => expect(calls).toHaveLength(2))
  })

  test.each([503, 403])(
    'a deep link that the server answers with %d waits for the list, which may have it',
    async (status) => {
      const {list, calls, context, answers} = startReading(async () => {
        throw refusal(status)
      })
      list.send({type: 'conversation.open', key: 'late'})
      list.send({type: 'credential.ready'})
      await waitFor(list, (snapshot) => calls.length === 1 && snapshot.context.finding.length === 0)
      expect([list.getSnapshot().value, selectIsAbsent(list.getSnapshot())]).toEqual([{request: 'first'}, false])
      answers[0]?.({records: [settled('late')]})
      await waitFor(list, (snapshot) => snapshot.matches('success'))
      expect([context().live, calls]).toEqual([['late'], ['find late']])
    },
  )

  test('a deep link to a conversation nobody knows is missing, not empty', async () => {
    const {list} = start([], async () => [settled('a')])
    list.send({type: 'conversation.open', key: 'unknown'})
    expect(selectIsMissing(list.getSnapshot())).toBe(false)
    list.send({type: 'credential.ready'})
    await waitFor(list, selectIsMissing)
    list.send({type: 'conversation.open', key: 'a'})
    expect(selectIsMissing(list.getSnapshot())).toBe(false)
  })

  test('a link to what was missing asks again when it is followed again', async () => {
    let isThere = false
    const {list, calls, context} = start(
      [],
      async () => [settled('a')],
      async (key) => {
        if (!isThere) throw Object.assign(new Error('foo'), {code: 'unknown', detail: 'foo', status: 404})
        return settled(key)
      },
    )
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.open', key: 'gone'})
    await waitFor(list, selectIsMissing)
    isThere = true
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'conversation.open', key: 'gone'})
    await eventually(() => expect(context().live).toEqual(['gone']))
    expect(calls.filter((call) => call === 'find gone')).toHaveLength(2)
  })
})
