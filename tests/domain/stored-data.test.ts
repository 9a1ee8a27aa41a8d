import {describe, expect, test} from 'vitest'
import type {Conversation} from '#contract/chat.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {
  findAnswer,
  isDeltaGap,
  isNextDelta,
  longerText,
  reviveExchange,
  runningMessage,
  settledMessage,
  startExchange,
  type Exchange,
} from '#domain/exchange.ts'
import {
  boundState,
  foreignParts,
  isOfBrowser,
  shrinkState,
  storageBounds,
  validateState,
  type PersistedState,
} from '#domain/persisted-state.ts'

const asked = startExchange({question: 'foo', references: [], key: 'key'}, 'asked')
const exchange: Exchange = {...asked, message: 'm', attempt: 2, lastSeq: 3, answer: 'abc'}
const delta = {conversation: 'c', message: 'm', attempt: 2, seq: 4, text: 'd'}

describe('deltas', () => {
  test.each([
    ['the next', delta, true, false],
    ['the next batch', {...delta, from: 4, seq: 9}, true, false],
    ['a batch that begins too early', {...delta, from: 3, seq: 9}, false, false],
    ['a batch that begins too late', {...delta, from: 5, seq: 9}, false, true],
    ['one that came before', {...delta, seq: 3}, false, false],
    ['another message', {...delta, message: 'x', from: 9}, false, false],
    ['another attempt', {...delta, attempt: 1, from: 9}, false, false],
    ['another conversation', {...delta, conversation: 'x', from: 9}, false, false],
    ['no conversation named', {...delta, conversation: undefined}, true, false],
  ])('%s', (_, next, isNext, isGap) => {
    expect([isNextDelta(exchange, 'c', next), isDeltaGap(exchange, 'c', next)]).toEqual([isNext, isGap])
  })
  test('none lands before the answer has a name', () => {
    expect(isNextDelta({...asked, attempt: 2, lastSeq: 3}, 'c', delta)).toBe(false)
    expect(isNextDelta(undefined, 'c', delta)).toBe(false)
  })
})

describe('an exchange on its way to storage and back', () => {
  const user = {role: 'user' as const, content: 'foo'}
  test('a running answer is found again where its text ends', () => {
    const revived = reviveExchange([user, runningMessage(exchange)], 'model')
    expect(revived).toEqual({messages: [user], exchange: {...exchange, key: 'm'}})
  })
  test('one that was never named keeps its key', () => {
    const revived = reviveExchange([user, runningMessage(asked)], 'model')
    expect(revived?.exchange).toEqual(asked)
  })
  test('text without a sequence number is read again from the start', () => {
    const stored = {role: 'assistant' as const, content: 'ab', state: 'answering' as const, id: 'm', attempt: 1}
    expect(reviveExchange([user, stored], 'model')?.exchange).toEqual({
      answer: '',
      lastSeq: 0,
      message: 'm',
      question: 'foo',
      references: [],
      key: 'm',
      model: 'model',
      attempt: 1,
      reconnects: 0,
    })
  })
  test('a settled history has none', () => {
    const finished = settledMessage(exchange, {state: 'finished'})
    expect(reviveExchange([user, finished], 'model')).toBeUndefined()
    expect(reviveExchange([user], 'model')).toBeUndefined()
    expect(reviveExchange([], 'model')).toBeUndefined()
  })
})

describe('finding an answer on the server', () => {
  const user = {role: 'user' as const, content: 'foo'}
  const found = (...messages: Conversation['messages']) => findAnswer({id: 'c', messages}, exchange, [user])
  const reply = {role: 'assistant' as const, content: 'abcd', id: 'm', attempt: 2}

  test.each([
    [
      'by its id',
      [user, {...reply, state: 'finished' as const}],
      {state: 'finished', text: 'abcd', message: 'm', attempt: 2},
    ],
    [
      'still running',
      [user, {...reply, state: 'answering' as const}],
      {state: 'running', text: 'abcd', message: 'm', attempt: 2},
    ],
    [
      'from a server that names no state',
      [user, {role: 'assistant' as const, content: 'abcd'}],
      {state: 'finished', text: 'abcd'},
    ],
    ['empty, from a server that names no state', [user, {role: 'assistant' as const, content: ''}], undefined],
    [
      'of another question',
      [
        {...user, content: 'bar'},
        {role: 'assistant' as const, content: 'abcd'},
      ],
      undefined,
    ],
    ['not there', [user], undefined],
    [
      'failed, with a reason',
      [user, {...reply, state: 'failed' as const, error: {code: 'busy', message: 'foo'}}],
      {
        state: 'failed',
        text: 'abcd',
        message: 'm',
        attempt: 2,
        outcome: 'refused',
        failure: {code: 'busy', detail: 'foo'},
      },
    ],
    [
      'failed, without',
      [user, {...reply, state: 'failed' as const}],
      {state: 'failed', text: 'abcd', message: 'm', attempt: 2, outcome: 'interrupted'},
    ],
  ])('%s', (_, messages, expected) => expect(found(...messages)).toEqual(expected))

  test('the longer of two texts is taken when it continues the other', () => {
    expect([longerText('ab', 'abc'), longerText('abc', 'ab'), longerText('abc', 'axc')]).toEqual(['abc', 'abc', 'axc'])
  })
})

