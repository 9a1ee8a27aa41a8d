import type {Page} from '@playwright/test'
import {answers, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {chooseAction, ended, lastMessage, offeredModel, thread} from './support/chat-page.ts'
import {long, some} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {askAndRead, expectMessages, pager} from './support/message-versions.ts'
import {otherDevice} from './support/new-device.ts'
import {reopenIn} from './support/page-looks.ts'
import {secondTab} from './support/signed-in.ts'

/* A question that nothing answers is answered as it stands (decision 208). */

/** A branch that ends with a question. */
async function branchAtQuestion(page: Page): Promise<void> {
  await askAndRead(page, 'one')
  await askAndRead(page, 'two')
  await chooseAction(answers(page).nth(2), 'Branch from here')
  await expectMessages(page, 'one', 'said: one', 'two')
}

const answerButton = (page: Page) => lastMessage(page).getByRole('button', {name: 'Answer', exact: true})

const expectAnswered = async (page: Page) => {
  await expectMessages(page, 'one', 'said: one', 'two', 'said: two')
  await ended(page)
  await expect(pager(thread(page))).toHaveCount(0)
}

test('a question that nothing answers is answered as it stands, after a refusal too, and in every tab', async ({
  chat,
}) => {
  await branchAtQuestion(chat)
  const other = await secondTab(chat)
  await expectMessages(other, 'one', 'said: one', 'two')
  const bodies: object[] = []
  await chat.route('**/aichat/conversations', (route) => {
    const body = route.request().postDataJSON() as object // as: the page sends JSON objects there
    if (!('question' in body)) return route.fallback()
    bodies.push(body)
    if (bodies.length > 1) return route.fallback()
    return route.fulfill({
      status: 403,
      contentType: 'application/json',
      body: JSON.stringify({error: {code: 'forbidden', message: 'Not now.'}, success: false}),
    })
  })
  await answerButton(chat).click()
  await expectMessages(chat, 'one', 'said: one', 'two', 'Not now.')
  await chat.reload()
  await expectMessages(chat, 'one', 'said: one', 'two', 'Not now.')
  await thread(chat).getByRole('button', {name: 'Retry'}).click()
  await expectAnswered(chat)
  await expectAnswered(other)
  expect(bodies.map((body) => Object.keys(body).includes('answer_to'))).toEqual([true, true])
  await chat.reload()
  await expectAnswered(chat)
})

test('two tabs that have a question answered at once get one answer', long, async ({chat}) => {
  await branchAtQuestion(chat)
  const other = await secondTab(chat)
  await expectMessages(other, 'one', 'said: one', 'two')
  await Promise.all([answerButton(chat).click(), answerButton(other).click()])
  await expectAnswered(chat)
  await expectAnswered(other)
  await chat.reload()
  await expectAnswered(chat)
})

test('a question is answered once there is a network again', long, async ({chat, context}) => {
  await branchAtQuestion(chat)
  await context.setOffline(true)
  await answerButton(chat).click()
  await expect(answers(chat)).toHaveCount(4)
  await context.setOffline(false)
  await expectAnswered(chat)
})

test(
  'a question that was deleted on another device says so, and Retry asks it anew',
  long,
  async ({chat, browser, installation, signedIn}) => {
    await branchAtQuestion(chat)
    const device = await otherDevice(browser, installation.url, signedIn)
    await holdDelays(device)
    await device.goto(chat.url())
    await expectMessages(device, 'one', 'said: one', 'two')
    const removed = device.waitForResponse((response) => response.request().postData()?.includes('"remove"') === true)
    await chooseAction(lastMessage(device), 'Delete')
    await expectMessages(device, 'one', 'said: one')
    await expect.poll(() => endDelays(device, 8_000), 'the end of its undo').toBeGreaterThan(0)
    expect((await removed).ok()).toBe(true)
    await answerButton(chat).click()
    const refusal = thread(chat).getByRole('alert')
    await expect(refusal).toContainText('The question was deleted on another page. Retry asks it anew.')
    await refusal.getByRole('button', {name: 'Retry'}).click()
    await expectAnswered(chat)
    await chat.reload()
    await expectAnswered(chat)
  },
)

for (const {name, theme, locale, width, height} of some([
  {name: 'on a phone', theme: 'dark', locale: 'en', width: 390, height: 844},
  {name: 'on a desktop', theme: 'light', locale: 'en', width: 1440, height: 900},
  {name: 'in Arabic on a desktop', theme: 'dark', locale: 'ar', width: 1440, height: 900},
  {name: 'in Arabic on a phone', theme: 'light', locale: 'ar', width: 390, height: 844},
] as const))
  test(`a question is answered by a chosen model ${name}`, async ({chat}, journey) => {
    await branchAtQuestion(chat)
    await chat.setViewportSize({width, height})
    await reopenIn(chat, {theme, locale})
    await expectMessages(chat, 'one', 'said: one', 'two')
    await expect(chat.locator('html')).toHaveAttribute('dir', locale === 'ar' ? 'rtl' : 'ltr')
    expect(await axeFaults(chat)).toEqual([])
    await chat.screenshot({path: journey.outputPath('standing.png')})
    // Answer, Edit, Copy, and the menu
    await lastMessage(chat).getByRole('button').nth(3).click()
    await chat.screenshot({path: journey.outputPath('menu.png')})
    await chat.getByRole('menuitem').nth(2).click()
    await expect(offeredModel(chat, /./).first()).toBeVisible()
    expect(await axeFaults(chat)).toEqual([])
    await chat.screenshot({path: journey.outputPath('models.png')})
    await offeredModel(chat, /./).first().click()
    await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
    expect(await chat.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await expect(thread(chat).getByRole('group')).toHaveCount(0)
    await chat.screenshot({path: journey.outputPath('answered.png')})
  })
