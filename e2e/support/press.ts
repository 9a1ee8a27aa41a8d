import type {Locator} from '@playwright/test'

/** Presses with what the user of the page has: a finger, else the mouse. */
export async function press(target: Locator): Promise<void> {
  const isTouch = await target.page().evaluate(() => navigator.maxTouchPoints > 0)
  await (isTouch ? target.tap() : target.click())
}
