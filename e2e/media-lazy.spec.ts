import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {long} from './support/full-run.ts'
import {cards, generate, made, openTool, promptField} from './support/media-page.ts'

/*
 * A media screen loads some parts when they are first used: each opens by keyboard as if it had been there, or says
 * that it could not load.
 */

test(
  'the list of tools, the menus of a card and its viewer open by keyboard, each with the focus in it and back',
  long,
  async ({chat}) => {
    await openTool(chat, '/flux')
    const change = chat.getByRole('button', {name: 'Change tool, Flux'})
    await change.focus()
    await chat.keyboard.press('Enter')
    const choice = chat.getByRole('dialog', {name: 'Tools'})
    await expect(choice.getByRole('searchbox')).toBeFocused()
    await chat.keyboard.type('sun')
    await expect(choice.getByRole('link', {name: /Suno/})).toBeVisible()
    await chat.keyboard.press('Escape')
    await expect(change).toBeFocused()

    await generate(chat, 'a red kite over the sea')
    const card = cards(chat).first()
    await made(card.getByRole('button', {name: /^Open/}).first())
    await card.focus()
    await chat.keyboard.press('u')
    await expect(chat.getByRole('menu', {name: 'Use in…'})).toBeVisible()
    await chat.keyboard.press('ArrowDown')
    await expect(chat.getByRole('menuitem').first()).toBeFocused()
    await chat.keyboard.press('Escape')
    await expect(card.getByRole('button', {name: /^Use .* in/})).toBeFocused()
    await card.focus()
    await chat.keyboard.press('Enter')
    await expect(chat.getByRole('dialog', {name: 'Viewer'})).toBeVisible()
    await chat.keyboard.press('Escape')
    await expect(card).toBeFocused()

    // so does Back, and only the viewer; from another tool it leads to the results
    const address = chat.url()
    const viewer = chat.getByRole('dialog', {name: 'Viewer'})
    await chat.keyboard.press('Enter')
    await expect(viewer).toBeVisible()
    await chat.goBack()
    await expect(viewer).toHaveCount(0)
    await expect(card).toBeFocused()
    expect(chat.url()).toBe(address)
    await chat.keyboard.press('Enter')
    await viewer.getByRole('button', {name: /Kling/}).first().click()
    await expect(chat).toHaveURL(/\/kling$/)
    await chat.goBack()
    await expect(card).toBeVisible()
    await chat.goBack()
    await expect(chat).not.toHaveURL(address)
  },
)

test(
  'a request that fails while nothing more can be loaded says so, and shows the rest once it can',
  long,
  async ({chat}) => {
    let isCut = true
    await chat.route('**/assets/task-well-*.js', (route) => (isCut ? route.abort() : route.continue()))
    await chat.route('**/services/api/flux/images', (route) =>
      route.fulfill({status: 400, json: {error: {code: 'bad_request', message: 'Not this one.'}}}),
    )
    await openTool(chat, '/flux')
    await promptField(chat).fill('a blue kite')
    await chat.keyboard.press('Control+Enter')
    const card = cards(chat).filter({hasText: 'a blue kite'})
    await expect(card.getByText("This wasn't accepted")).toBeVisible()
    await expect(card.getByRole('button', {name: 'Try again'})).toHaveCount(0)
    isCut = false
    await chat.reload()
    await expect(card.getByRole('button', {name: 'Try again'})).toBeVisible()
    await expect(card).toContainText('Not this one.')
  },
)

test.describe('the player', () => {
  const player = (page: Page) => page.getByRole('region', {name: 'Player'})
  const files = '**/assets/player-*'
  /** The button of a new song, and the files of the player that were asked for. */
  const makeSong = async (page: Page, prompt: string) => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (/\/assets\/player-/.test(request.url())) asked.push(request.url())
    })
    await openTool(page, '/suno')
    await generate(page, prompt)
    const play = cards(page).first().getByRole('button', {name: /^Play/}).first()
    await play.waitFor()
    expect(asked).toEqual([])
    return {play, asked}
  }

  test('comes when the songs are scrolled near, and waits after a reload', long, async ({chat}) => {
    const {play, asked} = await makeSong(chat, 'a sea shanty')
    await play.hover()
    await expect.poll(() => asked.length).toBe(1)
    await expect(player(chat)).toHaveCount(0)
    await play.click()
    await expect(player(chat).getByRole('button', {name: 'Pause', exact: true})).toBeVisible()
    await chat.getByRole('link', {name: 'Chat', exact: true}).click()
    await expect(player(chat)).toBeVisible()
    await chat.reload()
    await expect(player(chat).getByRole('button', {name: 'Play', exact: true})).toBeVisible()
  })

  test('that could not be loaded is loaded again, and plays what was pressed', long, async ({chat}) => {
    const {play} = await makeSong(chat, 'a slow waltz')
    let isCut = true
    let failures = 0
    await chat.route(files, (route) => {
      if (!isCut) return route.continue()
      failures += 1
      return route.abort()
    })
    await play.click()
    await expect.poll(() => failures).toBeGreaterThan(0)
    await expect(player(chat)).toHaveCount(0)
    isCut = false
    await expect(player(chat).getByRole('button', {name: 'Pause', exact: true})).toBeVisible()
  })

  test('that is wanted without a network plays once it is back', long, async ({chat, context}) => {
    const {play} = await makeSong(chat, 'a loud march')
    await context.setOffline(true)
    await play.click()
    await expect(chat.getByRole('status').filter({hasText: "You're offline."})).toBeVisible()
    await expect(player(chat)).toHaveCount(0)
    await context.setOffline(false)
    await expect(player(chat).getByRole('button', {name: 'Pause', exact: true})).toBeVisible()
    await expect(chat.getByText('This part stopped working.')).toHaveCount(0)
  })
})
