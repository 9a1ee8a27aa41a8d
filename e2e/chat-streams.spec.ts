import type {BrowserContext, Page} from '@playwright/test'
import {answers, ask, composer, expect, test as base} from './fixtures.ts'
import {conversationId, lastMessage, storedAnswer} from './support/chat-page.ts'
import {CountingProxy} from './support/counting-proxy.ts'
import {long} from './support/full-run.ts'
import {blankTab} from './support/signed-in.ts'

/* Tabs share their streams: a browser opens six connections to a host over HTTP/1.1 (decision 26). */

/** Two of their own, the shared one, and a question on its way. */
const mostStreams = 4

type Fixtures = {gateway: CountingProxy; openTab: (path?: string) => Promise<Page>}
const test = base.extend<Fixtures>({
  gateway: async ({installation, watch}, give) => {
    const gateway = await CountingProxy.to(installation.port)
    watch.allow(gateway.url)
    await give(gateway)
    await gateway.dispose()
  },
  openTab: async ({context, gateway, signedIn}, give) => {
    await watchForLostContact(context)
    await (await blankTab(context, gateway.url, signedIn)).close()
    await give(async (path = '') => {
      const page = await context.newPage()
      await page.goto(`${gateway.url}/chatgpt/conversations${path}`)
      await composer(page).waitFor()
      return page
    })
  },
})

/** Every page of the context keeps whether it ever said that contact was lost. */
const watchForLostContact = (context: BrowserContext) =>
  context.addInitScript(() => {
    new MutationObserver(() => {
      if (document.getElementById('root')?.textContent.includes('Connection lost'))
        document.documentElement.dataset.lost = 'said'
    }).observe(document, {childList: true, subtree: true, characterData: true})
  })
const saysLost = (page: Page) => page.evaluate(() => document.documentElement.dataset.lost)

const words = 'first second third fourth fifth'

/** The answer to the question of this tab, once and whole, here and on the server. */
async function expectWhole(page: Page, question: string): Promise<void> {
  await expect(lastMessage(page)).toContainText(`${question} ${words}`)
  await expect(page.getByRole('button', {name: 'Stop'})).toHaveCount(0)
  await expect(answers(page)).toHaveCount(2)
  const {content, state} = await storedAnswer(page, await conversationId(page))
  expect([content, state]).toEqual([`${question} ${words}`, 'finished'])
}

test.beforeEach(({modelServer}) => {
  modelServer.reset()
  modelServer.answer((prompt) => `${prompt} ${words}`)
})

test(
  'eight tabs answer at once: all load and finish, and a ninth is not kept waiting',
  long,
  async ({openTab, gateway, modelServer}) => {
    test.setTimeout(180_000)
    modelServer.hold(2)
    const tabs: {page: Page; question: string}[] = []
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const page = await openTab()
      const question = `Question-${number}`
      await ask(page, question)
      await expect(page.getByRole('button', {name: 'Stop'})).toBeVisible()
      await conversationId(page)
      tabs.push({page, question})
    }
    await expect.poll(() => gateway.streams).toBe(3)
    expect(gateway.shared).toBe(1)
    const ninth = await openTab()
    const me = ninth.waitForResponse((response) => response.url().endsWith('/users/me'), {
      // held streams would keep it waiting until they are released below
      timeout: 60_000,
    })
    await ninth.reload()
    expect((await me).status()).toBe(200)
    await expect(composer(ninth)).toBeEnabled()

    modelServer.release()
    for (const {page, question} of tabs) await expectWhole(page, question)
    expect(gateway.most).toBeLessThanOrEqual(mostStreams)
    for (const {page} of tabs) expect(await saysLost(page)).toBeUndefined()
    await expect.poll(() => gateway.streams).toBe(0)
  },
)

test(
  'the tab that holds the shared stream is closed in mid-answer: another one takes over, no word is lost or doubled',
  long,
  async ({openTab, gateway, modelServer}) => {
    modelServer.hold(2, 3)
    const tabs: Page[] = []
    for (const question of ['Pear', 'Plum', 'Fig', 'Kiwi']) {
      const page = await openTab()
      await ask(page, question)
      await expect(lastMessage(page)).toContainText(`${question} first`)
      tabs.push(page)
    }
    const [, , leader, follower] = tabs
    if (leader === undefined || follower === undefined) throw new Error('Four tabs were opened.')
    await expect.poll(() => [gateway.streams, gateway.shared]).toEqual([3, 1])
    await leader.close()
    modelServer.proceed()
    await expect(lastMessage(follower)).toContainText('Kiwi first second')
    await expect.poll(() => gateway.shared).toBe(1)
    modelServer.release()
    await expectWhole(follower, 'Kiwi')
    expect(await saysLost(follower)).toBeUndefined()
  },
)

test('a second tab follows the answer word by word, and never says that it lost contact', async ({
  openTab,
  gateway,
  modelServer,
}) => {
  modelServer.hold(2, 3)
  const first = await openTab()
  await ask(first, 'Apple')
  await expect(lastMessage(first)).toContainText('Apple first')
  const second = await openTab(`/${await conversationId(first)}`)
  await expect(lastMessage(second)).toContainText('Apple first')
  await expect.poll(() => [gateway.streams, gateway.shared]).toEqual([2, 1])
  modelServer.proceed()
  await expect(lastMessage(second)).toContainText('Apple first second')
  modelServer.release()
  await expectWhole(second, 'Apple')
  await expectWhole(first, 'Apple')
  for (const page of [first, second]) expect(await saysLost(page)).toBeUndefined()
})
