import {afterEach, expect, test, vi} from 'vitest'
import {eventually} from './eventually.ts'
import {ask, ready} from './machines/start-root.ts'

type World = Awaited<ReturnType<typeof ready>>

afterEach(() => vi.unstubAllGlobals())

const setOnline = (world: World, isOnline: boolean) => {
  vi.stubGlobal('navigator', {onLine: isOnline})
  world.events.online.next(isOnline)
}
const questions = ({backend}: World) => backend.calls.filter((call) => call === 'POST /aichat/conversations')

test('a question whose code has not come without a network is stopped at once; nothing of it is sent', async () => {
  const page = new EventTarget()
  const waits = vi.fn(page.addEventListener.bind(page))
  vi.stubGlobal('addEventListener', waits)
  const world = await ready()
  setOnline(world, false)
  const conversation = await ask(world, 'foo')
  expect(conversation.getSnapshot().value).toEqual({asking: {pending: 'connecting'}})
  await eventually(() => expect(waits.mock.calls.map(([name]) => name)).toContain('online'))
  conversation.send({type: 'answer.stop'})
  expect(conversation.getSnapshot().value).toEqual({failed: 'stopped'})
  setOnline(world, true)
  page.dispatchEvent(new Event('online'))
  conversation.send({type: 'answer.retry', key: 'key-2', at: 2_000})
  await eventually(() => expect(conversation.getSnapshot().value).toBe('finished'))
  expect(questions(world)).toHaveLength(1)

  // the code is there: the server may have it, whatever the browser says
  setOnline(world, false)
  conversation.send({type: 'prompt.submit', question: 'foo', references: [], key: 'key-3', at: 3_000})
  conversation.send({type: 'answer.stop'})
  expect(conversation.getSnapshot().value).toEqual({stopping: 'naming'})
})
