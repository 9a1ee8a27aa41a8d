import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {long} from './support/full-run.ts'
import {inDatabase} from './support/in-database.ts'
import {Installation} from './support/installation.ts'
import {expectGoodLooks} from './support/page-looks.ts'
import {pixel} from './support/pixel.ts'
import {blankTab} from './support/signed-in.ts'
import {save, titleOf} from './support/site-page.ts'
import {createUser, type SignedIn} from './support/users.ts'

/*
 * The settings of a site (contract/screens §7, design/screens §11). The first user of an installation is its operator.
 */

let installation: Installation
let operator: SignedIn

test.beforeAll(async () => {
  installation = await Installation.start()
  operator = await createUser(installation.url)
})
test.afterAll(() => installation.dispose())

/** The settings of the site, opened by the operator. */
async function openSettings(page: Page): Promise<Page> {
  const tab = await blankTab(page.context(), installation.url, operator)
  await tab.goto(`${installation.url}/site`)
  await titleOf(tab).waitFor()
  return tab
}

const accentHue = (page: Page) =>
  page.locator('html').evaluate((root) => getComputedStyle(root).getPropertyValue('--accent-h'))
const descriptionOf = (page: Page) => page.locator('meta[name="description"]')

test.beforeEach(({watch}) => {
  watch.allow(installation.url)
})

test('a saved site is seen at once in every tab, and a save can be undone', async ({page}) => {
  const settings = await openSettings(page)
  const chat = await page.context().newPage()
  await chat.goto(`${installation.url}/chatgpt/conversations`)
  const music = chat.getByRole('navigation').getByRole('link', {name: 'Music'}).first()
  await expect(music).toBeVisible()
  const title = await titleOf(settings).inputValue()
  const hue = await accentHue(chat)

  await titleOf(settings).fill('Studio <b>Nord</b>')
  await settings.getByLabel('Description').fill('Images & "more"')
  await settings.getByLabel('Brand colour').fill('#0a7d3c')
  await settings.getByRole('switch', {name: 'Suno'}).click()
  await save(settings)
  for (const tab of [settings, chat]) {
    await expect(tab).toHaveTitle(/Studio <b>Nord<\/b>/)
    await expect(descriptionOf(tab)).toHaveAttribute('content', 'Images & "more"')
    await expect.poll(() => accentHue(tab)).toMatch(/^15\d/)
  }
  await expect(music).toBeHidden()

  await settings.getByRole('button', {name: 'Undo'}).click()
  await expect(titleOf(settings)).toHaveValue(title)
  await expect(chat).not.toHaveTitle(/Studio/)
  await expect(music).toBeVisible()
  await expect.poll(() => accentHue(chat)).toBe(hue)
  await settings.reload()
  await expect(titleOf(settings)).toHaveValue(title)
})

test(
  'what is cleared is gone in another browser too, which had stored it, and a site without a title has our name',
  long,
  async ({page, browser}) => {
    const settings = await openSettings(page)
    const hue = await accentHue(settings)
    await titleOf(settings).fill('Studio Nord')
    await settings.getByLabel('Description').fill('Images')
    await settings.getByLabel('Brand colour').fill('#0a7d3c')
    await save(settings)
    const device = await browser.newContext({locale: 'en-US'})
    const visitor = await blankTab(device, installation.url, operator)
    await visitor.goto(`${installation.url}/profile`)
    await expect(visitor).toHaveTitle('Profile · Studio Nord')
    await expect.poll(() => accentHue(visitor)).toMatch(/^15\d/)

    await titleOf(settings).fill('')
    await settings.getByLabel('Description').fill('')
    await settings.getByRole('button', {name: 'Use the default'}).click()
    await save(settings)
    await visitor.reload()
    for (const tab of [settings, visitor]) {
      await expect(tab).toHaveTitle(/ · Atrium$/)
      await expect(tab.getByRole('link', {name: 'Atrium, start page'})).toBeVisible()
      await expect.poll(() => accentHue(tab)).toBe(hue)
      await expect(descriptionOf(tab)).toHaveCount(0)
    }
    await device.close()
  },
)

const iconOf = (page: Page) => page.locator('head link[rel="icon"]')

