import type {Page} from '@playwright/test'
import {composer, enter, expect, test} from './fixtures.ts'
import {ended, opened, thread} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {blankTab} from './support/signed-in.ts'
import {wordsOf} from './support/words-of.ts'

/* The entrances of the installed app in its manifest: other apps share with it, and its icon lists what it opens. */

type Manifest = {
  shortcuts: {name: string; url: string}[]
  share_target: {action: string; method: string; params: Record<'title' | 'text' | 'url', string>}
}

const manifestOf = async (page: Page, url: string): Promise<Manifest> =>
  // as: the manifest of our server
  (await (await page.request.get(`${url}/manifest.webmanifest`)).json()) as Manifest

type Shared = Partial<Record<'title' | 'text' | 'url', string>>

/** Opens the app as a browser does for another app that shares. Returns the addresses that the page asked for then. */
async function share(page: Page, url: string, shared: Shared): Promise<() => string[]> {
  const {action, method, params} = (await manifestOf(page, url)).share_target
  expect(method).toBe('GET')
  const target = new URL(action, url)
  // as: the keys of an object are typed as any text
  for (const [part, name] of Object.entries(params) as [keyof Shared, string][])
    target.searchParams.set(name, shared[part] ?? '')
  const asked: string[] = []
  page.on('request', (request) =>
    asked.push(`${request.url()} ${request.headers()['referer'] ?? ''} ${request.postData() ?? ''}`),
  )
  await page.goto(target.href)
  return () => asked.slice(1)
}

const heron = 'A heron stands in the harbour'

test('the text that another app shares stands in the field of a new chat; nothing is sent, and no address keeps it', async ({
  tab: chat,
  installation,
}) => {
  const asked = await share(chat, installation.url, {title: 'News', text: heron, url: 'https://news.example/1'})
  await opened(chat)
  await expect(composer(chat)).toHaveValue(`News\n${heron}\nhttps://news.example/1`)
  await expect(composer(chat)).toBeFocused()
  await expect(chat).toHaveURL(`${installation.url}/chatgpt/conversations`)
  await expect(chat.getByRole('button', {name: 'Send'})).toBeEnabled()
  await expect(thread(chat)).toHaveCount(0)
  await chat.waitForLoadState('networkidle')
  expect(asked().filter((request) => /heron|news\.example|shared-/.test(request))).toEqual([])
  // it is a draft like any other, once
  await chat.reload()
  await expect(composer(chat)).toHaveValue(`News\n${heron}\nhttps://news.example/1`)
})

test(
  'what stood in the field is kept beside a shared text, which goes out when it is sent',
  long,
  async ({chat, installation, modelServer}) => {
    await composer(chat).fill('Half a thought')
    await share(chat, installation.url, {text: heron})
    await expect(composer(chat)).toHaveValue(new RegExp(heron))
    modelServer.answer('A fine bird.')
    await chat.getByRole('button', {name: 'Send'}).click()
    await ended(chat)
    await expect(thread(chat)).toContainText(heron)
    // in front of it, or beside it for the next new chat
    const sentText = await thread(chat).innerText()
    await chat.goto(`${installation.url}/chatgpt/conversations`)
    await expect.poll(async () => `${sentText}${await composer(chat).inputValue()}`).toContain('Half a thought')
  },
)

test('a shared text waits for its user to sign in', async ({page, installation, signedIn}) => {
  const asked = await share(page, installation.url, {text: heron})
  await enter(page, signedIn.user)
  await expect(composer(page)).toHaveValue(heron)
  await expect(page).toHaveURL(`${installation.url}/chatgpt/conversations`)
  expect(asked().filter((request) => /heron|shared-/.test(request))).toEqual([])
})

test.describe('on a phone', () => {
  test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

  test(
    'in Arabic the shared text is whole in the field, and no keyboard comes',
    long,
    async ({tab: chat, installation}) => {
      await chat.context().addCookies([{name: 'LOCALE', value: 'ar', url: installation.url}])
      const text = 'طائر مالك الحزين يقف في الميناء\nhttps://news.example/a?b=1&c=2'
      await share(chat, installation.url, {title: 'أخبار', text, url: 'https://news.example/a?b=1&c=2'})
      const field = chat.getByRole('main').getByRole('textbox')
      await expect(field).toHaveValue(`أخبار\n${text}`)
      await expect(field).not.toBeFocused()
      expect(await field.evaluate((element) => element.scrollHeight <= element.clientHeight + 1)).toBe(true)
    },
  )
})

for (const locale of ['en', 'ar', 'ru', 'zh-TW'])
  test(`each entrance opens what its name says (${locale})`, long, async ({context, installation, signedIn}) => {
    await context.addCookies([{name: 'LOCALE', value: locale, url: installation.url}])
    const page = await blankTab(context, installation.url, signedIn)
    const {shortcuts} = await manifestOf(page, installation.url)
    expect(shortcuts).toHaveLength(4)
    for (const {name, url} of shortcuts) {
      await page.goto(`${installation.url}${url}`)
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
      const words = await wordsOf(page)
      const current = page.getByRole('navigation', {name: words('index.nav')}).locator('[aria-current]')
      const rail = url.includes('/conversations') ? words('index.chat') : name
      await expect.poll(async () => (await current.first().textContent())?.replaceAll('\u00ad', '').trim()).toBe(rail)
      if (url.includes('/conversations')) expect(name).toBe(words('index.newChat'))
    }
  })
