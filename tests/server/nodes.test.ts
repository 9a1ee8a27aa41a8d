import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import {headOf, textOf, type Asker} from './ai.harness.ts'
import {freePort} from './free-port.ts'
import {textFor} from './kill-loop.provider.ts'
import {expectBalanced} from './kill-loop.invariants.ts'
import {beginUpload, call, healthOf, Nodes, stream, upload, type Node} from './nodes.harness.ts'
import {long} from '../long.ts'

/*
 * Two processes on one database (docs/decisions/0073): what the clients of one are told when the other dies, is cut off
 * or is told to stop.
 */

/** The longest time from the death of a node until its followers elsewhere hear of it, by the database's clock. */
const longestSilence = 5_000

/**
 * Sums up by how much the timers of this process are overdue: a busy machine adds as much to what the nodes wait for.
 */
function watchDelay(): () => number {
  const every = 50
  let [delay, due] = [0, performance.now() + every]
  const timer = setInterval(() => {
    const now = performance.now()
    delay += Math.max(0, now - due)
    due = now + every
  }, every)
  onTestFinished(() => clearInterval(timer))
  return () => delay
}

let nodes: Nodes
beforeAll(async () => {
  nodes = await Nodes.open()
}, 240_000)
beforeEach(() => nodes.upstream.reset())
afterAll(() => nodes.close())

/** An answer of more than twenty seconds on `node`, and another node that follows it. */
async function followed(node: Node, other: Node, asker: Asker) {
  const own = await stream(node, asker, {question: 'foo 4000', model: 'foo-model', stateful: true})
  const head = await headOf(own)
  const follower = await stream(other, asker, {action: 'resume', ...head, last_seq: 0})
  await headOf(follower)
  // a word has come through the database
  for (let frame = await follower.next(); frame?.seq === undefined; frame = await follower.next())
    expect(frame, 'the answer ended before a word').not.toBeUndefined()
  return {own, head, follower}
}

const stateOf = async (task: string) =>
  (await nodes.query('select state, fence::int as fence from tasks where id = $1', [task]))[0]
const workersOf = async () => (await nodes.query('select id from workers')).map(({id}) => String(id))

/** Reads a file of `text` at this path of a node. */
const load = async ({address}: Node, path: string | number) => (await fetch(address + String(path))).text()
const whole = 'foo\n'.repeat(20_000)
const leave = async ({process}: Node) => expect(await process.signal('SIGTERM')).toBe(0)

