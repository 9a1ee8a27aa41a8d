import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {long, some} from './support/full-run.ts'

/* The owner of the session cannot be read: `/users/me` hangs or fails. */

/** Opens an address as a page that knows the token but not the user. */
async function openUnknown(page: Page, path: string): Promise<void> {
  const home = page.url()
  await page.goto(new URL('/robots.txt', home).href)
  await page.evaluate(() => {
    const {user: _, ...state} = JSON.parse(localStorage.getItem('vuex') ?? '{}')
    localStorage.setItem('vuex', JSON.stringify(state))
  })
  await page.goto(new URL(path, home).href, {waitUntil: 'commit'})
}

const me = '**/api/v1/users/me'

test.describe('where nobody can say who is signed in', () => {
  test('the frame stands at once, and a screen that is opened meanwhile shows that it comes', async ({chat}) => {
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    await chat.route(me, async (route) => {
      await answered
      await route.continue()
    })
    await openUnknown(chat, '/flux')
    await expect(chat.locator('.skeleton')).toBeVisible()
    await chat.goto(new URL('/chatgpt/conversations', chat.url()).href)
    await expect(composer(chat)).toBeVisible()
    await chat.getByRole('link', {name: 'Image', exact: true}).click()
    await expect(chat.getByRole('main').getByRole('img', {name: 'Loading'})).toBeVisible()
    await expect(chat.getByRole('link', {name: 'Image', exact: true})).toHaveAttribute('aria-current', 'page')
    answer()
    await expect(chat.getByRole('button', {name: 'Generate'})).toBeVisible()
  })

  for (const path of some(['/chatgpt/conversations', '/profile', '/console/applications', '/flux'])) {
    test(`${path} says after a failure that the server did not answer, and Retry opens it`, long, async ({chat}) => {
      await chat.route(me, (route) =>
        path === '/flux'
          ? route.abort('connectionrefused')
          : route.fulfill({status: 500, json: {error: {code: 'busy'}}}),
      )
      await openUnknown(chat, path)
      await expect(chat.getByRole('heading', {name: "Atrium couldn't start."})).toBeVisible()
      await chat.unroute(me)
      await chat.getByRole('button', {name: 'Retry'}).click()
      await expect(chat.getByRole('heading', {name: "Atrium couldn't start."})).toHaveCount(0)
      await expect(chat.getByRole('button', {name: 'Account', exact: true}).first()).toContainText('U')
      await expect(chat.getByRole('heading', {level: 1}).first()).toBeAttached()
      expect(new URL(chat.url()).pathname).toBe(path)
    })
  }
})
