import {chromium} from '@playwright/test'
import {acceptTerms, answers, ask, composer, expect, newUser, register, test} from './fixtures.ts'
import {lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {freePort, Installation} from './support/installation.ts'

const key = 'sk-canary-e2e'

test('services on origins of their own: register, ask, upload, reload', long, async ({page, watch, modelServer}) => {
  const origin = async () => `http://localhost:${await freePort()}`
  const [auth, platform, api] = [await origin(), await origin(), await origin()]
  const installation = await Installation.start({
    AUTH_ORIGIN: auth,
    PLATFORM_ORIGIN: platform,
    API_ORIGIN: api,
    OPENAI_BASE_URL: modelServer.baseUrl,
    OPENAI_API_KEY: key,
  })
  try {
    for (const url of [installation.url, auth, platform, api]) watch.allow(url)
    const asked = new Map<string, Set<string>>()
    page.on('request', (request) => {
      const {origin: of, pathname} = new URL(request.url())
      asked.set(of, (asked.get(of) ?? new Set()).add(pathname))
    })
    modelServer.reset()
    modelServer.answer('split but whole')
    await register(page, installation.url, newUser())
    await acceptTerms(page)
    await expect(composer(page)).toBeEnabled()
    const file = {name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('the secret word is heron')}
    await page.locator('input[type=file]').setInputFiles(file)
    await expect(page.getByText('· Ready')).toBeVisible()
    await ask(page, 'Whole?')
    await expect(lastMessage(page)).toContainText('split but whole')
    expect(JSON.stringify(modelServer.calls.at(-1)?.messages)).toContain('the secret word is heron')
    await expect(page).toHaveURL(/conversations\/[\w-]+$/)
    await page.reload()
    await expect(lastMessage(page)).toContainText('split but whole')
    const link = answers(page).first().getByRole('link', {name: /notes/})
    expect(new URL((await link.getAttribute('href')) ?? '').origin).toBe(platform)
    expect([...(asked.get(auth) ?? [])].sort()).toEqual([
      '/auth/login',
      '/auth/logout',
      '/auth/register',
      '/oauth2/v1/token',
    ])
    expect([...(asked.get(api) ?? [])]).toEqual(['/aichat/conversations'])
    expect(asked.get(platform)).toContain('/api/v1/users/me')
    expect(asked.get(platform)).toContain('/api/v1/files/')
    expect([...(asked.get(installation.url) ?? [])].filter((path) => path.startsWith('/services'))).toEqual([])
  } finally {
    await installation.dispose()
  }
})

test(
  'plain http under a name of the local network: register, ask, copy',
  long,
  async ({launchOptions, modelServer}) => {
    const installation = await Installation.start((port) => ({
      PUBLIC_ORIGINS: `http://atrium.lan:${port}`,
      OPENAI_BASE_URL: modelServer.baseUrl,
      OPENAI_API_KEY: key,
    }))
    const url = `http://atrium.lan:${installation.port}`
    const browser = await chromium.launch({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--host-resolver-rules=MAP atrium.lan 127.0.0.1'],
    })
    try {
      const page = await browser.newPage()
      const faults: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && /^https?:/.test(request.url())) faults.push(request.url())
      })
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) faults.push(message.text())
      })
      page.on('pageerror', (error) => faults.push(error.message))
      modelServer.reset()
      modelServer.answer('copied over **plain** http')
      // who comes first is told that the start printed the link for the first account
      await page.goto(url)
      await expect(page.getByText('There is no account here yet.')).toBeVisible()
      await page.goto(/http\S+setup=\S+/.exec(installation.log)?.[0] ?? '')
      const user = newUser()
      await page.getByLabel('Email').fill(user.email)
      await page.getByLabel('Password', {exact: true}).fill(user.password)
      await page.getByRole('button', {name: 'Create account'}).click()
      await acceptTerms(page)
      await expect(composer(page)).toBeEnabled()
      expect(
        await page.evaluate(() => [
          isSecureContext,
          'subtle' in crypto,
          'locks' in navigator,
          'clipboard' in navigator,
        ]),
      ).toEqual([false, false, false, false])
      await ask(page, 'Copy?')
      await expect(lastMessage(page)).toContainText('copied over plain http')
      await lastMessage(page).hover()
      await lastMessage(page).getByRole('button', {name: 'Copy as Markdown'}).click()
      await expect(lastMessage(page).getByRole('button', {name: 'Copied'})).toBeVisible()
      await composer(page).press('ControlOrMeta+v')
      await expect(composer(page)).toHaveValue('copied over **plain** http')

      await page.reload()
      await expect(lastMessage(page)).toContainText('copied over plain http')
      await expect(page).toHaveURL(new RegExp(`^${url}/chatgpt/conversations/`))
      expect(faults).toEqual([])
    } finally {
      await browser.close()
      await installation.dispose()
    }
  },
)
