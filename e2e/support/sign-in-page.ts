import type {Page} from '@playwright/test'
import {expect} from '../fixtures.ts'

/** The button of the login page's form. */
export const form = (page: Page) => page.getByRole('button', {name: 'Sign in'})

/** Sentence of the page over all others, and how many frames there are. */
export type PageReport = {sentence: string; frames: number}

/**
 * Collects the page's own reports at each change: the browser answers no question while the test holds a navigation.
 */
export async function listenTo(page: Page): Promise<PageReport> {
  const report: PageReport = {sentence: '', frames: 0}
  await page.exposeFunction('tell', (now: PageReport) => Object.assign(report, now))
  await page.addInitScript(() => {
    if (window !== window.top) return
    // as: exposed above
    const {tell} = window as unknown as {tell: (now: PageReport) => void}
    new MutationObserver(() => {
      const sentence = document.querySelector('section [role=status]')?.textContent ?? ''
      tell({sentence, frames: document.querySelectorAll('iframe').length})
    }).observe(document, {childList: true, subtree: true, characterData: true})
  })
  return report
}
export const isLeft = (report: PageReport) =>
  expect.poll(() => report).toEqual({sentence: 'Taking you to sign in…', frames: 0})
