import {expect, test, vi} from 'vitest'
import {answerPage} from '../../src/service-worker/answer-page.ts'

const page = (status: number) => new Response('foo', {status})
const keptPage = new Response('kept')
const kept = async () => keptPage

test.each([502, 503, 504])('a proxy that answers %d has no server: the kept page is shown', async (status) => {
  expect(await answerPage(async () => page(status), kept)).toBe(keptPage)
})

test.each([200, 404, 429, 500])('a server that answers %d is shown as it is', async (status) => {
  const answered = page(status)
  const keep = vi.fn(kept)
  expect(await answerPage(async () => answered, keep)).toBe(answered)
  expect(keep).not.toHaveBeenCalled()
})

test('without a network the kept page is shown; where none is kept, what the network said', async () => {
  const lost = new TypeError('Failed to fetch')
  expect(await answerPage(() => Promise.reject(lost), kept)).toBe(keptPage)
  await expect(
    answerPage(
      () => Promise.reject(lost),
      async () => undefined,
    ),
  ).rejects.toBe(lost)
  const away = page(503)
  expect(
    await answerPage(
      async () => away,
      async () => undefined,
    ),
  ).toBe(away)
})
