import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {conversations, row} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

/* Panels on a conversation close with a notice when another tab deletes it. */

const seeded = ['Kites', 'Boats'].map((title, index) => ({
  title,
  texts: [`About ${title}`, 'Yes.'],
  minutesAgo: index * 5,
}))

const dialogNamed = (name: string) => (page: Page) => page.getByRole('dialog', {name})
const openings = [
  {entry: 'Share…', opened: dialogNamed('Share')},
  {entry: 'Rename', opened: (page: Page) => page.getByRole('textbox', {name: 'Title of the conversation'})},
  {entry: 'Labels…', opened: dialogNamed('Labels')},
]

for (const {entry, opened} of openings) {
  test(`${entry} of a conversation that another tab deletes`, long, async ({context, installation, signedIn}) => {
    await seedConversations(installation, signedIn, seeded)
    const openTab = async () => {
      const tab = await blankTab(context, installation.url, signedIn)
      await tab.goto(`${installation.url}/chatgpt/conversations`)
      await expect(composer(tab)).toBeEnabled()
      return tab
    }
    const page = await openTab()
    await row(page, 'Kites').hover()
    await row(page, 'Kites').getByRole('button', {name: 'Actions for Kites'}).click()
    await page.getByRole('menuitem', {name: entry, exact: true}).click()
    await expect(opened(page)).toBeVisible()

    const other = await openTab()
    const remove = async (title: string) => {
      await row(other, title).getByRole('link').press('Delete')
      await conversations(other).getByRole('button', {name: 'Delete', exact: true}).click()
    }
    await remove('Boats')
    await expect(row(other, 'Boats')).toHaveCount(0)
    await remove('Kites')
    await expect(row(other, 'Kites')).toHaveCount(0)
    // while it can be taken back there, nothing is deleted here
    await expect(opened(page)).toBeVisible()
    await other.goto('about:blank')
    await expect(page.getByText('This conversation was deleted on another page.')).toBeVisible()
    await expect(opened(page)).toHaveCount(0)
    await expect(row(page, 'Kites')).toHaveCount(0)
  })
}

test(
  'a refresh that the server fails at leaves the rows and what is open on them',
  long,
  async ({context, installation, signedIn}) => {
    await seedConversations(installation, signedIn, seeded)
    const page = await blankTab(context, installation.url, signedIn)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await expect(row(page, 'Boats')).toBeVisible()
    await row(page, 'Kites').hover()
    await row(page, 'Kites').getByRole('button', {name: 'Actions for Kites'}).click()
    await page.getByRole('menuitem', {name: 'Labels…', exact: true}).click()
    const dialog = page.getByRole('dialog', {name: 'Labels'})
    await dialog.getByRole('textbox', {name: 'New label'}).fill('half a word')
    const isList = /aichat\/conversations$/
    await page.route(isList, (route) =>
      /"(retrieve_batch|revisions)"/.test(route.request().postData() ?? '')
        ? route.fulfill({status: 503, json: {error: {code: 'busy', message: 'foo'}}})
        : route.fallback(),
    )
    // as the browser does when Back leads to the page that it has kept
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true})))
    const said = page.getByText("Couldn't refresh. This list may be out of date.")
    await expect(said).toBeVisible()
    await expect(dialog.getByRole('textbox', {name: 'New label'})).toHaveValue('half a word')
    await expect(page.getByText('This conversation was deleted on another page.')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(conversations(page).getByRole('listitem').getByRole('link')).toHaveText(['Kites', 'Boats'])
    await page.unroute(isList)
    await conversations(page).getByRole('button', {name: 'Retry'}).click()
    await expect(said).toHaveCount(0)
    await expect(row(page, 'Kites')).toBeVisible()
  },
)
