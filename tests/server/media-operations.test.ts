import {afterAll, beforeAll, expect, test} from 'vitest'
import {mediaTools} from '#server/media/media-tools.ts'
import {calls, mainCalls, openWorld, type Call, type World} from './media-operations.harness.ts'
import {expectResults, expectTask} from './media-results.ts'
import {long} from '../long.ts'

/*
 * Each of the tools makes its first result, on a server that listens: asked for over HTTP, made by the sandbox in its
 * job queue, fetched and opened. (`media-operations.full.test.ts` has every operation and every action.)
 */

let world: World
beforeAll(async () => {
  world = await openWorld(calls)
})
afterAll(() => world.close())

const named = mainCalls.map((call) => [call.tool.identity.name, call] as const)
/**
 * Images, and those of a code: the tools differ in their words (tests/contract), and the sandbox makes all of a medium
 * alike. Its videos and songs are in tests/sandbox/media-commands.test.ts, and in journeys from the form to the player.
 */
const everyRun = ['Nano Banana', 'QR Art']
const makes = async (_name: string, call: Call) => {
  const ended = await world.run(call)
  expect(ended.lines.at(-1)?.success).toBe(true)
  await expectResults(world, ended)
  expectTask(world, ended)
}
test.concurrent.each(named.filter(([name]) => everyRun.includes(name)))(
  '%s makes what it was asked for',
  {timeout: 300_000},
  makes,
)
test.concurrent.each(named.filter(([name]) => !everyRun.includes(name)))(
  '%s makes what it was asked for',
  {...long, timeout: 300_000},
  makes,
)

test('each name of those that every run makes is that of a tool', () => {
  expect(
    named
      .map(([name]) => name)
      .filter((name) => everyRun.includes(name))
      .toSorted(),
  ).toEqual(everyRun)
})

test('is free, and the services say so', async () => {
  for (const {identity} of mediaTools)
    expect(await world.service(identity.serviceId)).toMatchObject({
      metadata: {provider: 'sandbox', sandbox: true, free: true, available: true},
    })
  await Promise.all(named.filter(([name]) => everyRun.includes(name)).map(([, call]) => world.run(call)))
  expect(await world.balance()).toEqual({remaining: '10.000000', used: '0.000000'})
})
