import {readFileSync} from 'node:fs'
import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {mostShares, sharedConversation, shareLink, shareLinkPage} from '#contract/shares.ts'
import {messageReferences} from '#domain/conversation.ts'
import {closeAccount} from '#server/account/delete-account.ts'
import {conversations, messages} from '#server/store/schema/chat.ts'
import {createTestServer, testOrigin, type TestServer, type TestUser} from './harness.ts'
import {handlerOf, owls, sharesOf, type Said} from './shares.fixtures.ts'
import {ask, base} from './platform.fixtures.ts'

let server: TestServer
let owner: TestUser
let shares: ReturnType<typeof sharesOf>
beforeAll(async () => {
  server = await createTestServer({handler: handlerOf})
  await server.createUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await server.createUser()
  shares = sharesOf(server, owner)
})

describe('a shared link', () => {
  test('shows anybody the conversation as it was, and nothing of its owner', async () => {
    const conversation = await shares.createConversation(owls)
    const link = await shares.share(conversation)
    await server.deps.database.asSystem((transaction) =>
      transaction.update(messages).set({content: 'changed'}).where(eq(messages.conversationId, conversation)),
    )
    const response = await shares.open(link.id)
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
    const [one, other] = [await shares.createConversation(owls), await shares.createConversation(owls, null)]
    const links = [await shares.share(one), await shares.share(one, false), await shares.share(other)]
    expect(new Set(links.map(({id}) => id)).size).toBe(3)
    const list = async (query = '', user = owner) =>
      shareLinkPage.parse((await ask(server, 'GET', `/shares/${query}`, {token: user.accessToken})).body)
    expect((await list()).items).toEqual(links.toReversed())
    expect((await list(`?conversation_id=${one}&ordering=created_at`)).items).toEqual(links.slice(0, 2))
    expect((await list('?conversation_id=foo')).count).toBe(0)
    expect((await list('', await server.createUser())).items).toEqual([])
  })

  test('of a conversation without a name has its first question as title', async () => {
    const conversation = await shares.createConversation(owls, null)
    const link = await shares.share(conversation)
    expect([link.title, (await shares.read(link.id)).title]).toEqual(['What do owls eat?', 'What do owls eat?'])
    const wordless = await shares.share(await shares.createConversation([{role: 'assistant', content: 'Hello'}], null))
    expect(wordless.title).toBeUndefined()
  })

  test('takes a new snapshot on wish', async () => {
    const conversation = await shares.createConversation(owls)
    const link = await shares.share(conversation)
    await server.deps.database.asSystem((transaction) =>
      transaction.update(conversations).set({title: 'Owls at night'}).where(eq(conversations.id, conversation)),
    )
    expect((await shares.read(link.id)).title).toBe('About owls')
    server.advance(1_000)
    const renewed = await ask(server, 'PUT', `/shares/${link.id}`, {
      token: owner.accessToken,
      body: {attachments: false},
    })
    expect(shareLink.parse(renewed.body)).toEqual({
      id: link.id,
      attachments: false,
      files: false,
      shows_files: false,
      created_at: link.created_at,
      conversation_id: expect.any(String),
      title: 'Owls at night',
      updated_at: expect.any(String),
    })
    expect(renewed.body.updated_at).not.toBe(link.updated_at)
    expect((await shares.read(link.id)).title).toBe('Owls at night')
  })

  test('is refused while an answer is written, and is then as before', async () => {
    const conversation = await shares.createConversation([
      ...owls,
      {role: 'assistant', content: '', state: 'answering'},
    ])
    const answer = await shares.post(conversation)
    expect([answer.status, answer.body.code]).toEqual([409, 'busy'])
  })

  test('of a foreign or missing conversation is the same 404', async () => {
    const conversation = await shares.createConversation(owls)
    const other = await server.createUser()
    const foreign = await shares.post(conversation, true, other)
    expect(foreign.status).toBe(404)
    for (const id of ['00000000-0000-4000-8000-000000000000', 'foo'])
      expect((await shares.post(id, true, other)).body).toEqual(foreign.body)
  })

  test(`is refused beyond ${mostShares}`, async () => {
    const conversation = await shares.createConversation(owls)
    for (let made = 0; made < mostShares; made += 1) await shares.share(conversation)
    const answer = await shares.post(conversation)
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
  })
})

