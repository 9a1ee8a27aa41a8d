import {afterEach, expect, test, vi} from 'vitest'
import {answerPage} from '../../src/service-worker/answer-page.ts'

const page = (status: number) => new Response('foo', {status})
const keptPage = new Response('kept')
const ownPage = new Response('own')
const none = async () => undefined

/** The ports of the kept pages, with the answers that came overdue. */
function kept(
  pages: {keptPage?: () => Promise<Response | undefined>; ownPage?: () => Promise<Response | undefined>} = {},
) {
  const overdue: Promise<Response>[] = []
  return {
    overdue,
    keptPage: async () => keptPage,
    ownPage: async () => ownPage,
    onOverdue: (answer: Promise<Response>) => void overdue.push(answer),
    ...pages,
  }
}

/** A network whose answer the test gives. */
function openNetwork() {
  let give: (answer: Response) => void = () => undefined
  const answer = new Promise<Response>((resolve) => {
    give = resolve
  })
  return {answer, give}
}

afterEach(() => {
  vi.useRealTimers()
})

test.each([502, 503, 504])('a proxy that answers %d has no server: the kept page is shown', async (status) => {
  expect(await answerPage(async () => page(status), kept())).toBe(keptPage)
})

test.each([200, 404, 429, 500])('a server that answers %d is shown as it is', async (status) => {
  const answered = page(status)
  const pages = kept({keptPage: vi.fn(none), ownPage: vi.fn(none)})
  expect(await answerPage(async () => answered, pages)).toBe(answered)
  expect(pages.keptPage).not.toHaveBeenCalled()
  expect(pages.ownPage).not.toHaveBeenCalled()
})

test('without a network the kept page is shown; where none is kept, what the network said', async () => {
  const lost = new TypeError('Failed to fetch')
  expect(await answerPage(() => Promise.reject(lost), kept())).toBe(keptPage)
  await expect(answerPage(() => Promise.reject(lost), kept({keptPage: none}))).rejects.toBe(lost)
  const away = page(503)
  expect(await answerPage(async () => away, kept({keptPage: none}))).toBe(away)
})

test('a network that leads nowhere gives way to the page of this build after three seconds; its answer is for the next time', async () => {
  vi.useFakeTimers()
  const network = openNetwork()
  const pages = kept()
  const settled = vi.fn()
  const answer = answerPage(() => network.answer, pages)
  void answer.then(settled)
  await vi.advanceTimersByTimeAsync(2_900)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(200)
  expect(await answer).toBe(ownPage)
  expect(pages.overdue).toEqual([network.answer])
})

test('where no page of this build is kept, or it cannot be read, an overdue network is waited for: no older build is shown', async () => {
  vi.useFakeTimers()
  for (const unkept of [none, () => Promise.reject(new Error('The storage is broken'))]) {
    const network = openNetwork()
    const pages = kept({ownPage: unkept})
    const answer = answerPage(() => network.answer, pages)
    await vi.advanceTimersByTimeAsync(60_000)
    const answered = page(200)
    network.give(answered)
    expect(await answer).toBe(answered)
    expect(pages.overdue).toEqual([])
  }
})

test('where what is kept cannot be read, the network has the last word', async () => {
  const pages = kept({keptPage: () => Promise.reject(new Error('no disk')), ownPage: none})
  const away = page(503)
  expect(await answerPage(async () => away, pages)).toBe(away)
  const lost = new TypeError('Failed to fetch')
  await expect(answerPage(() => Promise.reject(lost), pages)).rejects.toBe(lost)
})
