import type {Page} from '@playwright/test'
import {acceptTerms, ask, composer, enter, expect, newUser, register, test} from './fixtures.ts'
import {loginVisits, tokenCalls} from './support/calls.ts'
import {lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {keptData, parseKept, withToken} from './support/private-data.ts'
import {blankTab, storedState, waitForCredential} from './support/signed-in.ts'
import {chatServiceId} from './support/users.ts'

const form = (page: Page) => page.getByRole('button', {name: 'Sign in'})

/** Ends the sign-in on the server, as an operator or another device would. */
const revoke = (page: Page, url: string, state: string) =>
  page.request.post(`${url}/services/auth/oauth2/v1/revoke`, {data: {refresh_token: parseKept(state).token.refresh}})

test('register, read the terms, accept, sign out, a wrong password, sign in again', async ({page, installation}) => {
  const user = newUser()
  await register(page, installation.url, user)
  const link = page.getByRole('dialog').getByRole('link', {name: 'terms of use'})
  const [terms] = await Promise.all([page.waitForEvent('popup'), link.click()])
  await expect(terms.getByRole('heading', {name: 'Terms of use'})).toBeVisible()
  await terms.close()
  await acceptTerms(page)
  await expect(composer(page)).toBeEnabled()

  await page.getByRole('button', {name: 'Account', exact: true}).click()
  await page.getByRole('menuitem', {name: 'Log out'}).click()
  await form(page).waitFor()
  await enter(page, {...user, password: 'wrong horse battery'})
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(user.email)
  await expect(page.getByLabel('Password', {exact: true})).toHaveValue('')
  await enter(page, user)
  await expect(composer(page)).toBeEnabled()
  await expect(page).toHaveURL(`${installation.url}/chatgpt/conversations`)
})

test('a page without a session signs out and in as one navigation, and the draft is there', async ({
  context,
  installation,
  signedIn,
}) => {
  const page = await blankTab(context, installation.url, signedIn)
  const address = `${installation.url}/chatgpt/conversations?from=a`
  await page.goto(address)
  await composer(page).fill('Half a thought')
  await expect.poll(() => keptData(page)).toContain('Half a thought')
  const left: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) left.push(new URL(request.url()).pathname)
  })
  const kept = parseKept(await storedState(page))
  await page.goto(`${installation.url}/robots.txt`)
  const state = JSON.stringify({...kept, token: undefined})
  await page.evaluate((text) => localStorage.setItem('vuex', text), state)
  await page.goto(address)
  await form(page).waitFor()
  const auth = '/services/auth/auth'
  expect(left).toEqual(['/robots.txt', '/chatgpt/conversations', `${auth}/logout`, `${auth}/login`])
  const {user, chat} = parseKept(await storedState(page))
  expect([user, chat.credential]).toEqual([undefined, undefined])
  await enter(page, signedIn.user)
  await expect(composer(page)).toHaveValue('Half a thought')
  await expect(page).toHaveURL(address)
})

test('a session that ended leads to the login page and back to the same place, with the draft', async ({
  context,
  installation,
  signedIn,
}) => {
  const page = await blankTab(context, installation.url, signedIn)
  const address = `${installation.url}/chatgpt/conversations?from=a&to=b%20c`
  await page.goto(address)
  await composer(page).fill('Half a thought')
  await expect.poll(() => keptData(page)).toContain('Half a thought')
  await revoke(page, installation.url, signedIn.state)
  await page.reload()
  await form(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/services/auth/auth/login')
  await enter(page, signedIn.user)
  await expect(composer(page)).toHaveValue('Half a thought')
  await expect(page).toHaveURL(address)
})

test('the code is out of the address before anything is asked, and no referrer tells it', async ({
  page,
  installation,
  signedIn,
}) => {
  const {user} = signedIn
  const told: string[] = []
  page.on('request', (request) => {
    const {referer} = request.headers()
    if (referer !== undefined && /[?&]code=/.test(referer)) told.push(`${request.url()} from ${referer}`)
  })
  await page.addInitScript(() => {
    const original = window.fetch
    const seen: string[] = []
    Object.assign(window, {
      addressesAtFetch: seen,
      fetch: (...call: Parameters<typeof fetch>) => {
        seen.push(location.href)
        return original(...call)
      },
    })
  })
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await enter(page, user)
  await expect(composer(page)).toBeEnabled()
  const seen = await page.evaluate(() => (window as unknown as {addressesAtFetch: string[]}).addressesAtFetch) // set above
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.filter((address) => /[?&](code|state)=/.test(address))).toEqual([])
  expect(told).toEqual([])
  await page.goBack()
  expect(page.url()).not.toMatch(/[?&]code=/)
})

