import {eq} from 'drizzle-orm'
import {describe, expect, test} from 'vitest'
import {batchMilliseconds} from '#server/ai/answers/answer-writer.ts'
import {answers} from '#server/store/schema/chat.ts'
import {usages} from '#server/store/schema/credits.ts'
import {
  ask,
  balanceOf,
  createAiServer,
  createAsker,
  headOf,
  openStream,
  post,
  textOf,
  type Asker,
} from './ai.harness.ts'
import {manualTimers} from './providers.fixtures.ts'
import {until} from './until.ts'
import {twoProcesses} from './two-processes.fixtures.ts'

const processes = twoProcesses()
const {model} = processes

const answersOf = ({userId}: Asker) =>
  processes.a.server.deps.database.asSystem((transaction) =>
    transaction.select().from(answers).where(eq(answers.userId, userId)).orderBy(answers.createdAt),
  )

describe('four at once', () => {
  test('more wait in line, in order, and start as others end; a waiting one is stopped for nothing', async () => {
    const own = await createAsker(processes.a, '10')
    const streams = []
    for (let index = 0; index < 7; index += 1) {
      const stream = openStream(await ask(index % 2 ? processes.a : processes.b, own, {question: `question ${index}`}))
      streams.push({stream, head: await headOf(stream)})
    }
    const turns = [await model.next(), await model.next(), await model.next(), await model.next()]
    expect(model.unasked()).toBe(true)
    const rows = await answersOf(own)
    expect(rows.map(({state}) => state)).toEqual([
      ...Array<string>(4).fill('answering'),
      ...Array<string>(3).fill('pending'),
    ])

    const waiting = streams[4]
    if (waiting === undefined) throw new Error('no fifth')
    const held = await balanceOf(processes.a, own)
    const stopped = await post(processes.b, own, {action: 'stop', id: waiting.head.id})
    expect(await stopped.json()).toEqual({state: 'failed', id: expect.any(String), message: expect.any(String)})
    expect((await waiting.stream.rest()).at(-1)?.data).toEqual({
      outcome: 'stopped',
      id: expect.any(String),
      error: {code: 'canceled', message: 'The answer was stopped.'},
    })
    expect(Number((await balanceOf(processes.a, own)).remaining)).toBeGreaterThan(Number(held.remaining))

    turns[0]?.finish()
    const fifth = await model.next()
    expect(fifth.input.messages).toEqual([{role: 'user', content: 'question 5'}])
    turns[1]?.finish()
    const sixth = await model.next()
    expect(sixth.input.messages).toEqual([{role: 'user', content: 'question 6'}])
    for (const turn of [...turns.slice(2), fifth, sixth]) turn.finish()
    for (const [index, {stream}] of streams.entries())
      if (index !== 4) expect((await stream.rest()).at(-1)?.data).toBe('[DONE]')
    const {remaining, used} = await balanceOf(processes.a, own)
    expect(Number(remaining) + Number(used)).toBeCloseTo(10, 6)
    const paid = await processes.a.server.deps.database.asSystem((transaction) =>
      transaction.select().from(usages).where(eq(usages.userId, own.userId)),
    )
    expect(paid).toHaveLength(6)
  })

  test('the line is not endless', async () => {
    const own = await createAsker(processes.a, '10')
    const open = []
    for (let index = 0; index < 20; index += 1) {
      const response = await ask(processes.a, own)
      expect(response.status).toBe(200)
      open.push(response)
    }
    const refused = await ask(processes.a, own)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('5')
    for (let index = 0; index < 20; index += 1) (await model.next()).finish()
    for (const response of open) expect((await openStream(response).rest()).at(-1)?.data).toBe('[DONE]')
  })
})

