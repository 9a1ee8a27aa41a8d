import type {Locator} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {chooseAction, ended, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {addPrompt, openSettings} from './support/saved-prompts.ts'

/* The field with the focus is seen whole in a dialog: no foot stands over it, and its ring is not cut. */

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox()
  if (box === null) throw new Error('It has no box.')
  return {...box, bottom: box.y + box.height, right: box.x + box.width}
}

test('the last of many fields of a prompt stands above the buttons of the dialog', async ({chat}) => {
  const settings = await openSettings(chat)
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
  await addPrompt(settings, 'Brief', names.map((name) => `{{${name}}}`).join(' '))
  await chat.keyboard.press('Escape')
  await chat.setViewportSize({width: 390, height: 640})
  await composer(chat).fill('/Brief')
  await chat.getByRole('option', {name: /Brief/}).click()
  const dialog = chat.getByRole('dialog', {name: 'Brief'})
  for (const name of names) {
    const field = dialog.getByRole('textbox', {name, exact: true})
    await field.focus()
    const insert = await boxOf(dialog.getByRole('button', {name: 'Insert'}))
    expect.soft((await boxOf(field)).bottom, name).toBeLessThan(insert.y - 4)
  }
})

test(
  'the form of a prompt in the settings comes whole into view, and the ring of its field too',
  long,
  async ({chat}) => {
    const settings = await openSettings(chat)
    for (const name of ['First', 'Second', 'Third', 'Fourth']) await addPrompt(settings, name, 'Words for {{reader}}')
    await settings.getByRole('group', {name: 'Fourth'}).getByRole('button', {name: 'Edit'}).click()
    const name = settings.getByRole('textbox', {name: 'Name'})
    await expect(name).toBeFocused()
    const panel = await boxOf(settings.getByRole('tabpanel'))
    const save = await boxOf(settings.locator('form').getByRole('button', {name: 'Save'}).last())
    expect(save.bottom).toBeLessThanOrEqual(panel.bottom)
    const field = await boxOf(name)
    // a ring of two pixels, two pixels away
    expect(field.x - panel.x).toBeGreaterThanOrEqual(4)
    expect(panel.right - field.right).toBeGreaterThanOrEqual(4)
  },
)

/** How far the dialog can be scrolled out of view; its inner part scrolls by itself. */
const wayOut = (dialog: Locator) =>
  dialog.evaluate(({parentElement: around}) => (around === null ? -1 : around.scrollHeight - around.clientHeight))

test('words for screen readers below the fold of a dialog do not scroll it out of view', long, async ({chat}) => {
  await ask(chat, 'foo')
  await ended(chat)
  await chat.setViewportSize({width: 390, height: 480})
  await chooseAction(lastMessage(chat), 'What happened')
  const happened = chat.getByRole('dialog', {name: 'What happened'})
  await expect(happened.getByRole('button', {name: 'Copy as JSON'})).toBeFocused()
  expect.soft(await wayOut(happened)).toBe(0)
  await chat.keyboard.press('Escape')
  await expect(happened).toHaveCount(0)

  await chat.setViewportSize({width: 1440, height: 640})
  await chat.getByRole('banner').getByRole('button', {name: 'Share…', exact: true}).click()
  const share = chat.getByRole('dialog')
  const make = share.getByRole('button', {name: 'Make link', exact: true})
  for (const count of [1, 2, 3]) {
    await make.click()
    await expect(share.getByRole('button', {name: 'Copy link'})).toHaveCount(count)
  }
  await chat.keyboard.press('Escape')
  const settings = await openSettings(chat)
  await settings.getByRole('tab', {name: 'Data'}).click()
  await expect(settings.getByRole('button', {name: 'Copy link'})).toHaveCount(3)
  expect.soft(await wayOut(settings)).toBe(0)
})
