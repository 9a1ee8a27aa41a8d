import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {offeredModel, storedConversations} from './support/chat-page.ts'
import {desktopChat} from './support/desktop.ts'
import {anyPhone, directionOf, expectForFingers, expectGoodInBothThemes, startOf} from './support/phone.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/* Conversations and models by a finger, on a phone in Arabic and in English. */

test.use(anyPhone)

const titles = ['Kites of the harbour', 'الطقس', 'Trains إلى بيروت']
const seeded = titles.map((title, index) => ({title, texts: ['Where?', 'There.'], minutesAgo: index * 5}))

async function openDrawer(page: Page) {
  const {button} = await desktopChat(page)
  await button(page, 'index.panelOpen').tap()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('listitem').first()).toBeVisible()
  return drawer
}

test('a conversation is pinned, archived and labelled from its menu, each taken back or kept', async ({
  chat: page,
  installation,
  locale,
  signedIn,
}) => {
  await seedConversations(installation, signedIn, seeded)
  await page.reload()
  await expect(composer(page)).toBeEnabled()
  const {word, button, list, listed, row, dialog} = await desktopChat(page)
  const choose = async (title: string, id: string) => {
    await button(row(title), 'chat.rowActions', {title}).tap()
    await page.getByRole('menuitem', {name: word(id), exact: true}).tap()
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  await expect(page.locator('html')).toHaveAttribute('dir', directionOf(locale))
  const drawer = await openDrawer(page)
  await expect(listed).toHaveText(titles)
  await expectForFingers(page, drawer)

  await choose('Trains إلى بيروت', 'chat.pin')
  await expect(list.getByRole('heading').first()).toHaveText(word('chat.pinned'))
  await expect(listed.first()).toHaveText('Trains إلى بيروت')
  await choose('الطقس', 'chat.archiveOne')
  await expect(row('الطقس')).toHaveCount(0)
  await button(page, 'common.undo').tap()
  await expect(row('الطقس')).toBeVisible()

  await choose('Kites of the harbour', 'chat.labelEdit')
  const labels = dialog('chat.labelTitle')
  await labels.getByRole('textbox', {name: word('chat.labelNew')}).fill('عطلة')
  await button(labels, 'chat.labelAdd').tap()
  await expect(labels.getByRole('checkbox', {name: 'عطلة'})).toBeChecked()
  await expectGoodInBothThemes(page, 'labels')
  await button(labels, 'chat.labelSave').tap()
  await expect(row('Kites of the harbour').getByRole('img', {name: 'عطلة'})).toBeVisible()
  await expectGoodInBothThemes(page, 'a list with marks')

  const marks = async () =>
    Object.fromEntries(
      (await storedConversations(page)).map(({title, labels: own, ...each}) => [
        title,
        {labels: own, pinned: 'pinned' in each && each.pinned},
      ]),
    )
  await expect.poll(marks).toEqual({
    'Kites of the harbour': {labels: ['عطلة'], pinned: false},
    الطقس: {labels: [], pinned: false},
    'Trains إلى بيروت': {labels: [], pinned: true},
  })
})

test('a model is marked, found and chosen, and what was typed stays', async ({chat: page}) => {
  const {word, button} = await desktopChat(page)
  await composer(page).fill('سؤال about Lucca')
  await page
    .getByRole('banner')
    .getByRole('button', {name: startOf(word('chat.chooseModel'))})
    .tap()
  await button(page, 'chat.modelFavourite', {model: 'GPT-4o'}).tap()
  await expect(page.getByRole('rowgroup').first()).toHaveAccessibleName(word('chat.modelFavourites'))
  await expectGoodInBothThemes(page, 'models')
  await page.getByRole('combobox', {name: word('chat.modelSearch')}).fill('4o basic')
  await expect(page.getByRole('row')).toHaveCount(1)
  await offeredModel(page, startOf('GPT-4o basic')).tap()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('banner')).toContainText('GPT-4o basic')
  await expect(composer(page)).toHaveValue('سؤال about Lucca')
})
