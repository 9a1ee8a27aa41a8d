import {readFile} from 'node:fs/promises'
import {composer, expect, test} from './fixtures.ts'
import {answers, storedConversations} from './support/chat-page.ts'
import {anyDesktop, desktopChat} from './support/desktop.ts'
import {long} from './support/full-run.ts'
import {pinArchiveAndLabel} from './support/marks-journey.ts'
import {directionOf, expectGoodInBothThemes} from './support/phone.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/* Conversations on a desktop in English and in Arabic: marks, several at once, search, export and import. */

test.use(anyDesktop)

const seeded = [
  {title: 'Kites of the harbour', texts: ['A list, please', 'Red, green and blue ones.']},
  {title: 'الطقس', texts: ['هل كَتَبَ الطَّالِبُ إلى المدرسة؟', 'نعم.']},
  {title: 'Trains إلى بيروت', texts: ['How?', 'By the coast. A kite flew there.']},
  {title: 'A title that is far too long for the list and is cut at its end', texts: ['Why?', 'Because.']},
].map((each, index) => ({...each, minutesAgo: index * 5}))
const titles = seeded.map(({title}) => title)

test('conversations are pinned, archived and labelled, several at once, and each change is taken back', async ({
  chat: page,
  installation,
  locale,
  signedIn,
}) => {
  await seedConversations(installation, signedIn, seeded)
  await page.reload()
  await expect(composer(page)).toBeEnabled()
  const {word, button, list, listed, row} = await desktopChat(page)
  await expect(page.locator('html')).toHaveAttribute('dir', directionOf(locale))
  await expect(listed).toHaveText(titles)
  const box = await list.boundingBox()
  expect((box?.x ?? 0) > 720).toBe(locale === 'ar')

  await pinArchiveAndLabel(page)

  await row('Trains إلى بيروت').getByRole('link').press(' ')
  const bar = page.getByRole('toolbar', {name: word('chat.severalBar')})
  await page.getByRole('checkbox', {name: word('chat.severalChoose', {title: 'الطقس'})}).click({modifiers: ['Shift']})
  await expect(bar).toContainText(word('chat.severalCount', {count: 3}))
  await expectGoodInBothThemes(page, 'several that are chosen')
  await button(bar, 'chat.archiveOne').click()
  await expect(listed).toHaveText(titles.slice(3))
  await button(page, 'chat.severalMenu').click()
  await page.getByRole('menuitemradio', {name: word('chat.archiveView')}).click()
  await expect(listed).toHaveCount(3)
  await expectGoodInBothThemes(page, 'the archive')
  await button(page, 'chat.severalMenu').click()
  await page.getByRole('menuitemradio', {name: word('chat.severalShowAll')}).click()
  await expect(page.getByRole('menu')).toHaveCount(0)

  await row(titles[3] ?? '')
    .getByRole('link')
    .press(' ')
  await button(bar, 'chat.remove').click()
  await button(bar, 'chat.remove').click()
  await expect(listed).toHaveCount(0)
  // the offer stays while the mouse is over it
  await button(page, 'common.undo').last().hover()
  await expectGoodInBothThemes(page, 'a list whose conversations are in the archive')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(listed).toHaveText(titles.slice(3))
  await expect
    .poll(async () => Object.fromEntries((await storedConversations(page)).map((each) => [each.title, each])))
    .toMatchObject({
      'Trains إلى بيروت': {pinned: true, archived: true},
      الطقس: {archived: true},
      'Kites of the harbour': {labels: ['عطلة'], archived: true},
      [titles[3] ?? '']: {archived: false},
    })
})

