import {ask, composer, expect, test} from './fixtures.ts'
import {answers, ended, row} from './support/chat-page.ts'
import {settings} from './support/media-page.ts'
import {long} from './support/full-run.ts'

test('a page that is opened without a network comes when it is back, and what was typed is still there', async ({
  chat,
  context,
}) => {
  await composer(chat).fill('not sent yet')
  await context.setOffline(true)
  await chat.getByRole('link', {name: 'Video', exact: true}).click()
  await expect(chat.getByRole('status').filter({hasText: "You're offline."})).toBeVisible()
  const part = chat.getByRole('main').getByText('The connection is missing. This part comes as soon as it is back.')
  await expect(part).toBeVisible()
  await expect(chat.getByRole('complementary', {name: 'Luma'})).toBeVisible()
  await context.setOffline(false)
  await expect(settings(chat)).toBeVisible()
  await expect(chat.getByText('This part stopped working.')).toHaveCount(0)
  await expect(settings(chat).getByRole('button', {name: /^Generate/})).toBeVisible()
  await chat.getByRole('link', {name: 'Chat', exact: true}).click()
  await expect(composer(chat)).toHaveText('not sent yet')
})

test('a part that a press opens without a network comes when it is back', long, async ({chat, context}) => {
  await context.setOffline(true)
  await chat.getByRole('button', {name: 'Tasks', exact: true}).click()
  await expect(chat.getByRole('status').filter({hasText: "You're offline."})).toBeVisible()
  await expect(chat.getByRole('dialog', {name: 'Tasks'})).toHaveCount(0)
  await context.setOffline(false)
  await expect(chat.getByRole('dialog', {name: 'Tasks'})).toBeVisible()
  await expect(chat.getByText('This part stopped working.')).toHaveCount(0)
})

test('a menu that a press opens without a network is waited for, and that is said', long, async ({chat, context}) => {
  await ask(chat, 'Kites')
  await ended(chat)
  await row(chat, 'Kites').waitFor()
  // what watches the presses comes with it, and the view of the notices
  await expect(chat.locator('link[rel="manifest"]')).toBeAttached()
  await context.setOffline(true)
  await answers(chat).first().getByRole('button', {name: 'More actions'}).press('Enter')
  const notice = chat.getByText('The connection is missing. This part comes as soon as it is back.')
  await expect(notice).toBeVisible()
  await context.setOffline(false)
  await expect(chat.getByRole('menu')).toBeVisible()
})

test('the list of conversations opens on a phone whose network has gone', long, async ({chat, context}) => {
  await ask(chat, 'Kites')
  await ended(chat)
  await row(chat, 'Kites').waitFor()
  await chat.setViewportSize({width: 390, height: 844})
  await chat.reload()
  // what is loaded ahead comes with it, some seconds after the page
  await expect(chat.locator('link[rel="manifest"]')).toBeAttached()
  await expect(answers(chat)).toHaveCount(2)
  await context.setOffline(true)
  await chat.getByRole('button', {name: 'Open list', exact: true}).click()
  await expect(row(chat, 'Kites')).toBeVisible()
})
