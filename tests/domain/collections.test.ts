import {describe, expect, test} from 'vitest'
import {globalApplicationsQuery} from '#domain/application-queries.ts'
import {backoff, backoffDelay, mayRetry} from '#domain/backoff.ts'
import {isRunning, mergeConversations} from '#domain/conversation-list.ts'
import {
  messageReferences,
  messageText,
  toRecord,
  userContent,
  type ConversationRecord,
  type RecordMessage,
} from '#domain/conversation.ts'
import {isLoginLoop, recentRedirects} from '#domain/login-loop.ts'
import {mergeConversation, mergeMessage} from '#domain/merge-conversation.ts'
import {replaceOrFront} from '#domain/replace-or-front.ts'
import {capabilitiesOf} from '#domain/service-capabilities.ts'
import {isNewerToken, toSessionToken} from '#domain/session-token.ts'

describe('backoff', () => {
  test.each([
    [0, 500],
    [1, 1_000],
    [5, 16_000],
    [6, 30_000],
    [100, 30_000],
    [-1, 500],
  ])('retry %i waits at most %i ms', (attempt, most) => {
    expect([backoffDelay(attempt, 0), backoffDelay(attempt, 0.5), backoffDelay(attempt, 1)]).toEqual([
      0,
      most / 2,
      most,
    ])
  })
  test('reads five times, writes only with a key', () => {
    expect(mayRetry(backoff.attempts - 1, 'read')).toBe(true)
    expect(mayRetry(backoff.attempts, 'read')).toBe(false)
    expect([mayRetry(0, 'write'), mayRetry(0, 'write', true)]).toEqual([false, true])
  })
})

describe('login loop', () => {
  test('a fourth redirect within a minute is one too many', () => {
    expect(isLoginLoop([0, 1_000], 2_000)).toBe(false)
    expect(isLoginLoop([0, 1_000, 2_000], 3_000)).toBe(true)
    expect(isLoginLoop([0, 1_000, 2_000], 60_000)).toBe(false)
  })
  test('times of a clock that was set back do not count', () => expect(recentRedirects([5_000], 1_000)).toEqual([]))
})

describe('tokens', () => {
  const token = toSessionToken({access_token: 'a', refresh_token: 'r', expires_in: 900}, 1_000)
  test('refresh at 80 % of its life', () => {
    expect(token).toEqual({access: 'a', refresh: 'r', expiration: 900, receivedAt: 1_000, refreshAt: 721_000})
  })
  test('only another, younger one is newer', () => {
    expect(isNewerToken(token, undefined)).toBe(true)
    expect(isNewerToken(token, token)).toBe(false)
    expect(isNewerToken({...token, access: 'b'}, token)).toBe(false)
    expect(isNewerToken({...token, access: 'b', receivedAt: 1_001}, token)).toBe(true)
  })
})

describe('replace or front', () => {
  const isSame = (a: {id: string}, b: {id: string}) => a.id === b.id
  const items = [{id: 'a'}, {id: 'b'}]
  test('the same id is replaced where it stands', () => {
    const next = {id: 'b', title: 'foo'}
    expect(replaceOrFront<{id: string}>(items, next, isSame)).toEqual([{id: 'a'}, next])
  })
  test('what stood there twice stands there once', () => {
    const next = {id: 'a', title: 'foo'}
    expect(replaceOrFront<{id: string}>([{id: 'a'}, {id: 'b'}, {id: 'a'}], next, isSame)).toEqual([next, {id: 'b'}])
  })
  test('another goes to the front, and the given list is not changed', () => {
    expect(replaceOrFront(items, {id: 'c'}, isSame)).toEqual([{id: 'c'}, {id: 'a'}, {id: 'b'}])
    expect(items).toEqual([{id: 'a'}, {id: 'b'}])
  })
})