test('a code that no login of this browser asked for never replaces a session', async ({
  chat,
  context,
  installation,
}) => {
  const calls = tokenCalls(context)
  const before = parseKept(await storedState(chat)).token.access
  await chat.goto(`${installation.url}/chatgpt/conversations?code=stolen&state=${'s'.repeat(43)}&keep=1`)
  await expect(composer(chat)).toBeEnabled()
  await expect(chat).toHaveURL(`${installation.url}/chatgpt/conversations?keep=1`)
  expect(calls).toEqual([])
  expect(parseKept(await storedState(chat)).token.access).toBe(before)
})

test('a code that no login of this browser asked for signs nobody in', long, async ({page, context, installation}) => {
  const calls = tokenCalls(context)
  await page.goto(`${installation.url}/auth/callback?redirect=/chatgpt&code=stolen`)
  await form(page).waitFor()
  expect(calls).toEqual([])
})

test(
  'a used code gives nothing and ends the sign-in it began',
  long,
  async ({page, context, installation, signedIn}) => {
    const {user} = signedIn
    const calls = tokenCalls(context)
    await page.goto(installation.url)
    await enter(page, user)
    await expect(composer(page)).toBeEnabled()
    expect(calls).toEqual([
      {
        code: expect.any(String),
        code_verifier: expect.any(String),
        redirect_uri: expect.stringContaining('/auth/callback?'),
      },
    ])
    // read now: the page leaves as soon as one of its calls is answered that the sign-in has ended
    const {access} = parseKept(await storedState(page)).token
    const replay = await page.request.post(`${installation.url}/services/auth/oauth2/v1/token`, {data: calls[0]})
    expect([replay.status(), await replay.json()]).toMatchObject([400, {code: 'invalid_grant'}])
    const me = await page.request.get(`${installation.url}/services/platform/api/v1/users/me`, {
      headers: {authorization: `Bearer ${access}`},
    })
    expect(me.status()).toBe(401)
  },
)

test('the callback goes on to no other place than a page of this app', long, async ({chat, installation}) => {
  for (const hostile of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/..//evil.example/',
    'javascript:alert(1)',
    'data:text/html,hello',
    '/auth/callback?redirect=https://evil.example/',
  ]) {
    await chat.goto(`${installation.url}/auth/callback?redirect=${encodeURIComponent(hostile)}`)
    await expect(composer(chat)).toBeEnabled()
    expect([hostile, chat.url()]).toEqual([hostile, `${installation.url}/chatgpt/conversations`])
  }
})

test('the login page sends its answer nowhere else', long, async ({page, installation}) => {
  const login = `${installation.url}/services/auth/auth/login`
  const refused: Record<string, string>[] = [
    {redirect: 'https://evil.example/auth/callback'},
    {redirect: `${installation.url}.evil.example/auth/callback`},
    {redirect: `${installation.url}@evil.example/auth/callback`},
    {redirect: `${installation.url}/auth/callback/../../site`},
    {redirect: `${installation.url}/auth/callback?redirect=//evil.example`},
    {redirect: `${installation.url}/auth/callback#@evil.example`},
    {parent_origin: 'https://evil.example'},
  ]
  for (const query of refused) {
    const response = await page.goto(`${login}?${new URLSearchParams(query).toString()}`)
    expect([query, response?.status()]).toEqual([query, 400])
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(form(page)).toHaveCount(0)
  }
})

