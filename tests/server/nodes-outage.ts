import {randomUUID} from 'node:crypto'
import {setTimeout as pause} from 'node:timers/promises'
import {expect} from 'vitest'
import {headOf, openStream, textOf, type Asker, type Frame} from './ai.harness.ts'
import {expectSound} from './kill-loop.invariants.ts'
import {textFor} from './kill-loop.provider.ts'
import {call, healthOf, stream, upload, type Node, type Nodes} from './nodes.harness.ts'
import {createAccount, signIn, type Tokens} from './nodes-session.ts'

/*
 * People who ask, upload, follow and make at two nodes while their database is away, and what has to be true
 * afterwards.
 */

export const crowdSize = 6
const chat = '/aichat/conversations'
const eventually = {timeout: 30_000, interval: 200}

export type Both = [Node, Node]
type Struck = {nodes: Nodes; both: Both}
const someOf = (both: Both): Node => both[Math.floor(Math.random() * 2)] as Node // as: there are two

type Said = {question: string; text: string; end: 'finished' | 'interrupted'}
/** Answers other than 200 and 201. */
type Refusal = {status: number; code: unknown; retryAfter: string | null}

/**
 * One who asks one question after the other at any node, uploads a file with each, and goes on at the other one when a
 * stream ends early.
 */
class User {
  readonly said: Said[] = []
  readonly refusals: Refusal[] = []
  /** Content of uploads that were acknowledged, by their path. */
  readonly kept = new Map<string, string>()
  private number = 0

  constructor(
    private readonly both: Both,
    private readonly asker: Asker,
    private readonly session: Tokens,
    private readonly name: string,
  ) {}

  async askUntil(stopped: () => boolean): Promise<void> {
    while (!stopped()) {
      this.number += 1
      const question = `foo ${this.number} ${this.name}`
      await this.give(question)
      this.said.push(await this.hear(question))
    }
  }

  /** Uploads a file; without an answer, or after a refusal, the user does not know it as kept. */
  private async give(content: string): Promise<void> {
    const path = await upload(someOf(this.both), this.session.access_token, content)
    if (typeof path === 'string') this.kept.set(path, content)
    else this.refusals.push({status: path, code: 'upload', retryAfter: '1'})
  }

  private async hear(question: string): Promise<Said> {
    const key = randomUUID()
    let answer = await this.post({question, model: 'foo-model', stateful: true}, {'idempotency-key': key})
    const head = await headOf(answer)
    const frames: Frame[] = []
    for (;;) {
      const last = await this.read(answer, frames)
      if (last === '[DONE]') return {question, text: textOf(frames), end: 'finished'}
      if (last?.['outcome'] === 'interrupted') return {question, text: textOf(frames), end: 'interrupted'}
      if (last !== undefined) throw new Error(`${question}: ${JSON.stringify(last)}`)
      const seen = frames.findLast(({seq}) => seq !== undefined)?.seq ?? 0
      answer = await this.post({action: 'resume', ...head, last_seq: seen})
      await headOf(answer)
    }
  }

  /** The frame that ends the answer; `undefined` when the stream broke. */
  private async read(answer: ReturnType<typeof openStream>, frames: Frame[]) {
    try {
      for (;;) {
        const frame = await answer.next()
        if (frame === undefined) return undefined
        frames.push(frame)
        if (frame.data === '[DONE]' || frame.data['outcome'] !== undefined) return frame.data
      }
    } catch (error) {
      if (error instanceof TypeError) return undefined // the connection broke
      throw error
    }
  }

  /** Asked again, with the same key, for as long as it is told to. */
  private async post(body: object, headers: Record<string, string> = {}) {
    for (;;) {
      const response = await call(someOf(this.both), this.asker, chat, body, {accept: 'text/event-stream', ...headers})
      if (response.status === 200) return openStream(response)
      const refusal = (await response.json()) as {error?: {code?: unknown}}
      const retryAfter = response.headers.get('retry-after')
      this.refusals.push({status: response.status, code: refusal.error?.code, retryAfter})
      await pause(1_000 * Number(retryAfter ?? 1))
    }
  }
}

/** Sessions of the nodes that listen, as many of them as there are. */
const listeners = async (nodes: Nodes): Promise<number> =>
  (await nodes.query(`select 1 from pg_stat_activity where query ilike 'listen %' and backend_type = 'client backend'`))
    .length
const workers = async (nodes: Nodes): Promise<string[]> =>
  (
    await nodes.query(
      `select id from workers where heartbeat_at > clock_timestamp() - interval '3 seconds' order by id`,
    )
  ).map(({id}) => String(id))
/** Asked while the database may be away. */
const quietly = <T>(ask: () => Promise<T>) => ask().catch(() => undefined)

