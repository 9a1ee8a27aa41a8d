import type {FrameLocator, Page} from '@playwright/test'
import {acceptTerms, ask, composer, expect, newPerson, test, type Person} from './fixtures.ts'
import {lastMessage} from './support/chat-page.ts'
import {Installation} from './support/installation.ts'
import {storedState} from './support/signed-in.ts'

/* Sign-in by the embedded page (spec §4, §7), on an installation of its own in test mode. */

let popup: Installation
test.beforeAll(async ({modelServer}) => {
  popup = await Installation.start({
    LOGIN_FLOW: 'popup',
    MODE: 'test',
    OPENAI_BASE_URL: modelServer.baseUrl,
    OPENAI_API_KEY: 'sk-canary-e2e',
  })
})
test.afterAll(() => popup.dispose())
test.beforeEach(({watch, modelServer}) => {
  watch.allow(popup.url)
  modelServer.reset()
})

const dialog = (page: Page) => page.getByRole('dialog').first()
const frame = (page: Page): FrameLocator => page.frameLocator('dialog iframe, [role=dialog] iframe')

async function registerInFrame(page: Page, person: Person): Promise<void> {
  await frame(page).getByRole('link', {name: 'Create an account'}).click()
  // the page before has an email field too
  await frame(page).getByRole('button', {name: 'Create account'}).waitFor()
  await frame(page).getByLabel('Email').fill(person.email)
  await frame(page).getByLabel('Password', {exact: true}).fill(person.password)
  await frame(page).getByRole('button', {name: 'Create account'}).click()
}

test('the login page stands in a dialog that only a sign-in closes', async ({page}) => {
  await page.goto(`${popup.url}/chatgpt/conversations`)
  await expect(frame(page).getByRole('button', {name: 'Sign in'})).toBeVisible()
  expect((await dialog(page).boundingBox())?.width).toBe(400)
  const inner = page.locator('iframe')
  expect([await inner.getAttribute('width'), await inner.getAttribute('height')]).toEqual(['360', '560'])
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page).getByRole('button', {name: /close/i})).toHaveCount(0)
  await expect(page.getByText('Test environment')).toBeVisible()

  // the first person opens the site and is shown its settings (spec §4)
  await registerInFrame(page, newPerson())
  await expect(page).toHaveURL(`${popup.url}/site`)
  await acceptTerms(page)
  await page.goto(`${popup.url}/chatgpt/conversations`)
  await expect(composer(page)).toBeEnabled()
  await ask(page, 'Signed in?')
  await expect(lastMessage(page)).toContainText('You said: Signed in?')
})

test('messages of anybody but the embedded page do not exist', async ({page}) => {
  await page.goto(`${popup.url}/chatgpt/conversations`)
  await expect(frame(page).getByRole('button', {name: 'Sign in'})).toBeVisible()
  const source = new URL((await page.locator('iframe').getAttribute('src')) ?? '', popup.url)
  await page.evaluate(
    async ({state}) => {
      const login = {
        name: 'login',
        data: {access_token: 'at-planted', refresh_token: 'planted', expires_in: 900},
        state,
      }
      const qr = {name: 'show_qr', data: {qrLink: 'https://evil.example/'}, state}
      // this window itself, with the right origin and the right state
      window.postMessage(login, '*')
      window.postMessage(qr, '*')
      // another frame of the same origin
      const other = document.createElement('iframe')
      document.body.append(other)
      const post = other.contentWindow?.parent.postMessage.bind(other.contentWindow.parent)
      post?.(login, '*')
      // shapes that are none
      for (const message of [null, 'login', {name: 'login'}, {name: 'login', data: {access_token: ''}}]) {
        window.postMessage(message, '*')
      }
      await new Promise((resolve) => {
        window.addEventListener('message', (event) => event.data === 'last' && resolve(undefined))
        window.postMessage('last', '*')
      })
      other.remove()
    },
    {state: source.searchParams.get('state')},
  )
  await expect(dialog(page)).toBeVisible()
  await expect(page.getByText('Scan to continue')).toHaveCount(0)
  expect(await storedState(page)).not.toContain('planted')
})

test('a message of the embedded page with another state than this attempt does not exist', async ({page}) => {
  await page.goto(`${popup.url}/chatgpt/conversations`)
  await expect(frame(page).getByRole('button', {name: 'Sign in'})).toBeVisible()
  const inner = page.frames().find((each) => each !== page.mainFrame())
  await inner?.evaluate(() => {
    const data = {access_token: 'at-planted', refresh_token: 'planted', expires_in: 900}
    window.parent.postMessage({name: 'login', data, state: 's'.repeat(43)}, '*')
    window.parent.postMessage({name: 'login', data}, '*')
  })
  await inner?.evaluate(
    () =>
      new Promise((resolve) => {
        const channel = new MessageChannel()
        channel.port1.onmessage = resolve
        channel.port2.postMessage('after the others')
      }),
  )
  await expect(dialog(page)).toBeVisible()
  expect(await storedState(page)).not.toContain('planted')
})

test('the phone link shows as a QR code that never outlives the dialog', async ({page}) => {
  const address = `${popup.url}/chatgpt/conversations?keep=1`
  await page.goto(address)
  await frame(page).getByRole('button', {name: 'Continue on your phone'}).click()
  const qr = page.getByRole('dialog', {name: 'Scan to continue'})
  await expect(qr).toBeVisible()
  expect((await qr.boundingBox())?.width).toBe(400)
  const code = await qr.getByRole('img', {name: 'QR code'}).boundingBox()
  expect([code?.width, code?.height]).toEqual([230, 230])
  await expect(qr).toContainText(`${popup.url}/services/auth/auth/login?`)
  await page.keyboard.press('Escape')
  await expect(qr).toHaveCount(0)
  await expect(dialog(page)).toBeVisible()

  await frame(page).getByRole('button', {name: 'Continue on your phone'}).click()
  await expect(qr).toBeVisible()
  await page.keyboard.press('Escape')
  await registerInFrame(page, newPerson())
  await acceptTerms(page)
  await expect(composer(page)).toBeEnabled()
  await expect(page).toHaveURL(address)
  await expect(qr).toHaveCount(0)
})
