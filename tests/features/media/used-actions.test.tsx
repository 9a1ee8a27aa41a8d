import {fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeEach, describe, expect, test} from 'vitest'
import {tool as midjourney} from '#contract/media/midjourney.ts'
import {screen as midjourneyScreen} from '#contract/media/midjourney.screen.ts'
import {type Task} from '#contract/task.ts'
import {isSameWork} from '#features/media/result-actions.ts'
import {now} from './cards.ts'
import {openScreen, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))

// as: the world holds any tool, and a form of one tool is narrower than that
const shown = {tool: midjourney, screen: midjourneyScreen} as unknown as Parameters<typeof openScreen>[0]

const picture = (id: string, request: Record<string, unknown>, response: Record<string, unknown> = {}): Task => ({
  id,
  type: 'imagine',
  created_at: now - 60,
  request: {mode: 'fast', ...request},
  response: {success: true, task_id: id, image_id: `i-${id}`, image_url: `https://cdn.example/${id}.png`, ...response},
})
const sheet = picture(
  'sheet',
  {action: 'generate', prompt: 'a boat'},
  {actions: ['upscale1', 'upscale2', 'variation1']},
)
const made = picture('made', {action: 'upscale2', image_id: 'i-sheet', mode: 'relax'})
const refused: Task = {
  ...picture('refused', {action: 'upscale1', image_id: 'i-sheet'}),
  response: {success: false, error: {code: 'timeout', message: 'foo'}},
}
const elsewhere = picture('elsewhere', {action: 'variation1', image_id: 'i-another'})

/** The actions of a result and whether each says that it was used. */
const used = (buttons: readonly HTMLElement[]) =>
  Object.fromEntries(
    buttons.flatMap(({textContent: text}) => {
      const name = /^(Top left|Top right|Of top left)/.exec(text)?.[0]
      return name === undefined ? [] : [[name, text.includes('Used')]]
    }),
  )

/** What is made of a result has its name, and stands before it. */
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

  test('in the menu of the card, with its price', async () => {
    await openScreen(shown, {tasks: [sheet, made, refused, elsewhere]})
    const card = within(oldest(await screen.findAllByRole('article', {name: 'a boat'})))
    fireEvent.click(card.getByRole('button', {name: 'More'}))
    const items = await screen.findAllByRole('menuitem', {name: /^(Top|Of top)/})
    expect(used(items)).toEqual({'Top left': false, 'Top right': true, 'Of top left': false})
    expect(items.map(({textContent}) => textContent)).toContain('Top rightUsed · 0.5 credits')
  })

  test('from the moment it was sent', async () => {
    await openScreen(shown, {tasks: [sheet]})
    const menu = async () => {
      const own = oldest(await screen.findAllByRole('article', {name: 'a boat'}))
      fireEvent.click(within(own).getByRole('button', {name: 'More'}))
      return screen.findAllByRole('menuitem', {name: /^(Top|Of top)/})
    }
    const [first] = await menu()
    expect(used(await screen.findAllByRole('menuitem', {name: /^Top left/}))).toEqual({'Top left': false})
    if (first !== undefined) fireEvent.click(first)
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(used(await menu())).toEqual({'Top left': true, 'Top right': false, 'Of top left': false})
  })
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
  const wide = picture('sheet', {action: 'generate', prompt: 'a boat --version 6.1 --aspect 16:9'})
  await openScreen(shown, {tasks: [wide, made]})
  const [action, plain] = await screen.findAllByRole('article')
  expect(plain?.textContent).toMatch(/6\.1.*Fast.*16:9/)
  expect(plain?.textContent).not.toContain('Generate again')
  expect(action?.textContent).toContain('Top right')
})