describe('its end', () => {
  test('by its owner alone, at once, and the same answer as for a link that never was', async () => {
    const link = await shares.share(await shares.createConversation(owls))
    const other = await server.createUser()
    const foreign = await shares.revoke(link.id, other)
    expect([foreign.status, foreign.body]).toEqual([404, (await shares.revoke('A'.repeat(22), other)).body])
    expect((await shares.open(link.id)).status).toBe(200)
    expect((await shares.revoke(link.id)).status).toBe(204)
    const ended = await shares.open(link.id)
    const never = await shares.open('A'.repeat(22))
    expect([ended.status, await ended.json()]).toEqual([404, await never.json()])
    expect((await shares.open('foo')).status).toBe(404)
  })

  test('with its conversation', async () => {
    const conversation = await shares.createConversation(owls)
    const link = await shares.share(conversation)
    await server.deps.database.asSystem((transaction) =>
      transaction.delete(conversations).where(eq(conversations.id, conversation)),
    )
    expect((await shares.open(link.id)).status).toBe(404)
  })

  test('with the account, in the moment it is closed', async () => {
    const link = await shares.share(await shares.createConversation(owls))
    const {familyId, user} = owner
    await closeAccount(server.deps, {
      userId: user.id,
      familyId,
      role: 'member',
      credentialId: undefined,
      applicationId: undefined,
    })
    expect((await shares.open(link.id)).status).toBe(404)
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
    const file = await shares.upload('foo (1).txt', 'owl')
    const link = await shares.share(await shares.createConversation(say(file.file_url)))
    const text = await (await shares.open(link.id)).text()
    expect(text).not.toContain(file.id)
    const {messages: [question, answer] = []} = await shares.read(link.id)
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
    expect((await shares.revoke(link.id)).status).toBe(204)
    expect((await server.call('GET', path, {origin: null})).status).toBe(404)
  })

  test('are those of the snapshot alone', async () => {
    const [one, other] = [await shares.upload('one.txt', 'one'), await shares.upload('other.txt', 'other')]
    const [first, second] = [
      await shares.share(await shares.createConversation(say(one.file_url))),
      await shares.share(await shares.createConversation(say(other.file_url))),
    ]
    const [path = ''] = addressesOf(JSON.stringify(await shares.read(first.id)))
    expect((await server.call('GET', path.replace(first.id, second.id), {origin: null})).status).toBe(404)
    expect((await server.call('GET', path.replace('one.txt', 'other.txt'), {origin: null})).status).toBe(404)
    expect(
      (await server.call('GET', path.replace(/files\/.*/, `files/${one.id}/one.txt`), {origin: null})).status,
    ).toBe(404)
  })

  test('that are not shared, of other users or gone have no address in the snapshot', async () => {
    const [own, foreign] = [
      await shares.upload('own.txt', 'own'),
      await shares.upload('foreign.txt', 'x', await server.createUser()),
    ]
    const relative = new URL(foreign.file_url).pathname
    const conversation = await shares.createConversation(
      say(own.file_url, `and [theirs](${relative}), ${foreign.file_url}`),
    )
    const [withheld, shared] = [await shares.share(conversation, false), await shares.share(conversation)]
    const hidden = await (await shares.open(withheld.id)).text()
    const shown = await (await shares.open(shared.id)).text()
    for (const text of [hidden, shown]) for (const {id} of [own, foreign]) expect(text).not.toContain(id)
    expect(addressesOf(hidden)).toEqual([])
    expect(hidden).toContain('[theirs](attachment:not-shared), attachment:not-shared')
    expect((await shares.read(withheld.id)).messages[0]).toEqual({
      role: 'user',
      content: [{type: 'text', text: 'See attachment:not-shared.'}],
      state: 'finished',
      withheld: 1,
    })
  })

  test('are said to be there or not, of a link and of the one conversation that is asked for', async () => {
    const file = await shares.upload('foo.txt', 'foo')
    const gone = await shares.upload('gone.txt', 'foo')
    const foreign = await shares.upload('foreign.txt', 'foo', await server.createUser())
    await ask(server, 'DELETE', `/files/${gone.id}`, {token: owner.accessToken})
    const filesOf = async (said: Said[]) => {
      const conversation = await shares.createConversation(said)
      const list = async () => {
        const path = `/shares/?ordering=created_at&conversation_id=${conversation}`
        return shareLinkPage.parse((await ask(server, 'GET', path, {token: owner.accessToken})).body)
      }
      const {files} = await list()
      const links = [await shares.share(conversation, false), await shares.share(conversation)]
      expect((await list()).items).toEqual(links)
      return [files, ...links.map((link) => link.files)]
    }
    expect(await filesOf(owls)).toEqual([false, false, false])
    expect(await filesOf(say(file.file_url))).toEqual([true, true, true])
    expect(await filesOf([{role: 'assistant', content: `![owl](${file.file_url})`}])).toEqual([true, true, true])
    expect(await filesOf([{role: 'system', content: file.file_url}])).toEqual([false, false, false])
    // the switch of the dialog, and what is said of its links, are about the same files
    for (const {file_url: address} of [gone, foreign]) {
      expect(await filesOf([{role: 'assistant', content: address}])).toEqual([true, true, true])
      expect(await filesOf(say(address))).toEqual([true, true, true])
    }
    const all = await ask(server, 'GET', '/shares/', {token: owner.accessToken})
    expect(shareLinkPage.parse(all.body).files).toBeUndefined()
  })

  test('are said to be shown as long as one of them is there', async () => {
    const [one, two] = [await shares.upload('one.txt', 'foo'), await shares.upload('two.txt', 'foo')]
    const foreign = await shares.upload('foreign.txt', 'foo', await server.createUser())
    const remove = (file: typeof one) => ask(server, 'DELETE', `/files/${file.id}`, {token: owner.accessToken})
    const both = await shares.createConversation([...say(one.file_url), ...say(two.file_url)])
    const made = [
      await shares.share(both, false),
      await shares.share(both),
      await shares.share(await shares.createConversation([{role: 'assistant', content: `![owl](${one.file_url})`}])),
      await shares.share(await shares.createConversation(say(foreign.file_url))),
      await shares.share(await shares.createConversation(say('https://files.example/owl.txt'))),
      await shares.share(await shares.createConversation(owls)),
    ]
    const list = async () => {
      const {body} = await ask(server, 'GET', '/shares/?ordering=created_at', {token: owner.accessToken})
      return shareLinkPage.parse(body).items.map(({shows_files}) => shows_files)
    }
    expect(made.map(({shows_files}) => shows_files)).toEqual([false, true, true, false, true, false])
    expect(await list()).toEqual([false, true, true, false, true, false])
    await remove(one)
    expect(await list()).toEqual([false, true, false, false, true, false])
    await remove(two)
    expect(await list()).toEqual([false, false, false, false, true, false])
    // a new copy of what is gone shows as little
    const renewed = await ask(server, 'PUT', `/shares/${made[1]?.id}`, {
      token: owner.accessToken,
      body: {attachments: true},
    })
    expect(shareLink.parse(renewed.body)).toMatchObject({attachments: true, files: true, shows_files: false})
  })

  test('with endless names are removed as quickly as others', async () => {
    const address = `/api/v1/files/${'A'.repeat(22)}/`
    const content = `${address}${'!'.repeat(300_000)}x, ${address.repeat(10_000)}y end`
    const link = await shares.share(await shares.createConversation([{role: 'assistant', content}]))
    const {messages: [answer] = []} = await shares.read(link.id)
    expect(answer?.content).toBe('attachment:not-shared, attachment:not-shared end')
  })

  test('of a deleted upload are gone', async () => {
    const file = await shares.upload('foo.txt', 'foo')
    const link = await shares.share(await shares.createConversation(say(file.file_url)))
    const [path = ''] = addressesOf(JSON.stringify(await shares.read(link.id)))
    await ask(server, 'DELETE', `/files/${file.id}`, {token: owner.accessToken})
    expect((await server.call('GET', path, {origin: null})).status).toBe(404)
  })
})

