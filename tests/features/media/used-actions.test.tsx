import {fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeEach, describe, expect, test} from 'vitest'
import {tool as midjourney} from '#contract/media/midjourney.ts'
import {screen as midjourneyScreen} from '#contract/media/midjourney.screen.ts'
import {imageActionNames} from '#contract/media/media-image-actions.ts'
import {type Task} from '#contract/task.ts'
import {isSameWork} from '#features/media/result-actions.ts'
import {now} from './cards.ts'
import {openScreen, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))

// as: the world holds any tool, and a form of one tool is narrower than that
const shown = {tool: midjourney, screen: midjourneyScreen} as unknown as Parameters<typeof openScreen>[0]

const image = (id: string, request: Record<string, unknown>, response: Record<string, unknown> = {}): Task => ({
  id,
  type: 'imagine',
  created_at: now - 60,
  request: {mode: 'fast', ...request},
  response: {success: true, task_id: id, image_id: `i-${id}`, image_url: `https://cdn.example/${id}.png`, ...response},
})
const sheet = image('sheet', {action: 'generate', prompt: 'a boat'}, {actions: ['upscale1', 'upscale2', 'variation1']})
const made = image('made', {action: 'upscale2', image_id: 'i-sheet', mode: 'relax'})
const refused: Task = {
  ...image('refused', {action: 'upscale1', image_id: 'i-sheet'}),
  response: {success: false, error: {code: 'timeout', message: 'foo'}},
}
const elsewhere = image('elsewhere', {action: 'variation1', image_id: 'i-another'})

/** The actions of a result and whether each says that it was used. */
const used = (buttons: readonly HTMLElement[]) =>
  Object.fromEntries(
    buttons.flatMap(({textContent: text}) => {
      const name = /^(Top left|Top right|Of top left)/.exec(text)?.[0]
      return name === undefined ? [] : [[name, text.includes('Used')]]
    }),
  )

/** Returns the oldest of the elements: results that are made of another have its name, and stand before it. */
function oldest(named: HTMLElement[]): HTMLElement {
  const last = named.at(-1)
  if (last === undefined) throw new Error('Nothing has this name')
  return last
}

describe('an action that was asked for before says so', () => {
  test('in the viewer', async () => {
    await openScreen(shown, {tasks: [sheet, made, refused, elsewhere]})
    fireEvent.click(oldest(await screen.findAllByRole('button', {name: 'Open Result of: a boat'})))
    const dialog = within(await screen.findByRole('dialog', {name: 'Viewer'}))
    expect(used(await dialog.findAllByRole('button', {name: /^(Top|Of top)/}))).toEqual({
      'Top left': false,
      'Top right': true,
      'Of top left': false,
    })
  })

  test('the link is offered with who can open it', async () => {
    await openScreen(shown, {tasks: [sheet]})
    const card = within(oldest(await screen.findAllByRole('article', {name: 'a boat'})))
    fireEvent.click(card.getByRole('button', {name: 'More'}))
    fireEvent.click(await screen.findByRole('menuitem', {name: 'Copy'}))
    const link = await screen.findByRole('menuitem', {name: /^Copy link/})
    expect(link.textContent).toBe('Copy linkWhoever has this address can open the file.')
  })

  /** The short buttons on the card of the sheet. */
  const row = async () => {
    const card = within(oldest(await screen.findAllByRole('article', {name: 'a boat'})))
    return within(await card.findByRole('group', {name: 'Actions'})).getAllByRole('button')
  }
  const namesOf = (buttons: readonly HTMLElement[]) =>
    buttons.map((button) => `${button.textContent}: ${button.getAttribute('aria-label')}`)

  test('in the row of the card, with its price, and the menu has only the rest', async () => {
    await openScreen(shown, {tasks: [sheet, made, refused, elsewhere]})
    expect(namesOf(await row())).toEqual([
      'U1: Take one of the four: Top left · 0.5 credits',
      'U2: Take one of the four: Top right · Used · 0.5 credits',
      'V1: Variations: Of top left · 4.95 credits',
    ])
    const card = within(oldest(await screen.findAllByRole('article', {name: 'a boat'})))
    fireEvent.click(card.getByRole('button', {name: 'More'}))
    const lines = within(await screen.findByRole('menu')).getAllByRole('menuitem')
    expect(lines.map(({textContent}) => textContent)).toEqual([
      'Download',
      'Reuse settings',
      'More',
      'Use in…',
      'Copy',
      'What happened',
      'Delete',
    ])
  })

  test('from the moment it was sent', async () => {
    await openScreen(shown, {tasks: [sheet]})
    const [first] = await row()
    if (first !== undefined) fireEvent.click(first)
    await waitFor(async () =>
      expect((await row()).map(({dataset}) => dataset.used)).toEqual(['true', undefined, undefined]),
    )
  })
})

test('the menu of an enlarged image has ten lines at most, and all actions of one heading in one of them', async () => {
  const actions = imageActionNames.filter((name) => !/[1-4]$|redo|generate|reroll/.test(name))
  await openScreen(shown, {
    tasks: [image('one', {action: 'upscale2', image_id: 'i-sheet'}, {actions})],
    metadata: {capabilities: ['delete']},
  })
  fireEvent.click(await screen.findByRole('button', {name: 'More'}))
  const lines = within(await screen.findByRole('menu')).getAllByRole('menuitem')
  expect(lines.length).toBeLessThanOrEqual(10)
  fireEvent.click(screen.getByRole('menuitem', {name: 'Extend the frame'}))
  const sides = within(await screen.findByRole('menu', {name: 'Extend the frame'})).getAllByRole('menuitem')
  expect(sides.map(({textContent}) => textContent?.replace(/4.95 credits/, ''))).toEqual([
    'Zoom out 2×',
    'Zoom out 1.5×',
    'Make it square',
    'Left',
    'Right',
    'Up',
    'Down',
  ])
})

describe('the same work', () => {
  const body = {action: 'upscale1', image_id: 'foo', mode: 'fast'}
  test.each([
    ['with other settings', {...body, mode: 'relax'}, true],
    ['on another result', {...body, image_id: 'bar'}, false],
    ['another action on it', {...body, action: 'upscale2'}, false],
    ['what names no action', {image_id: 'foo'}, false],
  ])('%s', (_name, request, isSame) => {
    expect(isSameWork(body, request)).toBe(isSame)
  })

  test('what names no result is new each time', () => {
    expect(isSameWork({action: 'generate', prompt: 'a'}, {action: 'generate', prompt: 'a'})).toBe(false)
  })
})

test('the words of a card name an action on a result, and not the plain work of the tool', async () => {
  const wide = image('sheet', {action: 'generate', prompt: 'a boat --version 6.1 --aspect 16:9'})
  await openScreen(shown, {tasks: [wide, made]})
  const [action, plain] = await screen.findAllByRole('article')
  expect(plain?.textContent).toContain('16:9')
  // neither the plain work of the tool nor what is at its default
  expect(plain?.textContent).not.toMatch(/Generate again|6\.1|Fast/)
  expect(action?.textContent).toMatch(/Upscaled, top right.*Relax/)
})
