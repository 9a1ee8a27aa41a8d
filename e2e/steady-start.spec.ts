import type {Page} from '@playwright/test'
import {answers, expect, test} from './fixtures.ts'
import {longBut} from './support/full-run.ts'
import {seedConversation} from './support/seeded-conversation.ts'

/* From its first frame a page has its language, direction and theme, and nothing moves while the rest comes. */

/** Notes every look of the page, frame by frame, and how far what is shown was moved, among the marks of the page. */
const watchFrames = (page: Page) =>
  page.addInitScript(() => {
    let last = ''
    const look = () => {
      const {lang, dir, dataset} = document.documentElement
      const ground = getComputedStyle(document.documentElement).colorScheme
      const now = `look ${lang} ${dir} ${dataset.theme} ${ground}`
      if (now !== last) performance.mark(now)
      last = now
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const {value} = entry as PerformanceEntry & {value: number} // as: a layout shift is not in the DOM types
        performance.mark(`shift ${value}`)
      }
    }).observe({type: 'layout-shift', buffered: true})
  })

const marked = (page: Page, kind: 'look' | 'shift') =>
  page.evaluate(
    (prefix) =>
      performance
        .getEntriesByType('mark')
        .filter(({name}) => name.startsWith(prefix))
        .map(({name}) => name.slice(prefix.length)),
    `${kind} `,
  )

for (const [locale, direction, theme, width] of [
  ['ar', 'rtl', 'dark', 390],
  ['en', 'ltr', 'light', 1440],
] as const)
  test(
    `the page begins in ${locale} and ${theme}, and nothing moves while it comes, ${width} pixels wide`,
    longBut(width === 390),
    async ({tab, context, installation, signedIn}) => {
      const answer = 'It opens at **six**.\n\n```ts\nconst a = 1\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |'
      const {id} = await seedConversation(installation, signedIn, ['When does it open?', answer])
      await tab.setViewportSize({width, height: 844})
      // the system says the opposite
      await tab.emulateMedia({colorScheme: theme === 'dark' ? 'light' : 'dark'})
      const cookies = {LOCALE: locale, THEME: theme}
      await context.addCookies(Object.entries(cookies).map(([name, value]) => ({name, value, url: installation.url})))
      await watchFrames(tab)
      // what the services say comes after the page stands
      await tab.route('**/services/**', async (route) => {
        await tab.getByRole('navigation').first().waitFor()
        await route.continue()
      })
      await tab.goto(`${installation.url}/chatgpt/conversations/${id}`)
      await expect(answers(tab)).toHaveCount(2)
      await expect(answers(tab).last().locator('[data-scope]').first()).toBeAttached()
      await tab.waitForLoadState('networkidle')
      expect(await marked(tab, 'look')).toEqual([`${locale} ${direction} ${theme} ${theme}`])
      const shifts = await marked(tab, 'shift')
      expect(shifts.reduce((sum, value) => sum + Number(value), 0)).toBeLessThan(0.01)
    },
  )
