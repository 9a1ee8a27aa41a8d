import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {answers} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {cards, generate, made, openTool} from './support/media-page.ts'

/*
 * Keys that are pressed before their code has loaded are not lost: the palette and the keys of commands. Code that
 * failed is asked for again.
 */

const palette = (page: Page) => page.getByRole('dialog', {name: 'Search and commands'})

const field = (page: Page) => palette(page).getByRole('combobox')

const hold = async (page: Page, scripts: RegExp) => {
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(scripts, async (route) => {
    await held
    await route.continue()
  })
  return () => letGo()
}

test('what is typed before the palette is there is for the palette', long, async ({chat}) => {
  await composer(chat).fill('A draft')
  // the code of the keys is there
  await composer(chat).blur()
  await chat.keyboard.press('/')
  await expect(composer(chat)).toBeFocused()
  const letGo = await hold(chat, /\.js$/)
  await chat.keyboard.press('ControlOrMeta+k')
  await chat.keyboard.type('dark')
  letGo()
  await expect(field(chat)).toBeFocused()
  await chat.keyboard.type('e')
  await expect(field(chat)).toHaveValue('darke')
  await chat.keyboard.press('Escape')
  await expect(composer(chat)).toHaveValue('A draft')
})

test('words that are typed after the keys of the palette wait for its code, and the draft stays', async ({chat}) => {
  await composer(chat).fill('A draft')
  await chat.reload()
  await expect(composer(chat)).toHaveValue('A draft')
  const letGo = await hold(chat, /\.js$/)
  await composer(chat).focus()
  await chat.keyboard.press('ControlOrMeta+k')
  await chat.keyboard.type('darq')
  await chat.keyboard.press('Backspace')
  await chat.keyboard.press('Enter')
  await expect(composer(chat)).toHaveValue('A draft')
  letGo()
  await expect(field(chat)).toBeFocused()
  await chat.keyboard.type('k')
  await expect(field(chat)).toHaveValue('dark')
  await expect(answers(chat)).toHaveCount(0)
})

test('menus of a card that could not be loaded are in the palette when it opens again', long, async ({tab: page}) => {
  await openTool(page, '/midjourney')
  await generate(page, 'a red boat')
  const card = cards(page).first()
  await made(card.locator('img').first())
  await card.focus()
  const scripts = /\/result-commands-[^/]*\.js$/
  await page.route(scripts, (route) => route.abort())
  await page.keyboard.press('ControlOrMeta+k')
  await expect(field(page)).toBeFocused()
  const focused = palette(page).getByRole('group', {name: 'In focus'})
  await field(page).fill('what happened')
  await expect(focused.getByRole('option', {name: 'What happened'})).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await page.unroute(scripts)
  await page.keyboard.press('ControlOrMeta+k')
  await field(page).fill('what happened')
  await expect(focused.getByRole('option', {name: 'What happened'})).toBeVisible()
})

for (const {keys, chord} of [
  {keys: 'Alt+K', chord: 'Alt+k'},
  {keys: 'Mod+Alt+K', chord: 'Control+Alt+k'},
  {keys: 'F8', chord: 'F8'},
  {keys: 'Mod+/', chord: 'Control+/'},
]) {
  test(
    `words that are typed after ${keys}, which the user chose for the palette, wait for its code`,
    long,
    async ({chat}) => {
      await composer(chat).fill('A draft')
      await chat.evaluate(
        (chosen) => localStorage.setItem('atrium.keys', `${new URLSearchParams({palette: chosen})}`),
        keys,
      )
      const letGo = await hold(chat, /\/after-start-[^/]*\.js$/)
      await chat.reload()
      await expect(composer(chat)).toHaveValue('A draft')
      await composer(chat).focus()
      await chat.keyboard.press(chord)
      await chat.keyboard.type('darq')
      await chat.keyboard.press('Backspace')
      await expect(composer(chat)).toHaveValue('A draft')
      letGo()
      await expect(field(chat)).toBeFocused()
      await chat.keyboard.type('k')
      await expect(field(chat)).toHaveValue('dark')
    },
  )
}
