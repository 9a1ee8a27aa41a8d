import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {createAsker, headOf, textOf} from './ai.harness.ts'
import {createBrowser, exchange, loginPath, password} from './auth-support.ts'
import {textFor} from './kill-loop.provider.ts'
import {call, healthOf, Nodes, stream, type Node} from './nodes.harness.ts'
import {called, createAccount, signIn} from './nodes-session.ts'

/*
 * Three nodes on one database, one with a clock that is 20 minutes ahead, one 20 minutes behind (docs/decisions/0077):
 * whatever one of them begins is good on the others.
 */

let nodes: Nodes
let three: Node[]
/** The moment before all of it, by the database's clock. */
let begun: number
beforeAll(async () => {
  nodes = await Nodes.open()
  begun = await nodes.now()
  const settings = {ORDER_MINUTES: '10', SANDBOX_PAYMENTS: 'true'}
  three = []
  for (const minutes of [0, 20, -20]) {
    const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href
    const wrong: Record<string, string> =
      minutes === 0 ? {} : {NODE_OPTIONS: `--import=${preload}`, CLOCK_MINUTES: String(minutes)}
    three.push(await nodes.start({...settings, ...wrong}))
  }
}, 240_000)
afterAll(() => nodes.close())

/** Each node with one of the others. */
const pairs = (): [Node, Node][] =>
  three.flatMap((one) => three.filter((other) => other !== one).map((other): [Node, Node] => [one, other]))

const platform = async (node: Node, token: string, method: string, path: string, body?: object) => {
  const response = await called(node).call(method, `/services/platform/api/v1${path}`, {token, ...(body && {body})})
  return {status: response.status, body: (await response.json()) as Record<string, unknown>}
}

test('a sign-in that begins at one node is good at all others, and lasts as long as it is told', async () => {
  const email = await createAccount(nodes)
  for (const pair of pairs()) {
    const tokens = await signIn(pair, email)
    for (const node of three) expect((await platform(node, tokens.access_token, 'GET', '/users/me')).status).toBe(200)
    const renewed = await exchange(
      called(pair[0]),
      {grant_type: 'refresh_token', refresh_token: tokens.refresh_token},
      null,
    )
    expect(renewed.status).toBe(200)
  }
  const [ends] = await nodes.query(
    `select min(extract(epoch from expires_at - clock_timestamp()))::float as first,
      max(extract(epoch from expires_at - clock_timestamp()))::float as last from access_tokens`,
  )
  // a quarter of an hour, less what the test took; a reading of the clock may be off by a moment
  expect(ends?.['first']).toBeGreaterThan(13 * 60)
  expect(ends?.['last']).toBeLessThan(15 * 60 + 1)
})

test('wrong passwords count alike everywhere: neither forgotten by one that is ahead nor kept by one that is behind', async () => {
  const email = await createAccount(nodes)
  const tries: number[] = []
  const attempt = async (node: Node, secret: string) =>
    (await createBrowser(called(node)).submit(loginPath, {email, password: secret})).status
  for (let tried = 0; tried < 9; tried += 1) tries.push(await attempt(three[tried % 3] as Node, 'wrong horse battery')) // as: there are three
  expect(new Set(tries)).toEqual(new Set([401]))
  // nine of ten: a node that took them for old ones, or for some of the future, would say otherwise
  for (const node of three) expect(await attempt(node, password)).toBe(303)
})

test('an order that is made at one node can be paid at any other', async () => {
  const tokens = await signIn([three[0] as Node, three[1] as Node], await createAccount(nodes)) // as: there are three
  const application = await platform(three[0] as Node, tokens.access_token, 'POST', '/applications/', {
    type: 'Usage',
    scope: 'Global',
  })
  for (const [one, other] of pairs()) {
    const order = {application_id: application.body['id'], amount: 100}
    const made = await platform(one, tokens.access_token, 'POST', '/orders/', order)
    expect(made.body['state']).toBe('Pending')
    const path = `/orders/${String(made.body['id'])}`
    expect((await platform(other, tokens.access_token, 'GET', path)).body['state']).toBe('Pending')
    const paid = await platform(other, tokens.access_token, 'POST', `${path}/pay/`, {pay_way: 'Sandbox'})
    expect([paid.status, paid.body['state']]).toEqual([200, 'Pending'])
  }
})

