import {afterAll, beforeAll, expect, test} from 'vitest'
import {mediaTools} from '#server/media/media-tools.ts'
import {calls, mainCalls, openWorld, type World} from './media-operations.harness.ts'
import {expectResults, expectTask} from './media-results.ts'

/*
 * What each of the tools makes first, on a server that listens: asked for over HTTP, made by the sandbox in its job queue,
 * fetched and opened. (`media-operations.full.test.ts` has every operation and every action.)
 */

let world: World
beforeAll(async () => {
  world = await openWorld(calls)
})
afterAll(() => world.close())

test.concurrent.each(mainCalls.map((call) => [call.tool.identity.name, call] as const))(
  '%s makes what it was asked for',
  async (_name, call) => {
    const ended = await world.run(call)
    expect(ended.lines.at(-1)).toMatchObject({success: true})
    await expectResults(world, ended)
    expectTask(world, ended)
  },
  300_000,
)

test('is free, and the services say so', async () => {
  for (const {identity} of mediaTools)
    expect(await world.service(identity.serviceId)).toMatchObject({
      metadata: {provider: 'sandbox', sandbox: true, free: true, available: true},
    })
  await Promise.all(mainCalls.map(world.run))
  expect(await world.balance()).toEqual({remaining: '10.000000', used: '0.000000'})
})
