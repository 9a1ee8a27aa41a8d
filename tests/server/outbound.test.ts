import {once} from 'node:events'
import {createServer, type ServerResponse} from 'node:http'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {setImmediate as turn} from 'node:timers/promises'
import {afterEach, expect, test} from 'vitest'
import {callUpstream} from '#server/providers/call-upstream.ts'
import {realOutboundPorts} from '#server/providers/outbound.ts'
import {manualTimers} from './providers.fixtures.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // the flag above puts it there

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

/** A server that writes the first bytes of an answer and then nothing, and tells when its reader hangs up. */
async function stalledServer() {
  const hungUp: Promise<unknown>[] = []
  const server = createServer((_, response: ServerResponse) => {
    hungUp.push(once(response, 'close'))
    response.write('data: foo')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endings.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  return {baseUrl: `http://127.0.0.1:${address.port}`, hungUp}
}

/** Reads the first bytes, waits for more, and lets memory be collected meanwhile. */
async function waitForMore(signal: AbortSignal) {
  const {baseUrl, hungUp} = await stalledServer()
  const clock = manualTimers()
  const {bytes} = await callUpstream(
    {
      upstream: {name: 'foo', baseUrl, apiKey: undefined},
      path: '/chat',
      method: 'POST',
      body: {},
      signal,
      deadlines: {firstByteMilliseconds: 1_000, idleMilliseconds: 2_000},
    },
    {...realOutboundPorts, timers: clock.timers},
  )
  const body = bytes[Symbol.asyncIterator]()
  const first = await body.next()
  const more = body.next()
  for (let time = 0; time < 20; time += 1) {
    await turn()
    collectGarbage()
  }
  return {first, more, hungUp, clock}
}

test('a stop ends an answer that is being read, and the server hears of it', async () => {
  const controller = new AbortController()
  const {first, more, hungUp, clock} = await waitForMore(controller.signal)
  expect(Buffer.from(first.value as Uint8Array).toString()).toBe('data: foo') // the body has begun
  controller.abort()
  await expect(more).rejects.toMatchObject({code: 'canceled'})
  expect(hungUp).toHaveLength(1)
  await Promise.all(hungUp)
  expect(clock.waiting()).toEqual([])
})

test('silence ends an answer that is being read, and the server hears of it', async () => {
  const {more, hungUp, clock} = await waitForMore(new AbortController().signal)
  clock.fire(2_000)
  await expect(more).rejects.toMatchObject({code: 'timeout', options: {interrupted: true}})
  expect(hungUp).toHaveLength(1)
  await Promise.all(hungUp)
  expect(clock.waiting()).toEqual([])
})
