import {request as httpRequest, type IncomingMessage} from 'node:http'
import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest'
import {revocationMilliseconds, stallMilliseconds} from '#server/runs/connections.ts'
import {listen, type Listener} from '#server/http/listen.ts'
import {answers} from '#server/store/schema/chat.ts'
import {credentials} from '#server/store/schema/platform.ts'
import {chatPath, createAiServer, createAsker, post, type AiServer, type Asker} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {manualTimers} from './providers.fixtures.ts'
import {until} from './until.ts'

/* Answers over real sockets: what a client that does not read, or leaves, does to the server. */

const port = 4199
const model = createScriptedProvider()
const clock = manualTimers()
let on: AiServer
let asker: Asker
let listener: Listener

beforeAll(async () => {
  on = await createAiServer({providers: [model.provider], timers: clock.timers, config: {port}})
  listener = await listen(on.server.deps, on.server.handle)
  await on.server.createUser() // the operator
})
beforeEach(async () => {
  asker = await createAsker(on, '1000')
})
afterAll(async () => {
  await listener.drain(0, 0)
  await on.close()
})

const open = ({token}: Asker): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream'}
    const request = httpRequest({port, host: '127.0.0.1', method: 'POST', path: chatPath, headers}, resolve)
    request.on('error', reject)
    request.end(JSON.stringify({question: 'foo', model: 'foo-model'}))
  })

const openStreams = () => on.service.answers.connections.size()
/** How the client's side ends, and what it got. */
const drained = (response: IncomingMessage): Promise<{end: string; text: string}> =>
  new Promise((resolve) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (piece: string) => (text += piece))
    response.on('error', () => resolve({end: 'cut', text}))
    response.on('end', () => resolve({end: 'end', text}))
  })
const answerOf = async ({userId}: Asker) => {
  const [row] = await on.server.deps.database.asSystem((transaction) =>
    transaction.select().from(answers).where(eq(answers.userId, userId)),
  )
  return row
}

test('headers and first frame are there before the first token', async () => {
  const response = await open(asker)
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  const turn = await model.next()
  const whole = drained(response)
  turn.say('Hi')
  turn.finish()
  const {end, text} = await whole
  expect(end).toBe('end')
  expect(text).toMatch(/^id: 0\ndata: \{.*\}\n\nid: 1\ndata: \{.*"Hi"\}\n\ndata: \[DONE\]\n\n$/)
})

test('a client that leaves takes only itself away', async () => {
  const own = await createAsker(on)
  const response = await open(own)
  const turn = await model.next()
  await until(() => openStreams() === 1)
  response.destroy()
  await until(() => openStreams() === 0)
  turn.say('on its own')
  turn.finish()
  await until(async () => (await answerOf(own))?.state === 'finished')
  expect((await answerOf(own))?.text).toBe('on its own')
})

test('a client that reads nothing for a while is cut off; the answer is not', async () => {
  const own = await createAsker(on)
  const response = await open(own)
  const cut = new Promise<void>((resolve) => response.on('error', () => resolve()))
  const turn = await model.next()
  // Six bytes each on the wire: far more than the buffers of both sockets hold.
  const text = '\u0001'.repeat(8 * 1024)
  for (let index = 0; index < 400; index += 1) turn.say(text)
  turn.finish()
  await until(async () => (await answerOf(own))?.state === 'finished')
  expect(openStreams()).toBe(1)
  await until(() => {
    clock.fire(stallMilliseconds)
    return openStreams() === 0
  })
  response.resume()
  await cut
  expect((await answerOf(own))?.text).toBe(text.repeat(400))
})

test('a revoked key loses its stream by a cut, not by an end', async () => {
  const own = await createAsker(on)
  const response = await open(own)
  const turn = await model.next()
  const whole = drained(response)
  await on.server.deps.database.asSystem((transaction) =>
    transaction.update(credentials).set({revokedAt: new Date()}).where(eq(credentials.id, own.credentialId)),
  )
  clock.fire(revocationMilliseconds)
  const {end, text} = await whole
  expect(end).toBe('cut')
  expect(text).not.toContain('[DONE]')
  turn.finish()
})

test('a client that waits for the whole answer gets no half of it from a process that ends', async () => {
  const own = await createAsker(on)
  const sharing = await createAiServer({providers: [model.provider], sharing: on, config: {port: 0}})
  const {deps, handle} = sharing.server
  const ending = await listen(deps, handle)
  const body = {question: 'foo', model: 'foo-model'}
  const key = {'idempotency-key': 'foo'}
  const {port} = ending.addresses.find(({address}) => address === '127.0.0.1')!
  const asked = fetch(`http://127.0.0.1:${port}${chatPath}`, {
    method: 'POST',
    headers: {authorization: `Bearer ${own.token}`, 'content-type': 'application/json', ...key},
    body: JSON.stringify(body),
  })
  const turn = await model.next()
  turn.say('half')
  await until(async () => (await answerOf(own))?.lastSeq === 1)
  await ending.drain(0, 1_000)
  const refused = await asked
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toEqual({
    error: {code: 'busy', message: expect.stringContaining('Idempotency-Key')},
    trace_id: expect.any(String),
    success: false,
  })
  expect(sharing.server.logged.filter(({level}) => level === 'error')).toEqual([])

  // the answer went on, and the same key finds it
  turn.say(' and half')
  turn.finish()
  await until(async () => (await answerOf(own))?.state === 'finished')
  const again = await post(on, own, body, {headers: key})
  expect(await again.json()).toEqual({answer: 'half and half', id: expect.any(String)})
  await sharing.close()
})
