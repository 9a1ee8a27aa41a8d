import type {Browser, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {conversationId, ended} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {anyPhone, arabicPhone, askByTouch, directionOf, expectGoodInBothThemes, goTo} from './support/phone.ts'
import {pixel} from './support/pixel.ts'
import {wordsOf} from './support/words-of.ts'

/* A conversation is shared from a phone in Arabic or English, read on another one without an account, and its links end. */

test.use(anyPhone)

const title = 'طعام البوم'
const answer = [
  '## البوم',
  'يأكل **البوم** `الفئران` و[غيرها](https://birds.example/owl).',
  '![سر](https://tracker.example/pixel.png)',
  '```js\nconst owl = "بومة"\n```',
  '| الطعام | العدد |\n|---|---|\n| فأر | 3 |',
  '$x^2$',
  '<img src=x onerror="document.title=\'broken\'">',
].join('\n\n')

type Owner = {page: Page; word: (id: string) => string}

const dialog = ({page}: Owner) => page.getByRole('dialog')
const button = (owner: Owner, id: string) => dialog(owner).getByRole('button', {name: owner.word(id), exact: true})

const openDialog = async (owner: Owner) => {
  const {page, word} = owner
  await page
    .getByRole('banner')
    .getByRole('button', {name: word('chat.threadMenu')})
    .tap()
  await page.getByRole('menuitem', {name: word('chat.share')}).tap()
  await expect(button(owner, 'share.make')).toBeEnabled()
}
const makeLink = async (owner: Owner): Promise<string> => {
  const {page, word} = owner
  const links = dialog(owner).getByRole('link', {name: word('share.open')})
  const count = await links.count()
  const made = page.waitForResponse(
    (response) => response.request().method() === 'POST' && /\/shares\/$/.test(response.url()),
  )
  await button(owner, 'share.make').tap()
  // as: the contract tests check this answer
  const {id} = (await (await made).json()) as {id: string}
  await expect(dialog(owner).getByText(word('share.made'))).toBeVisible()
  await expect(links).toHaveCount(count + 1)
  const addresses = await links.evaluateAll((all: HTMLAnchorElement[]) => all.map(({href}) => href))
  const address = `${new URL(page.url()).origin}/share/${id}`
  expect(addresses).toContain(address)
  return address
}

/** Another phone, on which nothing was ever signed in. */
async function openReader(browser: Browser, locale: string): Promise<Page> {
  const context = await browser.newContext({...arabicPhone, locale})
  const page = await context.newPage()
  return page
}

/** The page of a link that leads nowhere any more. */
async function expectGone(reader: Page, address: string, word: Owner['word']) {
  expect((await reader.goto(address))?.status()).toBe(404)
  await expect(reader.getByRole('heading', {level: 1})).toHaveText(word('share.missing'))
  await expect(reader.getByRole('article')).toHaveCount(0)
  expect(await reader.content()).not.toContain(title)
  const {status} = await reader.evaluate(
    (id) => fetch(`/services/platform/api/v1/shares/${id}`).then(({status: code}) => ({status: code})),
    address.split('/').at(-1),
  )
  expect(status).toBe(404)
}

/** Expects that a reader and the owner see the same rendering. */
async function expectSameRendering(reader: Page, word: Owner['word']) {
  const shown = reader.getByRole('article').last()
  await expect(shown.getByRole('heading', {name: 'البوم'})).toBeVisible()
  await expect(shown.locator('strong')).toHaveText('البوم')
  await expect(shown.locator('p code')).toHaveText('الفئران')
  const link = shown.getByRole('link', {name: 'غيرها'})
  await expect(link).toHaveAttribute('rel', /noopener/)
  await expect(link).toHaveAttribute('target', '_blank')
  // an image that the model names is not fetched
  await expect(shown.getByRole('link', {name: /tracker\.example/})).toBeVisible()
  await expect(shown.locator('img')).toHaveCount(0)
  await expect(shown.getByRole('figure').locator('code')).toHaveText('const owl = "بومة"')
  await expect(shown.getByRole('figure').locator('pre')).toHaveCSS('direction', 'ltr')
  await expect(shown.getByRole('cell', {name: 'فأر'})).toBeVisible()
  await expect(shown.locator('math')).toBeVisible()
  await expect(shown).toContainText('onerror')
  await expect(reader).toHaveTitle(new RegExp(`^${title}`))
  await expect(shown.getByRole('button', {name: word('chat.copyMarkdown')})).toBeVisible()
}

/** The time in the sentence at the head of a copy reads from left to right, as everywhere. */
async function expectWholeTime(reader: Page) {
  const places = await reader.getByText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/).evaluate(({firstChild}) => {
    const text = firstChild?.textContent ?? ''
    const start = text.search(/\d{4}-/)
    return [start, start + 5, start + 8, start + 11, start + 17].map((from) => {
      const range = document.createRange()
      // as: the sentence is there
      range.setStart(firstChild as Node, from)
      range.setEnd(firstChild as Node, from + 1)
      return range.getBoundingClientRect().left
    })
  })
  expect(places).toEqual([...places].sort((one, other) => one - other))
}

