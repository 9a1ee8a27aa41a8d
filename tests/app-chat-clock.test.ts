import {expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {ask, ready} from './machines/start-root.ts'
import {createBackend} from './machines/root-world.ts'

/** Unix seconds of the server. */
const serverTime = 1_700_000_000

test.each([
  ['ahead', 86_400],
  ['behind', -86_400],
])('a question that waited has the time of the server on a device whose clock is a day %s', async (_, difference) => {
  const backend = createBackend()
  const fetch: typeof globalThis.fetch = async (...call) => {
    const answer = await backend.fetch(...call)
    answer.headers.set('date', new Date(serverTime * 1_000).toUTCString())
    return answer
  }
  const world = await ready({backend: {...backend, fetch}, now: (serverTime + difference) * 1_000})
  const conversation = await ask(world, 'first')
  conversation.send({type: 'prompt.submit', question: 'second', references: [], key: 'key-2', at: 0})
  await waitFor(conversation, ({context}) => context.messages.length === 4)
  expect(conversation.getSnapshot().context.messages[2]?.created_at).toBe(serverTime)
  expect(world.root.services.clock.now()).toBe(serverTime)
})
