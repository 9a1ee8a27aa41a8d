import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {setImmediate as turn} from 'node:timers/promises'
import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {callUpstream, readAll} from '#server/providers/call-upstream.ts'
import {realOutboundPorts} from '#server/providers/outbound.ts'
import {manualTimers} from './providers.fixtures.ts'
import {ask, serverOf, stalledServer} from './outbound.fixtures.ts'
import {eventually} from '../eventually.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // the flag above puts it there

/** Lets memory be collected until an object that nobody holds is gone and the callback of its finalization has run. */
async function collectMemory() {
  let isGone = false
  const finalization = new FinalizationRegistry(() => (isGone = true))
  finalization.register({}, undefined)
  while (!isGone) {
    // a reference that was made or read in this turn holds until its end
    await turn()
    collectGarbage()
  }
  for (let time = 0; time < 2; time += 1) {
    await turn()
    collectGarbage()
  }
}

const ways = ['pieces handed on', 'an iterator'] as const

/** Reads the first bytes, waits for more, and lets memory be collected meanwhile. */
async function waitForMore(way: (typeof ways)[number], signal: AbortSignal) {
  const {baseUrl, hungUp} = await stalledServer()
  const clock = manualTimers()
  const {bytes, read} = await callUpstream(
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
  let first = ''
  let more: Promise<unknown>
  if (way === 'an iterator') {
    const body = bytes[Symbol.asyncIterator]()
    first = Buffer.from((await body.next()).value ?? []).toString()
    more = body.next()
  } else {
    more = read((piece) => (first += piece) !== '')
    await eventually(() => expect(first).not.toBe(''))
  }
  await collectMemory()
  return {first, more, hungUp, clock}
}
test.each(ways)('a stop ends an answer that is being read (%s), and the server hears of it', async (way) => {
  const controller = new AbortController()
  const {first, more, hungUp, clock} = await waitForMore(way, controller.signal)
  expect(first).toBe('data: foo') // the body has begun
  controller.abort()
  await expect(more).rejects.toHaveProperty('code', 'canceled')
  expect(hungUp).toHaveLength(1)
  await Promise.all(hungUp)
  expect(clock.waiting()).toEqual([])
})

test.each(ways)('silence ends an answer that is being read (%s), and the server hears of it', async (way) => {
  const {more, hungUp, clock} = await waitForMore(way, new AbortController().signal)
  clock.fire(2_000)
  await expect(more).rejects.toMatchObject({code: 'timeout', options: {interrupted: true}})
  expect(hungUp).toHaveLength(1)
  await Promise.all(hungUp)
  expect(clock.waiting()).toEqual([])
})

test('a piece is handed on in its moment, and never cut inside a character', async () => {
  const [first, second] = [Buffer.from('dé').subarray(0, 2), Buffer.from('dé').subarray(2)]
  let goOn: () => void = () => undefined
  const baseUrl = await serverOf((_, response) => {
    goOn = () => response.end(second)
    response.write(first)
  })
  const pieces: string[] = []
  const {read} = await ask(baseUrl)
  await read((piece) => {
    pieces.push(piece)
    goOn()
    return true
  })
  expect(pieces).toEqual(['d', 'é'])
})

test('a reader gets a mark for a character that its body cut off', async () => {
  const baseUrl = await serverOf((_, response) => {
    response.end(Buffer.from('dé').subarray(0, 2))
  })
  expect(await readAll((await ask(baseUrl)).text)).toBe('d\ufffd')
  let pieces = ''
  await (await ask(baseUrl)).read((piece) => (pieces += piece) !== '')
  expect(pieces).toBe('d\ufffd')
})

test.each(ways)('each piece restarts the watch for silence (%s)', async (way) => {
  const left = ['two', 'three']
  let goOn: () => void = () => undefined
  const baseUrl = await serverOf((_, response) => {
    goOn = () => {
      const piece = left.shift()
      if (piece === undefined) response.end()
      else response.write(piece)
    }
    response.write('one')
  })
  const clock = manualTimers()
  const taken: [piece: string, heard: number][] = []
  const {read, text} = await ask(baseUrl, {}, {...realOutboundPorts, timers: clock.timers})
  const take = (piece: string) => {
    taken.push([piece, clock.heard()])
    goOn()
    return true
  }
  if (way === 'an iterator') for await (const piece of text) take(piece)
  else await read(take)
  expect(taken).toEqual([
    ['one', 1],
    ['two', 2],
    ['three', 3],
  ])
})

test('a reader that wants no more hangs up, and nothing comes after it', async () => {
  const {baseUrl, hungUp} = await stalledServer(['one', 'two', 'three', 'four'])
  const pieces: string[] = []
  await (await ask(baseUrl)).read((piece) => pieces.push(piece) < 2)
  await Promise.all(hungUp)
  expect(pieces).toEqual(['one', 'two'])
})

test('an error of the reader is thrown as it is, and nothing comes after it', async () => {
  const {baseUrl, hungUp} = await stalledServer(['one', 'two', 'three', 'four'])
  const fault = new RangeError('foo')
  const pieces: string[] = []
  const reading = (await ask(baseUrl)).read((piece) => {
    if (pieces.push(piece) === 2) throw fault
    return true
  })
  await expect(reading).rejects.toBe(fault)
  await Promise.all(hungUp)
  expect(pieces).toEqual(['one', 'two'])
})

test('an error of the reader that has stopped the answer is thrown as it is', async () => {
  const {baseUrl, hungUp} = await stalledServer()
  const controller = new AbortController()
  const fault = new RangeError('foo')
  const {read} = await ask(baseUrl, {}, realOutboundPorts, controller.signal)
  const reading = read(() => {
    controller.abort()
    throw fault
  })
  await expect(reading).rejects.toBe(fault)
  await Promise.all(hungUp)
})

test.each(['identity', 'gzip'])('a body that breaks off is no end (%s)', async (coding) => {
  let breakOff: () => void = () => undefined
  const baseUrl = await serverOf((_, response) => {
    breakOff = () => response.destroy()
    response.writeHead(200, {'content-encoding': coding})
    response.write(coding === 'gzip' ? gzipSync('data: foo').subarray(0, -8) : 'data: foo')
  })
  const text = (await ask(baseUrl)).text[Symbol.asyncIterator]()
  expect((await text.next()).value).toBe('data: foo')
  breakOff()
  await expect(text.next()).rejects.toMatchObject({code: 'api_error', options: {interrupted: true}})
  const pieces: string[] = []
  const reading = (await ask(baseUrl)).read((piece) => {
    breakOff()
    return pieces.push(piece) > 0
  })
  await expect(reading).rejects.toMatchObject({code: 'api_error', options: {interrupted: true}})
  expect(pieces).toEqual(['data: foo'])
})
