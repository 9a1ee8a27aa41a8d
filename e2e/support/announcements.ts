import type {Page} from '@playwright/test'

/** Keeps what a screen reader would say from now on; the result gives it. */
export async function keepAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, {said})
    new MutationObserver(() => {
      for (const region of document.querySelectorAll(
        '[role="status"], [role="alert"], [aria-live]:not([aria-live="off"])',
      )) {
        const text = region.textContent ?? ''
        if (text !== '' && said.at(-1) !== text) said.push(text)
      }
    }).observe(document.body, {childList: true, subtree: true, characterData: true})
  })
  return () => page.evaluate(() => (window as unknown as {said: string[]}).said) // as: set above
}
