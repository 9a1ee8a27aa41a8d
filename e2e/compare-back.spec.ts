import type {Page} from '@playwright/test'
import {expect} from './fixtures.ts'
import {composer} from './support/chat-page.ts'
import {openPage, test, toggleModels} from './support/compare-page.ts'
import {longBut} from './support/full-run.ts'
import {wordsOf} from './support/words-of.ts'

/* Back from the conversation of one column: the comparison stands as it was left, with the times of its answers. */

const phone = {width: 390, height: 844}
/** Not wide enough for four columns. */
const desktop = {width: 900, height: 800}

const row = (page: Page) => page.locator('[role=log]').first().locator('xpath=ancestor::section/..')
const scrollOf = (page: Page) => row(page).evaluate(({scrollLeft}) => Math.round(scrollLeft))

for (const locale of ['en', 'ar']) {
  test(
    `on a phone its tab is the one that was continued (${locale})`,
    longBut(locale === 'ar'),
    async ({context, groups}) => {
      await context.addCookies([{name: 'LOCALE', value: locale, url: groups.installation.url}])
      const page = await openPage(context, groups, '/compare')
      await page.setViewportSize(phone)
      const word = await wordsOf(page)
      await composer(page).fill('Foo')
      await page.getByRole('button', {name: word('chat.send')}).click()
      const tabs = page.getByRole('tab')
      for (const tab of await tabs.all()) await expect(tab).toContainText(word('chat.answerReady'))
      await expect.poll(() => new URL(page.url()).searchParams.getAll('with').length).toBe(2)
      const before = await tabs.allTextContents()
      for (const words of before) expect(words).toMatch(/\p{Nd}[.,٫]?\p{Nd}* \P{Nd}+$/u)

      await tabs.nth(1).click()
      await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
      const panel = page.getByRole('tabpanel').nth(1)
      await panel
        .getByRole('link')
        .filter({hasText: word('compare.continue')})
        .click()
      await expect(page).toHaveURL(/\/deepseek\/conversations\/[\w-]+$/)
      await expect(page.getByRole('log').getByRole('article')).toHaveCount(2)
      // the page of the phone may have been thrown away meanwhile
      if (locale === 'ar') await page.reload()
      await page.goBack()
      await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByRole('tab', {selected: true})).toHaveCount(1)
      await expect(panel.getByRole('article').last()).toBeInViewport()
      await expect(tabs).toHaveText(before)
      expect(Math.abs(await scrollOf(page))).toBe(phone.width)
    },
  )

  test(
    `on a desktop the column that was continued is in view (${locale})`,
    longBut(locale === 'ar'),
    async ({context, groups}) => {
      await context.addCookies([{name: 'LOCALE', value: locale, url: groups.installation.url}])
      const page = await openPage(context, groups, '/compare')
      await page.setViewportSize(desktop)
      const word = await wordsOf(page)
      await toggleModels(page, /^GPT-4o basic/, /^GPT-4o (All-round|متعدد)/)
      await composer(page).fill('Foo')
      await composer(page).press('ControlOrMeta+Enter')
      const regions = row(page).locator('> section')
      await expect(regions).toHaveCount(4)
      for (const each of await regions.all()) await expect(each).toContainText(word('chat.answerReady'))
      await expect.poll(() => new URL(page.url()).searchParams.getAll('with').length).toBe(4)
      const states = regions.locator('header')
      const before = await states.allTextContents()

      const link = regions
        .nth(3)
        .getByRole('link')
        .filter({hasText: word('compare.continue')})
      await link.scrollIntoViewIfNeeded()
      const scroll = await scrollOf(page)
      expect(Math.abs(scroll)).toBeGreaterThan(100)
      await link.click()
      await expect(page).toHaveURL(/\/conversations\/[\w-]+$/)
      await page.goBack()
      await expect(states).toHaveText(before)
      await expect(link).toBeInViewport({ratio: 1})
      expect(Math.abs((await scrollOf(page)) - scroll)).toBeLessThanOrEqual(4)
    },
  )
}
