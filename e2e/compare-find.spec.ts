import type {Page} from '@playwright/test'
import {expect} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {composer} from './support/chat-page.ts'
import {answerOf, column, headOf, openPage, test} from './support/compare-page.ts'
import {long} from './support/full-run.ts'

/* Words are found in all columns of a comparison. */

const bar = (page: Page) => page.getByRole('search', {name: 'Find in conversation'})
const count = (page: Page) => bar(page).getByRole('status')

/** The marked texts, and the label of the column that the shown one is in. */
const marks = (page: Page) =>
  page.evaluate(() => {
    const rangesOf = (name: string) =>
      [...(CSS.highlights.get(name) ?? [])].flatMap((range) => (range instanceof Range ? [range] : []))
    const [now] = rangesOf('found-now')
    const section = now?.startContainer.parentElement?.closest('section')
    return {found: rangesOf('found').map(String), column: section?.querySelector('h2')?.textContent}
  })

test(
  'words are found and marked in all columns; on a phone the column of the match comes on screen',
  long,
  async ({context, groups}) => {
    const page = await openPage(context, groups, '/chatgpt/conversations')
    groups.openai.answer('A harbour of marble, then a harbour of salt')
    groups.deepseek.answer('The slow train to the harbour')
    await page.getByRole('button', {name: 'Model: GPT-5'}).click()
    await page.getByRole('button', {name: 'Ask several models…'}).click()
    await expect(page.getByText('2 of 4 chosen')).toBeVisible()
    await composer(page).fill('Which way?')
    await composer(page).press('Enter')
    const [gpt, deep] = [column(page, 'GPT-5'), column(page, 'DeepSeek V3')]
    for (const each of [gpt, deep]) await expect(headOf(each)).toContainText('Answer ready')

    await page.keyboard.press('ControlOrMeta+Shift+F')
    await expect(bar(page).getByRole('textbox')).toBeFocused()
    await page.keyboard.type('harbour')
    await expect(count(page)).toHaveText('1 of 3')
    await expect.poll(() => marks(page)).toEqual({found: ['harbour', 'harbour', 'harbour'], column: 'GPT-5'})
    await page.keyboard.press('Shift+Enter')
    await expect(count(page)).toHaveText('3 of 3')
    await expect.poll(async () => (await marks(page)).column).toBe('DeepSeek V3')
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(bar(page)).toHaveCount(0)
    expect((await marks(page)).found).toEqual([])

    await page.setViewportSize({width: 390, height: 844})
    await page.getByRole('button', {name: 'Find in conversation'}).click()
    await page.keyboard.type('harbour')
    await expect(count(page)).toHaveText('1 of 3')
    await expect(page.getByRole('tab', {selected: true})).toContainText('GPT-5')
    await page.keyboard.press('Shift+Enter')
    await expect(page.getByRole('tab', {selected: true})).toContainText('DeepSeek V3')
    await expect(answerOf(page.getByRole('tabpanel', {name: /DeepSeek V3/}))).toBeInViewport()
    await expect(bar(page).getByRole('textbox')).toBeFocused()
  },
)

test.describe('on a phone on its side', () => {
  test.use({hasTouch: true, isMobile: true, viewport: {width: 844, height: 390}})

  test('the messages have at least half of the height, also while words are found', long, async ({context, groups}) => {
    const page = await openPage(context, groups, '/compare')
    groups.openai.answer('A harbour of marble, then a harbour of salt. '.repeat(30))
    await expect(page.getByText(/^Together about/)).toBeVisible()
    await composer(page).fill('Which way?')
    await page.getByRole('button', {name: 'Send', exact: true}).click()
    const columns = [column(page, 'GPT-5'), column(page, 'DeepSeek V3')]
    for (const each of columns) await expect(headOf(each)).toContainText('Answer ready')
    const expectRoom = async () => {
      for (const each of columns)
        expect((await each.getByRole('log').boundingBox())?.height).toBeGreaterThanOrEqual(390 / 2)
      for (const name of ['Send', 'New comparison'])
        await expect(page.getByRole('button', {name, exact: true})).toBeInViewport({ratio: 0.99})
    }
    await expectRoom()
    await page.getByRole('button', {name: 'Find in conversation'}).click()
    await bar(page).getByRole('textbox').fill('harbour')
    await expect(count(page)).toHaveText('1 of 60')
    await expectRoom()
    await expect(bar(page)).toBeInViewport({ratio: 0.99})
    expect(await axeFaults(page)).toEqual([])
  })
})