describe('workers', () => {
  test('an answer of a dead worker is interrupted with exactly its stored text, and only that is paid', async () => {
    const own = await createAsker(processes.a, '10')
    const stream = openStream(await ask(processes.a, own))
    const head = await headOf(stream)
    const turn = await model.next()
    turn.say('stored ', 'text')
    await stream.next()
    await stream.next()
    processes.clockA.fire(batchMilliseconds)
    await until(async () => (await answersOf(own))[0]?.lastSeq === 2)
    turn.say(' and never stored')
    await stream.next()

    await processes.b.service.workersDied([processes.a.workerId])
    const {messages} = await (await post(processes.b, own, {action: 'retrieve', id: head.id})).json()
    expect(messages[1]).toEqual({
      content: 'stored text',
      state: 'failed',
      outcome: 'interrupted',
      id: expect.any(String),
      role: 'assistant',
      created_at: expect.any(Number),
      error: {code: 'api_error', message: 'The server stopped while it was answering. What it had written is kept.'},
      attempt: 1,
      model: 'foo-model',
      provider: 'foo',
      sandbox: false,
    })
    const [row] = await answersOf(own)
    expect([row?.fence, row?.text, row?.tokensEstimated]).toEqual([2, 'stored text', true])
    expect((await balanceOf(processes.a, own)).used).toBe(row?.settled)
    expect(Number(row?.settled)).toBeCloseTo((5 * 0.01 + 3 * 0.03) / 1000, 6)

    // The worker was only slow: its next batch meets the new fence, and it lets go.
    processes.clockA.fire(batchMilliseconds)
    expect((await stream.rest()).at(-1)?.data).toEqual({
      outcome: 'interrupted',
      id: expect.any(String),
      error: {code: 'api_error', message: 'The server stopped while it was answering. What it had written is kept.'},
    })
    expect(turn.input.signal.aborted).toBe(true)
    expect((await answersOf(own))[0]).toEqual(row)
  })

  test('an answer of a dead worker without a word costs nothing', async () => {
    const own = await createAsker(processes.a, '10')
    const stream = openStream(await ask(processes.a, own))
    await headOf(stream)
    const turn = await model.next()
    await processes.b.service.workersDied([processes.a.workerId])
    expect(await balanceOf(processes.a, own)).toEqual({remaining: '10.000000', used: '0.000000'})
    turn.say('late')
    await stream.next()
    processes.clockA.fire(batchMilliseconds)
    expect((await stream.rest()).at(-1)?.data).toEqual({
      outcome: 'interrupted',
      id: expect.any(String),
      error: {code: 'api_error', message: 'The server stopped while it was answering. What it had written is kept.'},
    })
    expect((await answersOf(own))[0]?.text).toBe('')
  })

  test('in the role api a worker is called, and the listener follows it', async () => {
    const clock = manualTimers()
    const api = await createAiServer({
      providers: [model.provider],
      config: {role: 'api'},
      timers: clock.timers,
      sharing: processes.a,
    })
    const own = await createAsker(processes.a, '10')
    const stream = openStream(await ask(api, own))
    await headOf(stream)
    const [row] = await answersOf(own)
    expect([row?.state, row?.workerId]).toEqual(['pending', null])
    const jobs = await processes.a.server.deps.database.pool.query(
      `select task.identifier, job.max_attempts, job.payload from graphile_worker._private_jobs as job
       join graphile_worker._private_tasks as task on task.id = job.task_id where job.key = $1`,
      [`answer:${row?.id}`],
    )
    expect(jobs.rows).toEqual([{identifier: 'answer', max_attempts: 1, payload: {answerId: row?.id}}])
    const job = {id: '1', workerId: processes.b.workerId, signal: new AbortController().signal}
    await processes.b.service.tasks['answer']?.({answerId: row?.id}, job)
    await processes.a.service.tasks['answer']?.({answerId: row?.id}, job) // a second worker finds it taken
    const turn = await model.next()
    expect(model.unasked()).toBe(true)
    turn.say('from afar')
    turn.finish()
    const frames = await stream.rest()
    expect(textOf(frames)).toBe('from afar')
    expect(frames.at(-1)?.data).toBe('[DONE]')
    expect((await answersOf(own))[0]?.workerId).toBe(processes.b.workerId)
    await api.close()
  })

  test('a process that ends lets nobody wait: the text so far, interrupted', async () => {
    const clock = manualTimers()
    const ending = await createAiServer({providers: [model.provider], timers: clock.timers, sharing: processes.a})
    const own = await createAsker(processes.a, '10')
    const stream = openStream(await ask(ending, own))
    const head = await headOf(stream)
    const turn = await model.next()
    turn.say('so far')
    await stream.next()
    const closing = ending.close()
    await until(() => clock.waiting().includes(4_000))
    clock.fire(4_000)
    expect((await stream.next())?.data).toEqual({
      outcome: 'interrupted',
      id: expect.any(String),
      error: {code: 'api_error', message: 'The server stopped while it was answering. What it had written is kept.'},
    })
    await closing
    const {messages} = await (await post(processes.a, own, {action: 'retrieve', id: head.id})).json()
    expect(messages[1]).toEqual({
      content: 'so far',
      state: 'failed',
      outcome: 'interrupted',
      id: expect.any(String),
      role: 'assistant',
      created_at: expect.any(Number),
      error: {code: 'api_error', message: 'The server stopped while it was answering. What it had written is kept.'},
      attempt: 1,
      model: 'foo-model',
      provider: 'foo',
      sandbox: false,
    })
  })
})
