import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeEach, describe, expect, test, vi} from 'vitest'
import {klingTask, openKling, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))
const panel = () => within(document.querySelector<HTMLElement>('#panel') ?? document.body)
const head = () => within(document.querySelector<HTMLElement>('#head') ?? document.body)
const write = (prompt: string, {actors}: Awaited<ReturnType<typeof openKling>>) =>
  act(() => actors.generation.send({type: 'form.fill', values: {prompt}}))

describe('who makes it', () => {
  test('a service that charges nothing shows no price, whatever its rules say', async () => {
    const world = await openKling({balance: 1, metadata: {free: true}, tasks: [klingTask('a')]})
    write('foo', world)
    const words = document.querySelector('#panel')?.textContent
    expect(words).toContain('No credits needed')
    expect(words).not.toContain('Estimated cost')
    expect(words).not.toContain('short')
  })

  test('the sandbox is named over the results and in the details of what it made', async () => {
    const response = {...klingTask('a').response, provider: 'sandbox', sandbox: true}
    await openKling({metadata: {sandbox: true}, tasks: [klingTask('a', {response})]})
    expect(head().getByTitle(/^Results come from the built-in sandbox/)).toBeVisible()
    fireEvent.click(await screen.findByRole('button', {name: 'Play Result of: prompt a'}))
    const dialog = await screen.findByRole('dialog', {name: 'Viewer'})
    expect((await within(dialog).findByText('Made by')).nextElementSibling?.textContent).toBe('Sandbox')
  })

  test('another provider is named in the details, and no badge shows', async () => {
    const response = {...klingTask('a').response, provider: 'foo'}
    await openKling({tasks: [klingTask('a', {response})]})
    expect(head().queryByTitle(/sandbox/)).toBeNull()
    fireEvent.click(await screen.findByRole('button', {name: 'Play Result of: prompt a'}))
    const dialog = await screen.findByRole('dialog', {name: 'Viewer'})
    expect((await within(dialog).findByText('Made by')).nextElementSibling?.textContent).toBe('foo')
  })

  test('a tool that nobody makes says why its button does nothing', async () => {
    const world = await openKling({metadata: {available: false}})
    write('foo', world)
    expect(await panel().findByText(/^This tool isn't connected here yet/)).toBeVisible()
    expect(panel().getByRole('button', {name: 'Generate'}).hasAttribute('disabled')).toBe(true)
    fireEvent.keyDown(panel().getByRole('textbox', {name: /^Prompt/}), {key: 'Enter', ctrlKey: true})
    expect(world.submitted).toEqual([])
  })
})

describe('on a phone', () => {
  beforeEach(() => void useWidth(390))
  const generate = () => screen.findByRole('button', {name: /^Generate/})

  test('Generate with a fault opens the sheet at it, and the dock tells it afterwards', async () => {
    const {submitted} = await openKling()
    fireEvent.click(await generate())
    const sheet = await screen.findByRole('dialog', {name: 'Settings'})
    expect(within(sheet).getByText('Describe what to make first.')).toBeVisible()
    fireEvent.keyDown(sheet, {key: 'Escape'})
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const note = screen.getByRole('alert')
    expect(note.textContent).toBe('Describe what to make first.')
    fireEvent.click(note)
    expect(await screen.findByRole('dialog', {name: 'Settings'})).toBeVisible()
    expect(submitted).toEqual([])
  })

  test('the plus beside the settings takes a file into the first field that has one, and shows it there', async () => {
    const world = await openKling({metadata: {free: true}})
    const plus = await screen.findByRole('button', {name: 'Start frame'})
    const chooser = document.querySelector<HTMLInputElement>('input[type="file"]')
    if (chooser === null) throw new Error('No input')
    const asked = vi.spyOn(chooser, 'click')
    fireEvent.click(plus)
    expect(asked).toHaveBeenCalledOnce()
    fireEvent.change(chooser, {target: {files: [new File(['foo'], 'a.png', {type: 'image/png'})]}})
    expect(await screen.findByRole('dialog', {name: 'Settings'})).toBeVisible()
    await waitFor(() =>
      expect(world.actors.generation.getSnapshot().context.uploads).toEqual([
        {field: 'start_image_url', id: 'file-a.png', name: 'a.png', most: 1, state: 'running'},
      ]),
    )
  })

  test('a file that failed opens the sheet too', async () => {
    const world = await openKling()
    write('foo', world)
    const file = {id: 'file', name: 'a.svg', type: 'image/svg+xml', size: 3}
    const rule = {types: ['image/png'], maxBytes: 9}
    act(() => world.actors.generation.send({type: 'files.add', field: 'start_image_url', files: [file], rule, most: 1}))
    await waitFor(() => expect(world.actors.generation.getSnapshot().context.uploads[0]?.state).toBe('failed'))
    fireEvent.click(await generate())
    expect(await screen.findByRole('dialog', {name: 'Settings'})).toBeVisible()
    expect(world.submitted).toEqual([])
  })

  test('the dock shows what is left after a run, that it waits for an upload, and a refusal', async () => {
    const world = await openKling({balance: 100})
    write('foo', world)
    await generate()
    expect(document.body.textContent).toContain('98.60 left after')
    const file = {id: 'file', name: 'a.png', type: 'image/png', size: 3}
    const rule = {types: ['image/png'], maxBytes: 9}
    act(() => world.actors.generation.send({type: 'files.add', field: 'start_image_url', files: [file], rule, most: 1}))
    fireEvent.click(await generate())
    expect(screen.getByText('Generating waits for the upload.')).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Cancel'}))
    expect(screen.queryByText('Generating waits for the upload.')).toBeNull()
  })
})
