import {act, fireEvent, screen, within} from '@testing-library/react'
import {beforeEach, expect, test} from 'vitest'
import locales from '#tests/contract/media/sketch.locales.json'
import {screen as sketchScreen} from '#tests/contract/media/sketch.screen.ts'
import {identity, tool as sketch} from '#tests/contract/media/sketch.ts'
import {now} from './cards.ts'
import {toTaskRecord} from '#app/logic/media/task-records.ts'
import {openScreen, useWidth} from './open-screen.tsx'
import {eventually} from '../../eventually.ts'

beforeEach(() => void useWidth(1_440))
// as: the world holds any tool, and a form of one tool is narrower than that
const shown = {tool: sketch, screen: sketchScreen} as unknown as Parameters<typeof openScreen>[0]
const words = Object.fromEntries(Object.entries(locales.en).map(([key, {message}]) => [`sketch.${key}`, message]))

/*
 * The screen of a tool that nothing knows: its values and the words of its namespace are all there is of it.
 */
test('its form, price, request, card, result and details are there without a line of code', async () => {
  const world = await openScreen(shown, {balance: 10}, words)
  const panel = within(document.querySelector<HTMLElement>('#panel') ?? document.body)
  expect(await panel.findByRole('radiogroup', {name: 'Paper'})).toBeVisible()
  await eventually(() => {
    expect(document.querySelector('#panel')?.textContent).toContain('Estimated cost 0.75 credits')
    expect(document.querySelector('#panel')?.textContent).toContain('9.25 left after')
  })

  const generate = panel.getByRole('button', {name: /^Generate/})
  fireEvent.click(generate)
  expect(await panel.findByText('Describe what to make first.')).toBeVisible()
  fireEvent.change(panel.getByRole('textbox', {name: /^Prompt/}), {target: {value: 'harbour'}})
  fireEvent.click(panel.getByRole('radio', {name: '2:3'}))
  fireEvent.click(generate)
  await eventually(() =>
    expect(world.submitted[0]?.submission).toEqual({operation: 'sketches', body: {prompt: 'harbour', paper: '2:3'}}),
  )
  expect(within(await screen.findByRole('article')).getByText('Sending')).toBeVisible()

  const task = {id: 'a', type: 'sketches', created_at: now, request: {prompt: 'quay', paper: '3:2'}}
  const sheets = ['1', '2'].map((sheet) => ({sheet, file: `https://cdn.example/${sheet}.png`}))
  const response = {success: true, progress: 100, data: sheets}
  act(() =>
    world.actors.list.send({
      type: 'tasks.polled',
      // as: a record forgets the form of its tool
      records: [toTaskRecord(sketch as unknown as Parameters<typeof toTaskRecord>[0], {...task, response})],
    }),
  )
  const made = await screen.findByRole('article', {name: 'quay'})
  await eventually(() =>
    expect([...made.querySelectorAll('img')].map(({src}) => src)).toEqual(sheets.map(({file}) => file)),
  )
  fireEvent.keyDown(made, {key: 'Enter'})
  const dialog = await screen.findByRole('dialog', {name: 'Viewer'})
  expect((await within(dialog).findByText('Tool')).nextElementSibling?.textContent).toBe(identity.name)
  expect((await within(dialog).findByText('Paper')).nextElementSibling?.textContent).toBe('3:2')
})
