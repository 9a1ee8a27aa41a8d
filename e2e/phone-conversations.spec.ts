import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {ended, lastMessage, offeredModel, storedConversations} from './support/chat-page.ts'
import {desktopChat, directionsOf} from './support/desktop.ts'
import {long} from './support/full-run.ts'
import {pinArchiveAndLabel} from './support/marks-journey.ts'
import {anyPhone, askByTouch, directionOf, expectForFingers, expectGoodInBothThemes, startOf} from './support/phone.ts'
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
  const {listed} = await desktopChat(page)
  await expect(page.locator('html')).toHaveAttribute('dir', directionOf(locale))
  const drawer = await openDrawer(page)
  await expect(listed).toHaveText(titles)
  await expectForFingers(page, drawer)

  await pinArchiveAndLabel(page)

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

test('a conversation is found, renamed, deleted and brought back by a finger', async ({
  chat: page,
  installation,
  signedIn,
}) => {
  await seedConversations(installation, signedIn, seeded)
  await page.reload()
  await expect(composer(page)).toBeEnabled()
  const {word, button, listed, chooseOfRow} = await desktopChat(page)
  const drawer = await openDrawer(page)
  await expect(listed).toHaveText(titles)
  expect(await directionsOf(drawer, ...titles)).toEqual(['ltr', 'rtl', 'ltr'])

  await drawer.getByRole('searchbox').fill('harbour')
  await expect(listed).toHaveText([/Kites of the harbour/])
  await expectForFingers(page, drawer)
  await button(drawer, 'chat.searchClear').tap()
  await expect(listed).toHaveText(titles)

  await chooseOfRow('Kites of the harbour', 'chat.rename')
  const field = drawer.getByRole('textbox', {name: word('chat.renameLabel')})
  expect((await field.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await field.fill('Kites إلى الميناء')
  await field.press('Enter')
  await chooseOfRow('Kites إلى الميناء', 'chat.remove')
  const asking = drawer.getByRole('listitem').filter({has: page.getByRole('alert')})
  await expectForFingers(page, asking)
  await button(asking, 'chat.remove').tap()
  await expect(listed).toHaveText(titles.slice(1))
  // one offer for what was done, and it brings all of it back
  await button(page, 'common.undo').tap()
  await expect(listed).toHaveText(['Kites إلى الميناء', ...titles.slice(1)])
  await expect(button(page, 'common.undo')).toHaveCount(0)
})

test(
  'the conversation on screen and a message of one are deleted with one way back each',
  long,
  async ({chat: page, modelServer}) => {
    const {button, listed, chooseOf, chooseOfRow} = await desktopChat(page)
    modelServer.answer('North of the harbour.')
    await askByTouch(page, 'Kites')
    await expect(lastMessage(page)).toContainText('North')
    await ended(page)
    await chooseOf(lastMessage(page), 'chat.deleteMessage')
    await button(page, 'common.undo').tap()
    await expect(lastMessage(page)).toContainText('North')
    await expect(button(page, 'common.undo')).toHaveCount(0)

    const drawer = await openDrawer(page)
    await chooseOfRow('Kites', 'chat.remove')
    await button(drawer.getByRole('listitem'), 'chat.remove').tap()
    await expect(listed).toHaveCount(0)
    await button(page, 'common.undo').tap()
    await expect(listed).toHaveCount(1)
    await expect(button(page, 'common.undo')).toHaveCount(0)
  },
)

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