describe('a kill', {timeout: 120_000}, () => {
  test('of a node: its followers on another one are told within five seconds; a task goes on from its job and is made once; its files are there', async () => {
    const first = await nodes.start()
    const asker = await nodes.asker()
    const made = await call(first, asker, '/kling/videos', {prompt: 'owl', async: true})
    const {task_id: task} = (await made.json()) as {task_id: string}
    await expect.poll(() => nodes.upstream.followed).toEqual(['/kling/videos'])
    const file = await upload(first, (await nodes.server.createUser()).accessToken, whole)

    const second = await nodes.start()
    const {head, follower} = await followed(first, second, asker)
    const killedAt = await nodes.now()
    const delay = watchDelay()
    await first.process.signal('SIGKILL')
    const frames = await follower.rest()
    const silence = (await nodes.now()) - killedAt
    expect(frames.at(-1)?.data).toEqual({
      id: head.id,
      outcome: 'interrupted',
      error: {code: 'api_error', message: 'The server stopped while it was answering. What it had written is kept.'},
    })
    expect(silence).toBeLessThan(longestSilence + delay())
    expect(await load(second, file)).toBe(whole)

    nodes.upstream.finish()
    await expect.poll(() => stateOf(task)).toEqual({state: 'succeeded', fence: 3})
    expect(nodes.upstream.submitted).toEqual(['/kling/videos'])
    // beside the answer that was cut off
    expect(
      await nodes.query('select status_code from usages where user_id = $1 order by status_code', [asker.userId]),
    ).toEqual([{status_code: 200}, {status_code: 500}])
    expect(await workersOf()).toHaveLength(1)
    await leave(second)
  })

  test('of the store: uploads are refused, a result waits for it, and answers do not', async () => {
    const node = await nodes.start()
    const asker = await nodes.asker()
    const {accessToken} = await nodes.server.createUser()
    const file = await upload(node, accessToken, whole)
    await nodes.store.kill()
    const made = await call(node, asker, '/flux/images', {prompt: 'owl', async: true})
    const {task_id: task} = (await made.json()) as {task_id: string}
    expect(await upload(node, accessToken, 'bar')).toBe(503)
    const answer = await stream(node, asker, {question: 'foo 1', model: 'foo-model', stateful: true})
    await headOf(answer)
    expect(textOf(await answer.rest())).toBe(textFor('foo 1'))
    expect((await stateOf(task))?.state).toBe('running')

    await nodes.store.start()
    await expect.poll(async () => (await stateOf(task))?.state).toBe('succeeded')
    expect(nodes.provider.images.filter((prompt) => prompt === 'owl')).toEqual(['owl'])
    expect(await load(node, file)).toBe(whole)
    await leave(node)
  })

  test('of the node that made it all, while another one comes: all is there, and the books agree', async () => {
    const first = await nodes.start()
    const asker = await nodes.asker()
    const file = await upload(first, (await nodes.server.createUser()).accessToken, whole)
    const made = await call(first, asker, '/flux/images', {prompt: 'fog', async: true})
    const {task_id: task} = (await made.json()) as {task_id: string}
    await expect.poll(async () => (await stateOf(task))?.state).toBe('succeeded')
    const again = await nodes.start()
    const {follower} = await followed(first, again, asker)
    await first.process.signal('SIGKILL')
    expect((await follower.rest()).at(-1)?.data).toEqual({
      outcome: 'interrupted',
      id: expect.any(String),
      error: {code: 'api_error', message: 'The server stopped while it was answering. What it had written is kept.'},
    })
    expect(await load(again, file)).toBe(whole)
    const stored = `user_id = $1 and stored_in = 's3://files/nodes'`
    const results = await nodes.query(`select id, name from files where ${stored}`, [asker.userId])
    expect(results.length).toBeGreaterThan(0)
    for (const {id, name} of results) {
      const path = `/services/platform/api/v1/files/${String(id)}/${String(name)}`
      expect((await fetch(again.address + path)).status).toBe(200)
    }
    expect(await nodes.query(`select id from answers where state in ('pending', 'answering')`)).toEqual([])
    await expectBalanced(nodes.server.deps.database.pool)
    await leave(again)
    await expect.poll(workersOf).toEqual([])
  })
})

describe('a node that is cut off from the database', {...long, timeout: 120_000}, () => {
  test('lets its clients go and says so; another node ends its answers; it works again once it is connected', async () => {
    const [first, second] = [await nodes.start(), await nodes.start({ROLE: 'all'})]
    const asker = await nodes.asker()
    const {own, head, follower} = await followed(first, second, asker)
    expect(await healthOf(first)).toEqual([200, {state: 'ready', role: 'all'}])

    const cutAt = await nodes.now()
    const delay = watchDelay()
    first.line.cut()
    // cut and not ended: a client must not take the part for the whole
    await expect(own.rest()).rejects.toThrow()
    const ownSilence = (await nodes.now()) - cutAt
    expect(await healthOf(first)).toEqual([503, {state: 'no_database', role: 'all'}])
    expect((await follower.rest()).at(-1)?.data).toEqual({
      outcome: 'interrupted',
      id: expect.any(String),
      error: {code: 'api_error', message: 'The server stopped while it was answering. What it had written is kept.'},
    })
    const silences = [ownSilence, (await nodes.now()) - cutAt]
    expect(Math.max(...silences)).toBeLessThan(longestSilence + delay())
    const stored = () => nodes.query('select state, outcome, text from answers where message_id = $1', [head.message])
    const ended = await stored()

    first.line.mend()
    await expect.poll(() => healthOf(first)).toEqual([200, {state: 'ready', role: 'all'}])
    const again = await stream(first, asker, {question: 'foo 1', model: 'foo-model', stateful: true})
    await headOf(again)
    expect(textOf(await again.rest())).toBe(textFor('foo 1'))
    // its late words are refused
    expect(await stored()).toEqual(ended)
    for (const node of [first, second]) await leave(node)
  })
})

