import type {Browser, Page, Response} from '@playwright/test'
import {ask, composer, enter, expect, newUser, test} from './fixtures.ts'
import {conversationId, ended, lastMessage, storedConversations} from './support/chat-page.ts'
import {keptData, parseKept} from './support/private-data.ts'
import {blankTab, storedState} from './support/signed-in.ts'
import {createUser} from './support/users.ts'
import {long} from './support/full-run.ts'

const canary = 'sk-canary-e2e'

test('the key of the provider is in no answer, page, storage or log, not even when the provider repeats it', async ({
  chat,
  installation,
  modelServer,
}) => {
  const bodies: string[] = []
  const readings: Promise<void>[] = []
  const read = async (response: Response) => {
    const text = await response.text().catch(() => '') // redirects and canceled ones have no body
    bodies.push(`${response.url()}\n${JSON.stringify(response.headers())}\n${text}`)
  }
  chat.on('response', (response) => readings.push(read(response)))
  await chat.reload()
  await expect(composer(chat)).toBeEnabled()
  modelServer.answer('an answer')
  await ask(chat, 'What is your key?')
  await expect(lastMessage(chat)).toContainText('an answer')
  modelServer.fail(401, {error: {code: 'invalid_api_key', message: `Incorrect API key provided: ${canary}.`}})
  await ended(chat)
  await ask(chat, 'And now?')
  await expect(chat.getByRole('log').getByRole('alert')).toBeVisible()
  await Promise.all(readings)
  expect(bodies.length).toBeGreaterThan(5)
  for (const text of [...bodies, await chat.content(), await keptData(chat), installation.log]) {
    expect(text).not.toContain(canary)
  }
})

test('a user who knows the address of another user’s conversation gets nothing of it and can do nothing to it', async ({
  browser,
  context,
  chat,
  installation,
  modelServer,
}) => {
  modelServer.answer('The secret of the first user')
  await ask(chat, 'Keep this')
  await expect(lastMessage(chat)).toContainText('The secret of the first user')
  const id = await conversationId(chat)
  const owner = parseKept(await storedState(chat))

  const stranger = await createUser(installation.url)
  const other = await browser.newContext()
  const page = await blankTab(other, installation.url, stranger)
  await page.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(page.getByText('This conversation is not here. It may have been deleted.')).toBeVisible()
  await expect(page.getByText('The secret of')).toHaveCount(0)

  const {chat: tool, token} = parseKept(stranger.state)
  const post = (data: object) =>
    page.request.post(`${installation.url}/services/api/aichat/conversations`, {
      data,
      headers: {authorization: `Bearer ${tool.credential.token}`},
    })
  const commands = [
    {action: 'retrieve', id},
    {action: 'update', id, title: 'Mine now'},
    {action: 'update', id, messages: []},
    {action: 'delete', id},
    {action: 'stop', id},
    {question: 'Go on', model: 'gpt-5-all', references: [], id, stateful: true},
  ]
  for (const command of commands) expect([command, (await post(command)).status()]).toEqual([command, 404])
  const lists = [
    {action: 'retrieve_batch', user_id: owner.user.id},
    {action: 'retrieve_batch', ids: [id]},
  ]
  for (const list of lists) expect(await (await post(list)).json()).toEqual({count: 0, items: []})
  const applications = await page.request.get(
    `${installation.url}/services/platform/api/v1/applications/?user_id=${owner.user.id}`,
    {headers: {authorization: `Bearer ${token.access}`, 'x-user-id': owner.user.id}},
  )
  expect(await applications.json()).toEqual({count: 0, items: []})
  await other.close()

  const kept = (await storedConversations(chat)).find((conversation) => conversation.id === id)
  expect(kept?.messages.map(({content}) => content)).toEqual(['Keep this', 'The secret of the first user'])
  expect(context.pages()).toContain(chat)
})

test(
  'oversize and malformed bodies are refused with a code, and the page goes on',
  long,
  async ({chat, modelServer}) => {
    const token = parseKept(await storedState(chat)).chat.credential.token
    const {access} = parseKept(await storedState(chat)).token
    const send = (path: string, bearer: string, body: string, type = 'application/json') =>
      chat.evaluate(
        async (call) => {
          const response = await fetch(call.path, {
            method: 'POST',
            headers: {authorization: `Bearer ${call.bearer}`, 'content-type': call.type},
            body: call.body,
          })
          // as: the AI host and the management API name the code in two ways
          const said = (await response.json()) as {code?: string; error?: {code: string}}
          return [response.status, said.code ?? said.error?.code]
        },
        {path, bearer, body, type},
      )
    const question = (text: string) =>
      JSON.stringify({question: text, model: 'gpt-5-all', references: [], stateful: true})
    const ai = '/services/api/aichat/conversations'
    const platform = '/services/platform/api/v1'
    expect(await send(ai, token, question('x'.repeat(9_000_000)))).toEqual([413, 'content_too_large'])
    for (const body of [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{"question":""}',
      '{"question":1,"model":"gpt-5-all"}',
      '{"action":"explode"}',
      '{"action":"retrieve","id":{"$ne":1}}',
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      question('x').replace('}', ',"__proto__":{"admin":true},"mystery":1}'),
    ]) {
      expect([body.slice(0, 60), ...(await send(ai, token, body))]).toEqual([body.slice(0, 60), 400, 'bad_request'])
    }
    expect((await send(ai, token, question('hello'), 'text/plain'))[0]).toBe(415)
    expect(await send(`${platform}/applications/`, access, '{"type":"Usage","remaining_amount":1000000}')).toEqual([
      400,
      'bad_request',
    ])
    expect((await send(`${platform}/applications/`, token, '{"type":"Usage"}'))[0]).toBe(401)
    expect((await send(ai, access, question('hello')))[0]).toBe(401)

    modelServer.answer('still here')
    await ask(chat, 'Still there?')
    await expect(lastMessage(chat)).toContainText('still here')
  },
)

