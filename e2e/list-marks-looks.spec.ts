import type {Locator, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {conversations, row} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {show} from './support/marked-conversations.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/* Labels of any length, in colours of the user's system too. */

const label = 'Überlabel'.repeat(11)
const short = 'work'

test.beforeEach(async ({tab, installation, signedIn}) => {
  await seedConversations(installation, signedIn, [
    {title: 'Boats', texts: ['How?', 'So.'], labels: [label]},
    {title: 'Kites', texts: ['A?', 'B.'], labels: [short]},
  ])
  await tab.goto(`${installation.url}/chatgpt/conversations`)
  await expect(tab.getByRole('link', {name: 'Boats'})).toBeVisible()
})

test('a label as long as it may be takes one line above its conversations', long, async ({tab}) => {
  await show(tab, label)
  const name = conversations(tab).getByText(label, {exact: true})
  const {height = 0, width = 0} = (await name.boundingBox()) ?? {}
  expect(height).toBeLessThan(30)
  expect(width).toBeGreaterThan(150)
  await expect(name).toHaveAttribute('title', label)
})

test('a label is no dot, as those of answers are: in the list, its menu and the dialog', async ({tab}) => {
  const isBar = (mark: Locator) =>
    expect
      .poll(() => mark.evaluate(({clientWidth, clientHeight}) => clientHeight > 2 * clientWidth && clientWidth > 0))
      .toBe(true)
  await isBar(row(tab, 'Kites').getByRole('img', {name: short}).locator('> *'))
  await tab.getByRole('button', {name: 'Options of the list'}).click()
  await isBar(tab.getByRole('menuitemradio', {name: short}).locator('[style]'))
  await tab.getByRole('menuitem', {name: 'Labels…'}).click()
  await isBar(tab.getByRole('dialog').getByRole('listitem', {name: short}).locator('span[aria-hidden]'))
})

/** Chooses rows, and says how far the mark of a label stands from the end of its row. */
async function spaceBehindMark(page: Page) {
  await page.getByRole('button', {name: 'Options of the list'}).click()
  await page.getByRole('menuitem', {name: 'Select', exact: true}).click()
  const chosen = conversations(page).getByRole('listitem').filter({hasText: 'Kites'})
  const space = () =>
    chosen
      .getByRole('img', {name: short})
      .evaluate((mark) => (mark.closest('li')?.getBoundingClientRect().right ?? 0) - mark.getBoundingClientRect().right)
  return {chosen, space}
}

test('the mark of a label stays where it is under the pointer while rows are chosen', long, async ({tab}) => {
  const {chosen, space} = await spaceBehindMark(tab)
  await tab.getByRole('textbox').first().hover()
  const before = await space()
  await chosen.hover()
  expect(await space()).toBe(before)
})

test.describe('by touch', () => {
  test.use({hasTouch: true, isMobile: true})

  test('the mark of a label stands clear of the end of a chosen row', long, async ({tab}) => {
    const {space} = await spaceBehindMark(tab)
    expect(await space()).toBeGreaterThan(8)
  })
})

test.describe('in Arabic', () => {
  test.use({locale: 'ar'})

  test('the name of a label stands beside its mark, whatever its direction', long, async ({tab}) => {
    await tab.getByRole('button', {name: 'خيارات القائمة'}).click()
    await tab.getByRole('menuitem', {name: 'التسميات…'}).click()
    const name = tab.getByRole('dialog').getByRole('listitem').getByText(short, {exact: true})
    const gap = await name.evaluate((element) => {
      const words = document.createRange()
      words.selectNodeContents(element)
      const mark = element.previousElementSibling?.getBoundingClientRect()
      return (mark?.left ?? Infinity) - words.getBoundingClientRect().right
    })
    expect(gap).toBeLessThan(20)
  })
})

test.describe('forced colours', () => {
  test.use({forcedColors: 'active', colorScheme: 'dark'})

  test('the mark of a label and the dot of an answer can be seen', long, async ({tab, modelServer}) => {
    const colourOf = (name: string) =>
      row(tab, 'Boats')
        .getByRole('img', {name})
        .evaluate((mark) => {
          const dot = mark.firstElementChild ?? mark
          return [getComputedStyle(dot).backgroundColor, getComputedStyle(document.body).backgroundColor]
        })
    const [dot, page] = await colourOf(label)
    expect(dot).not.toBe(page)
    modelServer.hold()
    await row(tab, 'Boats').getByRole('link').click()
    await expect(tab.getByRole('log')).toContainText('So.')
    await tab.getByRole('main').getByRole('textbox').fill('Why?')
    await tab.getByRole('main').getByRole('textbox').press('Enter')
    const [mark] = await colourOf('Answering')
    expect(mark).not.toBe(page)
  })
})