test(
  'a login that keeps coming back stops after three, and the user may try once more',
  long,
  async ({page, installation}) => {
    const visits = loginVisits(page)
    // each page sends on by itself: a route does not see where a redirect leads
    await page.route(/\/auth\/auth\/(login|logout)\?/, async (route) => {
      const back = new URL(route.request().url()).searchParams.get('redirect') ?? ''
      const body = `<meta http-equiv="refresh" content="0;url=${back.replaceAll('&', '&amp;')}">`
      await route.fulfill({contentType: 'text/html', body})
    })
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await expect(page.getByRole('alert').filter({hasText: 'Sign-in keeps coming back here.'})).toBeVisible()
    expect(visits).toHaveLength(3)
    await page.unrouteAll()
    await page.getByRole('button', {name: 'Go to sign in'}).click()
    await form(page).waitFor()
    expect(visits).toHaveLength(4)
  },
)

test.describe('tokens', () => {
  test('an access token that expired is renewed in silence', async ({context, installation, signedIn}) => {
    const state = withToken(signedIn.state, {access: 'at-expired-expired-expired'})
    const page = await blankTab(context, installation.url, {state})
    const [calls, visits] = [tokenCalls(context), loginVisits(page)]
    await page.goto(`${installation.url}/chatgpt/conversations`)
    const refresh = parseKept(state).token.refresh
    // what the browser remembers is on the screen before any call is answered, so the new token is what tells
    await expect.poll(async () => parseKept(await storedState(page)).token.refresh).not.toBe(refresh)
    await expect(composer(page)).toBeEnabled()
    expect(calls).toEqual([{grant_type: 'refresh_token', refresh_token: refresh}])
    expect(visits).toEqual([])
  })

  /**
   * Holds five calls of a tool's page that carry this token (site, rate, the tool's service, two of its applications) until
   * the last is there, then refuses them all. Those it needs to get that far, its user and the chat's service, pass.
   */
  async function refuseFive(page: Page, access: string): Promise<string[]> {
    const refused: string[] = []
    let release: () => void = () => {}
    const all = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/api\/v1\/(sites|services|applications|exchange-rate)/, async (route) => {
      const {pathname} = new URL(route.request().url())
      const isOwn = route.request().headers()['authorization'] === `Bearer ${access}`
      if (!isOwn || refused.length === 5 || pathname.endsWith(chatServiceId)) return route.continue()
      refused.push(pathname)
      if (refused.length === 5) release()
      await all
      return route.fulfill({status: 401, json: {code: 'unauthorized'}})
    })
    return refused
  }

  test('five calls that are refused at once cause one refresh', long, async ({context, installation, signedIn}) => {
    const page = await blankTab(context, installation.url, signedIn)
    const {access, refresh} = parseKept(signedIn.state).token
    const refused = await refuseFive(page, access)
    const [calls, visits] = [tokenCalls(context), loginVisits(page)]
    const listed = page.waitForResponse((response) => response.url().endsWith('/sora/tasks') && response.ok())
    await page.goto(`${installation.url}/sora?lang=de`)
    await expect.poll(() => refused.length).toBe(5)
    await expect.poll(async () => parseKept(await storedState(page)).token.access).not.toBe(access)
    await listed
    expect(calls).toEqual([{grant_type: 'refresh_token', refresh_token: refresh}])
    expect(visits).toEqual([])
    await page.unrouteAll({behavior: 'wait'})
  })

  test(
    'five calls that are refused at once, and the refresh as well, cause one login',
    long,
    async ({context, installation, signedIn}) => {
      const page = await blankTab(context, installation.url, signedIn)
      const refused = await refuseFive(page, parseKept(signedIn.state).token.access)
      const [calls, visits] = [tokenCalls(context), loginVisits(page)]
      await page.route('**/oauth2/v1/token', (route) => route.fulfill({status: 400, json: {code: 'invalid_grant'}}))
      await page.goto(`${installation.url}/sora?lang=de`)
      await page.getByRole('button', {name: 'Anmelden'}).waitFor()
      expect(refused).toHaveLength(5)
      expect(calls).toHaveLength(1)
      expect(visits).toHaveLength(1)
    },
  )
})