describe('a node that is told to stop', {...long, timeout: 120_000}, () => {
  test('hands its streams and tasks to another node at once and ends its answers and requests', async () => {
    const first = await nodes.start({DRAIN_SECONDS: '100'})
    const asker = await nodes.asker()
    const [releaseAnswer, releaseStream] = [nodes.provider.hold('foo 3'), nodes.provider.hold('foo 6')]
    const made = await call(first, asker, '/kling/videos', {prompt: 'owl', async: true})
    const {task_id: task} = (await made.json()) as {task_id: string}
    await expect.poll(() => nodes.upstream.followed).toEqual(['/kling/videos'])
    const second = await nodes.start()
    const uploaded = await beginUpload(first, (await nodes.server.createUser()).accessToken)
    const asked = call(first, asker, '/aichat/conversations', {question: 'foo 3', model: 'foo-model', stateful: true})
    await expect.poll(() => nodes.provider.purchases.map(({prompt}) => prompt)).toContain('foo 3')
    const own = await stream(first, asker, {question: 'foo 6', model: 'foo-model', stateful: true})
    const head = await headOf(own)
    await own.next()
    const ended = first.process.signal('SIGTERM')
    await expect(own.rest()).rejects.toThrow()
    const resumed = await stream(second, asker, {action: 'resume', ...head, last_seq: 0})
    await headOf(resumed)
    releaseStream()
    const frames = await resumed.rest()
    expect(frames.at(-1)?.data).toBe('[DONE]')
    expect(textOf(frames)).toBe(textFor('foo 6'))
    releaseAnswer()
    expect(await (await asked).json()).toEqual({answer: textFor('foo 3'), id: expect.any(String)})
    expect(await healthOf(first)).toEqual([503, {state: 'draining', role: 'all'}])
    expect(await uploaded.finish()).toBe(201)
    expect(await ended).toBe(0)
    // it left without a task that it could have finished: the other one goes on from the job
    nodes.upstream.finish()
    await expect.poll(() => stateOf(task)).toEqual({state: 'succeeded', fence: 3})
    expect(nodes.upstream.submitted).toEqual(['/kling/videos'])
    await leave(second)
  })
})

describe('roles', {timeout: 120_000}, () => {
  test('a node with ROLE=api takes a question, one with ROLE=worker answers it and serves nothing but its health', async () => {
    const healthPort = String(await freePort())
    const api = await nodes.start({ROLE: 'api'})
    const worker = await nodes.start({ROLE: 'worker', HEALTH_PORT: healthPort})
    const health = {...worker, address: `http://127.0.0.1:${healthPort}`}
    const asker = await nodes.asker()
    expect(await healthOf(api)).toEqual([200, {state: 'ready', role: 'api'}])
    expect(await healthOf(health)).toEqual([200, {state: 'ready', role: 'worker'}])
    await expect(fetch(worker.address)).rejects.toThrow()
    expect((await call(health, asker, '/aichat/conversations', {action: 'retrieve_batch'})).status).toBe(404)

    const answer = await stream(api, asker, {question: 'foo 2', model: 'foo-model', stateful: true})
    const {message} = await headOf(answer)
    expect(textOf(await answer.rest())).toBe(textFor('foo 2'))
    const [row] = await nodes.query('select worker_id from answers where message_id = $1', [message])
    expect(row?.['worker_id']).not.toMatch(/^process-/)
    for (const node of [api, worker]) await leave(node)
  })
})