describe('the page', () => {
  const page = (path: string) => server.call('GET', path, {origin: null, headers: {accept: 'text/html'}})

  test('is for no search engine, and a 404 where there is no such link', async () => {
    const link = await shares.share(await shares.createConversation(owls))
    const shared = await page(`/share/${link.id}`)
    expect([shared.status, shared.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow, noarchive'])
    expect(await shared.text()).toContain('<meta name="robots" content="noindex, nofollow, noarchive" />')
    const missing = await page(`/share/${'A'.repeat(22)}`)
    expect([missing.status, missing.headers.get('x-robots-tag')]).toEqual([404, 'noindex, nofollow, noarchive'])
    const other = await page('/chatgpt/conversations')
    expect([other.status, other.headers.get('x-robots-tag')]).toEqual([200, null])
    expect(await other.text()).not.toContain('robots')
  })

  test('may be asked for by search engines, which learn there that it is for none', () => {
    const rules = readFileSync('public/robots.txt', 'utf8')
    const barred = [...rules.matchAll(/^Disallow: (.*)$/gm)].map(([, path = '']) => path)
    expect(barred).toContain('/services/')
    expect(barred.filter((path) => path !== '' && '/share/'.startsWith(path))).toEqual([])
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
  const link = await shares.share(await shares.createConversation(owls))
  const statuses: number[] = []
  // an address of its own: limits are counted in the database, which other tests use
  const read = () => limited.handle(new Request(`${testOrigin}${base}/shares/${link.id}`), {address: '2001:db8::1'})
  for (let asked = 0; asked < 13; asked += 1) statuses.push((await read()).status)
  expect(statuses.slice(0, 12).every((status) => status === 200)).toBe(true)
  expect(statuses.at(-1)).toBe(429)
  await limited.close()
})
