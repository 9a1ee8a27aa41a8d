import type {Page} from '@playwright/test'
import {ask, composer, expect, test as journeys} from './fixtures.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {HeldRoute} from './support/held-route.ts'
import {MortalBrowser} from './support/mortal-browser.ts'
import {askWhileHeld, order} from './support/waiting-questions.ts'

/*
 * A browser that is killed tells its pages nothing: what was typed, attached and asked for later is there again,
 * because it was stored meanwhile.
 */

const test = journeys.extend<{mortal: MortalBrowser}>({
  mortal: async ({}, give) => {
    const mortal = new MortalBrowser()
    await give(mortal)
    await mortal.dispose()
  },
})

const text = (name: string) => ({name, mimeType: 'text/plain', buffer: Buffer.from(`the words of ${name}`)})
const chip = (page: Page, name: string) => page.locator('main form').getByRole('listitem').filter({hasText: name})

/** Reads the drafts and conversations of the browser as they are in its database. */
const stored = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('atrium')
        opening.onerror = () => reject(opening.error ?? new Error('no database'))
        opening.onsuccess = () => {
          const all = opening.result.transaction('bulk').objectStore('bulk').getAll()
          all.onsuccess = () => {
            opening.result.close()
            resolve(JSON.stringify(all.result))
          }
        }
      }),
  )

test('a killed browser has the draft, its files and the questions that wait when it is started again', async ({
  installation,
  modelServer,
  mortal,
  signedIn,
}) => {
  modelServer.reset()
  // signed in some time ago: a browser writes what pages keep in `localStorage` some seconds later
  let page = await mortal.start()
  await page.goto(`${installation.url}/robots.txt`)
  await page.evaluate((kept) => localStorage.setItem('vuex', kept), signedIn.state)
  await mortal.close(page)

  page = await mortal.start()
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await composer(page).waitFor()
  await askWhileHeld(page, modelServer, 'two', 'three')
  await expect.poll(() => order(page)).toEqual(['two', 'three'])
  await page.locator('main input[type=file]').setInputFiles(text('heron.txt'))
  await expect(chip(page, 'heron.txt')).toContainText('Ready')
  await HeldRoute.on(page, /\/api\/v1\/files\//, 'POST')
  await page.locator('main input[type=file]').setInputFiles(text('egret.txt'))
  await expect(chip(page, 'egret.txt')).toContainText('Uploading')
  await composer(page).pressSequentially('Half a thought')
  const address = page.url()
  await expect.poll(() => stored(page)).toContain('Half a thought')
  await mortal.kill()

  page = await mortal.start()
  await page.goto(address)
  await expect(composer(page)).toHaveValue('Half a thought')
  await expect(chip(page, 'heron.txt')).toContainText('Ready')
  // its bytes are nowhere
  await expect(chip(page, 'egret.txt')).toContainText('Not uploaded. Attach it again.')
  await expect.poll(() => order(page)).toEqual(['two', 'three'])
  modelServer.release()
  await expect(lastMessage(page)).toContainText('three answered')
  await ended(page)
  expect(modelServer.prompts).toEqual(['First', 'two', 'three'])
  await page.getByRole('button', {name: 'Remove egret.txt'}).click()
  await ask(page, 'Half a thought, finished')
  await expect(lastMessage(page)).toContainText('the words of heron.txt answered')
})
