import {randomUUID} from 'node:crypto'
import {expect, test} from './fixtures.ts'
import {conversations, row, thread} from './support/chat-page.ts'
import {isCommand} from './support/export-dialog.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce} from './support/held-route.ts'
import {otherDevice} from './support/new-device.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/* A device without copies opens what an address names before it has read the list, whatever that has. */

const missing = 'This conversation is not here. It may have been deleted.'
/** More than a page of the list. */
const others = Array.from({length: 130}, (_, index) => ({title: `Kites ${100 + index}`, texts: ['foo', 'bar']}))

test('a deep link opens on a new device before the first page of the list has come', async ({
  browser,
  installation,
  signedIn,
}) => {
  await seedConversations(installation, signedIn, others)
  const {id, messages} = await seedConversation(installation, signedIn, numberedTexts(40))
  const page = await otherDevice(browser, installation.url, signedIn)
  const pages = await HeldRoute.on(page, '**/aichat/conversations', isCommand('retrieve_batch'))
  const copies = await HeldRoute.on(page, '**/aichat/conversations', isCommand('retrieve'))
  await copies.let(goOn)
  await page.goto(`${installation.url}/chatgpt/conversations/${id}#${messages[3]}`)
  await expect(thread(page).getByText('line 2 of 3', {exact: true})).toBeInViewport()
  // the rest is still to come, and the list says so
  expect([pages.held, pages.asked, copies.asked]).toEqual([1, 1, 1])
  await expect(row(page, 'seeded').getByRole('link')).toHaveAttribute('aria-current', 'page')
  await expect(conversations(page).getByRole('listitem').getByRole('link')).toHaveCount(1)
  await expect(conversations(page).getByRole('img', {name: 'Loading'})).toBeVisible()
  await pages.let(goOn)
  await expect(row(page, 'Kites 100')).toBeVisible()
  await expect(conversations(page).getByRole('img', {name: 'Loading'})).toHaveCount(0)
  await expect(row(page, 'seeded').getByRole('link')).toHaveAttribute('aria-current', 'page')
  await expect(thread(page).getByText('line 2 of 3', {exact: true})).toBeInViewport()
  expect(copies.asked).toBe(1)
  await page.context().close()
})

test('a deep link that the server does not know is missing on a new device as soon as it says so', async ({
  browser,
  installation,
  signedIn,
}) => {
  await seedConversations(installation, signedIn, others.slice(0, 2))
  const page = await otherDevice(browser, installation.url, signedIn)
  const pages = await HeldRoute.on(page, '**/aichat/conversations', isCommand('retrieve_batch'))
  const copies = await HeldRoute.on(page, '**/aichat/conversations', isCommand('retrieve'))
  await page.goto(`${installation.url}/chatgpt/conversations/${randomUUID()}`)
  await copies.waitForOne()
  await expect(page.getByRole('main').getByText(missing)).toHaveCount(0)
  await copies.let(goOn)
  await expect(page.getByRole('main').getByText(missing)).toBeVisible()
  expect(pages.held).toBe(1)
  await pages.let(goOn)
  await expect(row(page, 'Kites 100')).toBeVisible()
  await expect(page.getByRole('main').getByText(missing)).toBeVisible()
  expect([pages.asked, copies.asked]).toEqual([1, 1])
  await page.context().close()
})

test(
  'what a deep link opened stays when the list fails, and stands in it once that was read',
  long,
  async ({browser, installation, signedIn}) => {
    await seedConversations(installation, signedIn, others.slice(0, 2))
    const {id} = await seedConversation(installation, signedIn, numberedTexts(4))
    const page = await otherDevice(browser, installation.url, signedIn)
    const pages = await HeldRoute.on(page, '**/aichat/conversations', isCommand('retrieve_batch'))
    await page.goto(`${installation.url}/chatgpt/conversations/${id}`)
    await expect(thread(page).getByText('question 2')).toBeVisible()
    const retry = conversations(page).getByRole('button', {name: 'Retry'})
    await letOnce(pages, (route) =>
      route.fulfill({status: 503, headers: {'retry-after': '60'}, json: {error: {code: 'foo', message: 'foo'}}}),
    )
    await expect(retry).toBeVisible()
    await expect(thread(page).getByText('question 2')).toBeVisible()
    await retry.click()
    await pages.let(goOn)
    await expect(row(page, 'Kites 100')).toBeVisible()
    await expect(row(page, 'seeded').getByRole('link')).toHaveAttribute('aria-current', 'page')
    await expect(thread(page).getByText('question 2')).toBeVisible()
    await page.context().close()
  },
)

test('a device that has a copy asks for no other', long, async ({browser, installation, signedIn}) => {
  await seedConversations(installation, signedIn, others.slice(0, 2))
  const {id} = await seedConversation(installation, signedIn, numberedTexts(4))
  const page = await otherDevice(browser, installation.url, signedIn)
  await page.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(row(page, 'Kites 100')).toBeVisible()
  const copies = await HeldRoute.on(page, '**/aichat/conversations', isCommand('retrieve'))
  await page.reload()
  await expect(thread(page).getByText('question 2')).toBeVisible()
  await expect(row(page, 'Kites 100')).toBeVisible()
  expect(copies.asked).toBe(0)
  await page.context().close()
})
