import type {Page} from '@playwright/test'
import {ask, composer, enter, expect, test} from './fixtures.ts'
import {loginVisits} from './support/calls.ts'
import {lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {form} from './support/sign-in-page.ts'

/* Browsers that store nothing, or nothing more. */

test(
  'a browser whose storage is full works until the page is left',
  long,
  async ({page, installation, signedIn, modelServer}) => {
    const {user} = signedIn
    await page.addInitScript(() => {
      const original = Storage.prototype.setItem
      Storage.prototype.setItem = function (key: string, value: string) {
        if (this === localStorage) throw new DOMException('full', 'QuotaExceededError')
        original.call(this, key, value)
      }
    })
    await page.goto(installation.url)
    await enter(page, user)
    modelServer.reset()
    modelServer.answer('without storage')
    await expect(composer(page)).toBeEnabled()
    await ask(page, 'Hello?')
    await expect(lastMessage(page)).toContainText('without storage')
  },
)

/** Makes a browser that is told to keep nothing: asking for a storage throws. */
const forbidStorage = (page: Page) =>
  page.addInitScript(() => {
    const forbidden = () => {
      throw new DOMException('forbidden', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, {get: forbidden, configurable: true})
  })

test(
  'a browser that forbids storage signs in, and is told once that nothing is kept',
  long,
  async ({page, installation, signedIn, modelServer}) => {
    const {user} = signedIn
    await forbidStorage(page)
    await page.goto(installation.url)
    await form(page).waitFor()
    await enter(page, user)
    await expect(composer(page)).toBeEnabled()
    await expect(page.getByText('This browser stores nothing for this site.')).toHaveCount(1)
    modelServer.reset()
    modelServer.answer('from memory')
    await ask(page, 'Hello?')
    await expect(lastMessage(page)).toContainText('from memory')
    expect((await page.context().cookies()).filter(({name}) => name.includes('login.'))).toEqual([])
  },
)

test('a browser that forbids storage and cookies is told so instead of going round in circles', async ({
  page,
  installation,
  signedIn,
}) => {
  const {user} = signedIn
  const visits = loginVisits(page)
  await forbidStorage(page)
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'cookie', {get: () => '', set: () => {}, configurable: true})
  })
  await page.goto(installation.url)
  const notice = page.getByRole('alert').filter({hasText: 'Cookies or storage may be blocked'})
  await expect(notice).toBeVisible()
  expect(visits).toEqual([])
  await page.getByRole('button', {name: 'Go to sign in'}).click()
  await form(page).waitFor()
  await enter(page, user)
  await expect(notice).toBeVisible()
  expect(visits).toHaveLength(1)
})
