import {ask, composer, expect, test} from './fixtures.ts'
import {entryOf, keptBuild} from './support/builds.ts'
import {answers, ended} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {expectGoodLooks, fewLooks, reopenIn} from './support/page-looks.ts'
import {wordsOf} from './support/words-of.ts'

/* The app with its service worker: it can be installed, and looks well without a network. */

test.use({serviceWorkers: 'allow'})

test('the page can be installed: its manifest has the name of the site and icons that are there', async ({
  chat,
  context,
}) => {
  const link = chat.locator('link[rel="manifest"]')
  await expect(link).toHaveAttribute('href', '/manifest.webmanifest')
  const session = await context.newCDPSession(chat)
  await expect.poll(async () => (await session.send('Page.getAppManifest')).errors).toEqual([])
  const {installabilityErrors} = await session.send('Page.getInstallabilityErrors')
  // a test's browser is always in private mode
  expect(installabilityErrors.map(({errorId}) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
})

for (const look of fewLooks) {
  const {theme, locale, width} = look
  test(
    `without a network the page looks well, in the language it was read in (${theme}, ${locale}, ${width})`,
    long,
    async ({chat, context, modelServer}) => {
      modelServer.answer('The harbour opens at **six**.')
      await ask(chat, 'When does the harbour open?')
      await ended(chat)
      await reopenIn(chat, look)
      await keptBuild(chat, await entryOf(chat))
      await context.setOffline(true)
      await expectGoodLooks(chat, async () => {
        await expect(answers(chat).last()).toContainText('The harbour opens at six.')
        await expect(composer(chat)).toBeEnabled()
        // a page that loads with the switch off is not told of it by this browser, as it would be by a real one
        await context.setOffline(false)
        await context.setOffline(true)
        await expect(chat.getByText((await wordsOf(chat))('index.offline'), {exact: true})).toBeVisible()
      }, [look])
      await context.setOffline(false)
    },
  )
}
