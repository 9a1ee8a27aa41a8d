import {expect} from '@playwright/test'
import {ask, composer} from './fixtures.ts'
import {answers, conversations, ended, lastMessage, row} from './support/chat-page.ts'
import {placeholder, chatServiceId, test, signIn} from './support/foreign-page.ts'
import {long} from './support/full-run.ts'

test.use({locale: 'en-US'})

test('sign in, ask, rename, delete and sign out with exactly the calls of the specification', async ({
  page,
  backend,
  host,
}) => {
  const {auth} = backend.config
  const here = `${host.url}/chatgpt/conversations`
  await signIn(page, `${here}?inviter_id=friend-1`)

  await test.step('sign-in by a plain code', async () => {
    const callback = `${host.url}/auth/callback?redirect=${encodeURIComponent('/chatgpt/conversations?inviter_id=friend-1')}`
    const [login] = backend.of('auth', 'GET /auth/login')
    expect(backend.calls('auth').slice(0, 2)).toEqual([
      `GET /auth/logout?redirect=${encodeURIComponent(auth + login?.path)}`,
      `GET ${login?.path}`,
    ])
    expect(Object.fromEntries(new URL(login?.path ?? '', auth).searchParams)).toEqual({
      site: expect.stringMatching(placeholder),
      inviter_id: 'friend-1',
      redirect: callback,
    })
    expect(backend.of('auth', 'POST').map(({path, body}) => [path, body])).toEqual([
      ['/oauth2/v1/token', {code: 'code-1'}],
    ])
    await expect(page).toHaveURL(`${here}?inviter_id=friend-1`)
    const cookies = await page.context().cookies(host.url)
    const lifetime = (name: string) => cookies.find((cookie) => cookie.name === name)?.expires ?? 0
    expect(cookies.map(({name, value}) => [name, value]).sort()).toEqual([
      ['INVITER_ID', 'friend-1'],
      ['LOCALE', 'en'],
      ['THEME', expect.stringMatching(/^(dark|light)$/)],
    ])
    expect([lifetime('LOCALE'), lifetime('THEME')]).toEqual([-1, -1])
    const days = (lifetime('INVITER_ID') - Date.now() / 1000) / 86_400
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThanOrEqual(7)
  })

  await test.step('management calls', async () => {
    const wallet = '/api/v1/applications/?limit=100&offset=0&user_id=u-7&ordering=-created_at&type=Usage&scope=Global'
    const own = `/api/v1/applications/?user_id=u-7&service_id=${chatServiceId}`
    const calls = new Set(
      backend.calls('platform').map((call) => decodeURIComponent(call).replace(placeholder, 'http://localhost-*')),
    )
    expect(calls).toEqual(
      new Set([
        'GET /api/v1/sites/?origin=http://localhost-*',
        'POST /api/v1/sites/initialize/',
        'GET /api/v1/users/me',
        `GET /api/v1/services/${chatServiceId}`,
        `GET ${sorted(calls, wallet)}`,
        `GET ${sorted(calls, own)}`,
        'POST /api/v1/applications/',
        'POST /api/v1/credentials/',
      ]),
    )
    expect(backend.of('platform', 'POST').map(({path, body}) => [path, body])).toEqual([
      ['/api/v1/sites/initialize/', {origin: expect.stringMatching(placeholder)}],
      ['/api/v1/applications/', {type: 'Usage', scope: 'Global', user_id: 'u-7'}],
      ['/api/v1/credentials/', {application_id: 'a-1', host: host.url}],
    ])
    const [credentials] = backend.of('platform', 'POST /api/v1/credentials/')
    expect(credentials?.headers).toEqual({
      authorization: 'Bearer access-1',
      accept: 'application/json',
      'accept-language': 'en',
      'content-type': 'application/json',
      'x-fingerprint': expect.stringMatching(/^[\w-]{8,}$/),
      'x-user-id': 'u-7',
    })
  })

  const asked = () => backend.of('api', 'POST').filter(({body}) => !(body instanceof Object && 'action' in body))
  await test.step('two questions of one conversation', async () => {
    await ask(page, 'One')
    await expect(lastMessage(page)).toContainText('You said: One – é✓')
    await expect(page).toHaveURL(`${host.url}/chatgpt/conversations/c-1`)
    await ended(page)
    await ask(page, 'Two')
    await expect(lastMessage(page)).toContainText('You said: Two – é✓')
    await expect(page.getByRole('button', {name: 'Stop'})).toHaveCount(0)
    expect(asked().map(({path, body}) => [path, body])).toEqual([
      ['/aichat/conversations', {question: 'One', model: 'gpt-5-all', references: [], stateful: true}],
      ['/aichat/conversations', {question: 'Two', model: 'gpt-5-all', references: [], id: 'c-1', stateful: true}],
    ])
    expect(asked()[0]?.headers).toEqual({
      authorization: 'Bearer key-1',
      accept: 'text/event-stream',
      'accept-language': expect.anything(),
      'content-type': 'application/json',
    })
  })

  await test.step('answer again and edit cut the history with messages as the contract has them', async () => {
    const cuts = () =>
      backend.of('api', 'POST').flatMap(({body}) => (body instanceof Object && 'messages' in body ? [body] : []))
    const first = [
      {role: 'user', content: 'One'},
      {role: 'assistant', content: 'You said: One – é✓', state: 'finished'},
    ]
    await lastMessage(page).getByRole('button', {name: 'Answer again'}).click()
    await expect.poll(cuts).toEqual([{action: 'update', id: 'c-1', messages: first}])
    await expect(lastMessage(page)).toContainText('You said: Two – é✓')
    await expect.poll(() => backend.conversations[0]?.messages.length).toBe(4)

    await answers(page).first().hover()
    await answers(page).first().getByRole('button', {name: 'Edit'}).click()
    const field = page.getByRole('textbox', {name: 'Edit message'})
    await field.fill('Three')
    await field.press('Control+Enter')
    await expect(lastMessage(page)).toContainText('You said: Three – é✓')
    await expect(answers(page)).toHaveCount(2)
    expect(cuts().slice(1)).toEqual([{action: 'update', id: 'c-1', messages: []}])
    expect(asked().map(({body}) => body)).toEqual(
      ['One', 'Two', 'Two', 'Three'].map((question, index) => ({
        question,
        model: 'gpt-5-all',
        references: [],
        ...(index > 0 ? {id: 'c-1'} : {}),
        stateful: true,
      })),
    )
    await ended(page)
    await ask(page, 'Two')
    await expect(lastMessage(page)).toContainText('You said: Two – é✓')
    await expect(page.getByRole('button', {name: 'Stop'})).toHaveCount(0)
  })

  await test.step('rename and delete', async () => {
    await row(page, 'Three').getByRole('link').press('F2')
    const field = page.getByRole('textbox', {name: 'Title of the conversation'})
    await field.fill('Renamed')
    await field.press('Enter')
    await expect(row(page, 'Renamed')).toBeVisible()
    await expect.poll(() => backend.conversations[0]?.title).toBe('Renamed')
    await page.reload()
    await expect(lastMessage(page)).toContainText('You said: Two – é✓')

    await row(page, 'Renamed').hover()
    await row(page, 'Renamed').getByRole('button', {name: 'Actions for Renamed'}).click()
    await page.getByRole('menuitem', {name: 'Delete'}).click()
    await conversations(page).getByRole('button', {name: 'Delete', exact: true}).click()
    await expect(row(page, 'Renamed')).toHaveCount(0)
    await page.reload()
    await expect.poll(() => backend.conversations).toEqual([])
    const commands = backend.of('api', 'POST').filter(({body}) => body instanceof Object && 'action' in body)
    const bodies = commands.map(({body}) => body)
    expect(bodies).toContainEqual({action: 'retrieve_batch', user_id: 'u-7'})
    expect(bodies).toContainEqual({action: 'update', id: 'c-1', title: 'Renamed'})
    expect(bodies).toContainEqual({action: 'delete', id: 'c-1'})
    for (const {headers} of commands) {
      expect(headers).toEqual({
        authorization: 'Bearer key-1',
        accept: 'application/json',
        'accept-language': expect.anything(),
        'content-type': 'application/json',
        'x-record-exempt': 'true',
      })
    }
  })

  await test.step('sign out by one navigation that comes back', async () => {
    await expect(composer(page)).toBeEnabled()
    const before = backend.calls('auth').length
    const address = page.url()
    await page.getByRole('button', {name: 'Account', exact: true}).click()
    await page.getByRole('menuitem', {name: 'Log out'}).click()
    await page.getByRole('link', {name: 'Continue as Ada'}).waitFor()
    const login = `/auth/login?redirect=${encodeURIComponent(address)}`
    expect(backend.calls('auth').slice(before)).toEqual([
      `GET /auth/logout?redirect=${encodeURIComponent(auth + login)}`,
      `GET ${login}`,
    ])
    const kept = await page.context().storageState()
    expect(JSON.stringify(kept)).not.toMatch(/access-1|key-1|ada@example/)
    await page.getByRole('link', {name: 'Continue as Ada'}).click()
    await expect(page).toHaveURL(address)
    await expect(composer(page)).toBeEnabled()
  })

  await test.step('nothing of ours was asked for', async () => {
    // the field for a question is there before the code of the second sign-in is sent
    await expect
      .poll(() => backend.of('auth', 'POST').map(({path}) => path))
      .toEqual(['/oauth2/v1/token', '/oauth2/v1/token'])
    const actions = backend.recorded.map(({body}) =>
      body instanceof Object && 'action' in body ? body.action : undefined,
    )
    expect(new Set(actions)).toEqual(new Set([undefined, 'retrieve_batch', 'update', 'delete']))
    expect(backend.recorded.filter(({headers}) => 'idempotency-key' in headers)).toEqual([])
    expect(backend.recorded.filter(({path}) => /code_challenge|state=|parent_origin/.test(path))).toEqual([])
  })
})

