import {readFileSync} from 'node:fs'
import type {Page} from '@playwright/test'
import {readArchive} from '#tests/fixtures/read-archive.ts'
import {enter, expect, newUser, test} from './fixtures.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import {Installation} from './support/installation.ts'
import {expectGoodLooks} from './support/page-looks.ts'
import {blankTab} from './support/signed-in.ts'
import {pixel} from './support/pixel.ts'
import {createUser, type SignedIn, type User} from './support/users.ts'
import {long} from './support/full-run.ts'

/* Users manage their account (ours): name and image, password, devices, export, deletion. */

const openProfile = async (page: Page) => {
  await page.goto(new URL('/profile', page.url()).href)
  await page.getByRole('heading', {level: 1}).waitFor()
}

/** A second browser in which the same user is signed in by the form of the login page. */
async function signInElsewhere(page: Page, url: string, user: User): Promise<void> {
  await page.goto(url)
  await enter(page, user)
}

test('name and image are saved, shown in the menu, and there after a reload', async ({tab: chat}) => {
  await openProfile(chat)
  await chat.getByLabel('Name').fill('Ada <b>Lovelace</b>')
  const save = chat.getByRole('form', {name: 'Your profile'}).getByRole('button', {name: 'Save'})
  const width = async () => (await save.boundingBox())?.width
  const widthBefore = await width()
  const request = await HeldRoute.on(chat, '**/users/me', 'PUT')
  await save.click()
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  expect(await width()).toBe(widthBefore)
  await request.let(goOn)
  await expect(chat.getByText('Your profile is saved.')).toBeVisible()
  await expect(chat.getByRole('heading', {level: 1})).toHaveText('Ada <b>Lovelace</b>')
  const picker = chat.getByRole('main').locator('input[type="file"]')
  await picker.setInputFiles({name: 'ada.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>')})
  await expect(chat.getByText('Choose a PNG, JPEG, WebP or GIF image.')).toBeVisible()
  await picker.setInputFiles({name: 'ada.png', mimeType: 'image/png', buffer: pixel})
  const avatar = chat.getByRole('button', {name: 'Account'}).locator('img')
  await expect(avatar).toBeVisible()
  await chat.reload()
  await expect(chat.getByRole('heading', {level: 1})).toHaveText('Ada <b>Lovelace</b>')
  await expect.poll(() => avatar.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  await chat.getByRole('button', {name: 'Remove'}).click()
  await expect(avatar).toHaveCount(0)
})

test('the profile looks right in every theme, width and direction', long, async ({chat}) => {
  await openProfile(chat)
  await expectGoodLooks(chat, () =>
    chat
      .locator('li')
      .filter({has: chat.locator('svg')})
      .first()
      .waitFor(),
  )
})

test('on a phone the bar above the page stays when a part far below is brought into view', long, async ({chat}) => {
  await chat.setViewportSize({width: 390, height: 844})
  await openProfile(chat)
  const wallet = chat.getByRole('button', {name: /Credits and applications/})
  const before = await wallet.boundingBox()
  const last = chat.getByRole('main').getByRole('radiogroup').last()
  await last.evaluate((element) => element.scrollIntoView({block: 'center'}))
  await expect(last).toBeInViewport()
  expect(await wallet.boundingBox()).toEqual(before)
})

