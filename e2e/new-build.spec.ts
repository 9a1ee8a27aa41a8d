import {chromium, type Page} from '@playwright/test'
import {acceptTerms, composer, expect, test} from './fixtures.ts'
import {copyOfBuild, entryOf, renewBuild} from './support/builds.ts'
import {long} from './support/full-run.ts'
import {Installation} from './support/installation.ts'
import {newUser} from './support/users.ts'

/* A page on plain http has no service worker. It is open while its server gets another build. */

const notice = (page: Page) => page.getByRole('status').filter({hasText: 'A new version is available.'})

test(
  'an open page without a service worker learns of a new build, goes on with its own, and loads again with its draft',
  long,
  async ({launchOptions}) => {
    const build = copyOfBuild()
    const installation = await Installation.start(
      (port) => ({PUBLIC_ORIGINS: `http://atrium.lan:${port}`, REGISTRATION: 'open'}),
      build.folder,
    )
    const browser = await chromium.launch({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--host-resolver-rules=MAP atrium.lan 127.0.0.1'],
    })
    try {
      const page = await browser.newPage()
      await page.clock.install()
      await page.goto(/http\S+setup=\S+/.exec(installation.log)?.[0] ?? '')
      const user = newUser()
      await page.getByLabel('Email').fill(user.email)
      await page.getByLabel('Password', {exact: true}).fill(user.password)
      await page.getByRole('button', {name: 'Create account'}).click()
      await acceptTerms(page)
      await composer(page).fill('half a thought')
      expect(await page.evaluate(() => isSecureContext)).toBe(false)
      const before = await entryOf(page)
      // what follows the start has come
      await page.waitForFunction(() => document.querySelector('link[rel="manifest"]') !== null)

      renewBuild(build.folder)
      await installation.restart()
      // a part that was never opened, from a server of another build
      await page.getByRole('link', {name: 'Image', exact: true}).click()
      await expect(page.getByRole('button', {name: /^Generate/})).toBeVisible()
      await expect(notice(page)).toHaveCount(0)
      await page.clock.fastForward('16:00')
      await page.getByRole('link', {name: 'Chat', exact: true}).click()
      await expect(notice(page)).toBeVisible()
      await expect(composer(page)).toHaveValue('half a thought')
      expect(await entryOf(page)).toBe(before)

      // and one that no server has any more
      await page.route(/\/assets\/(?!app)/, (route) => route.fulfill({status: 404}))
      await page.getByRole('link', {name: 'Console', exact: true}).click()
      // files that did not come are asked for again for half a minute (decision 123)
      await expect(async () => {
        await page.clock.fastForward(10_000)
        await expect(page.getByRole('alert').filter({hasText: 'This part stopped working.'})).toBeVisible({
          timeout: 500,
        })
      }).toPass()
      await page.unrouteAll({behavior: 'wait'})
      await page.getByRole('link', {name: 'Chat', exact: true}).click()

      await notice(page).getByRole('button', {name: 'Reload'}).click()
      await expect.poll(() => entryOf(page)).toMatch(/~\.js$/)
      await expect(composer(page)).toHaveValue('half a thought')
      await expect(notice(page)).toHaveCount(0)
    } finally {
      await browser.close()
      await installation.dispose()
      build.remove()
    }
  },
)