/** The call that was recorded for a list, whatever the order of its keys. */
function sorted(calls: Set<string>, wanted: string): string {
  const keys = (path: string) => [...new URL(path, 'http://platform').searchParams].map(String).sort().join('&')
  const path = wanted.split('?')[0] ?? ''
  const found = [...calls].find((call) => call.startsWith(`GET ${path}?`) && keys(call.slice(4)) === keys(wanted))
  return found?.slice(4) ?? wanted
}

test(
  'another language asks for the rate of its currency and says so in every management call',
  long,
  async ({page, backend, host}) => {
    await page.goto(`${host.url}/?lang=de`)
    await page.getByRole('link', {name: 'Continue as Ada'}).click()
    await page.getByRole('dialog').waitFor()
    await expect.poll(() => backend.of('platform', 'POST /api/v1/exchange-rate').length).toBeGreaterThan(0)
    const [rate] = backend.of('platform', 'POST /api/v1/exchange-rate')
    expect([rate?.body, rate?.headers['accept-language']]).toEqual([{source: 'usd', target: 'eur'}, 'de'])
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
  },
)

test(
  'an access token that is no longer good leads to the login page once, and back',
  long,
  async ({page, backend, host}) => {
    await signIn(page, host.url)
    await ask(page, 'Before')
    await expect(lastMessage(page)).toContainText('You said: Before – é✓')
    await expect(page).toHaveURL(/conversations\/c-1$/)
    backend.refused.add('access-1')
    const logins = backend.of('auth', 'GET /auth/login').length
    await page.reload()
    await page.getByRole('link', {name: 'Continue as Ada'}).click()
    await expect(page).toHaveURL(/conversations\/c-1$/)
    await expect(lastMessage(page)).toContainText('You said: Before – é✓')
    expect(backend.of('auth', 'GET /auth/login').length).toBe(logins + 1)
    expect(backend.of('auth', 'POST')).toHaveLength(2)
  },
)

test(
  'a wrong key of the configuration never leads to other hosts: it is left out, or nothing starts',
  long,
  async ({page, backend, host}) => {
    const {config} = backend
    const open = async (other: object) => {
      await page.unrouteAll()
      await page.route(`${host.url}/`, async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace(JSON.stringify(config), JSON.stringify(other))
        await route.fulfill({response, body})
      })
      await page.goto(`${host.url}/`)
    }
    const alert = page.getByRole('alert')

    for (const [other, help] of [
      [{...config, platform: 'platform.example'}, "In this page's #config, “platform” is not a valid http(s) address."],
      [[config], "This page's #config is not a JSON object."],
    ] as const) {
      await open(other)
      await expect(alert.getByRole('heading')).toHaveText("Atrium couldn't start.")
      await expect(alert).toContainText(help)
      await page.waitForLoadState('networkidle')
      expect(backend.recorded).toEqual([])
    }

    await open({...config, mode: 'prod', loginFlow: 'foo'})
    await page.getByRole('link', {name: 'Continue as Ada'}).waitFor()
    await expect(alert).toHaveCount(0)
    expect(backend.calls('auth').at(-1)).toMatch(/^GET \/auth\/login/)
  },
)