test('a new password ends the other sessions, and is the one that counts', async ({
  tab: chat,
  signedIn,
  installation,
  browser,
}) => {
  const other = await browser.newContext()
  const elsewhere = await other.newPage()
  await signInElsewhere(elsewhere, installation.url, signedIn.user)
  await elsewhere.waitForURL(/\/chatgpt/)
  await openProfile(chat)
  const sessions = chat.getByRole('list', {name: "Where you're signed in"}).getByRole('listitem')
  await expect(sessions).toHaveCount(2)
  await expect(sessions.first()).toContainText('This device')

  await chat.getByRole('button', {name: 'Change password'}).click()
  const dialog = chat.getByRole('dialog')
  const change = dialog.getByRole('button', {name: 'Change password'})
  await dialog.getByLabel('Current password').fill('not the password')
  await dialog.getByLabel('New password', {exact: true}).fill('short')
  await expect(dialog.getByText('At least 10 characters.')).toBeVisible()
  await expect(change).toBeDisabled()
  const password = 'another horse battery'
  await dialog.getByLabel('New password', {exact: true}).fill(password)
  await dialog.getByLabel('New password again').fill(password)
  await change.click()
  await expect(dialog.getByText("This isn't your password.")).toBeVisible()
  await dialog.getByLabel('Current password').fill(signedIn.user.password)
  await change.click()
  await expect(chat.getByText('Your password is changed. Other devices are signed out.')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(sessions).toHaveCount(1)

  await elsewhere.reload()
  await elsewhere.getByLabel('Email').waitFor()
  await enter(elsewhere, signedIn.user)
  await expect(elsewhere.getByText("The email or the password isn't right.").first()).toBeVisible()
  await enter(elsewhere, {email: signedIn.user.email, password})
  await elsewhere.waitForURL(/\/chatgpt/)
  // this session went on all the while
  await chat.reload()
  await expect(sessions).toHaveCount(2)

  await chat.getByRole('button', {name: /^Sign out /}).click()
  await expect(sessions).toHaveCount(1)
  await elsewhere.reload()
  await elsewhere.getByLabel('Email').waitFor()
  await other.close()
})

test('an address is verified with the code that the operator reads', long, async ({chat, signedIn, installation}) => {
  const {email} = signedIn.user
  await openProfile(chat)
  await expect(chat.getByText('Not verified')).toBeVisible()
  await chat.getByRole('button', {name: 'Verify', exact: true}).click()
  const dialog = chat.getByRole('dialog', {name: 'Verify your email address'})
  await expect(dialog.getByText(`the code of \u2068${email}\u2069`)).toBeVisible()
  await dialog.getByLabel('Code').fill('ABCDEFGHIJ')
  await dialog.getByRole('button', {name: 'Verify'}).click()
  await expect(dialog.getByText('This is not the code of your address.')).toBeVisible()
  const printed = await installation.admin('verification-code', email)
  await dialog.getByLabel('Code').fill(printed.trim().replace(/.*: /, '').toLowerCase())
  await dialog.getByRole('button', {name: 'Verify'}).click()
  await expect(chat.getByText('Your email address is verified.')).toBeVisible()
  await expect(chat.getByText('Verified', {exact: true})).toBeVisible()
  await chat.reload()
  await expect(chat.getByText('Verified', {exact: true})).toBeVisible()
})

test('the profile shows the balance, and leaves with what was typed only when told to', async ({chat}) => {
  await chat.getByRole('button', {name: 'Account'}).click()
  await chat.getByRole('menuitem', {name: 'Profile'}).click()
  const balance = chat.getByRole('main').getByRole('region', {name: 'General balance'})
  await expect(balance.getByRole('link', {name: 'Add credits'})).toBeVisible()
  await chat.getByLabel('Name').fill('Ada')
  await balance.getByRole('link', {name: 'Add credits'}).click()
  const question = chat.getByRole('dialog', {name: 'Leave without saving?'})
  await question.getByRole('button', {name: 'Stay'}).click()
  await expect(chat.getByLabel('Name')).toHaveValue('Ada')
  await chat.goBack()
  await expect(question).toBeVisible()
  await chat.keyboard.press('Escape')
  await expect(chat).toHaveURL(/\/profile$/)
  await balance.getByRole('link', {name: 'Add credits'}).click()
  await question.getByRole('button', {name: 'Leave'}).click()
  await expect(chat).toHaveURL(/\/extra$/)
  await chat.goBack()
  await expect(chat.getByLabel('Name')).toHaveValue('')

  const signOut = async () => {
    await chat.getByRole('button', {name: 'Account', exact: true}).click()
    await chat.getByRole('menuitem', {name: 'Log out'}).click()
  }
  await chat.getByLabel('Name').fill('Ada')
  await signOut()
  await question.getByRole('button', {name: 'Stay'}).click()
  await expect(chat.getByLabel('Name')).toHaveValue('Ada')
  await signOut()
  await question.getByRole('button', {name: 'Leave'}).click()
  await expect(chat.getByRole('heading', {name: 'Sign in to Atrium'})).toBeVisible()
})

test('the export is a ZIP with what is stored of the user, and says when it is limited', async ({
  tab: chat,
  signedIn,
}) => {
  await openProfile(chat)
  const started = chat.waitForEvent('download')
  await chat.getByRole('button', {name: 'Export', exact: true}).click()
  const download = await started
  expect(download.suggestedFilename()).toMatch(/^atrium-\d{4}-\d\d-\d\d\.zip$/)
  await expect(chat.getByText('Your export is downloaded.')).toBeVisible()
  const archive = readArchive(readFileSync(await download.path()))
  const read = (name: string) => JSON.parse(archive.get(name) ?? '') as unknown[]
  expect(read('users.json')).toEqual([expect.objectContaining({email: signedIn.user.email})])
  expect(read('applications.json')).toHaveLength(1)
  expect([...archive.values()].join()).not.toContain(signedIn.user.password)

  await chat.route('**/users/me/export', (route) =>
    route.fulfill({status: 429, headers: {'retry-after': '90'}, json: {error: {code: 'too_many_requests'}}}),
  )
  await chat.getByRole('button', {name: 'Export', exact: true}).click()
  await expect(chat.getByRole('alert').filter({hasText: 'Too many attempts. Try again in 2 minutes.'})).toBeVisible()
})

/**
 * The lists above the button are there: one that comes between press and release moves the button away from the
 * pointer.
 */
async function listsAreRead(page: Page) {
  await page.getByText('This device').waitFor()
  await page.getByText('No conversation is shared.').waitFor()
}

test('an account is deleted after its address and password, is signed out and cannot sign in again', async ({
  context,
  chat: first,
  installation: {url},
}) => {
  // the first account of an installation is its operator's, and may have to stay
  await first.close()
  const own = await createUser(url)
  const {user} = own
  const chat = await blankTab(context, url, own)
  await chat.goto(`${url}/profile`)
  await listsAreRead(chat)
  await chat.getByRole('button', {name: 'Delete account'}).click()
  const dialog = chat.getByRole('dialog', {name: 'Delete your account?'})
  const go = dialog.getByRole('button', {name: 'Delete account'})
  await expect(go).toBeDisabled()
  await dialog.getByLabel(/to confirm$/).fill(newUser().email)
  await dialog.getByLabel('Password').fill('not the password')
  await expect(go).toBeDisabled()
  await dialog.getByLabel(/to confirm$/).fill(user.email.toUpperCase())
  await go.click()
  await expect(dialog.getByText("This isn't your password.")).toBeVisible()
  await dialog.getByLabel('Password').fill(user.password)
  await go.click()
  await chat.getByRole('heading', {name: 'Sign in to Atrium'}).waitFor()
  await expect(chat.getByRole('status').filter({hasText: 'Your account has been deleted.'})).toBeVisible()
  expect(await chat.evaluate(() => localStorage.getItem('vuex') ?? '')).not.toContain(user.email)
  await enter(chat, user)
  await expect(chat.getByText("The email or the password isn't right.").first()).toBeVisible()
})

test('the last operator is told why the account stays', long, async ({browser, watch}) => {
  const installation = await Installation.start()
  watch.allow(installation.url)
  const context = await browser.newContext()
  try {
    const operator: SignedIn = await createUser(installation.url)
    const page = await blankTab(context, installation.url, operator)
    await page.goto(`${installation.url}/profile`)
    await listsAreRead(page)
    await page.getByRole('button', {name: 'Delete account'}).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/to confirm$/).fill(operator.user.email)
    await dialog.getByLabel('Password').fill(operator.user.password)
    await dialog.getByRole('button', {name: 'Delete account'}).click()
    await expect(dialog.getByRole('alert')).toContainText('You are the last operator of this installation.')
    await dialog.getByRole('button', {name: 'Cancel'}).click()
    await page.reload()
    await expect(page.getByText(operator.user.email).first()).toBeVisible()
  } finally {
    await context.close()
    await installation.dispose()
  }
})