/** A page that stays open: whatever it asks for, and its session. What it was told beside 200. */
async function stayOpen({nodes, both}: Struck, stopped: () => boolean): Promise<Refusal[]> {
  let tokens = await signIn(both, await createAccount(nodes))
  const refusals: Refusal[] = []
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(someOf(both).address + path, init)
    const text = await response.text()
    if (response.status === 200) return text
    refusals.push({status: response.status, code: `${path}: ${text}`, retryAfter: response.headers.get('retry-after')})
    return undefined
  }
  while (!stopped()) {
    const headers = {authorization: `Bearer ${tokens.access_token}`}
    for (const path of ['users/me', 'applications/', 'orders/', 'services/', 'shares/'])
      await ask(`/services/platform/api/v1/${path}`, {headers})
    await ask('/')
    await ask('/services/auth/auth/login')
    const renewed = await ask('/services/auth/oauth2/v1/token', {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({grant_type: 'refresh_token', refresh_token: tokens.refresh_token}),
    })
    // as: the answer of a renewal; one that was refused leaves the session as it is
    if (renewed !== undefined) tokens = JSON.parse(renewed) as Tokens
    await pause(50)
  }
  return refusals
}

/**
 * Has a crowd at work while `happen` takes the database away and brings it back: nobody is told anything but to come
 * again, nothing that was acknowledged is lost, and all goes on without a restart of a node.
 */
export async function throughOutage(
  {nodes, both}: Struck,
  {happen, leastRefused}: {happen: () => Promise<void>; leastRefused: number},
): Promise<void> {
  nodes.upstream.reset()
  const before = {workers: await workers(nodes), listeners: await listeners(nodes)}
  expect(before.workers).toHaveLength(2)
  expect(before.listeners).toBeGreaterThan(2)
  const askers = await Promise.all(Array.from({length: crowdSize}, () => nodes.asker()))
  const sessions = await Promise.all(askers.map(async () => signIn(both, await createAccount(nodes))))
  const crowd = askers.map((asker, index) => new User(both, asker, sessions[index]!, `p${index + 1}`)) // one for each
  let isOver = false
  const asking = Promise.allSettled(crowd.map((user) => user.askUntil(() => isOver)))
  const pages = Promise.allSettled([stayOpen({nodes, both}, () => isOver), stayOpen({nodes, both}, () => isOver)])
  const [maker] = askers as [Asker] // as: there are six
  const made = await Promise.all(both.map((node) => call(node, maker, '/kling/videos', {prompt: 'owl', async: true})))
  expect(made.map(({status}) => status)).toEqual([200, 200])
  await expect.poll(() => nodes.upstream.followed).toHaveLength(2)
  await pause(1_000)

  await happen()
  await expect
    .poll(async () => (await Promise.all(both.map(healthOf))).map(([status]) => status), eventually)
    .toEqual([200, 200])
  await expect.poll(() => quietly(() => workers(nodes)), eventually).toEqual(before.workers)
  await expect.poll(() => quietly(() => listeners(nodes)), eventually).toBe(before.listeners)
  await pause(2_000)
  isOver = true
  const ends = [...(await asking), ...(await pages)]
  expect(ends.filter(({status}) => status === 'rejected')).toEqual([])

  // nobody was told anything but to come again
  const refusals = [
    ...crowd.flatMap((user) => user.refusals),
    ...ends.flatMap((end) => (end.status === 'fulfilled' ? (end.value ?? []) : [])),
  ]
  const wrong = refusals.filter(({status, retryAfter}) => status !== 503 || !(Number(retryAfter) >= 1))
  expect([...new Set(wrong.map(({status, code}) => `${status} ${String(code)}`))]).toEqual([])
  expect(refusals.length).toBeGreaterThanOrEqual(leastRefused)
  const said = crowd.flatMap((user) => user.said)
  expect(said.length).toBeGreaterThan(crowdSize)
  for (const {question, text, end} of said) {
    if (end === 'finished') expect(text).toBe(textFor(question))
    else expect(textFor(question).startsWith(text)).toBe(true)
  }

  for (const [path, content] of crowd.flatMap(({kept}) => [...kept]))
    for (const {address} of both) expect(await (await fetch(address + path)).text()).toBe(content)

  // a follower at the other node, and the queue
  const own = await stream(both[0], maker, {question: 'foo 6', model: 'foo-model', stateful: true})
  const follower = await stream(both[1], maker, {action: 'resume', ...(await headOf(own)), last_seq: 0})
  await headOf(follower)
  expect(textOf(await follower.rest())).toBe(textFor('foo 6'))
  await own.rest()
  nodes.upstream.finish()
  for (const node of both)
    expect((await (await call(node, maker, '/kling/videos', {prompt: 'owl'})).json()).success).toBe(true)

  await expect
    .poll(() => nodes.query(`select state, count(*)::int as count from tasks group by state`), eventually)
    .toEqual([{state: 'succeeded', count: expect.any(Number) as number}])
  expect(nodes.upstream.submitted).toHaveLength(4)
  const client = await nodes.server.deps.database.pool.connect()
  try {
    const {answers} = await expectSound(client, textFor)
    expect(answers.filter(({state}) => state !== 'finished' && state !== 'failed')).toEqual([])
  } finally {
    client.release()
  }
  for (const {process} of both)
    expect(process.log).not.toMatch(/uncaught exception|unhandled rejection|jobs stopped working|ended without a word/)
}
