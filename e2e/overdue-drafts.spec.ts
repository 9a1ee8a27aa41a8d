import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {opened} from './support/chat-page.ts'
import {blankTab} from './support/signed-in.ts'

/** From this page no other one of the browser reads the database of the app, until the returned function is called. */
async function holdDatabase(page: Page): Promise<() => Promise<void>> {
  // it is made with the first draft that is stored
  await expect
    .poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({name}) => name)))
    .toContain('atrium')
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('atrium')
        opening.onerror = () => reject(opening.error ?? new Error('no database'))
        opening.onsuccess = () => {
          const store = opening.result.transaction('bulk', 'readwrite').objectStore('bulk')
          // a transaction lasts as long as it has a request
          const goOn = () => {
            if (document.title === 'released') return opening.result.close()
            store.count().onsuccess = goOn
          }
          store.count().onsuccess = () => {
            goOn()
            resolve()
          }
        }
      }),
  )
  return () =>
    page.evaluate(() => {
      document.title = 'released'
    })
}

test('a draft that is read after its deadline comes into the field that is still empty', async ({
  chat,
  context,
  installation,
  signedIn,
}) => {
  await composer(chat).fill('Half a thought')
  const release = await holdDatabase(await blankTab(context, installation.url, signedIn))
  await chat.bringToFront()
  await chat.reload()
  await opened(chat)
  // the list and the chat go on without the database after three seconds
  await expect(chat.getByText('Your conversations will be listed here.')).toBeVisible()
  await expect(composer(chat)).toHaveValue('')
  await release()
  await expect(composer(chat)).toHaveValue('Half a thought')
})
