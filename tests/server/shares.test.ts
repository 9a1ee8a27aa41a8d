import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import type {MessageContent} from '#contract/chat.ts'
import {uploadedFile} from '#contract/management.ts'
import {mostShares, sharedConversation, shareLink, shareLinkPage} from '#contract/shares.ts'
import {createAuthenticate} from '#server/auth/authenticate.ts'
import {messageReferences} from '#domain/conversation.ts'
import {closeAccount} from '#server/account/delete-account.ts'
import {createPageServer} from '#server/http/page.ts'
import {createRouter} from '#server/http/router.ts'
import {platformRoutes} from '#server/platform/platform.routes.ts'
import {conversations, messages} from '#server/store/schema/chat.ts'
import {createTestServer, testOrigin, type TestServer, type TestUser} from './harness.ts'
import {ask, base, catalogue} from './platform.fixtures.ts'

const files = {
  serve: async () => undefined,
  indexHtml: '<html><head></head></html>',
  messagesPath: () => undefined,
  assets: () => [],
}
const handlerOf = (deps: TestServer['deps']) =>
  createRouter(deps, {
    routes: platformRoutes(deps, catalogue),
    authenticate: createAuthenticate(deps),
    servePage: createPageServer(deps, files),
  })

let server: TestServer
let owner: TestUser
beforeAll(async () => {
  server = await createTestServer({handler: handlerOf})
  await server.createUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await server.createUser()
})

type Said = {
  role: 'user' | 'assistant' | 'system'
  content: MessageContent
  state?: 'answering' | 'finished' | 'failed'
}
const createConversation = (said: Said[], title: string | null = 'About owls', user = owner) =>
  server.deps.database.asSystem(async (transaction) => {
    const [row] = await transaction
      .insert(conversations)
      .values({userId: user.user.id, model: 'foo', title})
      .returning({id: conversations.id})
    if (row === undefined) throw new Error('no conversation')
    await transaction.insert(messages).values(
      said.map((message, position) => ({
        ...message,
        userId: user.user.id,
        conversationId: row.id,
        position,
        model: message.role === 'assistant' ? 'foo' : null,
      })),
    )
    return row.id
  })
const upload = async (name: string, content: string, user = owner) => {
  const form = new FormData()
  form.set('file', new File([content], name))
  const response = await server.call('POST', `${base}/files/`, {token: user.accessToken, body: form})
  return uploadedFile.parse(await response.json())
}
const post = async (conversation: string, attachments = true, user = owner) =>
  ask(server, 'POST', '/shares/', {
    token: user.accessToken,
    body: {conversation_id: conversation, attachments},
  })
const share = async (conversation: string, attachments = true) =>
  shareLink.parse((await post(conversation, attachments)).body)
const open = (id: string) => server.call('GET', `${base}/shares/${id}`, {origin: null})
const read = async (id: string) => sharedConversation.parse(await (await open(id)).json())
const revoke = (id: string, user = owner) => ask(server, 'DELETE', `/shares/${id}`, {token: user.accessToken})
const owls: Said[] = [
  {role: 'system', content: 'Be secret.'},
  {role: 'user', content: 'What do owls eat?'},
  {role: 'assistant', content: '**Mice**'},
]

