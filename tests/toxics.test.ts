import {expect, test} from 'vitest'
import {
  delayedClose,
  cutAfter,
  hangAfter,
  delayed,
  narrow,
  Reset,
  resetAfter,
  seeded,
  sliced,
  type Toxic,
} from '../e2e/support/toxics.ts'

/* The faults of e2e/toxics.spec.ts: a fault that changes bytes it should only delay would accuse the app. */

const pieces = ['Größe ', '', '日本', '語']
const whole = Buffer.from(pieces.join(''))

async function* source(end?: Error): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield await Promise.resolve(Buffer.from(piece))
  if (end !== undefined) throw end
}

async function suffer(toxic: Toxic, from = source()): Promise<{bytes: Buffer; sizes: number[]; error: unknown}> {
  const heard: Buffer[] = []
  let error: unknown
  try {
    for await (const piece of toxic(from)) heard.push(piece)
  } catch (reason) {
    error = reason
  }
  return {bytes: Buffer.concat(heard), sizes: heard.map(({length}) => length), error}
}

test.each([1, 2, 3, 5, 8, 1000])('pieces of %i bytes are the same bytes', async (size) => {
  const {bytes, sizes} = await suffer(sliced(size))
  expect(bytes).toEqual(whole)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(size)
})

test('pieces of several sizes take turns, over the ends of what came', async () => {
  const {bytes, sizes} = await suffer(sliced(1, 4))
  expect(bytes).toEqual(whole)
  expect(sizes).toEqual([1, 4, 1, 2, 1, 4, 1, 3])
})

test('late and narrow change no byte and no order', async () => {
  expect((await suffer(delayed(1, 3, seeded(1)))).bytes).toEqual(whole)
  const {bytes, sizes} = await suffer(narrow(2000))
  expect(bytes).toEqual(whole)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100)
})

test.each([0, 1, 7, whole.length - 1, whole.length, whole.length + 1])(
  'cut and reset after %i bytes',
  async (count) => {
    const expected = whole.subarray(0, count)
    const sizes = expect.any(Array)
    expect(await suffer(cutAfter(count))).toStrictEqual({bytes: expected, sizes, error: undefined})
    expect(await suffer(resetAfter(count))).toStrictEqual({bytes: expected, sizes, error: expect.any(Reset)})
  },
)

test('a hang says the first bytes and then nothing, not even an end', async () => {
  const heard = hangAfter(7)(source())[Symbol.asyncIterator]()
  const bytes: Buffer[] = []
  while (Buffer.concat(bytes).length < 7) bytes.push((await heard.next()).value)
  expect(Buffer.concat(bytes)).toEqual(whole.subarray(0, 7))
  expect(await Promise.race([heard.next(), new Promise((resolve) => setImmediate(resolve, 'silent'))])).toBe('silent')
})

test('an end that is told late is told as an end, however the other one was lost', async () => {
  const end = {bytes: whole, sizes: [8, 0, 6, 3], error: undefined}
  expect(await suffer(delayedClose(1))).toStrictEqual(end)
  expect(await suffer(delayedClose(1), source(new Error('lost')))).toStrictEqual(end)
})

test('seeded numbers are the same in each run and differ from one to the next', () => {
  const [one, other] = [seeded(7), seeded(7)]
  const numbers = Array.from({length: 50}, one)
  expect(Array.from({length: 50}, other)).toEqual(numbers)
  expect(new Set(numbers).size).toBe(50)
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
})