test('signing out leaves nothing of the user in the browser', async ({page, installation, modelServer}) => {
  const user = newUser()
  await register(page, installation.url, user)
  await acceptTerms(page)
  await waitForCredential(page)
  modelServer.reset()
  modelServer.answer('A very private answer')
  await ask(page, 'A very private question')
  await expect(lastMessage(page)).toContainText('A very private answer')
  await expect(page).toHaveURL(/conversations\/[\w-]+$/)
  await composer(page).fill('A very private draft')
  await expect.poll(() => keptData(page)).toContain('A very private draft')
  const {token, user: kept, chat} = parseKept(await storedState(page))
  await page.getByRole('button', {name: 'Account', exact: true}).click()
  await page.getByRole('menuitem', {name: 'Log out'}).click()
  await form(page).waitFor()
  const remains = await keptData(page)
  for (const secret of ['very private', user.email, kept.id, token.access, token.refresh, chat.credential.token]) {
    expect(remains).not.toContain(secret)
  }
  const me = await page.request.get(`${installation.url}/services/platform/api/v1/users/me`, {
    headers: {authorization: `Bearer ${token.access}`},
  })
  expect(me.status()).toBe(401)
  await page.goBack()
  await expect(page.getByText('very private')).toHaveCount(0)
})

test(
  'a browser whose storage is full works until the page is left',
  long,
  async ({page, installation, signedIn, modelServer}) => {
    const {user} = signedIn
    await page.addInitScript(() => {
      const original = Storage.prototype.setItem
      Storage.prototype.setItem = function (key: string, value: string) {
        if (this === localStorage) throw new DOMException('full', 'QuotaExceededError')
        original.call(this, key, value)
      }
    })
    await page.goto(installation.url)
    await enter(page, user)
    modelServer.reset()
    modelServer.answer('without storage')
    await expect(composer(page)).toBeEnabled()
    await ask(page, 'Hello?')
    await expect(lastMessage(page)).toContainText('without storage')
  },
)

/** As a browser that is told to keep nothing: asking for a storage throws. */
const forbidStorage = (page: Page) =>
  page.addInitScript(() => {
    const forbidden = () => {
      throw new DOMException('forbidden', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, {get: forbidden, configurable: true})
  })

test(
  'a browser that forbids storage signs in, and is told once that nothing is kept',
  long,
  async ({page, installation, signedIn, modelServer}) => {
    const {user} = signedIn
    await forbidStorage(page)
    await page.goto(installation.url)
    await form(page).waitFor()
    await enter(page, user)
    await expect(composer(page)).toBeEnabled()
    await expect(page.getByText('This browser stores nothing for this site.')).toHaveCount(1)
    modelServer.reset()
    modelServer.answer('from memory')
    await ask(page, 'Hello?')
    await expect(lastMessage(page)).toContainText('from memory')
    expect((await page.context().cookies()).filter(({name}) => name.includes('login.'))).toEqual([])
  },
)

test('a browser that forbids storage and cookies is told so instead of going round in circles', async ({
  page,
  installation,
  signedIn,
}) => {
  const {user} = signedIn
  const visits = loginVisits(page)
  await forbidStorage(page)
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'cookie', {get: () => '', set: () => {}, configurable: true})
  })
  await page.goto(installation.url)
  const notice = page.getByRole('alert').filter({hasText: 'Cookies or storage may be blocked'})
  await expect(notice).toBeVisible()
  expect(visits).toEqual([])
  await page.getByRole('button', {name: 'Go to sign in'}).click()
  await form(page).waitFor()
  await enter(page, user)
  await expect(notice).toBeVisible()
  expect(visits).toHaveLength(1)
})
