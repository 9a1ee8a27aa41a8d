import type {Locator, Page} from '@playwright/test'
import {answers, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {chooseAction, ended, thread} from './support/chat-page.ts'
import {long, some} from './support/full-run.ts'
import {askAndRead, edit, expectMessages, pager} from './support/message-versions.ts'
import {reopenIn} from './support/page-looks.ts'
import {secondTab} from './support/signed-in.ts'

/* A version that the server refused is a version like any other, on this device (decision 204). */

const conversationsPath = '**/aichat/conversations'

/** Refuses every question of this page, as a server does that may not answer it; all else goes on. */
const refuseQuestions = (page: Page) =>
  page.route(conversationsPath, (route) =>
    'question' in (route.request().postDataJSON() as object) // as: the page sends JSON objects there
      ? route.fulfill({
          status: 403,
          contentType: 'application/json',
          body: JSON.stringify({error: {code: 'forbidden', message: 'Not now.'}, success: false}),
        })
      : route.fallback(),
  )

const turn = (message: Locator, way: 'Previous' | 'Next') =>
  pager(message)
    .getByRole('button', {name: `${way} version`})
    .press('Enter')

test('a refused edit can be left and shown again, after a reload and in another tab too, until it is asked again', async ({
  chat,
}) => {
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'two')
  const question = answers(chat).nth(2)
  await refuseQuestions(chat)
  await edit(question, 'due', 'Save & ask again')
  await expect(thread(chat).getByRole('alert')).toBeVisible()
  await expect(pager(question)).toContainText('2 / 2')
  await turn(question, 'Previous')
  await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
  await expect(pager(question)).toContainText('1 / 2')

  await edit(question, 'zwei', 'Save & ask again')
  await expect(thread(chat).getByRole('alert')).toBeVisible()
  await expect(pager(question)).toContainText('3 / 3')
  await turn(question, 'Previous')
  await expectMessages(chat, 'one', 'said: one', 'due', 'Not now.')
  await turn(question, 'Previous')
  await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')

  await chat.reload()
  await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
  await expect(pager(question)).toContainText('1 / 3')
  const other = await secondTab(chat)
  const theirs = answers(other).nth(2)
  await expect(pager(theirs)).toContainText('1 / 3')
  await turn(theirs, 'Next')
  await expectMessages(other, 'one', 'said: one', 'due', 'Not now.')
  await expect(thread(other).getByRole('alert')).toBeVisible()

  await thread(other).getByRole('button', {name: 'Retry'}).click()
  await expectMessages(other, 'one', 'said: one', 'due', 'said: due')
  await ended(other)
  await expect(pager(theirs)).toContainText('2 / 3')
  await expectMessages(chat, 'one', 'said: one', 'due', 'said: due')
  await expect(pager(question)).toContainText('2 / 3')
})

test('a refused version is deleted alone, and taken back', long, async ({chat}, journey) => {
  await askAndRead(chat, 'one')
  await refuseQuestions(chat)
  const question = answers(chat).first()
  await edit(question, 'uno', 'Save & ask again')
  await expect(thread(chat).getByRole('alert')).toBeVisible()
  await turn(question, 'Previous')
  await edit(question, 'due', 'Save & ask again')
  await expect(thread(chat).getByRole('alert')).toBeVisible()
  await expect(pager(question)).toContainText('3 / 3')
  await turn(question, 'Previous')
  await expectMessages(chat, 'uno', 'Not now.')

  await chooseAction(question, 'Delete')
  await expect(answers(chat)).toHaveCount(0)
  await chat.screenshot({path: journey.outputPath('deleted.png')})
  await thread(chat).getByRole('button', {name: 'Undo'}).click()
  await expectMessages(chat, 'uno', 'Not now.')
  await expect(pager(question)).toContainText('2 / 3')

  await chooseAction(question, 'Delete')
  // the one that was refused last is that of the thread
  await expectMessages(chat, 'due', 'Not now.')
  await expect(pager(question)).toContainText('2 / 2')
  await chooseAction(question, 'Delete')
  await expectMessages(chat, 'one', 'said: one')
  await expect(pager(question)).toHaveCount(0)
  await chat.reload()
  await expectMessages(chat, 'one', 'said: one')
  await expect(pager(question)).toHaveCount(0)
})

for (const {name, theme, locale, width, height} of some([
  {name: 'on a phone', theme: 'dark', locale: 'en', width: 390, height: 844},
  {name: 'on a desktop', theme: 'light', locale: 'en', width: 1440, height: 900},
  {name: 'in Arabic on a desktop', theme: 'dark', locale: 'ar', width: 1440, height: 900},
  {name: 'in Arabic on a phone', theme: 'light', locale: 'ar', width: 390, height: 844},
] as const))
  test(`a refused version is paged to like any other ${name}`, async ({chat}, journey) => {
    await askAndRead(chat, 'one')
    await refuseQuestions(chat)
    await edit(answers(chat).first(), 'uno', 'Save & ask again')
    await expect(thread(chat).getByRole('alert')).toBeVisible()
    await chat.reload()
    await expectMessages(chat, 'uno', 'Not now.')
    await expect(pager(answers(chat).first())).toContainText('2 / 2')
    await turn(answers(chat).first(), 'Previous')
    await expectMessages(chat, 'one', 'said: one')
    await chat.setViewportSize({width, height})
    await reopenIn(chat, {theme, locale})
    await expect(chat.locator('html')).toHaveAttribute('dir', locale === 'ar' ? 'rtl' : 'ltr')
    const versions = answers(chat).first().getByRole('group')
    await expect(versions).toContainText('1 / 2')
    await chat.screenshot({path: journey.outputPath('before.png')})
    await versions.getByRole('button').last().press('Enter')
    await expectMessages(chat, 'uno', 'Not now.')
    await expect(versions).toContainText('2 / 2')
    expect(await axeFaults(chat)).toEqual([])
    expect(await chat.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    const [buttons, card] = [await versions.boundingBox(), await thread(chat).getByRole('alert').boundingBox()]
    expect((card?.y ?? 0) - (buttons?.y ?? 0) - (buttons?.height ?? 0)).toBeGreaterThanOrEqual(4)
    await chat.screenshot({path: journey.outputPath('refused.png')})
  })