test('a new icon is seen in another tab, and one that could run code is left out', long, async ({page}) => {
  const settings = await openSettings(page)
  const chat = await page.context().newPage()
  await chat.goto(`${installation.url}/chatgpt/conversations`)
  await composer(chat).waitFor()
  const own = (await iconOf(chat).getAttribute('href')) ?? ''
  await settings
    .getByRole('group', {name: 'Icon'})
    .locator('input')
    .setInputFiles({name: 'star.png', mimeType: 'image/png', buffer: pixel})
  await save(settings)
  for (const tab of [settings, chat]) {
    await expect(iconOf(tab)).toHaveAttribute('href', /\/files\/[^/]+\/star\.png$/)
    await expect(iconOf(tab)).not.toHaveAttribute('type', 'image/svg+xml')
  }
  const response = await chat.request.get((await iconOf(chat).getAttribute('href')) ?? '')
  expect([response.status(), response.headers()['content-type']]).toEqual([200, 'image/png'])

  // no server of ours takes these; another back end may send them
  for (const hostile of ['javascript:alert(1)', 'data:image/svg+xml,<svg onload="alert(1)"/>', 'blob:null/foo']) {
    await inDatabase(installation, (client) => client.query('update sites set favicon = $1', [hostile]))
    await chat.reload()
    await composer(chat).waitFor()
    await expect(iconOf(chat)).toHaveAttribute('href', own)
    await expect(chat.locator(`[src^="${hostile.slice(0, 5)}"]`)).toHaveCount(0)
  }
  await inDatabase(installation, (client) => client.query('update sites set favicon = null'))
})

const setAdmin = ({state}: SignedIn) =>
  inDatabase(installation, (client) => client.query('update sites set admins = $1', [[JSON.parse(state).user.id]]))

test.describe('a site that others administer', () => {
  test.afterEach(() => setAdmin(operator))

  test('an operator edits it', long, async ({page}) => {
    await setAdmin(await createUser(installation.url))
    const settings = await openSettings(page)
    const title = await titleOf(settings).inputValue()
    await titleOf(settings).fill('By the operator')
    await save(settings)
    await settings.reload()
    await expect(titleOf(settings)).toHaveValue('By the operator')
    await expect(settings.getByRole('button', {name: /^Remove /})).toHaveCount(1)
    await titleOf(settings).fill(title)
    await save(settings)
    await settings.goto(`${installation.url}/profile`)
    await expect(settings.getByRole('main').getByRole('link', {name: 'Site', exact: true})).toBeVisible()
  })
})

test(
  'what another tab saved and what was typed here are saved together; a refused save says why',
  long,
  async ({page}) => {
    const settings = await openSettings(page)
    const other = await openSettings(page)
    const [title, description] = [await titleOf(settings).inputValue(), settings.getByLabel('Description')]
    await description.fill('From the one tab')
    await titleOf(other).fill('From the other tab')
    await save(other)
    await settings.getByRole('button', {name: 'Save', exact: true}).click()
    const said = settings.getByRole('alert')
    await expect(said).toHaveText(/^This site was changed meanwhile/)
    await expect(titleOf(settings)).toHaveValue('From the other tab')
    await expect(description).toHaveValue('From the one tab')
    await save(settings)

    await settings.getByLabel('Default inviter').fill('nobody')
    await titleOf(settings).fill(title)
    await settings.getByRole('button', {name: 'Save', exact: true}).click()
    await expect(said).toHaveText(
      "The changes couldn't be saved. They are still here. An inviter is named by the id of an account.",
    )
    await settings.getByLabel('Default inviter').fill('')
    await save(settings)
  },
)

