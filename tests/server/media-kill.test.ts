import {childArguments} from './child-arguments.ts'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {createJobs} from '#server/jobs/jobs.ts'
import {balanceOf, createAsker} from './ai.harness.ts'
import {
  createMediaServer,
  createScriptedMedia,
  post,
  tasksOf,
  until,
  usagesOf,
  type MediaServer,
} from './media.harness.ts'

const media = createScriptedMedia()
let on: MediaServer
beforeAll(async () => {
  on = await createMediaServer({tools: [flux, kling], provider: media.provider})
})
afterAll(() => on.close())

/** Runs a server process until both of its generations are as far as they get, then kills it as `kill -9` does. */
async function killAtWork(token: string): Promise<void> {
  const {connection, deps} = on.server
  const child = spawn(process.execPath, childArguments('media.child.ts'), {
    env: {...process.env, ORDER: JSON.stringify({connection, config: deps.config, token})},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const begun = new Set<string>()
  for await (const line of createInterface({input: child.stdout})) if (begun.add(line).size === 2) child.kill('SIGKILL')
  expect(await exited).toEqual([null, 'SIGKILL'])
}

test('killed at work: what the provider knows goes on in the next process, the rest fails visibly; each is charged at most once', async () => {
  const asker = await createAsker(on, '10')
  await killAtWork(asker.token)
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
    `update workers set heartbeat_at = now() - interval '31 seconds' where id <> $1`,
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
  expect(await retrieve('flux')).toMatchObject({success: true, data: [{prompt: 'owl'}]})
  expect(await retrieve('kling')).toMatchObject({success: false, outcome: 'interrupted'})
  expect(await balanceOf(on, asker)).toEqual({remaining: '9.800000', used: '0.200000'})
  expect(await usagesOf(on, asker.userId)).toHaveLength(2)
})