test(
  'a conversation is shared, read without an account, brought up to date and revoked',
  long,
  async ({phoneLocale, chat: page, modelServer, browser, installation}) => {
    const owner: Owner = {page, word: await wordsOf(page)}
    const {word} = owner
    modelServer.answer(answer)
    modelServer.nameBy(title)
    await page
      .getByRole('main')
      .locator('input[type="file"]')
      .setInputFiles({name: 'owl.png', mimeType: 'image/png', buffer: pixel})
    await expect(page.getByRole('main').locator('img').first()).toBeVisible()
    await askByTouch(page, 'ماذا يأكل البوم؟')
    await ended(page)
    const id = await conversationId(page)

    await openDialog(owner)
    await expectGoodInBothThemes(page, 'share dialog')
    const bare = await makeLink(owner)
    await dialog(owner)
      .getByRole('switch', {name: word('share.attachments')})
      .tap()
    const address = await makeLink(owner)
    expect(address).toMatch(new RegExp(`^${installation.url}/share/[\\w-]{22}$`))
    await expectGoodInBothThemes(page, 'share dialog with links')

    const reader = await openReader(browser, phoneLocale)
    const asked: string[] = []
    reader.on('request', (request) => asked.push(request.url()))
    const response = await reader.goto(address)
    expect([response?.status(), response?.headers()['x-robots-tag']]).toEqual([200, 'noindex, nofollow, noarchive'])
    expect(await response?.text()).toContain('<meta name="robots" content="noindex')
    await expect(reader.getByRole('heading', {level: 1})).toHaveText(title)
    await expect(reader.locator('html')).toHaveAttribute('dir', directionOf(phoneLocale))
    await expectSameRendering(reader, word)
    await expectWholeTime(reader)
    const image = reader.getByRole('article').first().getByRole('img')
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1)
    await expectGoodInBothThemes(reader, 'reader', async () => {
      await reader.reload()
      await reader.getByRole('article').last().waitFor()
    })
    expect(asked.filter((url) => new URL(url).origin !== installation.url)).toEqual([])
    expect(await reader.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ''])
    expect(await reader.content()).not.toContain(id)

    await reader.goto(bare)
    await expect(reader.getByRole('article').first()).toContainText(
      phoneLocale === 'ar' ? 'مرفق واحد غير مشترك' : '1 attachment is not shared',
    )
    await expect(reader.getByRole('article').first().getByRole('img')).toHaveCount(0)

    modelServer.answer('لا شيء.')
    await button(owner, 'common.close').tap()
    await askByTouch(page, 'ومن يأكل البوم؟')
    await ended(page)
    await reader.reload()
    await expect(reader.getByRole('article')).toHaveCount(2)
    await openDialog(owner)
    const row = dialog(owner).getByRole('listitem').filter({hasText: bare})
    await row.getByRole('button', {name: word('share.renew')}).tap()
    await expect(dialog(owner).getByText(word('share.renewed'))).toBeVisible()
    await reader.reload()
    await expect(reader.getByRole('article')).toHaveCount(4)
    await expect(reader.getByRole('article').last()).toContainText('لا شيء.')

    await row.getByRole('button', {name: word('share.revoke')}).tap()
    await expect(row.getByRole('alert')).toHaveText(word('share.revokeQuestion'))
    await expectGoodInBothThemes(page, 'share revoke question')
    await row.getByRole('button', {name: word('share.revoke')}).tap()
    await expect(dialog(owner).getByRole('listitem')).toHaveCount(1)
    await expectGone(reader, bare, word)
    await expectGoodInBothThemes(reader, 'reader of nothing', async () => {
      await reader.reload()
      await reader.getByRole('heading', {level: 1}).waitFor()
    })
    await button(owner, 'common.close').tap()

    // the settings lead to the links of all conversations
    await goTo(page, 'you')
    await page
      .getByRole('main')
      .getByRole('button', {name: word('index.settings'), exact: true})
      .tap()
    await dialog(owner)
      .getByRole('tab', {name: word('index.settingData')})
      .tap()
    await dialog(owner)
      .getByRole('link', {name: word('index.commandSharedLinks')})
      .tap()
    await expect(dialog(owner)).toHaveCount(0)
    const links = page.getByRole('list', {name: word('share.links')})
    await expect(links).toBeInViewport()
    await expect(links.getByRole('listitem')).toHaveCount(1)
    await expect(links.getByRole('listitem')).toContainText(title)
    await expect(links.getByRole('listitem')).toContainText(word('share.withAttachments'))
    await expect(links.getByRole('link', {name: word('share.open')})).toHaveAttribute('href', address)
    await expectGoodInBothThemes(page, 'shared links')
    await links.getByRole('button', {name: word('share.revoke')}).tap()
    await links.getByRole('button', {name: word('share.revoke')}).tap()
    await expect(page.getByText(word('share.none'))).toBeVisible()
    await expectGone(reader, address, word)
    await reader.context().close()
  },
)
