import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {eventually} from '../eventually.ts'
import {reader} from '../releases/walk.ts'
import {expectBalanced} from './kill-loop.invariants.ts'
import {facts, openReleaseServer, type ReleaseServer} from './releases.fixtures.ts'

/*
 * This server has the rows that users of the last release left behind: each row that a node of the release wrote is
 * read by one of this version.
 */

let release: ReleaseServer
let get: (path: string) => Promise<Record<string, unknown>>
let query: (text: string) => Promise<Record<string, unknown>[]>
const platform = '/services/platform/api/v1'

beforeAll(async () => {
  release = await openReleaseServer({isRestored: true})
  const {server} = release
  get = async (path) => {
    const response = await server.call('GET', platform + path, {token: facts.token.access, origin: facts.url})
    expect(response.status, `${path}: ${await response.clone().text()}`).toBe(200)
    return response.json()
  }
  query = async (text) => (await server.deps.database.pool.query<Record<string, unknown>>(text)).rows
})
afterAll(() => release.close())

const post = (path: string, key: string, body: unknown) =>
  release.server.call('POST', `/services/api${path}`, {token: key, origin: facts.url, body})

test('tokens, keys and the password of the release are accepted', async () => {
  expect(await get('/users/me')).toMatchObject({email: reader.email})
  const refreshed = await release.server.call('POST', '/services/auth/oauth2/v1/token', {
    origin: facts.url,
    body: {grant_type: 'refresh_token', refresh_token: facts.token.refresh},
  })
  expect(refreshed.status).toBe(200)
  const page = `/services/auth/auth/login?redirect=${encodeURIComponent(`${facts.url}/auth/callback?redirect=%2F`)}`
  const shown = await release.server.call('GET', page, {origin: null})
  const token = /name="form_token" value="([^"]*)"/.exec(await shown.text())?.[1] ?? ''
  const cookie = shown.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  const signIn = (password: string) =>
    release.server.call('POST', page, {
      origin: 'http://127.0.0.1:4000',
      headers: {cookie: cookie.join('; ')},
      body: new URLSearchParams({form_token: token, email: reader.email, password}),
    })
  expect((await signIn('wrong')).headers.get('location')).toBeNull()
  expect((await signIn(reader.password)).headers.get('location')).toMatch(/\/auth\/callback\?.*code=/)
})

describe('work that a killed node of the release left behind', () => {
  test('its answer ends as interrupted with the words that were stored', async () => {
    await eventually(async () =>
      expect(await query(`select state from answers where state not in ('finished', 'failed')`)).toEqual([]),
    )
    const [answer] = await query(`
      select a.outcome, m.content::text as content from answers a join messages m on m.id = a.message_id
      where a.outcome = 'interrupted'`)
    expect(answer).toEqual({outcome: 'interrupted', content: expect.stringMatching(/\w{3,}/)})
  })

  test('its tasks are made, those that ran as well as those whose jobs waited in the queue', async () => {
    await eventually(async () => {
      const [row] = await query(
        `select count(*)::int as count, count(plan)::int as plans from tasks where state = 'succeeded'`,
      )
      expect(row).toEqual({count: 9, plans: 9})
    }, 90_000)
    expect(await query('select from graphile_worker.jobs where attempts > 0')).toEqual([])
  })
})

test('conversations, tasks, files, orders and settings are what they were', async () => {
  const list = await post('/aichat/conversations', facts.chatKey, {action: 'retrieve_batch'})
  const {items} = await list.json()
  expect(items.map(({title}: {title?: string}) => title ?? '').sort()).toEqual(['', '', 'What eats an owl? (branch)'])

  const tasks = await (await post('/flux/tasks', facts.mediaKey, {action: 'retrieve_batch'})).json()
  // those of the release are counted when its database is migrated
  expect([tasks.count, tasks.items.length > 0]).toEqual([tasks.items.length, true])
  const lighthouse = tasks.items.find((task: {request: {prompt: string}}) => task.request.prompt === 'A lighthouse')
  expect(lighthouse.response).toMatchObject({success: true})
  const [{image_url}] = lighthouse.response.data
  const file = await release.server.handle(new Request(image_url))
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(5_000)

  expect((await get('/orders/?limit=10')).items).toMatchObject([{state: 'Pending'}, {state: 'Finished'}])
  expect(await get('/instructions')).toEqual({text: 'Be brief.'})
  expect(await get('/prompts/')).toMatchObject({items: [{name: 'Explain'}]})
  const {items: shares} = (await get('/shares/')) as {items: {id: string}[]} // as: asserted below
  const shared = await release.server.call('GET', `${platform}/shares/${shares[0]?.id}`, {origin: facts.url})
  expect(await shared.json()).toMatchObject({messages: expect.arrayContaining([expect.anything()])})
})

test('the ledger is balanced, and an order of the release is paid at this server', async () => {
  const [before] = await query(
    `select id, remaining_amount::text as credits from applications where scope = 'Global' and type = 'Usage'`,
  )
  // the signed link as the release gave it
  const [payment] = await query(`select url from payments where state = 'open'`)
  const path = new URL(String(payment?.url)).pathname
  expect((await release.server.call('GET', path, {origin: null})).status).toBe(200)
  const paid = await release.server.call('POST', path, {body: new URLSearchParams({outcome: 'pay'})})
  expect(paid.status).toBe(303)
  await eventually(async () => {
    expect((await get('/orders/?limit=10')).items).toMatchObject([{state: 'Finished'}, {state: 'Finished'}])
  })
  const [after] = await query(
    `select remaining_amount::text as credits from applications where scope = 'Global' and type = 'Usage'`,
  )
  expect(Number(after?.credits)).toBeGreaterThan(Number(before?.credits))
  const client = await release.server.deps.database.pool.connect()
  await expectBalanced(client).finally(() => client.release())
})
