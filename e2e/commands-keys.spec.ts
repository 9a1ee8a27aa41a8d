import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {opened} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {expectGoodLooks} from './support/page-looks.ts'
import {field, open} from './support/open-palette.ts'

/* The keys of commands: listed, changed, refused and reset, on every keyboard. */

/** Presses Option+E as a Mac gives it: the beginning of an accent, with the key code of a composition. */
const pressDeadE = (page: Page) =>
  page.evaluate(() =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', {
        ...{key: 'Dead', code: 'KeyE', keyCode: 229, altKey: true},
        ...{bubbles: true, cancelable: true},
      }),
    ),
  )

test('on a Mac a dead key with Option can be the keys of a command', long, async ({chat}) => {
  await chat.addInitScript(() => Object.defineProperty(navigator, 'platform', {get: () => 'MacIntel'}))
  await chat.reload()
  await opened(chat)
  // the app gives the focus to its own field, unless it went elsewhere
  await expect(chat.getByRole('button', {name: /^Model: /})).toBeVisible()
  await composer(chat).blur()
  await chat.keyboard.press('?')
  const sheet = chat.getByRole('dialog', {name: 'Keyboard shortcuts'})
  const keys = sheet.getByRole('button', {name: 'Change the keys of “Search and commands”'})
  await keys.click()
  await expect(sheet.getByRole('status')).toHaveText('Press the new keys. Esc keeps the old ones.')
  await pressDeadE(chat)
  await expect(keys).toHaveText('⌥ E')
  await chat.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await composer(chat).focus()
  await pressDeadE(chat)
  await expect(field(chat)).toBeFocused()
})

test('keys are listed by ?, changed, refused with the reason, and reset', async ({chat}) => {
  await opened(chat)
  await composer(chat).fill('what?')
  await chat.keyboard.press('?')
  await expect(composer(chat)).toHaveValue('what??')
  await chat.getByRole('main').click({position: {x: 5, y: 5}})
  await composer(chat).blur()
  await chat.keyboard.press('?')
  const sheet = chat.getByRole('dialog', {name: 'Keyboard shortcuts'})
  const change = sheet.getByRole('button', {name: /^Change the keys of “Search and commands”/})
  await change.click()
  await expect(sheet.getByRole('status')).toContainText('Press the new keys.')
  await chat.keyboard.press('ControlOrMeta+Shift+o')
  await expect(sheet.getByRole('status')).toContainText('belongs to “New chat”')
  await chat.keyboard.press('ControlOrMeta+t')
  await expect(sheet.getByRole('status')).toContainText('belongs to the browser')
  await chat.keyboard.press('ControlOrMeta+e')
  await expect(change).toHaveAccessibleName(/Ctrl E$/)
  await chat.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await chat.reload()
  await opened(chat)
  await chat.keyboard.press('ControlOrMeta+e')
  await expect(field(chat)).toBeFocused()
  await field(chat).fill('shortcuts')
  await chat.keyboard.press('Enter')
  await sheet.getByRole('button', {name: 'Reset all keys'}).click()
  await sheet.getByRole('switch', {name: 'Single-key shortcuts'}).uncheck()
  await chat.keyboard.press('Escape')
  await open(chat)
  await chat.keyboard.press('Escape')
  await composer(chat).blur()
  await chat.keyboard.press('?')
  await expect(sheet).toHaveCount(0)
})

test('on a phone the list of keys is a page whose title stays while it scrolls', long, async ({chat}) => {
  await chat.setViewportSize({width: 390, height: 600})
  await opened(chat)
  await composer(chat).blur()
  await chat.keyboard.press('?')
  const sheet = chat.getByRole('dialog', {name: 'Keyboard shortcuts'})
  await expect.poll(() => sheet.boundingBox()).toEqual({x: 0, y: 0, width: 390, height: 600})
  const last = sheet.getByText('Go to the notifications')
  await expect(last).not.toBeInViewport()
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()
  await expect(sheet.getByRole('heading', {name: 'Keyboard shortcuts'})).toBeInViewport()
})

for (const [name, layer] of [
  ['the palette', 'ControlOrMeta+k'],
  ['the list of keys', '?'],
] as const) {
  test(`${name} looks good in each look`, long, async ({chat}) => {
    await expectGoodLooks(chat, async () => {
      await opened(chat)
      await composer(chat).blur()
      await chat.keyboard.press(layer)
      await chat.getByRole('dialog').waitFor()
      // away from the button that closes it, whose tooltip stands outside of the dialog
      if (layer === '?') await chat.keyboard.press('Tab')
    })
  })
}