describe('a shared link', () => {
  test('shows anybody the conversation as it was, and nothing of its owner', async () => {
    const conversation = await createConversation(owls)
    const link = await share(conversation)
    await server.deps.database.asSystem((transaction) =>
      transaction.update(messages).set({content: 'changed'}).where(eq(messages.conversationId, conversation)),
    )
    const response = await open(link.id)
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    expect(response.headers.get('x-robots-tag')).toContain('noindex')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const text = await response.text()
    expect(sharedConversation.parse(JSON.parse(text))).toEqual({
      title: 'About owls',
      updated_at: link.updated_at,
      messages: [
        {role: 'user', content: 'What do owls eat?', state: 'finished'},
        {role: 'assistant', content: '**Mice**', state: 'finished', model: 'foo'},
      ],
    })
    for (const secret of [owner.user.id, owner.user.email, conversation]) expect(text).not.toContain(secret)
  })

  test('has a handle of 128 random bits, and is listed for its owner alone', async () => {
    const [one, other] = [await createConversation(owls), await createConversation(owls, null)]
    const links = [await share(one), await share(one, false), await share(other)]
    expect(new Set(links.map(({id}) => id)).size).toBe(3)
    const list = async (query = '', user = owner) =>
      shareLinkPage.parse((await ask(server, 'GET', `/shares/${query}`, {token: user.accessToken})).body)
    expect((await list()).items).toEqual(links.toReversed())
    expect((await list(`?conversation_id=${one}&ordering=created_at`)).items).toEqual(links.slice(0, 2))
    expect((await list('?conversation_id=foo')).count).toBe(0)
    expect((await list('', await server.createUser())).items).toEqual([])
  })

  test('of a conversation without a name has its first question as title', async () => {
    const conversation = await createConversation(owls, null)
    const link = await share(conversation)
    expect([link.title, (await read(link.id)).title]).toEqual(['What do owls eat?', 'What do owls eat?'])
    const wordless = await share(await createConversation([{role: 'assistant', content: 'Hello'}], null))
    expect(wordless.title).toBeUndefined()
  })

  test('takes a new snapshot on wish', async () => {
    const conversation = await createConversation(owls)
    const link = await share(conversation)
    await server.deps.database.asSystem((transaction) =>
      transaction.update(conversations).set({title: 'Owls at night'}).where(eq(conversations.id, conversation)),
    )
    expect((await read(link.id)).title).toBe('About owls')
    server.advance(1_000)
    const renewed = await ask(server, 'PUT', `/shares/${link.id}`, {
      token: owner.accessToken,
      body: {attachments: false},
    })
    expect(shareLink.parse(renewed.body)).toEqual({
      id: link.id,
      attachments: false,
      created_at: link.created_at,
      conversation_id: expect.any(String),
      title: 'Owls at night',
      updated_at: expect.any(String),
    })
    expect(renewed.body.updated_at).not.toBe(link.updated_at)
    expect((await read(link.id)).title).toBe('Owls at night')
  })

  test('is refused while an answer is written, and is then as before', async () => {
    const conversation = await createConversation([...owls, {role: 'assistant', content: '', state: 'answering'}])
    const answer = await post(conversation)
    expect([answer.status, answer.body.code]).toEqual([409, 'busy'])
  })

  test('of a foreign or missing conversation is the same 404', async () => {
    const conversation = await createConversation(owls)
    const other = await server.createUser()
    const foreign = await post(conversation, true, other)
    expect(foreign.status).toBe(404)
    for (const id of ['00000000-0000-4000-8000-000000000000', 'foo'])
      expect((await post(id, true, other)).body).toEqual(foreign.body)
  })

  test(`is refused beyond ${mostShares}`, async () => {
    const conversation = await createConversation(owls)
    for (let made = 0; made < mostShares; made += 1) await share(conversation)
    const answer = await post(conversation)
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
  })
})

describe('its end', () => {
  test('by its owner alone, at once, and the same answer as for a link that never was', async () => {
    const link = await share(await createConversation(owls))
    const other = await server.createUser()
    const foreign = await revoke(link.id, other)
    expect([foreign.status, foreign.body]).toEqual([404, (await revoke('A'.repeat(22), other)).body])
    expect((await open(link.id)).status).toBe(200)
    expect((await revoke(link.id)).status).toBe(204)
    const ended = await open(link.id)
    const never = await open('A'.repeat(22))
    expect([ended.status, await ended.json()]).toEqual([404, await never.json()])
    expect((await open('foo')).status).toBe(404)
  })

  test('with its conversation', async () => {
    const conversation = await createConversation(owls)
    const link = await share(conversation)
    await server.deps.database.asSystem((transaction) =>
      transaction.delete(conversations).where(eq(conversations.id, conversation)),
    )
    expect((await open(link.id)).status).toBe(404)
  })

  test('with the account, in the moment it is closed', async () => {
    const link = await share(await createConversation(owls))
    const {familyId, user} = owner
    await closeAccount(server.deps, {
      userId: user.id,
      familyId,
      role: 'member',
      credentialId: undefined,
      applicationId: undefined,
    })
    expect((await open(link.id)).status).toBe(404)
  })
})

