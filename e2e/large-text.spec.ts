import type {Page} from '@playwright/test'
import {answers, composer, expect, test} from './fixtures.ts'
import {conversations} from './support/chat-page.ts'
import {long, longBut} from './support/full-run.ts'
import {openIn} from './support/page-looks.ts'
import {seedConversation} from './support/seeded-conversation.ts'

/* The browser's own font size is 24 pixels instead of 16: all text is half as large again, and none is cut. */

test.use({
  launchOptions: async ({launchOptions}, give) => {
    const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=24']
    await give({...launchOptions, args})
  },
})

const fontSizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize)

/** The words of elements that are cut at their own edge, without dots that say so and without a way to scroll there. */
const cutWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isCut = (element: Element) => {
      const {overflowX, overflowY, textOverflow, clipPath, display} = getComputedStyle(element)
      const hasDots = textOverflow === 'ellipsis' && !display.includes('flex')
      if (clipPath !== 'none' || hasDots || display === '-webkit-box') return false
      const isControl = element.matches('button, a, [role="tab"], [role="radio"]')
      const isWide = element.scrollWidth > element.clientWidth + 1 && (isControl || /hidden|clip/.test(overflowX))
      const isHigh = element.scrollHeight > element.clientHeight + 2 && (isControl || /hidden|clip/.test(overflowY))
      return isWide || isHigh
    }
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && element.clientWidth > 1)
      .filter(isCut)
      .map((element) => `${element.tagName} ${element.className} ${element.textContent.slice(0, 60)}`)
  })

async function expectUncut(page: Page, part: string) {
  const overflow = await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)
  expect.soft(overflow, `${part}: wider than the screen`).toBe(0)
  expect.soft(await cutWords(page), `${part}: cut`).toEqual([])
}

for (const [width, height, locale] of [
  [1440, 900, 'en'],
  [390, 844, 'ar'],
] as const)
  test(
    `a larger font size of the browser enlarges all text and cuts none, ${width} pixels wide`,
    longBut(width === 390),
    async ({tab, installation, signedIn}) => {
      const answer = 'The **answer** with `code`.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```js\nconst a = 1\n```'
      const {id} = await seedConversation(installation, signedIn, ['The question', answer])
      await tab.setViewportSize({width, height})
      await openIn(tab, `/chatgpt/conversations/${id}`, {theme: 'light', locale})
      await expect(answers(tab)).toHaveCount(2)
      const sizes = () => Promise.all([answers(tab).first(), composer(tab)].map((part) => part.evaluate(fontSizeOf)))
      expect(Math.min(...(await sizes()))).toBeGreaterThanOrEqual(21)
      await expectUncut(tab, `chat ${width}`)
      if (width > 1000) {
        const title = conversations(tab).getByRole('link', {name: 'seeded'})
        expect(await title.evaluate(fontSizeOf)).toBeGreaterThan(18)
      }
      await tab.keyboard.press('Control+,')
      await expect(tab.getByRole('dialog')).toBeVisible()
      for (const choice of await tab.getByRole('dialog').getByRole('tab').all()) {
        await choice.click()
        expect(await choice.evaluate(fontSizeOf)).toBeGreaterThan(18)
        await expectUncut(tab, `settings ${await choice.textContent()} ${width}`)
      }
      await tab.keyboard.press('Escape')
      await expect(tab.getByRole('dialog')).toHaveCount(0)
      await tab.keyboard.press('Control+k')
      await expect(tab.getByRole('dialog').getByRole('option').first()).toBeVisible()
      await expectUncut(tab, `palette ${width}`)
    },
  )

const pages = ['/console/applications', '/console/usages', '/distribution']
for (const [width, height, paths] of [
  [1440, 900, [...pages, '/midjourney', '/profile']],
  [390, 844, pages],
] as const)
  test(
    `tools and pages of the account with larger text, ${width} pixels wide`,
    longBut(width === 390),
    async ({tab, installation}) => {
      await tab.setViewportSize({width, height})
      for (const path of paths) {
        await tab.goto(`${installation.url}${path}`)
        await expect(tab.getByRole('heading', {level: 1})).toBeAttached()
        await tab.waitForLoadState('networkidle')
        await expectUncut(tab, `${path} ${width}`)
      }
    },
  )

test('the note of the sandbox is whole beside, or below, the name of a tool on a phone', long, async ({tab}) => {
  await tab.setViewportSize({width: 390, height: 844})
  for (const locale of ['en', 'ar'] as const)
    for (const tool of ['midjourney', 'kling']) {
      await openIn(tab, `/${tool}`, {theme: 'light', locale})
      const note = tab.getByTitle(/built-in sandbox|البيئة التجريبية المدمجة/)
      // what is cut has no part in view
      await expect.soft(note, `${locale} ${tool}`).toBeInViewport({ratio: 0.99})
    }
})

test('a button of one short line beside the balance stays on it', long, async ({tab, installation}) => {
  await tab.goto(`${installation.url}/profile`)
  const add = tab.getByRole('link', {name: 'Add credits'})
  const lines = await add.evaluate(
    (link) => link.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(link).lineHeight),
  )
  expect(lines).toBeLessThan(2)
})
