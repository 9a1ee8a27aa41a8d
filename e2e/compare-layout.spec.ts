import type {Locator, Page} from '@playwright/test'
import sharp from 'sharp'
import {readLocale} from '#tools/locales.mjs'
import {expect} from './fixtures.ts'
import {composer} from './support/chat-page.ts'
import {answerOf, column, headOf, openPage, test, toggleModels} from './support/compare-page.ts'
import {long} from './support/full-run.ts'

/* The parts of a comparison: beside each other on a small desktop, and on a phone on its side. */

const models = ['GPT-5', 'DeepSeek V3', 'GPT-4o basic', 'GPT-4o']

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox()
  if (box === null) throw new Error('not on screen')
  return box
}

/** Asks all four, with a question that waits behind each answer. */
async function askFour(page: Page) {
  await toggleModels(page, /^GPT-4o basic/, /^GPT-4o All-round/)
  await composer(page).fill('Foo')
  await composer(page).press('Enter')
  for (const model of models) await expect(headOf(column(page, model))).toContainText('Waiting')
  await composer(page).fill('Bar')
  await composer(page).press('Enter')
  for (const model of models) await expect(column(page, model).getByText('Bar')).toBeVisible()
}

test(
  'four columns: heads of one height, waiting questions within their column, one row of tabs on a phone on its side',
  long,
  async ({context, groups}) => {
    const page = await openPage(context, groups, '/compare')
    await page.setViewportSize({width: 1024, height: 768})
    groups.openai.hold()
    groups.deepseek.hold()
    await askFour(page)
    for (const model of models) {
      const list = column(page, model).getByRole('region', {name: 'Next questions'})
      const [outer, inner] = [await boxOf(column(page, model)), await boxOf(list)]
      expect(inner.x - outer.x).toBeGreaterThanOrEqual(8)
      expect(outer.x + outer.width - inner.x - inner.width).toBeGreaterThanOrEqual(8)
    }

    groups.openai.fail(400, {error: {message: 'no such thing', code: 'bad_request'}})
    groups.deepseek.release()
    await expect(headOf(column(page, 'DeepSeek V3'))).toContainText('Answer ready')
    await column(page, 'GPT-5').getByRole('button', {name: 'GPT-5: Stop'}).click()
    await expect(headOf(column(page, 'GPT-5'))).toContainText('Stopped')
    const heights = await Promise.all(models.map(async (model) => (await boxOf(headOf(column(page, model)))).height))
    expect(new Set(heights).size).toBe(1)
    for (const width of [1440, 1024]) {
      await page.setViewportSize({width, height: 768})
      const names = await Promise.all(
        models.map((model) => boxOf(headOf(column(page, model)).getByText(model, {exact: true}))),
      )
      expect(new Set(names.map(({y}) => Math.round(y)))).toHaveProperty('size', 1)
    }

    await page.setViewportSize({width: 667, height: 375})
    const tabs = await page.getByRole('tab').all()
    const rows = await Promise.all(tabs.map(async (tab) => (await boxOf(tab)).y))
    expect(rows).toHaveLength(4)
    expect(new Set(rows).size).toBe(1)
    const cut = await page
      .getByRole('tab')
      .evaluateAll((all) => all.filter((tab) => tab.scrollWidth > tab.clientWidth).map((tab) => tab.textContent))
    expect(cut).toEqual([])
  },
)

test('names of four models are whole beside all their actions', long, async ({context, groups}) => {
  const page = await openPage(context, groups, '/compare')
  groups.openai.hold(2)
  groups.deepseek.hold(2)
  await toggleModels(page, /^GPT-4o basic/, /^GPT-4o All-round/)
  await composer(page).fill('Foo')
  await composer(page).press('Enter')
  for (const model of models) {
    await expect(answerOf(column(page, model))).toContainText(/A harbour|Take the/)
    await column(page, model)
      .getByRole('button', {name: `${model}: Stop`})
      .click()
  }
  for (const model of models) {
    const head = headOf(column(page, model))
    await expect(head).toContainText('Stopped')
    await expect(head.getByRole('button', {name: `${model}: Copy`})).toBeVisible()
  }
  for (const width of [1440, 1280, 1024]) {
    await page.setViewportSize({width, height: 768})
    const cut = await page
      .getByRole('region')
      .locator('header h2')
      .evaluateAll((all) => all.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent))
    expect.soft(cut, `${width}`).toEqual([])
    const heights = await Promise.all(models.map(async (model) => (await boxOf(headOf(column(page, model)))).height))
    expect.soft(new Set(heights), `${width}`).toHaveProperty('size', 1)
  }
})