describe('files', () => {
  const say = (address: string, more = ''): Said[] => [
    {
      role: 'user',
      content: [
        {type: 'text', text: `See ${address}.`},
        {type: 'file_url', file_url: address},
      ],
    },
    {role: 'assistant', content: `![owl](${address}) ${more}`},
  ]
  const addressesOf = (text: string) =>
    [...text.matchAll(/\/services\/platform\/[^\s)"]+/g)].map(([address]) => address)

  test('are served by the share, also with brackets in their names, until it ends', async () => {
    const file = await upload('foo (1).txt', 'owl')
    const link = await share(await createConversation(say(file.file_url)))
    const text = await (await open(link.id)).text()
    expect(text).not.toContain(file.id)
    const {messages: [question, answer] = []} = await read(link.id)
    const path = question === undefined ? '' : (messageReferences(question.content)[0] ?? '')
    expect(path).toMatch(/\/api\/v1\/shares\/[\w-]{22}\/files\/[\w-]{22}\/foo%20\(1\)\.txt$/)
    expect(question?.content).toEqual([
      {type: 'text', text: `See ${path}.`},
      {type: 'file_url', file_url: path},
    ])
    expect(answer?.content).toBe(`![owl](${path}) `)
    const served = await server.call('GET', path, {origin: null})
    expect(await served.text()).toBe('owl')
    expect(served.headers.get('cache-control')).toBe('private, no-cache')
    expect([...served.headers].join()).not.toContain(file.id)
    expect((await revoke(link.id)).status).toBe(204)
    expect((await server.call('GET', path, {origin: null})).status).toBe(404)
  })

  test('are those of the snapshot alone', async () => {
    const [one, other] = [await upload('one.txt', 'one'), await upload('other.txt', 'other')]
    const [first, second] = [
      await share(await createConversation(say(one.file_url))),
      await share(await createConversation(say(other.file_url))),
    ]
    const [path = ''] = addressesOf(JSON.stringify(await read(first.id)))
    expect((await server.call('GET', path.replace(first.id, second.id), {origin: null})).status).toBe(404)
    expect((await server.call('GET', path.replace('one.txt', 'other.txt'), {origin: null})).status).toBe(404)
    expect(
      (await server.call('GET', path.replace(/files\/.*/, `files/${one.id}/one.txt`), {origin: null})).status,
    ).toBe(404)
  })

  test('that are not shared, of other users or gone have no address in the snapshot', async () => {
    const [own, foreign] = [await upload('own.txt', 'own'), await upload('foreign.txt', 'x', await server.createUser())]
    const relative = new URL(foreign.file_url).pathname
    const conversation = await createConversation(say(own.file_url, `and [theirs](${relative}), ${foreign.file_url}`))
    const [withheld, shared] = [await share(conversation, false), await share(conversation)]
    const hidden = await (await open(withheld.id)).text()
    const shown = await (await open(shared.id)).text()
    for (const text of [hidden, shown]) for (const {id} of [own, foreign]) expect(text).not.toContain(id)
    expect(addressesOf(hidden)).toEqual([])
    expect(hidden).toContain('[theirs](attachment:not-shared), attachment:not-shared')
    expect((await read(withheld.id)).messages[0]).toEqual({
      role: 'user',
      content: [{type: 'text', text: 'See attachment:not-shared.'}],
      state: 'finished',
      withheld: 1,
    })
  })

  test('of a deleted upload are gone', async () => {
    const file = await upload('foo.txt', 'foo')
    const link = await share(await createConversation(say(file.file_url)))
    const [path = ''] = addressesOf(JSON.stringify(await read(link.id)))
    await ask(server, 'DELETE', `/files/${file.id}`, {token: owner.accessToken})
    expect((await server.call('GET', path, {origin: null})).status).toBe(404)
  })
})

describe('the page', () => {
  const page = (path: string) => server.call('GET', path, {origin: null, headers: {accept: 'text/html'}})

  test('is for no search engine, and a 404 where there is no such link', async () => {
    const link = await share(await createConversation(owls))
    const shared = await page(`/share/${link.id}`)
    expect([shared.status, shared.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow, noarchive'])
    expect(await shared.text()).toContain('<meta name="robots" content="noindex, nofollow, noarchive" />')
    const missing = await page(`/share/${'A'.repeat(22)}`)
    expect([missing.status, missing.headers.get('x-robots-tag')]).toEqual([404, 'noindex, nofollow, noarchive'])
    const other = await page('/chatgpt/conversations')
    expect([other.status, other.headers.get('x-robots-tag')]).toEqual([200, null])
    expect(await other.text()).not.toContain('robots')
  })
})

test('readers are limited by their address', async () => {
  const standing = new Date()
  const limited = await createTestServer({
    config: {limitFactor: 0.1},
    deps: {now: () => standing},
    handler: handlerOf,
    sharing: server,
  })
  const link = await share(await createConversation(owls))
  const statuses: number[] = []
  // an address of its own: limits are counted in the database, which other tests use
  const read = () => limited.handle(new Request(`${testOrigin}${base}/shares/${link.id}`), {address: '2001:db8::1'})
  for (let asked = 0; asked < 13; asked += 1) statuses.push((await read()).status)
  expect(statuses.slice(0, 12).every((status) => status === 200)).toBe(true)
  expect(statuses.at(-1)).toBe(429)
  await limited.close()
})
