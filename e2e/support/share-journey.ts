import {type Browser, type BrowserContextOptions, expect, type Locator, type Page} from '@playwright/test'
import {conversationId, ended} from './chat-page.ts'
import type {ModelServer} from './model-server.ts'
import {directionOf, expectGoodInBothThemes} from './phone.ts'
import {pixel} from './pixel.ts'
import {press} from './press.ts'

/*
 * A conversation is shared, read without an account, and its links end: the same on a phone and on a desktop, in any
 * language.
 */

const sharedTitle = 'طعام البوم'
const answer = [
  '## البوم',
  'يأكل **البوم** `الفئران` و[غيرها](https://birds.example/owl).',
  '![سر](https://tracker.example/pixel.png)',
  '```js\nconst owl = "بومة"\n```',
  '| الطعام | العدد |\n|---|---|\n| فأر | 3 |',
  '$x^2$',
  '<img src=x onerror="document.title=\'broken\'">',
].join('\n\n')

/** The page of the user who shares, and the ways to its dialogs. */
export type Owner = {
  page: Page
  word: (id: string) => string
  ask: (question: string) => Promise<void>
  /** Opens the dialog of the conversation on screen. */
  openDialog: () => Promise<void>
  openSettings: () => Promise<void>
}

export const shareDialog = ({page}: Pick<Owner, 'page'>): Locator => page.getByRole('dialog')
export const shareButton = (owner: Pick<Owner, 'page' | 'word'>, id: string): Locator =>
  shareDialog(owner).getByRole('button', {name: owner.word(id), exact: true})

async function makeLink(owner: Owner): Promise<string> {
  const {page, word} = owner
  const links = shareDialog(owner).getByRole('link', {name: word('share.open')})
  const count = await links.count()
  const made = page.waitForResponse(
    (response) => response.request().method() === 'POST' && /\/shares\/$/.test(response.url()),
  )
  await press(shareButton(owner, 'share.make'))
  // as: the contract tests check this answer
  const {id} = (await (await made).json()) as {id: string}
  await expect(shareDialog(owner).getByText(word('share.made'))).toBeVisible()
  await expect(links).toHaveCount(count + 1)
  const addresses = await links.evaluateAll((all: HTMLAnchorElement[]) => all.map(({href}) => href))
  const address = `${new URL(page.url()).origin}/share/${id}`
  expect(addresses).toContain(address)
  return address
}

/** The page of a link that leads nowhere any more. */
async function expectGone(reader: Page, address: string, word: Owner['word']) {
  expect((await reader.goto(address))?.status()).toBe(404)
  await expect(reader.getByRole('heading', {level: 1})).toHaveText(word('share.missing'))
  await expect(reader.getByRole('article')).toHaveCount(0)
  expect(await reader.content()).not.toContain(sharedTitle)
  const {status} = await reader.evaluate(
    (id) => fetch(`/services/platform/api/v1/shares/${id}`).then(({status: code}) => ({status: code})),
    address.split('/').at(-1),
  )
  expect(status).toBe(404)
}

/** A reader sees what the owner sees, by the same rules. */
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
  await expect(reader).toHaveTitle(new RegExp(`^${sharedTitle}`))
  // a question stands off from its answer, as in the app
  const [question, heading] = await Promise.all([
    reader.getByRole('article').first().boundingBox(),
    shown.getByRole('heading', {name: 'البوم'}).boundingBox(),
  ])
  expect((heading?.y ?? 0) - (question?.y ?? 0) - (question?.height ?? 0)).toBeGreaterThanOrEqual(20)
  await expect(shown.getByRole('button', {name: word('chat.copyMarkdown')})).toBeVisible()
}

/** The time in the sentence at the head of a copy reads from left to right, as everywhere. */
async function expectWholeTime(reader: Page) {
  const positions = await reader.getByText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/).evaluate(({firstChild}) => {
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
  expect(positions).toEqual([...positions].sort((one, other) => one - other))
}

/** Another device, on which nothing was ever signed in, opens a link and finds the copy, with its image. */
async function readCopy(browser: Browser, device: BrowserContextOptions, address: string, owner: Owner) {
  const {origin} = new URL(address)
  const reader = await (await browser.newContext(device)).newPage()
  const asked: string[] = []
  reader.on('request', (request) => asked.push(request.url()))
  const response = await reader.goto(address)
  expect([response?.status(), response?.headers()['x-robots-tag']]).toEqual([200, 'noindex, nofollow, noarchive'])
  expect(await response?.text()).toContain('<meta name="robots" content="noindex')
  await expect(reader.getByRole('heading', {level: 1})).toHaveText(sharedTitle)
  await expect(reader.locator('html')).toHaveAttribute('dir', directionOf(device.locale))
  await expectSameRendering(reader, owner.word)
  await expectWholeTime(reader)
  const image = reader.getByRole('article').first().getByRole('img')
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1)
  await expectGoodInBothThemes(reader, 'reader', async () => {
    await reader.reload()
    await reader.getByRole('article').last().waitFor()
  })
  expect(asked.filter((url) => new URL(url).origin !== origin)).toEqual([])
  expect(await reader.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ''])
  return reader
}

