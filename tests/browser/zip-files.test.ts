import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {firstValueFrom, toArray} from 'rxjs'
import {distinctNames, packFiles} from '#browser/zip-files.ts'
import {eventually} from '../eventually.ts'

/** The files that the page was asked to download, by name. */
const downloads = new Map<string, Blob>()
let blobs: Blob[] = []
beforeEach(() => {
  downloads.clear()
  blobs = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    // as: the page downloads blobs alone
    blobs.push(blob as Blob)
    return `blob:${blobs.length - 1}`
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const blob = blobs[Number(this.href.replace('blob:', ''))]
    if (blob) downloads.set(this.download, blob)
  })
})
afterEach(() => void vi.restoreAllMocks())

const files = ['a', 'b', 'c'].map((name) => ({url: `https://cdn.example/${name}`, name: 'foo.png'}))
/** Answers with the last letter of the address; `b` is not there. */
const fetchLetter: typeof fetch = async (address) => {
  const url = address instanceof Request ? address.url : address.toString()
  return url.endsWith('b') ? new Response('', {status: 404}) : new Response(`content ${url.at(-1)}`)
}
const packing = {archive: 'foo.zip', log: () => undefined}

test('names differ, whatever a disk makes of their case', () => {
  expect(distinctNames(['a.png', 'A.png', 'a.png', 'a-2.png', 'b', 'b', '.c', '.c'])).toEqual([
    'a.png',
    'A-2.png',
    'a-3.png',
    'a-2-2.png',
    'b',
    'b-2',
    '.c',
    '.c-2',
  ])
})

test('what can be loaded is put together, what cannot is told of', async () => {
  const facts = await firstValueFrom(packFiles(files, {...packing, fetch: fetchLetter}).pipe(toArray()))
  expect(facts).toEqual([{type: 'file.packed'}, {type: 'file.failed', name: 'foo-2.png'}, {type: 'file.packed'}])
  const [[name, blob] = []] = [...downloads]
  const text = new TextDecoder('latin1').decode(await blob?.arrayBuffer())
  expect([downloads.size, name, text.startsWith('PK'), text.includes('content a'), text.includes('content c')]).toEqual(
    [1, 'foo.zip', true, true, true],
  )
  expect([text.includes('foo.png'), text.includes('foo-2.png'), text.includes('foo-3.png')]).toEqual([
    true,
    false,
    true,
  ])
})

test('nothing is saved where nothing could be loaded', async () => {
  const none = files.filter(({url}) => url.endsWith('b'))
  await expect(firstValueFrom(packFiles(none, {...packing, fetch: fetchLetter}).pipe(toArray()))).rejects.toThrow()
  expect(downloads.size).toBe(0)
})

test('a user who leaves ends the load, and nothing is saved or told', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  const heard: unknown[] = []
  const waiting: typeof fetch = (_, init) => {
    signals.push(init?.signal)
    return new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('left'))))
  }
  const subscription = packFiles(files, {...packing, fetch: waiting}).subscribe({
    next: (fact) => heard.push(fact),
    error: (error) => heard.push(error),
  })
  await eventually(() => {
    if (signals.length === 0) throw new Error('It has not begun')
  })
  subscription.unsubscribe()
  await new Promise<void>((resolve) => setImmediate(resolve))
  expect([signals.map((signal) => signal?.aborted), heard]).toEqual([[true], []])
  expect(downloads.size).toBe(0)
})
