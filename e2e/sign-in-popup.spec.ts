import type {Browser, Locator, Page} from '@playwright/test'
import {acceptTerms, ask, composer, expect, newUser, test} from './fixtures.ts'
import {lastMessage} from './support/chat-page.ts'
import {Installation} from './support/installation.ts'
import {loginFrame as frame, registerInFrame} from './support/login-frame.ts'
import {parseKept} from './support/private-data.ts'
import {storedState} from './support/signed-in.ts'
import {long} from './support/full-run.ts'

/* Sign-in by the embedded page (spec §4, §7), on an installation of its own in test mode. */

let popup: Installation
test.beforeAll(async ({modelServer, browser}) => {
  popup = await Installation.start({
    LOGIN_FLOW: 'popup',
    MODE: 'test',
    OPENAI_BASE_URL: modelServer.baseUrl,
    OPENAI_API_KEY: 'sk-canary-e2e',
  })
  await registerFirstUser(browser)
})
test.afterAll(() => popup.dispose())
test.beforeEach(({watch, modelServer}) => {
  watch.allow(popup.url)
  modelServer.reset()
})

const dialog = (page: Page) => page.getByRole('dialog').first()

/** The first user opens the site and is shown its settings (spec §4); everybody after that stays on the page. */
async function registerFirstUser(browser: Browser): Promise<void> {
  const page = await browser.newPage()
  await page.goto(`${popup.url}/chatgpt/conversations`)
  await registerInFrame(page, newUser())
  await expect(page).toHaveURL(`${popup.url}/site`)
  await page.close()
}

test('the login page stands in a dialog that only a sign-in closes', long, async ({page}) => {
  await page.goto(`${popup.url}/chatgpt/conversations`)
  await expect(frame(page).getByRole('button', {name: 'Sign in'})).toBeVisible()
  expect((await dialog(page).boundingBox())?.width).toBe(400)
  const inner = page.locator('iframe')
  expect([await inner.getAttribute('width'), await inner.getAttribute('height')]).toEqual(['360', '560'])
  expect(await inner.boundingBox()).toEqual({
    x: expect.any(Number),
    y: expect.any(Number),
    width: 360,
    height: 560,
  })
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page).getByRole('button', {name: /close/i})).toHaveCount(0)
  await expect(page.getByText('Test environment')).toBeVisible()

  await registerInFrame(page, newUser())
  await acceptTerms(page)
  await expect(composer(page)).toBeEnabled()
  await ask(page, 'Signed in?')
  await expect(lastMessage(page)).toContainText('You said: Signed in?')
})