test.describe('the first paint', () => {
  type Look = {theme?: string; locale?: string; query?: string; prefers?: 'dark' | 'light'; languages?: string}
  const looks: [Look, {theme: string; lang: string; dir: string}, object?][] = [
    [{prefers: 'dark', languages: 'en-US'}, {theme: 'dark', lang: 'en', dir: 'ltr'}, long],
    [{prefers: 'light', languages: 'de-AT'}, {theme: 'light', lang: 'de', dir: 'ltr'}, long],
    [
      {prefers: 'dark', languages: 'en-US', theme: 'light', locale: 'ar'},
      {theme: 'light', lang: 'ar', dir: 'rtl'},
    ],
    [
      {prefers: 'light', languages: 'ar', theme: 'light', locale: 'ar', query: '?theme=dark&lang=zh-TW'},
      {theme: 'dark', lang: 'zh-TW', dir: 'ltr'},
    ],
  ]

  /** The page as it is painted while the app's script has not come. */
  async function paint(browser: Browser, url: string, {theme, locale, query = '', prefers, languages}: Look) {
    const context = await browser.newContext({colorScheme: prefers, locale: languages})
    const cookies = Object.entries({THEME: theme, LOCALE: locale})
    await context.addCookies(cookies.flatMap(([name, value]) => (value === undefined ? [] : [{name, value, url}])))
    const page = await context.newPage()
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/assets/*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${url}/${query}`, {waitUntil: 'commit'})
    await page.locator('.skeleton').waitFor()
    return {page, release, close: () => context.close()}
  }

  const look = (page: Page) =>
    page.evaluate(() => {
      const {dataset, lang, dir} = document.documentElement
      // a pixel of it, for a color is written in many ways
      const pencil = document.createElement('canvas').getContext('2d')
      if (pencil === null) throw new Error('This browser does not draw.')
      pencil.fillStyle = getComputedStyle(document.body).backgroundColor
      pencil.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0, opacity] = pencil.getImageData(0, 0, 1, 1).data
      const brightness = red + green + blue
      return {
        theme: dataset['theme'],
        lang,
        dir,
        isOpaque: opacity === 255,
        isDark: brightness < 120,
        isLight: brightness > 645,
      }
    })

  const wholeLook = (shown: {theme: string; lang: string; dir: string}) => ({
    ...shown,
    isOpaque: true,
    isDark: shown.theme === 'dark',
    isLight: shown.theme === 'light',
  })

  for (const [wanted, shown, run = {}] of looks) {
    test(
      `is ${shown.theme} and ${shown.lang} before a script came: ${JSON.stringify(wanted)}`,
      run,
      async ({browser, installation}) => {
        const {page, release, close} = await paint(browser, installation.url, wanted)
        expect(await look(page)).toEqual(wholeLook(shown))
        release()
        // a visitor goes on to the login page, which looks the same
        await page.waitForURL(/\/auth\/login\?/)
        await page.locator('form').waitFor()
        expect(await look(page)).toEqual(wholeLook(shown))
        await close()
      },
    )
  }
})

test.describe('addresses', () => {
  test('lead where the specification says', async ({tab: chat, installation}) => {
    for (const [from, to] of [
      ['/', '/chatgpt/conversations'],
      ['/chatgpt', '/chatgpt/conversations'],
      ['/deepseek', '/deepseek/conversations'],
      ['/grok', '/grok/conversations'],
      ['/console', '/console/applications'],
    ]) {
      await chat.goto(installation.url + from)
      await expect(chat).toHaveURL(installation.url + to)
    }
  })

  test('that do not exist say so and keep the navigation', async ({tab: chat, installation}) => {
    await chat.goto(`${installation.url}/nothing/here`)
    await expect(chat.getByRole('heading', {name: 'Page not found'})).toBeVisible()
    await expect(chat.getByRole('navigation', {name: 'Main'})).toBeVisible()
  })

  test('that need a login wait for it and come back with path and query', async ({page, installation, signedIn}) => {
    const {user} = signedIn
    await page.goto(`${installation.url}/sora?prompt=a%20b`)
    await enter(page, user)
    await expect(page.getByRole('button', {name: 'Change tool, Sora'})).toBeVisible()
    await expect(page).toHaveURL(`${installation.url}/sora?prompt=a%20b`)
  })
})

test('Arabic is read from right to left, on the login page and in the app', long, async ({page, installation}) => {
  await page.goto(`${installation.url}/?lang=ar`)
  await page.waitForURL(/\/auth\/login\?/)
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  const user = newUser()
  await page.locator('a[href^="register"]').click()
  // the page before has an email field too
  await page.waitForURL(/\/auth\/register\?/)
  await page.locator('input[name=email]').fill(user.email)
  await page.locator('input[name=password]').fill(user.password)
  await page.locator('form button[type=submit], form button.go').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  const [rail, main] = await Promise.all([
    page.locator('nav').first().boundingBox(),
    page.locator('main').boundingBox(),
  ])
  expect(rail?.x ?? 0).toBeGreaterThan(main?.x ?? Infinity)
})

test('a page answers with the headers that guard it', async ({page, installation}) => {
  const response = await page.goto(installation.url)
  const headers = (await response?.allHeaders()) ?? {}
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'nonce-[\w+/=]{16,}' 'strict-dynamic'/,
  )
  expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect([headers['x-content-type-options'], headers['referrer-policy']]).toEqual(['nosniff', 'no-referrer'])
  const again = await page.request.get(installation.url)
  expect(again.headers()['content-security-policy']).not.toBe(headers['content-security-policy'])
})