test('answers and conversations stand in the order in which they came, tasks end, links hold', async () => {
  const user = await nodes.server.createUser()
  const asker = await createAsker(nodes, '100', user)
  const asked: string[] = []
  for (const [index, node] of [three[1], three[2], three[0], three[2], three[1]].entries()) {
    if (node === undefined) throw new Error('There are three.')
    const own = await stream(node, asker, {question: `foo ${index}`, model: 'foo-model', stateful: true})
    const head = await headOf(own)
    asked.unshift(head.id)
    expect(textOf(await own.rest())).toBe(textFor(`foo ${index}`))
  }
  nodes.upstream.finish()
  for (const node of three) {
    const listed = await call(node, asker, '/aichat/conversations', {action: 'retrieve_batch'})
    const {items} = (await listed.json()) as {items: {id: string}[]}
    expect(items.map(({id}) => id)).toEqual(asked)
    expect(await (await call(node, asker, '/kling/videos', {prompt: 'owl'})).json()).toEqual({
      success: true,
      state: 'succeed',
      duration: '5',
      video_id: expect.any(String),
      video_url: expect.any(String),
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'jobs',
    })
    const link = await platform(node, user.accessToken, 'POST', '/shares/', {
      conversation_id: asked[0],
      attachments: false,
    })
    for (const other of three)
      expect(
        (await called(other).call('GET', `/services/platform/api/v1/shares/${String(link.body['id'])}`)).status,
      ).toBe(200)
  }
})

test('every moment that was stored lies between the first and the last one of the database', async () => {
  const columns = await nodes.query(
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'timestamp with time zone'
        and column_name in ('created_at', 'updated_at', 'started_at', 'finished_at', 'rotated_at', 'used_at', 'heartbeat_at')`,
  )
  const outside: unknown[] = []
  let looked = 0
  for (const {table, column} of columns) {
    const [found] = await nodes.query(
      `select count(*)::int as count, extract(epoch from min(${String(column)}))::float * 1000 as first,
        extract(epoch from max(${String(column)}))::float * 1000 as last from ${String(table)}`,
    )
    if (found?.['count'] === 0 || found?.['first'] === null) continue
    looked += 1
    // rows of the template of the tests are older
    const isAhead = Number(found?.['last']) > (await nodes.now()) + 1_000
    const isBehind = ['users', 'answers', 'tasks', 'orders', 'token_families'].includes(String(table))
      ? Number(found?.['first']) < begun - 1_000
      : false
    if (isAhead || isBehind) outside.push({table, column, ...found})
  }
  expect(looked).toBeGreaterThan(10)
  expect(outside).toEqual([])
})

test('a clock that is set back in the middle of the work moves nothing; nobody is taken for dead', async () => {
  const tokens = await signIn([three[1] as Node, three[2] as Node], await createAccount(nodes)) // as: there are three
  const dates = async () =>
    Promise.all(
      three.map(async ({address}) => Date.parse((await fetch(`${address}/healthz`)).headers.get('date') ?? '')),
    )
  const check = async () => {
    const now = await nodes.now()
    for (const date of await dates()) expect(Math.abs(date - now)).toBeLessThan(3_000)
    for (const node of three) {
      expect((await healthOf(node))[0]).toBe(200)
      expect((await platform(node, tokens.access_token, 'GET', '/users/me')).status).toBe(200)
    }
  }
  await check()
  for (const node of three.slice(1)) process.kill(node.process.pid, 'SIGUSR2')
  await check()
  expect(three.map(({process: node}) => node.log).join('')).not.toContain('workers ended without a word')
})
