import {composer, enter, expect, test} from './fixtures.ts'
import {loginVisits, tokenCalls} from './support/calls.ts'
import {long} from './support/full-run.ts'
import {parseKept} from './support/private-data.ts'
import {form} from './support/sign-in-page.ts'
import {storedState} from './support/signed-in.ts'

/* The way from the login page back to the app: its code, and where it may lead. */

test('the code is out of the address before anything is asked, and no referrer tells it', async ({
  page,
  installation,
  signedIn,
}) => {
  const {user} = signedIn
  const leaks: string[] = []
  page.on('request', (request) => {
    const {referer} = request.headers()
    if (referer !== undefined && /[?&]code=/.test(referer)) leaks.push(`${request.url()} from ${referer}`)
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
  expect(leaks).toEqual([])
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
    expect([replay.status(), (await replay.json()).code]).toEqual([400, 'invalid_grant'])
    const me = await page.request.get(`${installation.url}/services/platform/api/v1/users/me`, {
      headers: {authorization: `Bearer ${access}`},
    })
    expect(me.status()).toBe(401)
  },
)

test('the callback goes on to no other location than a page of this app', long, async ({chat, installation}) => {
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
