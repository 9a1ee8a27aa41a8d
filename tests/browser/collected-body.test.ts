import {expect, test} from 'vitest'
import {collected} from '#browser/streams/collected-body.ts'
import {createBody} from '../api/fake-fetch.ts'

const decoder = new TextDecoder()
const task = () => new Promise((resolve) => setTimeout(resolve))

const open = (rest?: () => Promise<void>) => {
  const source = createBody()
  if (source.response.body === null) throw new Error('The body is missing')
  const bytes = collected(source.response.body, rest).getReader()
  return {...source, bytes, read: async () => decoder.decode((await bytes.read()).value)}
}

test('a read takes all that has arrived', async () => {
  const {write, close, read, bytes} = open()
  write('a')
  write('b')
  await task()
  expect(await read()).toBe('ab')
  write('c')
  await task()
  write('d')
  await task()
  expect(await read()).toBe('cd')
  close()
  expect(await bytes.read()).toEqual({done: true, value: undefined})
})

test('a read that waits takes the first that arrives', async () => {
  const {write, read} = open()
  const waiting = read()
  await task()
  write('a')
  expect(await waiting).toBe('a')
})

test('after a read it rests, and takes then what came meanwhile', async () => {
  const ends: (() => void)[] = []
  const {write, read} = open(() => new Promise<void>((resolve) => ends.push(resolve)))
  write('a')
  expect(await read()).toBe('a')
  let isRead = false
  const second = read().finally(() => (isRead = true))
  write('b')
  await task()
  write('c')
  await task()
  expect(isRead).toBe(false)
  ends[0]?.()
  expect(await second).toBe('bc')
  expect(ends).toHaveLength(2)
})

test('bytes before a failure are read before it', async () => {
  const {write, break: fail, read} = open()
  write('a')
  await task()
  fail(new TypeError('The network is gone'))
  await task()
  expect(await read()).toBe('a')
  await expect(read()).rejects.toThrow('The network is gone')
})

test('a reader that leaves ends the body', async () => {
  const {bytes, cancelled} = open()
  await bytes.cancel('left')
  expect(cancelled).toHaveBeenCalledWith('left')
})

test('a flood waits in the network while nobody takes it', async () => {
  const chunk = new Uint8Array(64 * 1024)
  let left = 12
  const flood = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (left === 0) return controller.close()
        left -= 1
        controller.enqueue(chunk)
      },
    },
    {highWaterMark: 0},
  )
  const bytes = collected(flood).getReader()
  await task()
  expect(left).toBe(8)
  const sizes: number[] = []
  for (let read = await bytes.read(); !read.done; read = await bytes.read()) {
    sizes.push(read.value.length / chunk.length)
    await task()
  }
  expect(sizes).toEqual([4, 4, 4])
})
