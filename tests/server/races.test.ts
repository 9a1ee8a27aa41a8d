import {expect, test, vi} from 'vitest'
import {untilAborted} from '#server/work/races.ts'

/** Events under the test's hand, and whether their source was left. */
function createSource() {
  const asked: {resolve: (result: IteratorResult<string>) => void; reject: (error: unknown) => void}[] = []
  const source = {asked, isLeft: false}
  const events: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise((resolve, reject) => void asked.push({resolve, reject})),
      return: () => {
        source.isLeft = true
        return Promise.reject(new Error('a source that fails when it is left'))
      },
    }),
  }
  return Object.assign(source, {events, say: (value: string) => asked.at(-1)?.resolve({done: false, value})})
}

const reason = new Error('stop')

test('hands on what comes, then ends, and leaves its source', async () => {
  const source = createSource()
  const heard: string[] = []
  const all = (async () => {
    for await (const event of untilAborted(source.events, new AbortController().signal)) heard.push(event)
  })()
  for (const [index, text] of ['a', 'b'].entries()) {
    source.say(text)
    await vi.waitUntil(() => source.asked.length === index + 2)
  }
  source.asked.at(-1)?.resolve({done: true, value: undefined})
  await all
  expect(heard).toEqual(['a', 'b'])
  expect(source.isLeft).toBe(true)
})

test.each(['while it waits', 'between two events'])('an abort %s throws its reason at once', async (when) => {
  const source = createSource()
  const controller = new AbortController()
  const events = untilAborted(source.events, controller.signal)[Symbol.asyncIterator]()
  const first = events.next()
  source.say('a')
  expect(await first).toEqual({done: false, value: 'a'})
  const waiting = when === 'while it waits' ? events.next() : undefined
  controller.abort(reason)
  await expect(waiting ?? events.next()).rejects.toBe(reason)
  expect(source.isLeft).toBe(true)
  // what the source says later is of no interest
  source.asked.at(-1)?.reject(new Error('late'))
})

test('a reader that stops leaves the source, and an error of the source is its own', async () => {
  const source = createSource()
  const reading = (async () => {
    for await (const event of untilAborted(source.events, new AbortController().signal)) if (event === 'a') break
  })()
  source.say('a')
  await reading
  expect(source.isLeft).toBe(true)

  const failing = createSource()
  const next = untilAborted(failing.events, new AbortController().signal)[Symbol.asyncIterator]().next()
  failing.asked[0]?.reject(reason)
  await expect(next).rejects.toBe(reason)
})
