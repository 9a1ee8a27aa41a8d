import {expect, type Locator, type Page} from '@playwright/test'
import {axeFaults} from './axe.ts'
import {composer} from './chat-page.ts'

/** A phone of a reader of Arabic who reads in the dark. */
export const arabicPhone = {
  viewport: {width: 390, height: 844},
  hasTouch: true,
  isMobile: true,
  locale: 'ar',
  colorScheme: 'dark',
} as const

/** Asks by a finger: Enter is a line break on touch. */
export async function tapSend(page: Page, send: Locator, question: string): Promise<void> {
  await composer(page).fill(question)
  await send.tap()
  await expect(composer(page)).toHaveValue('')
}

/** What is on screen has no fault that axe finds, in the dark and in the light, and is as wide as the screen at most. */
export async function expectNoFaults(page: Page): Promise<void> {
  const html = page.locator('html')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({colorScheme})
    await expect(html).toHaveAttribute('data-theme', colorScheme)
    expect(await axeFaults(page), colorScheme).toEqual([])
  }
  expect(await html.evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0)
}

/** Every button of a part is as large as a finger, and wholly within the width of the screen. */
export async function expectForFingers(page: Page, part: Locator): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  for (const button of await part.getByRole('button').filter({visible: true}).all()) {
    const box = await button.boundingBox()
    const name = (await button.getAttribute('aria-label')) ?? (await button.innerText())
    expect.soft(box?.height, `height of ${name}`).toBeGreaterThanOrEqual(44)
    expect.soft(box?.width, `width of ${name}`).toBeGreaterThanOrEqual(44)
    expect.soft(box?.x, `start of ${name}`).toBeGreaterThanOrEqual(0)
    expect.soft((box?.x ?? 0) + (box?.width ?? 0), `end of ${name}`).toBeLessThanOrEqual(width)
  }
}