test(
  'titles and messages are searched, and a hit is opened by the keys at its words',
  long,
  async ({chat: page, installation, signedIn}) => {
    await seedConversations(installation, signedIn, seeded)
    await page.reload()
    await expect(composer(page)).toBeEnabled()
    const {word} = await desktopChat(page)
    const field = page.getByRole('searchbox', {name: word('chat.searchLabel')})
    const results = page.getByRole('list', {name: word('chat.searchResults')}).getByRole('link')
    await field.fill('كتب الى')
    await expect(results).toHaveCount(1)
    await expect(results).toContainText('الطقس')
    await expectGoodInBothThemes(page, 'a hit in Arabic')
    await field.fill('nowhere at all')
    await expect(page.getByText(word('chat.searchNone'))).toBeVisible()
    await field.fill('kite')
    await expect(results).toHaveCount(2)
    await expect(results.last().locator('mark')).toHaveText(['kite'])
    await expectGoodInBothThemes(page, 'hits')
    await field.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(results.last()).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/chatgpt\/conversations\/[\w-]+#[\w-]+$/)
    await expect(answers(page).last()).toContainText('A kite flew there')
    const marked = () => page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map(String))
    await expect.poll(marked).toEqual(['kite'])
    await field.press('Escape')
    await expect(field).toHaveValue('')
  },
)

test(
  'all conversations are exported, deleted, and imported from the same file',
  long,
  async ({chat: page, installation, signedIn}) => {
    await seedConversations(installation, signedIn, seeded)
    await page.reload()
    await expect(composer(page)).toBeEnabled()
    const {word, button, listed, dialog, chooseOfRow} = await desktopChat(page)
    const saved = async (press: () => Promise<void>) => {
      const download = page.waitForEvent('download')
      await press()
      const file = await download
      return {name: file.suggestedFilename(), buffer: await readFile(await file.path())}
    }
    await chooseOfRow('الطقس', 'chat.exportOne')
    const one = page.getByRole('dialog')
    await one.getByRole('radio', {name: word('chat.exportMarkdown')}).check()
    await expectGoodInBothThemes(page, 'an export')
    const markdown = await saved(() => button(one, 'chat.exportGo').click())
    expect(markdown.name).toBe('الطقس.md')
    expect(markdown.buffer.toString()).toContain('هل كَتَبَ الطَّالِبُ إلى المدرسة؟')
    await expect(one.getByRole('status')).toHaveText(word('chat.exportDone'))
    await page.keyboard.press('Escape')
    await expect(one).toHaveCount(0)

    await button(page, 'chat.severalMenu').click()
    await page.getByRole('menuitem', {name: word('chat.exportAll')}).click()
    await one.getByRole('radio', {name: word('chat.exportJson')}).check()
    const all = await saved(() => button(one, 'chat.exportGo').click())
    expect(all.name).toBe('conversations.json')
    await page.keyboard.press('Escape')
    await expect(one).toHaveCount(0)

    await button(page, 'chat.severalMenu').click()
    await page.getByRole('menuitem', {name: word('chat.severalSelect')}).click()
    const bar = page.getByRole('toolbar', {name: word('chat.severalBar')})
    await button(bar, 'chat.severalAll').click()
    await button(bar, 'chat.remove').click()
    await button(bar, 'chat.remove').click()
    await expect(listed).toHaveCount(0)
    await page.reload()
    await expect.poll(() => storedConversations(page)).toEqual([])

    await button(page, 'chat.importOffer').click()
    const importing = dialog('index.settingImport')
    await importing.locator('input[type=file]').setInputFiles({...all, mimeType: 'application/json'})
    // the name is kept apart from words that run the other way
    const found = {app: '\u2068Atrium\u2069', count: 4, messages: 8}
    await expect(importing.getByRole('status')).toContainText(word('index.settingImportFound', found))
    await expectGoodInBothThemes(page, 'an import')
    await button(importing, 'index.settingImportGo', {count: 4}).click()
    await expect(importing.getByRole('status')).toContainText(word('index.settingImportDone', {count: 4}))
    await button(importing, 'index.settingImportOpen').click()
    await expect(importing).toHaveCount(0)
    await expect(listed).toHaveCount(4)
  },
)
