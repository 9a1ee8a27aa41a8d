import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {answers} from '#server/store/schema/chat.ts'
import {
  ask,
  balanceOf,
  createAiServer,
  createAsker,
  exchangeWith,
  headOf,
  openStream,
  post,
  type AiServer,
  type Asker,
} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'

const model = createScriptedProvider()
let on: AiServer
let asker: Asker

beforeAll(async () => {
  on = await createAiServer({providers: [model.provider], config: {limitFactor: 100}})
  await on.server.createUser() // the operator
})
beforeEach(async () => {
  asker = await createAsker(on)
})
afterAll(async () => {
  try {
    await expectNoOpenAnswer()
  } finally {
    await on.close()
  }
})

/** Expects that no answer of this file is open. */
async function expectNoOpenAnswer() {
  const rows = await on.server.deps.database.asSystem((transaction) => transaction.select().from(answers))
  expect(rows.filter(({state}) => state === 'pending' || state === 'answering')).toEqual([])
}

const retrieve = async (id: string, who = asker) => (await post(on, who, {action: 'retrieve', id})).json()

const exchange = (body: Record<string, unknown>, ...texts: string[]) => exchangeWith({on, model, asker}, body, ...texts)

describe('what is asked', () => {
  const refused = async (body: unknown, headers?: Record<string, string>) => {
    const response = await post(on, asker, body, {headers: {'content-type': 'application/json', ...headers}})
    return {status: response.status, body: await response.json()}
  }
  const chat = {question: 'foo', model: 'foo-model'}
  const said = {role: 'user', content: 'foo'}

  test.each([
    ['no body', '', 400],
    ['no JSON', '{', 400],
    ['an array', [], 400],
    ['an unknown action', {action: 'explode'}, 400],
    ['an empty question', {...chat, question: ''}, 400],
    ['a question of white space', {...chat, question: ' \n'}, 400],
    ['no model', {question: 'foo'}, 400],
    ['an unknown model', {...chat, model: 'gpt-4o'}, 400],
    ['an unknown key', {...chat, messages: []}, 400],
    ['a reference that is no address', {...chat, references: ['javascript:alert(1)']}, 400],
    ['a data url', {...chat, references: ['data:image/png;base64,AAAA']}, 400],
    ['eleven references', {...chat, references: Array.from({length: 11}, () => 'https://foo.test/a.png')}, 400],
    ['a NUL character', {...chat, question: 'a\0b'}, 400],
    ['resume without a number', {action: 'resume', id: 'a', message: 'b', attempt: 1}, 400],
    ['a conversation that is not there', {...chat, id: 'foo'}, 404],
    ['another account as user', {...chat, user_id: 'foo'}, 404],
    ['another application', {...chat, application_id: 'foo'}, 404],
    ['resume of nothing', {action: 'resume', id: 'a', message: 'b', attempt: 1, last_seq: 0}, 404],
    ['stop of nothing', {action: 'stop', id: 'a'}, 404],
    ['an unknown key of a message', {action: 'update', id: 'a', messages: [{...said, foo: 1}]}, 400],
    ['a message without content', {action: 'update', id: 'a', messages: [{role: 'user'}]}, 400],
    ['update of nothing', {action: 'update', id: 'a', title: 'b'}, 404],
  ])('%s', async (_, body, status) => {
    const answer = await refused(body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({
      error: {code: status === 404 ? 'not_found' : 'bad_request', message: expect.any(String)},
    })
    expect(model.unasked()).toBe(true)
  })

  test.each([
    [{...said, foo: 1}, 'messages.0.foo'],
    [{...said, content: [{type: 'text', text: 'foo', bar: 1}]}, 'messages.0.content.0.bar'],
    [{...said, content: null}, 'messages.0.content'],
    [{...said, role: 'tool'}, 'messages.0.role'],
    [{...said, error: {code: 'foo', bar: 1}}, 'messages.0.error.bar'],
  ])('a message of a history %j is refused by name', async (message, field) => {
    const {status, body} = await refused({action: 'update', id: 'a', messages: [message]})
    expect(status).toBe(400)
    expect(body.error).toEqual({code: 'bad_request', message: expect.stringContaining(field), field})
  })

  test('without a key, with a wrong one', async () => {
    expect((await on.server.call('POST', '/services/api/aichat/conversations', {body: chat})).status).toBe(401)
    expect((await post(on, {token: 'sk-atrium-foofoofoofoofoofoo'}, chat)).status).toBe(401)
  })
})

describe('conversations', () => {
  test('listed newest first, a page at a time, by ids', async () => {
    const own = await createAsker(on)
    const ids: string[] = []
    for (const question of ['a', 'b', 'c']) {
      const pending = post(on, own, {question, model: 'foo-model'})
      ;(await model.next()).finish()
      ids.unshift((await (await pending).json()).id)
      on.server.advance(1_000)
    }
    const list = async (filter: Record<string, unknown>) => {
      const page = await (await post(on, own, {action: 'retrieve_batch', ...filter})).json()
      return {count: page.count, ids: page.items.map((item: {id: string}) => item.id)}
    }
    expect(await list({})).toEqual({count: 3, ids})
    expect(await list({limit: 1, offset: 1})).toEqual({count: 3, ids: [ids[1]]})
    expect(await list({ids: [ids[2], 'foo']})).toEqual({count: 1, ids: [ids[2]]})
    expect(await list({user_id: own.userId, application_id: own.applicationId})).toEqual({count: 3, ids})
    expect(await list({user_id: asker.userId})).toEqual({count: 0, ids: []})
    expect(await list({application_id: asker.applicationId})).toEqual({count: 0, ids: []})
  })

  test('a revision for each, another one once something of it was changed', async () => {
    const own = await createAsker(on)
    const asOwn = {on, model, asker: own}
    const {id, message} = await exchangeWith(asOwn, {question: 'one'}, 'first')
    const {id: other} = await exchangeWith(asOwn, {question: 'other'}, 'else')
    const named = async () => {
      const {revisions} = await (await post(on, own, {action: 'revisions'})).json()
      const {items} = await (await post(on, own, {action: 'retrieve_batch'})).json()
      const listed = items.map((item: {id: string; revision: string}) => [item.id, item.revision])
      expect(Object.entries(revisions)).toEqual(listed)
      return revisions as Record<string, string>
    }
    const first = await named()
    expect(Object.keys(first)).toEqual([other, id])
    expect(await named()).toEqual(first)
    const change = async (body: Record<string, unknown>) => {
      const before = await named()
      expect((await post(on, own, {id, ...body})).status).toBe(200)
      const after = await named()
      expect(after[id], String(body['action'])).not.toBe(before[id])
      expect(after[other]).toBe(before[other])
    }
    await change({action: 'update', title: 'Tea'})
    const pending = exchangeWith(asOwn, {id, question: 'again', version_of: message}, 'second')
    const again = await pending
    await change({action: 'select', message})
    await change({action: 'select', message: again.message})
    await change({action: 'mark', id: undefined, items: [{id, pinned: true}]})
    await change({action: 'label', id: undefined, items: [{ids: [id], on: ['foo']}]})
    await change({action: 'remove', message: again.message})
    const {messages} = await (await post(on, own, {action: 'retrieve', id})).json()
    await change({action: 'update', messages: messages.slice(0, 1)})
    await post(on, own, {action: 'delete', id: other})
    expect(Object.keys(await named())).toEqual([id])
    expect(await (await post(on, asker, {action: 'revisions'})).json()).not.toHaveProperty(['revisions', id])
  })

  test('renamed, without moving in the list', async () => {
    const {id} = await exchange({}, 'x')
    const before = await retrieve(id)
    on.server.advance(5_000)
    expect(await (await post(on, asker, {action: 'update', id, title: 'Tea'})).json()).toEqual({
      ...before,
      title: 'Tea',
    })
    expect(await retrieve(id)).toEqual({...before, title: 'Tea'})
  })

  test('cut to a prefix and asked again; anything else is refused', async () => {
    const {id} = await exchange({question: 'one'}, 'first')
    await exchange({question: 'two', id, references: ['https://foo.test/a.png']}, 'second')
    const {messages} = await retrieve(id)
    const cut = async (kept: unknown[]) => (await post(on, asker, {action: 'update', id, messages: kept})).status
    expect(await cut([{role: 'user', content: 'other'}])).toBe(400)
    expect(await cut(messages.slice(1))).toBe(400)
    expect(await cut([...messages, {role: 'user', content: 'more'}])).toBe(400)
    expect(await cut([{...messages[0], id: messages[2].id}])).toBe(400)
    const inOtherForm = {
      role: 'user',
      content: [
        {type: 'text', text: 'two'},
        {type: 'image_url', image_url: {url: 'https://foo.test/a.png'}},
      ],
    }
    expect(await cut([...messages.slice(0, 2), inOtherForm])).toBe(200)
    expect(
      await cut([
        {role: 'user', content: 'one'},
        {role: 'assistant', content: 'first'},
      ]),
    ).toBe(200)
    expect((await retrieve(id)).messages).toEqual(messages.slice(0, 2))
    const {turn} = await exchange({question: 'three', id}, 'third')
    expect(turn.input.messages.map(({content}) => content)).toEqual(['one', 'first', 'three'])
  })

  test('a history that went on after the last message that the client knows is not cut', async () => {
    const {id} = await exchange({question: 'one'}, 'first')
    const known = (await retrieve(id)).messages
    await exchange({question: 'two', id}, 'second')
    const whole = await retrieve(id)
    const cut = (last: string) => post(on, asker, {action: 'update', id, messages: [], last})
    const refused = await cut(known.at(-1)?.id)
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({error: expect.objectContaining({code: 'duplication'})}),
    ])
    expect(await retrieve(id)).toEqual(whole)
    expect((await cut(whole.messages.at(-1)?.id)).status).toBe(200)
    expect((await retrieve(id)).messages).toEqual([])
  })

  test('cutting or deleting what is being answered stops and pays it first', async () => {
    const own = await createAsker(on, '1')
    const stream = openStream(await ask(on, own))
    const {id} = await headOf(stream)
    const turn = await model.next()
    turn.say('some text')
    await stream.next()
    expect((await ask(on, own, {id})).status).toBe(409)
    expect((await post(on, own, {action: 'update', id, messages: []})).status).toBe(200)
    expect((await stream.rest()).at(-1)?.data).toEqual({
      outcome: 'stopped',
      id: expect.any(String),
      error: {code: 'canceled', message: 'The answer was stopped.'},
    })
    const {remaining, used} = await balanceOf(on, own)
    expect(Number(remaining) + Number(used)).toBeCloseTo(1, 6)
    expect(Number(used)).toBeGreaterThan(0)
    expect((await post(on, own, {action: 'delete', id})).status).toBe(200)
    expect((await post(on, own, {action: 'retrieve', id})).status).toBe(404)
  })

  test('of another user: every action is the same 404, and nothing changes', async () => {
    const {id, message} = await exchange({}, 'mine')
    const before = await retrieve(id)
    const stranger = await createAsker(on)
    const missing = await (await post(on, stranger, {action: 'retrieve', id: stranger.userId})).json()
    for (const body of [
      {action: 'retrieve', id},
      {action: 'update', id, title: 'stolen'},
      {action: 'update', id, messages: []},
      {action: 'delete', id},
      {action: 'stop', id},
      {action: 'stop', id, message},
      {action: 'resume', id, message, attempt: 1, last_seq: 0},
      {action: 'select', id, message},
      {action: 'edit', id, message, question: 'stolen'},
      {action: 'remove', id, message},
      {action: 'branch', id, message},
      {question: 'foo', model: 'foo-model', id},
      {question: 'foo', model: 'foo-model', id, version_of: message},
    ]) {
      const response = await post(on, stranger, body)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({...missing, trace_id: expect.any(String)})
    }
    expect(await (await post(on, stranger, {action: 'retrieve_batch', ids: [id]})).json()).toEqual({
      count: 0,
      items: [],
    })
    expect(await retrieve(id)).toEqual(before)
  })
})
