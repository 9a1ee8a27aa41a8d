import {expect, type Locator, type Page} from '@playwright/test'

/** A description of the element that has the focus. */
type Stop = {
  /** Its tag, role and name, for the message of a failure. */
  what: string
  hasName: boolean
  /** `:focus-visible`, with an outline that can be seen. */
  hasRing: boolean
  /** The element is on the screen, with nothing over its middle. */
  isInSight: boolean
}

const focusedStop = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body)
      return {what: 'the page itself', hasName: true, hasRing: true, isInSight: true}
    const labels =
      element instanceof HTMLInputElement ||
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLSelectElement
        ? [...(element.labels ?? [])]
        : []
    const labelledBy = (element.getAttribute('aria-labelledby') ?? '').split(' ')
    const name = [
      element.getAttribute('aria-label'),
      ...labelledBy.map((id) => document.getElementById(id)?.textContent),
      ...labels.map(({textContent}) => textContent),
      labels.length === 0 && element.tagName !== 'SELECT' ? element.textContent : '',
    ]
      .join(' ')
      .trim()
    const {outlineStyle, outlineWidth} = getComputedStyle(element)
    const {left, top, width, height} = element.getBoundingClientRect()
    const over = document.elementFromPoint(left + width / 2, top + height / 2)
    return {
      what: `${element.tagName.toLowerCase()} ${element.getAttribute('role') ?? ''} "${name.slice(0, 60)}"`,
      hasName: name !== '',
      hasRing: element.matches(':focus-visible') && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1,
      isInSight: over !== null && (element.contains(over) || over.contains(element)),
    }
  })

/** The focus has a name, can be seen, and nothing lies over it. */
export async function expectSeenFocus(page: Page): Promise<void> {
  // a sheet may still move
  await expect(async () => {
    const stop = await focusedStop(page)
    expect(stop).toEqual({...stop, hasName: true, hasRing: true, isInSight: true})
  }).toPass({timeout: 30_000})
}

/** A group is no stop itself: it has the focus when one of its own stops has it. */
const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) =>
    element instanceof HTMLElement && element.tabIndex >= 0
      ? element === document.activeElement
      : element.contains(document.activeElement),
  )

const mostStops = 40

/** Presses Tab until the focus is in the target; each stop on the way is looked at as well. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses <= mostStops; presses += 1) {
    if (await hasFocus(target)) return
    await page.keyboard.press(key)
    await expectSeenFocus(page)
  }
  throw new Error(`${mostStops} times ${key} did not lead to ${String(target)}`)
}
