import {chromium, type Browser} from '@playwright/test'
import {acceptTerms, enter, expect, newUser, signIn, test} from './fixtures.ts'
import {long} from './support/full-run.ts'
import {Installation} from './support/installation.ts'
import {save, titleOf} from './support/site-page.ts'

/* Two addresses of one server, each with a site of its own. */

const user = newUser()
let shared: Installation
let browser: Browser
const siteOf = (name: string) => `http://${name}.lan:${shared.port}/site`

test.beforeAll(async ({launchOptions}) => {
  shared = await Installation.start((port) => ({
    PUBLIC_ORIGINS: `http://one.lan:${port},http://two.lan:${port}`,
  }))
  browser = await chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), '--host-resolver-rules=MAP *.lan 127.0.0.1'],
  })
})
test.afterAll(async () => {
  await browser.close()
  await shared.dispose()
})

test('their sites know nothing of each other', long, async () => {
  const [one, two] = [await browser.newPage(), await browser.newPage()]
  await one.goto(/http\S+setup=\S+/.exec(shared.log)?.[0] ?? '')
  await enter(one, user, 'Create account')
  await acceptTerms(one)
  await one.goto(siteOf('one'))
  await titleOf(one).fill('Studio One')
  await save(one)

  // the sign-in leads back to where it began
  await signIn(two, siteOf('two'), user)
  await expect(titleOf(two)).not.toHaveValue('Studio One')
  await titleOf(two).fill('Studio Two')
  await two.getByRole('switch', {name: 'Kling'}).click()
  await save(two)

  await one.reload()
  await expect(titleOf(one)).toHaveValue('Studio One')
  await expect(one.getByRole('switch', {name: 'Kling'})).toBeChecked()
  await expect(two).toHaveTitle(/Studio Two/)
})
