import type {FrameLocator, Page} from '@playwright/test'
import {enter, type User} from '../fixtures.ts'

/** The embedded login page. */
export const loginFrame = (page: Page): FrameLocator => page.frameLocator('dialog iframe, [role=dialog] iframe')

export async function registerInFrame(page: Page, user: User): Promise<void> {
  await loginFrame(page).getByRole('link', {name: 'Create an account'}).click()
  // the page before has an email field too
  await loginFrame(page).getByRole('button', {name: 'Create account'}).waitFor()
  await enter(loginFrame(page), user, 'Create account')
}
