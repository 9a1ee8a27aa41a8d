import {createServer, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {fetchBlob} from '#api/fetch-blob.ts'

let server: Server
let answer: (response: ServerResponse) => void
beforeEach(async () => {
  server = createServer((_, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']})
})
afterEach(async () => {
  vi.useRealTimers()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

// as: it listens on a port
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

test('a file that sends nothing for a minute rejects', async () => {
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  answer = (response) => {
    response.writeHead(200, {'content-type': 'image/png'})
    response.write(new Uint8Array(100_000))
  }
  const file = fetchBlob(address(), stop, new AbortController().signal)
  const outcome = expect(file).rejects.toThrow('The download stands still.')
  await stopped
  vi.advanceTimersByTime(59_999)
  vi.advanceTimersByTime(1)
  await outcome
})

test('a long file is reported while it comes, and is whole', async () => {
  const reports: number[] = []
  answer = (response) => {
    response.writeHead(200, {'content-type': 'image/png'})
    for (let count = 0; count < 5; count += 1) response.write(new Uint8Array(100_000))
    response.end()
  }
  const blob = await fetchBlob(address(), () => reports.push(1), new AbortController().signal)
  expect([blob.size, blob.type, reports.length > 1]).toEqual([500_000, 'image/png', true])
})

test('a refusal, and an export that ends, reject', async () => {
  answer = (response) => {
    response.writeHead(404)
    response.end()
  }
  await expect(fetchBlob(address(), () => {}, new AbortController().signal)).rejects.toThrow('404')
  answer = () => undefined
  const leaving = new AbortController()
  const file = fetchBlob(address(), () => {}, leaving.signal)
  leaving.abort(new Error('foo'))
  await expect(file).rejects.toThrow('foo')
})