test('what is no web address is refused at the field, and markup is text', long, async ({page}) => {
  const settings = await openSettings(page)
  const discord = settings.getByRole('textbox', {name: 'Discord link'})
  await discord.fill('javascript:alert(1)')
  await expect(settings.getByText('This is not a web address. One begins with https://.')).toBeVisible()
  await expect(settings.getByRole('button', {name: 'Save', exact: true})).toBeDisabled()
  await discord.fill('https://discord.example/atrium')
  const before = await titleOf(settings).inputValue()
  await titleOf(settings).fill('</title><script>alert(1)</script>')
  await settings.getByLabel('Keywords').fill('"><img src=x onerror=alert(1)>')
  await settings.getByLabel('Keywords').press('Enter')
  await save(settings)
  await settings.goto(`${installation.url}/profile`)
  await expect(settings).toHaveTitle(/<\/title><script>alert\(1\)<\/script>/)
  await expect(settings.locator('meta[name="keywords"]')).toHaveAttribute('content', /onerror=alert/)
  await expect(settings.locator('a[href="https://discord.example/atrium"]')).toBeVisible()
  await settings.goto(`${installation.url}/site`)
  await titleOf(settings).fill(before)
  await settings.getByRole('button', {name: /^Remove "><img/}).click()
  await save(settings)
})

test('a channel of the support is turned off and on without its link being typed again', long, async ({page}) => {
  const settings = await openSettings(page)
  await settings.getByRole('textbox', {name: 'Discord link'}).fill('https://discord.example/atrium')
  const shown = settings.getByRole('switch', {name: 'Show the Discord link'})
  await expect(shown).toBeChecked()
  await shown.click()
  await save(settings)
  const profile = await page.context().newPage()
  await profile.goto(`${installation.url}/profile`)
  await expect(profile.getByRole('link', {name: 'Site', exact: true})).toBeVisible()
  const link = profile.getByRole('link', {name: 'Support on Discord'})
  await expect(link).toHaveCount(0)
  await settings.reload()
  await expect(settings.getByRole('textbox', {name: 'Discord link'})).toHaveValue('https://discord.example/atrium')
  await shown.click()
  await save(settings)
  await expect(link).toBeVisible()
  await profile.close()
  await settings.getByRole('textbox', {name: 'Discord link'}).fill('')
  await save(settings)
})

test('changes of the site are asked for before they are lost', long, async ({page}) => {
  const settings = await openSettings(page)
  const title = await titleOf(settings).inputValue()
  await titleOf(settings).fill('Another title')
  const asked: string[] = []
  settings.once('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  await settings.close({runBeforeUnload: true})
  await expect.poll(() => asked).toEqual(['beforeunload'])
  settings.once('dialog', (dialog) => void dialog.accept())
  await settings.reload()
  await expect(titleOf(settings)).toHaveValue('Another title')
  const question = settings.getByRole('dialog', {name: 'Leave without saving?'})
  await settings.getByRole('button', {name: 'Account', exact: true}).click()
  await settings.getByRole('menuitem', {name: 'Log out'}).click()
  await question.getByRole('button', {name: 'Stay'}).click()
  await expect(titleOf(settings)).toHaveValue('Another title')
  const kept = () => settings.evaluate(() => sessionStorage.getItem('atrium.site'))
  expect(await kept()).toContain('Another title')
  await settings.getByRole('link', {name: 'Console'}).first().click()
  await question.getByRole('button', {name: 'Leave'}).click()
  await expect(settings).toHaveURL(/\/console/)
  expect(await kept()).toBeNull()
  await settings.goto(`${installation.url}/site`)
  await expect(titleOf(settings)).toHaveValue(title)
  // who the admins are is not kept for the next user of the browser
  expect(await settings.evaluate(() => localStorage.getItem('vuex') ?? '')).not.toMatch(/admins|editable/)
})

test('menu and palette offer the page of the site to those who may change it', long, async ({page}) => {
  const member = await createUser(installation.url)
  for (const [user, offers] of [
    [operator, 1],
    [member, 0],
  ] as const) {
    const tab = await blankTab(page.context(), installation.url, user)
    await tab.goto(`${installation.url}/profile`)
    await expect(tab.getByText(user.user.email).first()).toBeVisible()
    await tab.getByRole('button', {name: 'Account', exact: true}).click()
    await expect(tab.getByRole('menuitem', {name: 'Console'})).toBeVisible()
    await expect(tab.getByRole('menuitem', {name: 'Site'})).toHaveCount(offers)
    await tab.keyboard.press('Escape')
    await expect(tab.getByRole('menuitem')).toHaveCount(0)
    await tab.keyboard.press('ControlOrMeta+k')
    const palette = tab.getByRole('dialog')
    await palette.getByRole('combobox').fill('orders')
    await expect(palette.getByRole('option').first()).toContainText('Orders')
    await palette.getByRole('combobox').fill('site')
    await expect(palette.getByRole('option', {name: /^Site/})).toHaveCount(offers)
    await tab.close()
  }
})

test('everybody else reads, and changes nothing', long, async ({page}) => {
  const member = await createUser(installation.url)
  const tab = await blankTab(page.context(), installation.url, member)
  await tab.goto(`${installation.url}/site`)
  await expect(tab.getByText('Only admins of this site can change these settings.')).toBeVisible()
  await expect(tab.getByRole('button', {name: 'Save', exact: true})).toHaveCount(0)
  await expect(tab.getByRole('textbox')).toHaveCount(0)
  await tab.goto(`${installation.url}/profile`)
  await expect(tab.getByText('Not verified')).toBeVisible()
  await expect(tab.getByRole('main').getByRole('link', {name: 'Site', exact: true})).toHaveCount(0)
})

test('the form looks right in every theme, width and direction', long, async ({page}) => {
  const settings = await openSettings(page)
  await expectGoodLooks(settings, () => settings.locator('input[type="color"]').waitFor())
})
