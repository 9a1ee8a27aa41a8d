import {expect, type Page} from '@playwright/test'
import {ask, composer} from './fixtures.ts'
import {lastMessage, moreActions, newChat} from './support/chat-page.ts'
import {long, some} from './support/full-run.ts'
import {test, signIn} from './support/foreign-page.ts'

test.use({locale: 'en-US'})

test(
  'Stop ends the request and keeps the text, without a command the service does not offer',
  long,
  async ({page, backend, host}) => {
    await signIn(page, host.url)
    backend.hold()
    await ask(page, 'Stop me')
    await expect(lastMessage(page)).toContainText('You said: Stop me')
    await page.getByRole('button', {name: 'Stop', exact: true}).click()
    await expect(lastMessage(page)).toContainText('Stopped.')
    await expect(lastMessage(page)).toContainText('You said: Stop me')
    await expect.poll(() => backend.broken).toBe(1)
    backend.release()
    await newChat(page)
    await ask(page, 'Next')
    await expect(lastMessage(page)).toContainText('You said: Next – é✓')
    await moreActions(lastMessage(page)).click()
    await expect(page.getByRole('menuitem', {name: 'Copy as text'})).toBeVisible()
    await expect(page.getByRole('menuitem', {name: 'Details'})).toHaveCount(0)
    await page.keyboard.press('Escape')
    const bodies = backend.of('api', 'POST').map(({body}) => body)
    expect(bodies).not.toContainEqual(expect.objectContaining({action: 'stop'}))
    expect(bodies).not.toContainEqual(expect.objectContaining({action: 'resume'}))
  },
)

/** Makes the page like one on plain http: such browsers have no Web Locks. */
const withoutLocks = () => Object.defineProperty(navigator, 'locks', {value: undefined})

for (const [kind, script] of some([
  ['tabs that share locks', undefined],
  ['tabs on plain http', withoutLocks],
] as const)) {
  test(
    `${kind} hold two streams together: a third question waits its turn, and all are answered`,
    long,
    async ({page, context, backend, host}) => {
      if (script !== undefined) await context.addInitScript(script)
      await signIn(page, host.url)
      const questions = ['One', 'Two', 'Three', 'Four']
      backend.hold()
      const tabs: {tab: Page; question: string}[] = []
      for (const question of questions) {
        const tab = tabs.length === 0 ? page : await context.newPage()
        if (tab !== page) await tab.goto(`${host.url}/chatgpt/conversations`)
        await expect(composer(tab)).toBeEnabled()
        await ask(tab, question)
        await expect(tab.getByRole('button', {name: 'Stop'})).toBeVisible()
        tabs.push({tab, question})
      }
      for (const {tab, question} of tabs.slice(0, 2))
        await expect(lastMessage(tab)).toContainText(`You said: ${question}`)
      expect(backend.streams).toBe(2)
      backend.release()
      for (const {tab, question} of tabs)
        await expect(lastMessage(tab)).toContainText(`You said: ${question} – é✓`, {timeout: 30_000})
      expect([backend.mostStreams, backend.broken]).toEqual([2, 0])
    },
  )
}
