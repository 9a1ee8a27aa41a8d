import type {Locator} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
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

test('the form of a prompt in the settings comes whole into view, and the ring of its field too', async ({chat}) => {
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
})
