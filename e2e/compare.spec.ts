import {expect} from './fixtures.ts'
import {composer, offeredModel} from './support/chat-page.ts'
import {answerOf, closeModels, column, headOf, openPage, test, toggleModels} from './support/compare-page.ts'
import {long} from './support/full-run.ts'
import {expectGoodLooks} from './support/page-looks.ts'

/* One question to several models (decision 63). */

test('a refusal in one column leaves the other alone, and is asked again alone', long, async ({context, groups}) => {
  const page = await openPage(context, groups, '/compare')
  groups.openai.fail(400, {error: {message: 'no such thing', code: 'bad_request'}})
  await composer(page).fill('Foo')
  await composer(page).press('Enter')
  const [gpt, deep] = [column(page, 'GPT-5'), column(page, 'DeepSeek V3')]
  await expect(headOf(gpt)).toContainText('Failed')
  await expect(headOf(deep)).toContainText('Answer ready')
  groups.openai.answer('Better now')
  await gpt.getByRole('button', {name: 'GPT-5: Retry'}).click()
  await expect(answerOf(gpt)).toContainText('Better now')
  await expect(deep.getByRole('article')).toHaveCount(2)
})

test('on a phone in Arabic: tabs with the states, files that one model cannot take, and stopping all', async ({
  context,
  groups,
}) => {
  await context.addCookies([
    {name: 'LOCALE', value: 'ar', url: groups.installation.url},
    {name: 'THEME', value: 'light', url: groups.installation.url},
  ])
  const page = await openPage(context, groups, '/compare')
  await page.setViewportSize({width: 390, height: 844})
  // the name of the page begins where its content does
  const title = page.getByRole('banner').locator('strong')
  await expect(title).toBeVisible()
  expect(
    await title.evaluate(
      (name) => innerWidth - name.getBoundingClientRect().right + parseFloat(getComputedStyle(name).paddingRight),
    ),
  ).toBe(16)
  // the price of a question comes first where reading begins, as in the words below the list
  await page.getByRole('button', {name: 'اختيار النماذج'}).click()
  const numbers = offeredModel(page, /^GPT-5 الأنسب/).getByText('0.01 / 0.03')
  const [ofQuestion, ofAnswer] = await numbers.evaluate((element) =>
    ['0.01', '0.03'].map((price) => {
      const words = [...element.childNodes].find((node) => node.textContent === price)
      if (words === undefined) throw new Error(`no ${price} in ${element.outerHTML}`)
      const range = document.createRange()
      range.selectNode(words)
      return range.getBoundingClientRect().left
    }),
  )
  expect(ofQuestion).toBeGreaterThan(ofAnswer ?? Infinity)
  await closeModels(page)
  await toggleModels(page, /^GPT-4o متعدد/)
  await page.locator('input[type=file]').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Lucca'),
  })
  await expect(page.getByText('لا يستطيع DeepSeek V3 قراءة هذه الملفات، ولن يُسأل.')).toBeVisible()
  await page.getByRole('button', {name: /notes\.txt/}).click()
  await expect(page.getByText('لا يستطيع DeepSeek V3')).toHaveCount(0)

  groups.openai.hold(1)
  groups.deepseek.hold(1)
  await composer(page).fill('ما أقصر طريق؟')
  await page.getByRole('button', {name: 'إرسال'}).click()
  const tabs = page.getByRole('tab')
  await expect(tabs).toHaveCount(3)
  await expect(page.getByRole('tab', {selected: true})).toContainText('GPT-5')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await tabs.nth(1).click()
  await expect(answerOf(page.getByRole('tabpanel').nth(1))).toContainText('Take')
  // no line at the edge of the screen: the column stands alone
  await expect(page.getByRole('tabpanel').nth(1)).toHaveCSS('border-inline-start-width', '0px')
  // a finger tells the buttons from the tabs
  const stop = page.getByRole('button', {name: 'إيقاف الكل'})
  const [buttonBox, tabBox] = [await stop.boundingBox(), await tabs.first().boundingBox()]
  expect((tabBox?.y ?? 0) - (buttonBox?.y ?? 0) - (buttonBox?.height ?? 0)).toBeGreaterThanOrEqual(8)
  await stop.click()
  for (const tab of await tabs.all()) await expect(tab).toContainText('تم الإيقاف')
  await tabs.nth(1).press('ArrowLeft')
  await expect(tabs.nth(2)).toBeFocused()
  await expect(tabs.nth(2)).toHaveAttribute('aria-selected', 'true')
})

for (const locale of ['en', 'ar']) {
  test(
    `four tabs on a phone: names and states fit, and the shown one is in view (${locale})`,
    long,
    async ({context, groups}) => {
      await context.addCookies([{name: 'LOCALE', value: locale, url: groups.installation.url}])
      const page = await openPage(context, groups, '/compare')
      await page.setViewportSize({width: 390, height: 844})
      await toggleModels(page, /^GPT-4o basic/, /^GPT-4o (All-round|متعدد)/)
      groups.openai.fail(400, {error: {message: 'no such thing', code: 'bad_request'}})
      await composer(page).fill('Foo')
      await composer(page).press('ControlOrMeta+Enter')
      const tabs = page.getByRole('tab')
      await expect(tabs).toHaveCount(4)
      const tooSmall = () =>
        tabs.evaluateAll((all) =>
          all.flatMap((tab) => {
            const {width, height} = tab.getBoundingClientRect()
            const isCut = [tab, ...tab.children].some(({scrollWidth, clientWidth}) => scrollWidth > clientWidth)
            return width < 104 || height < 44 || isCut ? [tab.textContent] : []
          }),
        )
      await expect.poll(tooSmall).toEqual([])
      for (const index of [3, 0]) {
        await tabs.nth(index).click()
        await expect(tabs.nth(index)).toBeInViewport({ratio: 1})
        await expect(tabs.nth(index)).toHaveAttribute('aria-selected', 'true')
        // the page around them stays where it is
        expect(await page.getByRole('banner').evaluate((head) => head.getBoundingClientRect().left)).toBe(0)
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
    },
  )
}

test('the choice and the answers look right everywhere', long, async ({context, groups}) => {
  const page = await openPage(context, groups, '/compare')
  await expectGoodLooks(page, () => page.getByRole('list').getByText('GPT-5').waitFor())
  await composer(page).fill('Foo')
  await composer(page).press('Enter')
  await expect(headOf(column(page, 'DeepSeek V3'))).toContainText('Answer ready')
  await expect.poll(() => new URL(page.url()).searchParams.getAll('with').length).toBe(2)
  await expectGoodLooks(page, () => page.getByRole('article').nth(1).waitFor())
})