/** The conversation goes on; the copy only follows when its link is brought up to date. */
async function renew(owner: Owner, modelServer: ModelServer, reader: Page, address: string) {
  const {page, word} = owner
  modelServer.answer('لا شيء.')
  await press(shareButton(owner, 'common.close'))
  await owner.ask('ومن يأكل البوم؟')
  await ended(page)
  await reader.reload()
  await expect(reader.getByRole('article')).toHaveCount(2)
  await owner.openDialog()
  const row = shareDialog(owner).getByRole('listitem').filter({hasText: address})
  await press(row.getByRole('button', {name: word('share.renew')}))
  await expect(shareDialog(owner).getByText(word('share.renewed'))).toBeVisible()
  await reader.reload()
  await expect(reader.getByRole('article')).toHaveCount(4)
  await expect(reader.getByRole('article').last()).toContainText('لا شيء.')
  await showFiles(owner, reader, row)
}

/** The switch is as the links have it, and then what it says counts for an update as well. */
async function showFiles(owner: Owner, reader: Page, row: Locator) {
  const {page, word} = owner
  const image = reader.getByRole('article').first().getByRole('img')
  await expect(image).toHaveCount(0)
  const attachments = shareDialog(owner).getByRole('switch', {name: word('share.attachments')})
  await expect(attachments).not.toBeChecked()
  await press(attachments)
  await expect(row).toContainText(word('share.renewShows'))
  await expectGoodInBothThemes(page, 'share link before an update')
  await press(row.getByRole('button', {name: word('share.renew')}))
  await expect(row).toContainText(word('share.withAttachments'))
  await expect(row).not.toContainText(word('share.renewShows'))
  await reader.reload()
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1)
}

async function revoke(owner: Owner, reader: Page, address: string) {
  const {page, word} = owner
  const row = shareDialog(owner).getByRole('listitem').filter({hasText: address})
  await press(row.getByRole('button', {name: word('share.revoke')}))
  await expect(row.getByRole('alert')).toHaveText(word('share.revokeQuestion'))
  await expectGoodInBothThemes(page, 'share revoke question')
  await press(row.getByRole('button', {name: word('share.revoke')}))
  await expect(shareDialog(owner).getByRole('listitem')).toHaveCount(1)
  await expectGone(reader, address, word)
  await expectGoodInBothThemes(reader, 'reader of nothing', async () => {
    await reader.reload()
    await reader.getByRole('heading', {level: 1}).waitFor()
  })
  await press(shareButton(owner, 'common.close'))
}

/** The settings list the links of all conversations; the only one is revoked there. */
async function revokeInSettings(owner: Owner, reader: Page, address: string) {
  const {page, word} = owner
  await owner.openSettings()
  await press(shareDialog(owner).getByRole('tab', {name: word('index.settingData')}))
  await expect(shareDialog(owner).getByRole('heading', {name: word('index.commandSharedLinks')})).toBeVisible()
  const links = shareDialog(owner).getByRole('list', {name: word('share.links')})
  await links.scrollIntoViewIfNeeded()
  const side = (await page.locator('html').getAttribute('dir')) === 'rtl' ? 'right' : 'left'
  for (const words of [sharedTitle, address]) await expect(links.getByText(words)).toHaveCSS('text-align', side)
  await expect(links.getByRole('listitem')).toHaveCount(1)
  await expect(links.getByRole('listitem')).toContainText(sharedTitle)
  await expect(links.getByRole('listitem')).toContainText(word('share.withAttachments'))
  await expect(links.getByRole('link', {name: word('share.open')})).toHaveAttribute('href', address)
  await expectGoodInBothThemes(page, 'shared links')
  await press(links.getByRole('button', {name: word('share.revoke')}))
  await press(links.getByRole('button', {name: word('share.revoke')}))
  await expect(shareDialog(owner).getByText(word('share.none'))).toBeVisible()
  await expectGone(reader, address, word)
}

/** Shares twice, without the attachments and with them; `device`: that of the reader. */
export async function shareAndRevoke(
  owner: Owner,
  {browser, device, modelServer}: {browser: Browser; device: BrowserContextOptions; modelServer: ModelServer},
): Promise<void> {
  const {page, word} = owner
  modelServer.answer(answer)
  modelServer.nameBy(sharedTitle)
  await page
    .getByRole('main')
    .locator('input[type="file"]')
    .setInputFiles({name: 'owl.png', mimeType: 'image/png', buffer: pixel})
  await expect(page.getByRole('main').getByText(word('chat.ready'))).toBeVisible()
  await owner.ask('ماذا يأكل البوم؟')
  await ended(page)
  const id = await conversationId(page)

  await owner.openDialog()
  await expectGoodInBothThemes(page, 'share dialog')
  const bare = await makeLink(owner)
  await press(shareDialog(owner).getByRole('switch', {name: word('share.attachments')}))
  const address = await makeLink(owner)
  expect(address).toMatch(/\/share\/[\w-]{22}$/)
  await expectGoodInBothThemes(page, 'share dialog with links')

  const reader = await readCopy(browser, device, address, owner)
  expect(await reader.content()).not.toContain(id)
  await reader.goto(bare)
  await expect(reader.getByRole('article').first()).toContainText(
    device.locale === 'ar' ? 'مرفق واحد غير مشترك' : '1 attachment is not shared',
  )
  await expect(reader.getByRole('article').first().getByRole('img')).toHaveCount(0)

  await renew(owner, modelServer, reader, bare)
  await revoke(owner, reader, bare)
  await revokeInSettings(owner, reader, address)
  await reader.context().close()
}
