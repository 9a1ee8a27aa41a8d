import AxeBuilder from '@axe-core/playwright'
import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {cards, generate, generateButton, openTool, settings} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {long} from './support/full-run.ts'

/* The focus has a target when its element goes (design.md §9). */

const focused = (page: Page) =>
  page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent?.trim()}`)

for (const theme of ['dark', 'light']) {
  test(`the keys on Generate can be read (${theme})`, long, async ({chat: page, context}) => {
    await context.addCookies([{name: 'THEME', value: theme, url: new URL(page.url()).origin, sameSite: 'Lax'}])
    await openTool(page, '/flux')
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await expect(generateButton(page).locator('kbd')).toBeVisible()
    const {passes, violations} = await new AxeBuilder({page})
      .include('form button[type=submit] kbd, form button kbd')
      .withRules(['color-contrast'])
      .analyze()
    expect(violations.flatMap(({nodes}) => nodes.map(({failureSummary}) => failureSummary))).toEqual([])
    expect(passes.map(({id}) => id)).toEqual(['color-contrast'])
  })
}

test('a user who goes to another tool is at its heading, also once its screen stands', long, async ({chat: page}) => {
  await openTool(page, '/flux')
  const rail = page.getByRole('navigation').first()
  for (const link of ['Video', 'Music', 'Image']) {
    await rail.getByRole('link', {name: link, exact: true}).click()
    await generateButton(page).waitFor()
    await expect(cards(page).or(page.getByRole('main').getByText(/here/)).first()).toBeVisible()
    await expect.poll(() => focused(page)).toMatch(/^H1 /)
  }
})

test('Space on a video opens it, and Space again plays it', long, async ({chat: page}) => {
  await openTool(page, '/kling')
  await generate(page, 'a kite over dunes')
  const card = cards(page).first()
  await card.getByRole('button', {name: /^Play/}).first().waitFor()
  await card.focus()
  await page.keyboard.press('Space')
  // the strip below it has videos of its own
  const video = page.getByRole('dialog').locator('video:not([aria-hidden])')
  await video.waitFor()
  await page.keyboard.press('Space')
  await expect.poll(() => video.evaluate((video: HTMLVideoElement) => video.played.length > 0)).toBe(true)
  await expect(video).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(video).toHaveCount(0)
  await expect(card).toBeFocused()
})

test('a file that is taken back by key leaves the focus in its field', long, async ({chat: page}) => {
  await openTool(page, '/kling')
  const field = settings(page).getByRole('group', {name: 'Start frame'})
  await field.locator('input[type=file]').setInputFiles({name: 'a.png', mimeType: 'image/png', buffer: pixel})
  const remove = field.getByRole('button', {name: /^Remove/})
  await remove.focus()
  await page.keyboard.press('Enter')
  await expect(remove).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(field.getByRole('button')).toBeFocused()
})