describe('the stored state', () => {
  const token = {access: 'a', expiration: 900, receivedAt: 1, refreshAt: 2}
  test('a broken slice costs only itself, an unknown one is left out', () => {
    const {state, broken} = validateState({
      user: {id: 'u'},
      token: {access: 7},
      locale: 'nl',
      dark: true,
      exchange: {'usd-eur': 0.9},
      unheardOf: 1,
      constructor: {},
    })
    expect(state).toEqual({user: {id: 'u'}, dark: true, exchange: {'usd-eur': 0.9}})
    expect(broken.sort()).toEqual(['locale', 'token'])
  })
  test('a token of the specification has no times', () => {
    expect(validateState({token: {access: 'a', refresh: 'r', expiration: 900}}).state.token).toEqual({
      ...token,
      refresh: 'r',
      receivedAt: 0,
      refreshAt: 0,
    })
  })

  const stored = (count: number, size = 10): PersistedState => ({
    user: {id: 'u'},
    token,
    chat: {
      model: 'm',
      conversations: Array.from({length: count}, (_, index) => ({
        id: String(index),
        updated_at: index,
        messages: [{role: 'user' as const, content: 'x'.repeat(size)}],
      })),
    },
  })
  test('songs are kept with a position among them, and only from the web', () => {
    const song = {id: 'a', url: 'https://files.test/a.mp3', title: 'Tide'}
    const player = {queue: [song], index: 0, position: 7}
    const read = (given: object) => validateState({player: {...player, ...given}}).state.player
    expect(read({})).toEqual(player)
    expect(read({queue: []})).toBeUndefined()
    expect(read({index: 1})).toBeUndefined()
    expect(read({position: -1})).toBeUndefined()
    expect(read({queue: [{...song, url: 'javascript:alert(1)'}]})).toBeUndefined()
    expect(read({queue: Array.from({length: 21}, () => song)})).toBeUndefined()
  })

  test('the newest fifty', () => {
    const {conversations} = boundState(stored(80)).chat ?? {}
    expect(conversations?.map(({id}) => Number(id))).toEqual(Array.from({length: 50}, (_, index) => 79 - index))
  })
  test('none over 64 KB, all within 2 MB', () => {
    expect(boundState(stored(3, storageBounds.messageBytes + 1)).chat?.conversations).toEqual([])
    const bounded = boundState(stored(50, 60_000))
    expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(storageBounds.bytes)
    expect(bounded.chat?.conversations?.[0]?.id).toBe('49')
  })
  test('of one over 64 KB the versions that no server has stay, with its last messages', () => {
    const [question] = stored(1, 1_000).chat?.conversations?.[0]?.messages ?? []
    const messages = Array.from({length: 100}, (_, index) => ({
      ...question,
      role: 'user' as const,
      content: `${index} ${'x'.repeat(1_000)}`,
    }))
    const unsentVersions = [[{role: 'user' as const, content: 'better', unsent: true, versions: ['q-1']}]]
    const long = (more: object) => {
      const conversations = [{id: 'c', model: 'm', messages, updated_at: 1, ...more}]
      return boundState({...stored(0), chat: {conversations}}).chat?.conversations
    }
    expect(long({})).toEqual([])
    expect(long({unsentVersions})).toEqual([
      {id: 'c', model: 'm', messages: messages.slice(50), updated_at: 1, unsentVersions},
    ])
    expect(long({unsentVersions: unsentVersions.map((version) => [...version, ...messages])})).toEqual([])
    // the server's copy makes it whole
    const own = {key: 'c', id: 'c', model: 'm', updatedAt: 1, messages: messages.slice(50), unsentVersions}
    const theirs = messages.map((message, index) => ({...message, id: `q-${index}`}))
    const merged = mergeConversation(own, {key: 'c', id: 'c', model: 'm', updatedAt: 1, messages: theirs})
    expect(merged).toMatchObject({messages: theirs, unsentVersions})
  })
  test('a full store loses the oldest first, token and user never', () => {
    let state: PersistedState | undefined = stored(4)
    const left: (number | undefined)[] = []
    let last = state
    while (state !== undefined) {
      last = state
      left.push(state.chat?.conversations?.length)
      state = shrinkState(state)
    }
    expect(left).toEqual([4, 2, 1, 0, undefined])
    expect(last).toEqual({user: {id: 'u'}, token, chat: undefined})
  })
  test('what is of the browser survives a sign-out', () => {
    const names = [
      'user',
      'token',
      'chat',
      'player',
      'audio',
      'setting',
      'locale',
      'dark',
      'site',
      'currency',
      'exchange',
      'fingerprint',
    ]
    expect(names.filter((name) => !isOfBrowser(name))).toEqual(['user', 'token', 'chat', 'player'])
  })
})

describe('what a newer version stored', () => {
  const stored = {
    owner: 'u-1',
    user: {id: 'u-1'},
    token: {access: 'foo', expiration: 900, later: true},
    later: {foo: 1},
  }
  const token = {access: 'bar', expiration: 900, receivedAt: 0, refreshAt: 0}
  const slicesOf = (state: PersistedState) => foreignParts(stored, {...state, owner: state.owner ?? 'u-1'})

  test('unknown slices stay, and unknown fields beside the known ones', () => {
    expect(slicesOf({token})).toEqual({later: {foo: 1}, token: {...token, later: true}})
  })
  test('a slice that was removed does not come back', () => {
    expect(slicesOf({})).toEqual({later: {foo: 1}})
  })
  test("nothing of another user's stays", () => {
    expect(slicesOf({owner: 'u-2', token})).toEqual({})
  })
})
