import {and, eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest'
import {silentLog} from '#server/log.ts'
import {createAcedataProvider} from '#server/providers/acedata/acedata-provider.ts'
import {createOpenaiProvider} from '#server/providers/openai/openai-provider.ts'
import {checkKey} from '#server/runs/idempotency.ts'
import {plannedTask} from '#server/media/planned-task.ts'
import {answers} from '#server/store/schema/chat.ts'
import {ask, createAiServer, createAsker, openStream, headOf} from './ai.harness.ts'
import {createMediaServer, mp3, mp4, tasksOf, type MediaServer} from './media.harness.ts'
import {createUpstream, make, tools, type Answer, type Asked} from './media-upstream.ts'
import {collect, configOf, inputOf, lines} from './openai-peer.ts'
import {testConfig, testOrigin} from './harness.ts'
import {pixel} from './pixel.ts'
import {eventually} from '../eventually.ts'

/*
 * A server of the test that knows `Idempotency-Key`: what it was asked for under a key it answers again and makes once.
 */

const upstream = createUpstream()
let kept = new Map<string, Answer>()
let made = 0
const keyOf = ({headers}: Asked) => headers['idempotency-key']
const sse = (...data: unknown[]): Answer => ({
  bytes: Buffer.from(lines(...data)),
  headers: {'content-type': 'text/event-stream'},
})

/** Quirks of servers are among it: one image at a time, no `async`, no `stream_options`, videos as a form alone. */
function produce({path, body}: Asked): Answer {
  if (path === '/v1/videos' && typeof body === 'object') return {status: 415}
  const unknown = ['n', 'async', 'stream_options'].find((name) => typeof body === 'object' && name in body)
  if (unknown !== undefined) return {status: 400, json: {error: {message: `Unknown parameter: '${unknown}'`}}}
  made += 1
  if (path.includes('/images')) return {json: {data: [{b64_json: pixel.toString('base64')}]}}
  if (path === '/v1/videos') return {json: {id: `video_${made}`}}
  if (path === '/suno/audios') return {json: {task_id: `song_${made}`}}
  if (path.startsWith('/aichat')) return sse({delta_answer: `text ${made}`}, '[DONE]')
  return sse({choices: [{delta: {content: `text ${made}`}, finish_reason: 'stop'}]}, '[DONE]')
}

upstream.answer = (asked) => {
  const {method, path} = asked
  if (path.endsWith('.mp3')) return {bytes: mp3}
  if (path.endsWith('/content')) return {bytes: mp4}
  if (method === 'GET') return {json: {id: path.split('/').at(-1), status: 'completed', seconds: '5'}}
  if (path === '/suno/tasks') {
    const song = {id: 'a', state: 'complete', audio_url: `${upstream.origin}/a.mp3`}
    return {json: {id: asked.body.id, created_at: 1, finished_at: 2, response: {success: true, data: [song]}}}
  }
  const key = keyOf(asked)
  if (typeof key !== 'string') return {status: 400, json: {error: {message: 'A key is needed.'}}}
  const answer = kept.get(key) ?? produce(asked)
  kept.set(key, answer)
  return answer
}

const registryOf = () =>
  upstream.registryOf([
    upstream.entry({media: {flux: 'foo-image', kling: 'foo-video'}}),
    upstream.entry({name: 'acedata', kind: 'acedata', baseUrl: upstream.origin, media: {suno: 'any'}}),
  ])
let on: MediaServer
beforeAll(async () => {
  await upstream.listen()
  on = await createMediaServer({tools, provider: registryOf(), timers: upstream.hastyTimers})
})
afterAll(async () => {
  await on.close()
  await upstream.close()
})
beforeEach(() => {
  upstream.reset()
  kept = new Map()
  made = 0
})

/** The keys since the last call; what buys nothing has none. */
function takeKeys(): string[] {
  const keys = upstream.asked.map(keyOf).filter((key) => typeof key === 'string')
  upstream.reset()
  for (const key of keys) expect(checkKey(key)).toBe(key)
  return keys
}

test.each([
  // the refusal of `n`, then an image a request
  ['flux', '/flux/images', {prompt: 'owl', count: 3}, 4, 3],
  ['kling', '/kling/videos', {prompt: 'kite'}, 2, 1],
  ['suno', '/suno/audios', {prompt: 'sea'}, 2, 1],
])('%s: a task that is asked for again buys nothing again, another task does', async (tool, path, body, asks, buys) => {
  const asker = await createAsker(on, '100')
  expect((await make(on, asker, path, body)).body.success).toBe(true)
  const keys = takeKeys()
  expect(new Set(keys).size).toBe(asks)
  expect(made).toBe(buys)

  // as by a process that stood still between its last look at the row and its first byte to the provider
  const [row] = await tasksOf(on, asker.userId)
  const planned = row && plannedTask(tools, row, testOrigin)
  const provider = row && registryOf().byName(tool, row.provider)
  if (row === undefined || planned === undefined || provider === undefined) throw new Error('no task')
  await provider.make({
    run: row.id,
    ...planned,
    body: row.request,
    job: undefined,
    storeJob: async () => {},
    onProgress: () => {},
    sourceFiles: async () => [],
    publicAddress: () => undefined,
    signal: new AbortController().signal,
  })
  expect(takeKeys()).toEqual(keys)
  expect(made).toBe(buys)

  await make(on, asker, path, body)
  expect(takeKeys().filter((key) => keys.includes(key))).toEqual([])
  expect(made).toBe(buys * 2)
})

test.each([
  ['openai', createOpenaiProvider, '/v1'],
  ['acedata', createAcedataProvider, ''],
] as const)('%s: an answer that is asked for again is the same one, another is not', async (kind, create, path) => {
  const config = () => configOf({kind, baseUrl: `${upstream.origin}${path}`})
  // each a process of its own, the second of which has learnt that `stream_options` is not taken
  const [one, other] = [create(config(), {log: silentLog}), create(config(), {log: silentLog})]
  await collect(other, inputOf({run: 'other'}))
  const texts = [
    await collect(one, inputOf({run: 'foo'})),
    await collect(other, inputOf({run: 'foo'})),
    await collect(one, inputOf({run: 'bar'})),
  ].map(({events}) => events.find((event) => event.type === 'delta')?.text)
  expect(texts).toEqual(['text 2', 'text 2', 'text 3'])
})

test('an answer is asked for under its id, the name of its conversation under another', async () => {
  const providers = {...testConfig('').providers, namesConversations: true}
  const chat = await createAiServer({
    providers: [createOpenaiProvider(configOf({baseUrl: `${upstream.origin}/v1`}), {log: silentLog})],
    config: {providers},
  })
  const asker = await createAsker(chat, '100')
  const stream = openStream(await ask(chat, asker, {question: 'foo', model: 'foo-model'}))
  const {id} = await headOf(stream)
  await stream.rest()
  const [row] = await chat.server.deps.database.asSystem((transaction) =>
    transaction
      .select()
      .from(answers)
      .where(and(eq(answers.userId, asker.userId), eq(answers.conversationId, id))),
  )
  await eventually(() => expect(made).toBe(2))
  const keys = takeKeys()
  expect(keys.every((key) => key.startsWith(row?.id ?? 'none'))).toBe(true)
  expect(new Set(keys).size).toBe(keys.length)
  await chat.close()
})
