import type {Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute} from './support/held-route.ts'

/* Stop before the code that sends the first question has come: nothing of the question is sent, then or later. */

/** Counts the requests that bring this question to the server. */
function countSent(page: Page, question: string): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.postData()?.includes(question) === true) count += 1
  })
  return () => count
}

for (const {name, isOnline, run = {}} of [
  {name: 'with a network', isOnline: true},
  {name: 'without a network, which is back before the code,', isOnline: false, run: long},
])
  test(
    `a question that is asked ${name} is not sent once it is stopped`,
    run,
    async ({tab: page, installation, modelServer}) => {
      modelServer.answer('They fly.')
      const code = await HeldRoute.on(page, /\/assets\/streams-[^/]*\.js$/)
      await page.goto(`${installation.url}/chatgpt/conversations`)
      await expect(composer(page)).toBeFocused()
      await expect(page.getByRole('button', {name: /^Model: /})).toBeEnabled()
      const sent = countSent(page, 'Kites')
      const stop = page.getByRole('button', {name: 'Stop', exact: true})
      if (!isOnline) await page.context().setOffline(true)
      await ask(page, 'Kites')
      await expect(stop).toBeVisible()
      if (!isOnline) await page.context().setOffline(false)
      await code.waitForOne()
      await stop.click()
      await expect(lastMessage(page)).toContainText('Stopped.')
      await ended(page)
      await code.let(goOn)
      // the code is there, and sends what is asked again
      await lastMessage(page).getByRole('button', {name: 'Retry'}).click()
      await expect(lastMessage(page)).toContainText('They fly.')
      await ended(page)
      expect([sent(), modelServer.prompts]).toEqual([1, ['Kites']])
    },
  )