/** Real tokens of a user who signed in elsewhere: a page that took them would work with them. */
async function tokensOfAnother(browser: Browser): Promise<{access: string; refresh: string; userId: string}> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${popup.url}/chatgpt/conversations`)
  await registerInFrame(page, newUser())
  await page.waitForFunction(() => {
    const kept = localStorage.getItem('vuex') ?? ''
    return kept.includes('"access":"at-') && /"user":\{[^}]*"id":/.test(kept)
  })
  await acceptTerms(page)
  const {token, user} = parseKept(await storedState(page))
  await context.close()
  return {access: token.access, refresh: token.refresh, userId: user.id}
}

/** Requests from now on that carry one of the secrets. */
function requestsWith(page: Page, secrets: readonly string[]): string[] {
  const found: string[] = []
  page.on('request', (request) => {
    const sent = `${request.headers()['authorization'] ?? ''} ${request.postData() ?? ''}`
    if (secrets.some((secret) => sent.includes(secret))) found.push(`${request.method()} ${request.url()}`)
  })
  return found
}

/** Waits until the page has received all messages posted before, and has drawn their result. */
const messagesHeard = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        window.addEventListener('message', (event) => {
          if (event.data === 'last') requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
        })
        window.postMessage('last', '*')
      }),
  )

/** The dialog still waits, the own sign-in works in it, and nothing of the other user was ever used. */
async function expectNobodyElse(page: Page, other: {access: string; userId: string}, uses: readonly string[]) {
  await expect(dialog(page)).toBeVisible()
  expect(uses).toEqual([])
  await registerInFrame(page, newUser())
  await acceptTerms(page)
  await expect(composer(page)).toBeEnabled()
  expect(uses).toEqual([])
  const kept = await storedState(page)
  expect(kept).toContain('"access":"at-')
  expect(kept).not.toContain(other.access)
  expect(kept).not.toContain(other.userId)
}

const loginOf = ({access, refresh}: {access: string; refresh: string}) => ({
  name: 'login',
  data: {access_token: access, refresh_token: refresh, expires_in: 900},
})

/** Posts to the page from itself and from another frame of its origin: the right origin, the wrong source. */
async function postFromOthers(page: Page, message: Record<string, unknown>): Promise<void> {
  await page.evaluate((planted) => {
    window.postMessage(planted, '*')
    document.body.append(Object.assign(document.createElement('iframe'), {name: 'other'}))
  }, message)
  await page.frame('other')?.evaluate((planted) => window.parent.postMessage(planted, '*'), message)
  await page.evaluate(() => document.querySelector('iframe[name=other]')?.remove())
}

const stateOf = async (page: Page) =>
  new URL(
    (await page.locator('dialog iframe, [role=dialog] iframe').getAttribute('src')) ?? '',
    popup.url,
  ).searchParams.get('state')

test('a login that anybody but the embedded page tells does not exist', long, async ({page, browser}) => {
  const other = await tokensOfAnother(browser)
  await page.goto(`${popup.url}/chatgpt/conversations`)
  await expect(frame(page).getByRole('button', {name: 'Sign in'})).toBeVisible()
  const uses = requestsWith(page, [other.access, other.refresh])
  await postFromOthers(page, {...loginOf(other), state: await stateOf(page)})
  await messagesHeard(page)
  await expectNobodyElse(page, other, uses)
})

test(
  'a login of the embedded page with another state than this attempt does not exist',
  long,
  async ({page, browser}) => {
    const other = await tokensOfAnother(browser)
    await page.goto(`${popup.url}/chatgpt/conversations`)
    await expect(frame(page).getByRole('button', {name: 'Sign in'})).toBeVisible()
    const uses = requestsWith(page, [other.access, other.refresh])
    const inner = page.frames().find((each) => each !== page.mainFrame())
    await inner?.evaluate((login) => {
      window.parent.postMessage({...login, state: 's'.repeat(43)}, '*')
      window.parent.postMessage(login, '*')
    }, loginOf(other))
    await messagesHeard(page)
    await expectNobodyElse(page, other, uses)
  },
)

test('a QR code that anybody but the embedded page tells does not exist', long, async ({page}) => {
  await page.goto(`${popup.url}/chatgpt/conversations`)
  await expect(frame(page).getByRole('button', {name: 'Sign in'})).toBeVisible()
  const evil = {name: 'show_qr', data: {qrLink: 'https://evil.example/'}}
  await postFromOthers(page, {...evil, state: await stateOf(page)})
  const inner = page.frames().find((each) => each.url().includes('/auth/login'))
  await inner?.evaluate((planted) => window.parent.postMessage({...planted, state: 's'.repeat(43)}, '*'), evil)
  await messagesHeard(page)
  const qr = page.getByRole('dialog', {name: 'Scan to continue'})
  await expect(qr).toHaveCount(0)
  await frame(page).getByRole('button', {name: 'Continue on your phone'}).click()
  await expect(qr).toContainText(`${popup.url}/services/auth/auth/login?`)
  await expect(page.getByText('evil.example')).toHaveCount(0)
})

test('messages of no known shape change nothing', long, async ({page}) => {
  await page.goto(`${popup.url}/chatgpt/conversations`)
  await expect(frame(page).getByRole('button', {name: 'Sign in'})).toBeVisible()
  const inner = page.frames().find((each) => each.url().includes('/auth/login'))
  await inner?.evaluate(
    (state) => {
      for (const message of [null, 'login', {name: 'login', state}, {name: 'login', data: {access_token: ''}, state}]) {
        window.parent.postMessage(message, '*')
      }
    },
    await stateOf(page),
  )
  await messagesHeard(page)
  await expect(dialog(page)).toBeVisible()
  await expect(frame(page).getByRole('button', {name: 'Sign in'})).toBeVisible()
})

/** Until the focus left the frame, a key is the frame's. */
async function leaveByEscape(page: Page, opened: Locator): Promise<void> {
  await expect.poll(() => opened.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expect(opened).toHaveCount(0)
}

test('the phone link shows as a QR code that never outlives the dialog', long, async ({page}) => {
  const address = `${popup.url}/chatgpt/conversations?keep=1`
  await page.goto(address)
  await frame(page).getByRole('button', {name: 'Continue on your phone'}).click()
  const qr = page.getByRole('dialog', {name: 'Scan to continue'})
  await expect(qr).toBeVisible()
  expect((await qr.boundingBox())?.width).toBe(400)
  const code = await qr.getByRole('img', {name: 'QR code'}).boundingBox()
  expect([code?.width, code?.height]).toEqual([230, 230])
  await expect(qr).toContainText(`${popup.url}/services/auth/auth/login?`)
  await leaveByEscape(page, qr)
  await expect(dialog(page)).toBeVisible()

  await frame(page).getByRole('button', {name: 'Continue on your phone'}).click()
  await expect(qr).toBeVisible()
  await leaveByEscape(page, qr)
  await registerInFrame(page, newUser())
  await acceptTerms(page)
  await expect(composer(page)).toBeEnabled()
  await expect(page).toHaveURL(address)
  await expect(qr).toHaveCount(0)
})

test('a browser that forbids storage signs in without a reload', long, async ({page}) => {
  await page.addInitScript(() => {
    const forbidden = () => {
      throw new DOMException('forbidden', 'SecurityError')
    }
    // the frame is a page of the server, and needs its cookies alone
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, {get: forbidden, configurable: true})
  })
  const signInHere = async () => {
    await page.goto(`${popup.url}/chatgpt/conversations`)
    await registerInFrame(page, newUser())
    await acceptTerms(page)
    await expect(composer(page)).toBeEnabled()
  }
  // the notice leaves by itself: it is seen whenever it comes
  await Promise.all([page.getByText('This browser stores nothing for this site.').waitFor(), signInHere()])
})

test('a user who signs in on the login page of the app is taken on', long, async ({page}) => {
  await page.goto(`${popup.url}/auth/login?redirect=%2Fchatgpt%2Fconversations`)
  await registerInFrame(page, newUser())
  await acceptTerms(page)
  await expect(page).toHaveURL(`${popup.url}/chatgpt/conversations`)
  await expect(composer(page)).toBeEnabled()
})
