import type {Page, Request} from '@playwright/test'
import {readLocale} from '#tools/locales.mjs'
import {composer, expect, test} from './fixtures.ts'
import {row} from './support/chat-page.ts'
import {longBut} from './support/full-run.ts'
import {inDatabase} from './support/in-database.ts'
import {keptData} from './support/private-data.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

const words: Record<string, string> = readLocale('en')

/* A second start does not read again what the device has kept (docs/decisions/0169). */

const count = 230

/** The action of a request about conversations, and the conversations that it asks for. */
function actionOf(request: Request): {action?: string; ids?: string[]} | undefined {
  if (!request.url().endsWith('/aichat/conversations')) return undefined
  // as: the app sends JSON here
  return request.postDataJSON() as {action?: string; ids?: string[]}
}

/** Records the requests of the page about the list. */
function watchList(page: Page): {asked: () => string[]; clear: () => void} {
  let actions: string[] = []
  const note = (request: Request) => {
    const {action, ids} = actionOf(request) ?? {}
    if (action === 'retrieve_batch' || action === 'revisions')
      actions.push(ids === undefined ? action : `${action} ${ids.length}`)
  }
  page.on('request', note)
  return {asked: () => actions, clear: () => void (actions = [])}
}

/** Conversations in the databases of the browser, without those that stand in its state alone. */
const keptCount = async (page: Page) => {
  // as: the last part is the databases
  const databases = (JSON.parse(await keptData(page)) as unknown[]).at(-1)
  return new Set(JSON.stringify(databases).match(/"title":"Conversation \d+"/g)).size
}

for (const width of [1440, 390])
  test(
    `a second start reads what changed elsewhere, and nothing else (${width})`,
    longBut(width === 1440),
    async ({context, installation, signedIn}) => {
      const seeded = Array.from({length: count}, (_, index) => ({
        title: `Conversation ${index}`,
        texts: [`question ${index}`, `answer ${index}`],
        minutesAgo: index,
      }))
      await seedConversations(installation, signedIn, seeded)
      const page = await blankTab(context, installation.url, signedIn)
      await page.setViewportSize({width, height: 844})
      const list = watchList(page)
      await page.goto(`${installation.url}/chatgpt/conversations`)
      await expect(composer(page)).toBeEnabled()
      await expect.poll(list.asked).toEqual(['retrieve_batch', 'retrieve_batch', 'retrieve_batch'])
      // one that is not kept yet would be read again
      await expect.poll(() => keptCount(page)).toBe(count)

      list.clear()
      const revisions = page.waitForResponse((response) => actionOf(response.request())?.action === 'revisions')
      await page.reload()
      await expect(composer(page)).toBeEnabled()
      // an answer that is still being made would have the changes below in it
      await (await revisions).finished()
      expect(list.asked()).toEqual(['revisions'])

      await inDatabase(installation, async (client) => {
        await client.query(
          `update conversations set title = 'Renamed elsewhere', updated_at = now() where title = $1`,
          ['Conversation 7'],
        )
        await client.query(`delete from conversations where title = $1`, ['Conversation 0'])
      })
      list.clear()
      await page.reload()
      await expect(composer(page)).toBeEnabled()
      if (width < 768) await page.getByRole('button', {name: words['index.panelOpen'] ?? '', exact: true}).click()
      await expect(row(page, 'Renamed elsewhere')).toBeVisible()
      await expect(row(page, /^Conversation 1$/)).toBeVisible()
      await expect(row(page, /^Conversation 0$/)).toHaveCount(0)
      expect(list.asked()).toEqual(['revisions', 'retrieve_batch 1'])
    },
  )
