import {afterAll, beforeAll, expect, test} from 'vitest'
import {actionCalls, calls, openWorld, type World} from './media-operations.harness.ts'
import {expectResults, expectTask} from './media-results.ts'

/*
 * Every operation of every tool and every action on a result, over HTTP, made by the sandbox: the files are fetched and
 * opened. Minutes of work; `media-operations.test.ts` has what each tool makes first.
 */

const all = [...calls, ...actionCalls]
let world: World
beforeAll(async () => {
  world = await openWorld(all)
})
afterAll(() => world.close())

test.concurrent.each(all.map((call) => [call.tool.identity.id, call.name, call.body, call] as const))(
  '%s %s %o',
  async (_tool, _name, _body, call) => {
    const ended = await world.run(call)
    expect(ended.lines.at(-1)).toMatchObject({success: true})
    await expectResults(world, ended)
    expectTask(world, ended)
  },
  1_200_000,
)

test('all of it is free', async () => {
  await Promise.all(all.map(world.run))
  expect(await world.balance()).toEqual({remaining: '10.000000', used: '0.000000'})
}, 1_200_000)
