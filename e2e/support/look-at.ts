import type {Page} from '@playwright/test'

/** Shows or hides a tab for its page: a browser without windows shows all its tabs at once. */
export const lookAt = (page: Page, isShown: boolean): Promise<void> =>
  page.evaluate((shown) => {
    Object.defineProperty(document, 'visibilityState', {value: shown ? 'visible' : 'hidden', configurable: true})
    document.dispatchEvent(new Event('visibilitychange'))
  }, isShown)