describe('conversations', () => {
  const user = {role: 'user' as const, content: 'foo'}
  const answer = (content: string, more: Partial<ConversationRecord['messages'][number]> = {}) => ({
    role: 'assistant' as const,
    content,
    id: 'm-1',
    ...more,
  })
  const record = (
    messages: ConversationRecord['messages'],
    more: Partial<ConversationRecord> = {},
  ): ConversationRecord => ({
    key: 'k',
    id: 'c',
    model: 'm',
    messages,
    updatedAt: 1,
    ...more,
  })

  test('attachments become image or file items after the text', () => {
    const content = userContent({
      question: 'foo',
      references: ['https://a.test/b.PNG', 'https://a.test/c.pdf'],
      sizes: {'https://a.test/c.pdf': 12},
    })
    expect(content).toEqual([
      {type: 'text', text: 'foo'},
      {type: 'image_url', image_url: 'https://a.test/b.PNG'},
      {type: 'file_url', file_url: 'https://a.test/c.pdf', size: 12},
    ])
    expect([messageText(content), messageReferences(content)]).toEqual([
      'foo',
      ['https://a.test/b.PNG', 'https://a.test/c.pdf'],
    ])
    expect(userContent({question: 'foo', references: []})).toBe('foo')
  })
  test('both forms of an attachment are read', () => {
    expect(
      messageReferences([
        {type: 'image_url', image_url: {url: 'u'}},
        {type: 'file_url', file_url: 'v'},
      ]),
    ).toEqual(['u', 'v'])
  })
  test('a conversation of the server has its id as key, and a model always', () => {
    expect(toRecord({id: 'c', messages: [], title: null, updated_at: null}, 'foo')).toEqual({
      key: 'c',
      id: 'c',
      model: 'foo',
      messages: [],
      updatedAt: 0,
    })
  })

  test('a settled message never goes back, and a failed one is what the server has of it', () => {
    const finished = answer('foobar', {state: 'finished'})
    expect(mergeMessage(finished, answer('foo', {state: 'answering'}))).toBe(finished)
    expect(mergeMessage(finished, answer('foo', {state: 'failed'}))).toBe(finished)
    const ours = answer('foobar', {state: 'failed', outcome: 'interrupted'})
    expect(mergeMessage(ours, answer('foo', {state: 'failed', outcome: 'interrupted'})).content).toBe('foo')
    expect(mergeMessage(ours, finished)).toEqual(finished)
  })
  test("the server's history wins, our key stays", () => {
    const merged = mergeConversation(
      record([user]),
      record([user, answer('bar', {state: 'finished'})], {key: 'c', updatedAt: 2}),
    )
    expect(merged).toEqual(record([user, answer('bar', {state: 'finished'})], {updatedAt: 2}))
  })
  test('a question the server refused stays at the end', () => {
    const refused = [user, answer('', {id: 'x', state: 'failed', outcome: 'refused'})]
    const first = [user, answer('bar', {state: 'finished'})]
    expect(mergeConversation(record([...first, ...refused]), record(first, {updatedAt: 5})).messages).toEqual([
      ...first,
      ...refused,
    ])
  })
  test('a copy of which more was kept than it has is no copy of that revision, and is read again', () => {
    const kept = [user, answer('bar', {id: 'm-1', state: 'finished'})]
    const own = [{...user, unsent: true}, answer('', {id: 'x', state: 'failed', outcome: 'refused', unsent: true})]
    const revisionOf = (messages: RecordMessage[], theirs: RecordMessage[]) =>
      mergeConversation(record(messages, {updatedAt: 9}), record(theirs, {updatedAt: 5, revision: '1-8'})).revision
    expect(revisionOf(kept, [])).toBeUndefined()
    expect([revisionOf(kept, kept), revisionOf([...kept, ...own], kept)]).toEqual(['1-8', '1-8'])
  })
  const own = (content: string): RecordMessage => ({role: 'user', content, unsent: true})
  const refusal = answer('', {id: 'key', state: 'failed', outcome: 'refused', unsent: true})
  const one = [user, answer('bar', {state: 'finished'})]
  const two: RecordMessage[] = [{role: 'user', content: 'two'}, answer('three', {id: 'm-2', state: 'finished'})]
  test.each([
    [
      'refused, while another page went on',
      [...one, own('mine'), refusal],
      [...one, ...two],
      [...one, ...two, own('mine'), refusal],
    ],
    ['refused, and gone on after it', [own('mine'), refusal, ...one], one, [own('mine'), refusal, ...one]],
    [
      'refused, gone on here and elsewhere',
      [...one, own('mine'), refusal, ...two],
      [...one, ...two, ...two],
      [...one, own('mine'), refusal, ...two, ...two],
    ],
    [
      'waiting behind an answer of another page',
      [...one, own('mine')],
      [...one, ...two],
      [...one, ...two, own('mine')],
    ],
    [
      'on its way',
      [...one, {role: 'user', content: 'mine'}, answer('', {id: 'key', state: 'pending'})],
      [...one, ...two],
      [...one, ...two, {role: 'user', content: 'mine'}, answer('', {id: 'key', state: 'pending'})],
    ],
    [
      'on its way, and the server has it',
      [...one, {role: 'user', content: 'two'}, answer('', {id: 'key', state: 'pending'})],
      [...one, ...two],
      [...one, ...two],
    ],
    ['thought to be unsent, and the server has it', [...one, own('two'), refusal], [...one, ...two], [...one, ...two]],
  ] satisfies [string, RecordMessage[], RecordMessage[], RecordMessage[]][])(
    'no question is dropped: %s',
    (_, ours, theirs, merged) => {
      expect(mergeConversation(record(ours), record(theirs, {updatedAt: 9})).messages).toEqual(merged)
      // reading the same list again changes nothing
      expect(mergeConversation(record(merged), record(theirs, {updatedAt: 9})).messages).toEqual(merged)
    },
  )
  test('an exchange younger than the copy is not lost; one the server cut is', () => {
    const first = [user, answer('bar', {state: 'finished'})]
    const next = [{...user, content: 'two'}, answer('three', {id: 'm-2', state: 'finished'})]
    expect(mergeConversation(record([...first, ...next], {updatedAt: 9}), record(first)).messages).toHaveLength(4)
    expect(mergeConversation(record([...first, ...next]), record(first, {updatedAt: 9})).messages).toHaveLength(2)
  })

  test('the list keeps what runs, what is new here, and what it is told to keep', () => {
    const running = record([user, answer('ba', {state: 'answering'})], {key: 'run', id: 'run'})
    const local = record([user], {key: 'local', id: undefined})
    const gone = record([user], {key: 'gone', id: 'gone'})
    const kept = record([user], {key: 'kept', id: 'kept'})
    const listed = record([user], {key: 'c', id: 'c'})
    const merged = mergeConversations([running, local, gone, kept], [listed], ({key}) => key === 'kept')
    expect(merged.map(({key}) => key)).toEqual(['run', 'local', 'kept', 'c'])
    expect([isRunning(running), isRunning(listed)]).toEqual([true, false])
  })
})

test('the general wallet is asked for as the specification says', () => {
  expect(globalApplicationsQuery('u')).toEqual({
    limit: 100,
    offset: 0,
    user_id: 'u',
    ordering: '-created_at',
    type: 'Usage',
    scope: 'Global',
  })
})

test('only capabilities that are known are used', () => {
  expect(capabilitiesOf({id: 's', metadata: {capabilities: ['stop', 'foo', 'resume']}})).toEqual(['resume', 'stop'])
  expect(capabilitiesOf(undefined)).toEqual([])
})