test.describe('on a phone on its side', () => {
  test.use({hasTouch: true, isMobile: true, viewport: {width: 667, height: 375}})

  test(
    'two fifths of the height are for the answer of a column, whose actions stand beside the tabs',
    long,
    async ({context, groups}) => {
      const page = await openPage(context, groups, '/compare')
      await composer(page).fill('Foo')
      await page.getByRole('button', {name: 'Send', exact: true}).tap()
      const first = page.getByRole('tab', {name: /^GPT-5/})
      await expect(first).toContainText('Answer ready')
      const thread = page.getByRole('tabpanel', {name: /^GPT-5/}).getByRole('log')
      expect((await boxOf(thread)).height).toBeGreaterThanOrEqual(150)

      const other = page.getByRole('tab', {name: /^DeepSeek V3/})
      await other.tap()
      await expect(page.getByRole('button', {name: 'GPT-5: Copy'})).toHaveCount(0)
      await expect(page.getByRole('button', {name: 'DeepSeek V3: Copy'})).toBeVisible()
      const link = page.getByRole('link', {name: 'DeepSeek V3: Continue here'})
      expect((await boxOf(link)).y).toBe((await boxOf(other)).y)
      await link.tap()
      await page.waitForURL(/\/deepseek\//)
    },
  )
})

test.describe('in Arabic', () => {
  test.use({locale: 'ar'})

  test(
    'the help of an empty comparison leaves no single word to its last line on a phone',
    long,
    async ({context, groups}) => {
      const page = await openPage(context, groups, '/compare')
      const help = page.getByText(readLocale('ar')['compare.help'] ?? '', {exact: true})
      for (const width of [360, 375, 390, 400]) {
        await page.setViewportSize({width, height: 844})
        const lines = await help.evaluate((element) => {
          const words = element.firstChild
          const text = words?.textContent ?? ''
          const tops = [...text.matchAll(/\S+/g)].map(({index, 0: word}) => {
            const range = document.createRange()
            // as: the help is one text
            range.setStart(words as Node, index)
            range.setEnd(words as Node, index + word.length)
            return Math.round(range.getBoundingClientRect().top)
          })
          return {count: new Set(tops).size, last: tops.filter((top) => top === tops.at(-1)).length}
        })
        expect.soft(lines.count, `${width}: lines`).toBeGreaterThan(1)
        expect.soft(lines.last, `${width}: words of the last line`).toBeGreaterThan(1)
      }
    },
  )

  test(
    'the Latin name of a tab begins at the edge at which the state below it does',
    long,
    async ({context, groups}) => {
      const page = await openPage(context, groups, '/compare')
      await composer(page).fill('Foo')
      await composer(page).press('Enter')
      await page.setViewportSize({width: 390, height: 844})
      const tabs = page.getByRole('tab')
      await expect(tabs).toHaveCount(2)
      const edges = await tabs.evaluateAll((all) =>
        all.map((tab) =>
          [...tab.children].map((line) => {
            const range = document.createRange()
            range.selectNodeContents(line)
            return Math.round(range.getBoundingClientRect().right)
          }),
        ),
      )
      for (const [name, state] of edges) expect(name).toBe(state)
    },
  )
})

/** Positions of pixels in one row of the screen that have another colour than those on both sides. */
async function linesAt(page: Page, y: number): Promise<number[]> {
  const width = page.viewportSize()?.width ?? 0
  const image = await page.screenshot({clip: {x: 0, y: Math.round(y), width, height: 1}})
  const pixels = await sharp(image).greyscale().raw().toBuffer()
  return [...pixels.keys()].filter((x) => pixels[x] !== pixels[x - 1] && pixels[x] !== pixels[x + 1])
}

test(
  'the lines between four columns go from their heads to their ends, also where a width is no whole number',
  long,
  async ({context, groups}) => {
    const page = await openPage(context, groups, '/compare')
    await page.setViewportSize({width: 1440, height: 900})
    await toggleModels(page, /^GPT-4o basic/, /^GPT-4o All-round/)
    await composer(page).fill('Foo')
    await composer(page).press('Enter')
    for (const model of models) await expect(headOf(column(page, model))).toContainText('Answer ready')
    const {y, height} = await boxOf(column(page, 'GPT-5'))
    for (const width of [1440, 1439, 1438, 1437]) {
      await page.setViewportSize({width, height: 900})
      const columns = await Promise.all(models.slice(1).map((model) => boxOf(column(page, model))))
      const between = (x: number) => columns.some((box) => Math.abs(box.x - x) < 2)
      for (const at of [y + 4, y + height - 24])
        await expect.poll(async () => (await linesAt(page, at)).filter(between)).toHaveLength(3)
    }
  },
)
