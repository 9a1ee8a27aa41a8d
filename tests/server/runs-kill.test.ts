import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {asc, eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {createJobs} from '#server/jobs/jobs.ts'
import {answerChunks, answers} from '#server/store/schema/chat.ts'
import {
  balanceOf,
  createAiServer,
  createAsker,
  headOf,
  openStream,
  post as chat,
  textOf,
  type AiServer,
} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {childArguments} from './child-arguments.ts'
import type {TestServer} from './harness.ts'
import {createMediaServer, createScriptedMedia, post, tasksOf, usagesOf, type MediaServer} from './media.harness.ts'
import {until} from './until.ts'
import {long} from '../long.ts'

/** Runs a server process until `isEnough` of a line it prints, then kills it as `kill -9` does. */
async function killAtWork(
  {connection, deps}: TestServer,
  token: string,
  work: 'answer' | 'task',
  isEnough: (line: string) => boolean,
): Promise<void> {
  const child = spawn(process.execPath, childArguments('runs.child.ts'), {
    env: {...process.env, ORDER: JSON.stringify({connection, config: deps.config, token, work})},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface({input: child.stdout})) if (isEnough(line)) child.kill('SIGKILL')
  expect(await exited).toEqual([null, 'SIGKILL'])
}

describe('an answer', () => {
  let on: AiServer
  beforeAll(async () => {
    on = await createAiServer({providers: [createScriptedProvider().provider]})
  })
  afterAll(() => on.close())

  for (const deltas of [1, 60, 200])
    test(
      `killed after ${deltas} deltas: the next process ends the answer with exactly what was stored`,
      deltas === 60 ? {} : long,
      async () => {
        const {deps} = on.server
        const asker = await createAsker(on, '10')
        const heard: string[] = []
        await killAtWork(on.server, asker.token, 'answer', (line) => {
          if (!line.startsWith('data: ')) return false
          const {delta_answer: delta} = JSON.parse(line.slice(6)) as {delta_answer: string}
          if (delta !== '') heard.push(delta)
          return heard.length === deltas
        })
        const rows = () =>
          deps.database.asSystem((transaction) =>
            transaction.select().from(answers).where(eq(answers.userId, asker.userId)),
          )
        const [killed] = await rows()
        if (killed === undefined) throw new Error('no answer was stored')
        expect([killed.state, killed.fence]).toEqual(['answering', 1])
        const chunks = await deps.database.asSystem((transaction) =>
          transaction
            .select()
            .from(answerChunks)
            .where(eq(answerChunks.answerId, killed.id))
            .orderBy(asc(answerChunks.seq)),
        )
        const stored = chunks.flatMap((chunk) => chunk.deltas)
        expect(stored).toEqual(Array.from({length: killed.lastSeq}, (_, index) => `word ${index + 1} `))
        // A word that was heard long enough ago is stored; nothing is stored that the provider did not say.
        expect(heard).toEqual(Array.from({length: heard.length}, (_, index) => `word ${index + 1} `))

        const jobs = createJobs(deps, {
          tasks: on.service.tasks,
          onWorkersDead: on.service.workersDied,
          isOnlyProcess: true,
        })
        await jobs.start()
        await jobs.stop()

        const [ended] = await rows()
        expect(ended).toMatchObject({state: 'failed', outcome: 'interrupted', text: stored.join(''), fence: 2})
        const {items} = await (await chat(on, asker, {action: 'retrieve_batch'})).json()
        expect(items[0].messages[1]).toMatchObject({
          content: stored.join(''),
          state: 'failed',
          outcome: 'interrupted',
          error: {code: 'api_error', message: expect.any(String)},
        })
        const resumed = openStream(
          await chat(
            on,
            asker,
            {action: 'resume', id: ended?.conversationId, message: ended?.messageId, attempt: 1, last_seq: 0},
            {accept: 'text/event-stream'},
          ),
        )
        await headOf(resumed)
        const frames = await resumed.rest()
        expect(textOf(frames)).toBe(stored.join(''))
        expect(frames.at(-1)?.data).toEqual({
          outcome: 'interrupted',
          id: expect.any(String),
          error: {
            code: 'api_error',
            message: 'The server stopped while it was answering. What it had written is kept.',
          },
        })
        const {remaining, used} = await balanceOf(on, asker)
        expect(Number(remaining) + Number(used)).toBeCloseTo(10, 6)
        expect(used).toBe(ended?.settled)
      },
    )
})

describe('media tasks', () => {
  const media = createScriptedMedia()
  let on: MediaServer
  beforeAll(async () => {
    on = await createMediaServer({tools: [flux, kling], provider: media.provider})
  })
  afterAll(() => on.close())

  test('killed at work: what the provider knows goes on in the next process, the rest fails visibly; each is charged at most once', async () => {
    const asker = await createAsker(on, '10')
    const begun = new Set<string>()
    await killAtWork(on.server, asker.token, 'task', (line) => begun.add(line).size === 2)
    expect((await tasksOf(on, asker.userId)).map(({state, fence}) => [state, fence])).toEqual([
      ['running', 1],
      ['running', 1],
    ])

    const {service, server} = on
    const jobs = createJobs(server.deps, {
      tasks: service.tasks,
      onWorkersDead: service.workersDied,
      // The harness's own row is of a live worker, so nobody else is taken for dead but the killed one.
      isOnlyProcess: false,
    })
    await server.deps.database.pool.query(
      `update workers set heartbeat_at = now() - interval '5 seconds' where id <> $1`,
      [on.workerId],
    )
    await jobs.start()
    const going = await media.next()
    expect([going.ask.plan.medium, going.ask.job]).toEqual(['image', 'job-of-a-killed-process'])
    going.finish()
    await until(async () =>
      (await tasksOf(on, asker.userId)).every(({state}) => state === 'succeeded' || state === 'failed'),
    )
    await jobs.stop()
    expect(media.unasked()).toBe(true)

    const retrieve = async (name: string) =>
      (await post(on, asker, `/${name}/tasks`, {action: 'retrieve_batch'})).body.items[0].response
    expect(await retrieve('flux')).toEqual({
      success: true,
      data: [{prompt: 'owl', width: 1, height: 1, image_url: expect.any(String)}],
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'foo',
    })
    expect(await retrieve('kling')).toEqual({
      success: false,
      outcome: 'interrupted',
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'foo',
      error: {code: 'api_error', message: 'The server stopped while this was being made. Nothing was charged.'},
    })
    expect(await balanceOf(on, asker)).toEqual({remaining: '9.800000', used: '0.200000'})
    expect(await usagesOf(on, asker.userId)).toHaveLength(2)
  })
})
