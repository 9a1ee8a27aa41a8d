import type {Locator, Page} from '@playwright/test'

export const isTouch = (page: Page): Promise<boolean> => page.evaluate(() => navigator.maxTouchPoints > 0)

/** Presses with what the user of the page has: a finger, else the mouse. */
export async function press(target: Locator): Promise<void> {
  await ((await isTouch(target.page())) ? target.tap() : target.click())
}

/** Brings the mouse over a part, whose buttons show then; a finger finds them shown. */
export async function pointAt(part: Locator): Promise<void> {
  if (!(await isTouch(part.page()))) await part.hover()
}
