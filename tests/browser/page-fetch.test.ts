import {expect, test, vi} from 'vitest'
import {createPageFetch} from '#app/page-fetch.ts'

const headers = {accept: 'text/event-stream'}
const reader = async (url: string) => new Response(url)

test('a stream that is stopped while its reader is loaded ends at once; the reader is there for the next', async () => {
  let arrive = (_loaded: typeof reader) => {}
  const load = vi.fn(() => new Promise<typeof reader>((resolve) => (arrive = resolve)))
  const send = createPageFetch(load)
  const stop = new AbortController()
  const stopped = send('/foo', {headers, signal: stop.signal})
  stop.abort(new Error('bar'))
  await expect(stopped).rejects.toThrow('bar')
  await expect(send('/foo', {headers, signal: AbortSignal.abort(new Error('baz'))})).rejects.toThrow('baz')
  const next = send('/qux', {headers, signal: new AbortController().signal})
  arrive(reader)
  expect(await (await next).text()).toBe('/qux')
  expect(load).toHaveBeenCalledTimes(1)
})

test('a reader that could not be had is loaded again with the next stream', async () => {
  const load = vi.fn(async () => reader)
  load.mockRejectedValueOnce(new Error('bar'))
  const send = createPageFetch(load)
  await expect(send('/foo', {headers, signal: new AbortController().signal})).rejects.toThrow('bar')
  expect(await (await send('/foo', {headers})).text()).toBe('/foo')
})
