import {afterEach, describe, expect, test} from 'vitest'
import {ProviderFailure} from '#server/providers/provider.ts'
import type {MediaJob} from '#sandbox/media/media-job.ts'
import {createMediaPool, type MediaPool, type PoolOptions} from '#sandbox/media/media-pool.ts'
import {planOf} from './media.harness.ts'

/** A thread that does what the prompt says. */
const workerSource = `
  import {parentPort, threadId} from 'node:worker_threads'
  const done = (name) => parentPort.postMessage({type: 'made', files: [{medium: 'text', name, file: new Uint8Array(), type: 'text/plain', seed: threadId}]})
  parentPort.on('message', ({job, stop}) => {
    const flag = new Uint8Array(stop)
    const [what, name] = job.plan.prompt.split(' ')
    if (what === 'make') done(name)
    if (what === 'throw') setImmediate(() => { throw new Error('bar') })
    if (what === 'exit') process.exit(3)
    if (what === 'fail') parentPort.postMessage({type: 'failed', detail: '/secret/path bar'})
    if (what === 'refuse') parentPort.postMessage({type: 'failed', code: 'bad_request', detail: 'bar'})
    if (what === 'wait') {
      parentPort.postMessage({type: 'progress', percent: 1})
      const look = () => flag[0] === 1 ? parentPort.postMessage({type: 'stopped'}) : setImmediate(look)
      look()
    }
    if (what === 'hang') {
      parentPort.postMessage({type: 'progress', percent: 1})
      setImmediate(() => { for (;;) {} })
    }
  })
`
const worker = new URL(`data:text/javascript,${encodeURIComponent(workerSource)}`)

const pools: MediaPool[] = []
const poolOf = (options: Partial<PoolOptions> = {}) => {
  const pool = createMediaPool({worker, size: 1, ...options})
  pools.push(pool)
  return pool
}
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})

const jobOf = (prompt: string): MediaJob => ({plan: planOf({prompt}), seed: 1, sourceFiles: []})
const signal = new AbortController().signal
const run = (pool: MediaPool, prompt: string, more: {isShort?: boolean} = {}) =>
  pool.run(jobOf(prompt), {signal, ...more})

/** Runs a job that waits, and resolves when it does. */
async function waiting(pool: MediaPool, prompt: 'wait' | 'hang') {
  const stop = new AbortController()
  let started = () => {}
  const start = new Promise<void>((resolve) => (started = resolve))
  const result = pool.run(jobOf(prompt), {signal: stop.signal, onProgress: () => started()})
  result.catch(() => {})
  await start
  return {stop, result}
}

describe('a pool of threads', () => {
  test.each(['throw', 'exit'])(
    'whose thread breaks (%s) rejects the job and takes a new thread for the next',
    async (prompt) => {
      const pool = poolOf()
      const [before] = await run(pool, 'make foo')
      const failure: unknown = await run(pool, prompt).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ProviderFailure)
      expect(failure).toMatchObject({code: 'api_error', detail: 'The sandbox broke while it made this.'})
      const [after] = await run(pool, 'make bar')
      expect(after?.name).toBe('bar')
      expect(after?.seed).not.toBe(before?.seed)
    },
  )

  test('tells the user nothing of what broke inside, and keeps it for the log', async () => {
    const failure: unknown = await run(poolOf(), 'fail').catch((error: unknown) => error)
    expect(failure).toMatchObject({code: 'api_error', detail: 'The sandbox broke while it made this.'})
    expect((failure as ProviderFailure).cause).toEqual(new Error('/secret/path bar'))
  })

  test('passes a refusal on, and goes on with the same thread', async () => {
    const pool = poolOf()
    const [before] = await run(pool, 'make foo')
    await expect(run(pool, 'refuse')).rejects.toEqual(new ProviderFailure('bad_request', 'bar'))
    expect((await run(pool, 'make bar'))[0]?.seed).toBe(before?.seed)
  })

  test('asks a thread to stop, and rejects with the reason before it does', async () => {
    const pool = poolOf()
    const {stop, result} = await waiting(pool, 'wait')
    stop.abort(new Error('foo'))
    await expect(result).rejects.toThrow('foo')
    expect((await run(pool, 'make bar'))[0]?.name).toBe('bar')
  })

  test('ends a thread that does not stop', async () => {
    const pool = poolOf({stopMilliseconds: 1})
    const {stop, result} = await waiting(pool, 'hang')
    stop.abort(new Error('foo'))
    await expect(result).rejects.toThrow('foo')
    expect((await run(pool, 'make bar'))[0]?.name).toBe('bar')
  })

  test('forgets a waiting job that is aborted, and runs the others', async () => {
    const pool = poolOf()
    const {stop, result} = await waiting(pool, 'wait')
    const leaving = new AbortController()
    const left = pool.run(jobOf('make foo'), {signal: leaving.signal})
    const next = run(pool, 'make bar')
    leaving.abort(new Error('foo'))
    await expect(left).rejects.toThrow('foo')
    stop.abort(new Error('baz'))
    await expect(result).rejects.toThrow('baz')
    expect((await next)[0]?.name).toBe('bar')
  })

  test('takes short jobs before long ones, each kind in its order', async () => {
    const pool = poolOf()
    const {stop} = await waiting(pool, 'wait')
    const order: string[] = []
    const jobs = [
      ['long1', false],
      ['short1', true],
      ['long2', false],
      ['short2', true],
    ] as const
    const all = jobs.map(async ([name, isShort]) => {
      await run(pool, `make ${name}`, {isShort})
      order.push(name)
    })
    stop.abort()
    await Promise.all(all)
    expect(order).toEqual(['short1', 'short2', 'long1', 'long2'])
  })

  test('has no more threads than its size', async () => {
    const pool = poolOf({size: 2})
    const [one, two] = [await waiting(pool, 'wait'), await waiting(pool, 'wait')]
    const third = run(pool, 'make foo')
    one.stop.abort()
    const [made] = await third
    two.stop.abort()
    const seeds = new Set(
      (await Promise.all([run(pool, 'make a'), run(pool, 'make b'), run(pool, 'make c')])).map(([file]) => file?.seed),
    )
    expect(seeds.size).toBeLessThanOrEqual(2)
    expect(made?.name).toBe('foo')
  })

  test('that is closed fails what waits and what runs', async () => {
    const pool = poolOf()
    const {result} = await waiting(pool, 'wait')
    const next = run(pool, 'make foo')
    next.catch(() => {})
    await pool.close()
    await expect(result).rejects.toBeInstanceOf(ProviderFailure)
    await expect(next).rejects.toBeInstanceOf(ProviderFailure)
  })

  test('does not begin what is aborted already', async () => {
    const stop = new AbortController()
    stop.abort(new Error('foo'))
    await expect(poolOf().run(jobOf('exit'), {signal: stop.signal})).rejects.toThrow('foo')
  })
})
