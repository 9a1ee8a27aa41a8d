import {act, createEvent, fireEvent, screen, within} from '@testing-library/react'
import {beforeEach, describe, expect, test} from 'vitest'
import {tool as qrart} from '#contract/media/qrart.ts'
import {screen as qrartScreen} from '#contract/media/qrart.screen.ts'
import {openKling, openScreen, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))
// as: the world holds any tool, and a form of one tool is narrower than that
const withoutFiles = {tool: qrart, screen: qrartScreen} as unknown as Parameters<typeof openScreen>[0]

const image = (name: string) => new File(['foo'], name, {type: 'image/png'})
const recording = new File(['foo'], 'a.mp3', {type: 'audio/mpeg'})
const panel = () => within(document.querySelector<HTMLElement>('#panel') ?? document.body)
const form = () => panel().getByRole('form', {name: 'Settings'})
const prompt = () => panel().getByRole('textbox', {name: /^Prompt/})

/** Drops files as a browser does: over it first. Answers whether the browser is kept from opening them. */
async function drop(target: Element, files: File[], kind: 'dragOver' | 'drop' = 'drop') {
  const dataTransfer = {files, types: ['Files'], dropEffect: 'copy'}
  const event = createEvent[kind](target, {dataTransfer})
  // as: the event holds a copy of what it was given
  const carried = (event as unknown as {dataTransfer: typeof dataTransfer}).dataTransfer
  await act(async () => void fireEvent(target, event))
  return {isKept: event.defaultPrevented, effect: carried.dropEffect}
}
const paste = async (target: Element, files: File[]) => {
  const event = createEvent.paste(target, {clipboardData: {files}})
  await act(async () => void fireEvent(target, event))
  return event.defaultPrevented
}
type World = Awaited<ReturnType<typeof openKling>>
const uploads = ({actors}: World) =>
  actors.generation.getSnapshot().context.uploads.map(({field, name, fault}) => [field, name, fault?.kind])

describe('files that are dropped', () => {
  test('anywhere on the form go to the first field that takes them, each once', async () => {
    const world = await openKling()
    expect(await drop(form(), [image('a.png')], 'dragOver')).toEqual({isKept: true, effect: 'copy'})
    expect((await drop(prompt(), [image('a.png')])).isKept).toBe(true)
    expect((await drop(form(), [image('b.png')])).isKept).toBe(true)
    expect(uploads(world)).toEqual([
      ['start_image_url', 'a.png', undefined],
      ['end_image_url', 'b.png', undefined],
    ])
  })

  test('on a field of files stay with it', async () => {
    const world = await openKling()
    await drop(panel().getByRole('group', {name: /^End/}), [image('a.png')])
    expect(uploads(world)).toEqual([['end_image_url', 'a.png', undefined]])
  })

  test('and are of no use are refused in words', async () => {
    const world = await openKling()
    expect((await drop(prompt(), [recording])).isKept).toBe(true)
    expect(uploads(world)).toEqual([['start_image_url', 'a.mp3', 'type']])
  })

  test('where nothing takes them leave the page where it is', async () => {
    const world = await openScreen(withoutFiles)
    const results = await screen.findByRole('list', {name: 'Examples'})
    for (const target of [form(), results]) {
      expect(await drop(target, [image('a.png')], 'dragOver')).toEqual({isKept: true, effect: 'none'})
      expect((await drop(target, [image('a.png')])).isKept).toBe(true)
    }
    expect(uploads(world)).toEqual([])
  })

  test('a piece of text is none of them', async () => {
    await openKling()
    const event = createEvent.drop(prompt(), {dataTransfer: {files: [], types: ['text/plain']}})
    fireEvent(prompt(), event)
    expect(event.defaultPrevented).toBe(false)
  })
})

test('files that are pasted anywhere in the form go to the first field that takes them and are not typed', async () => {
  const world = await openKling()
  expect(await paste(prompt(), [image('a.png')])).toBe(true)
  expect(await paste(panel().getByRole('button', {name: /^Generate/}), [image('b.png')])).toBe(true)
  expect(await paste(prompt(), [recording])).toBe(false)
  expect(uploads(world)).toEqual([
    ['start_image_url', 'a.png', undefined],
    ['end_image_url', 'b.png', undefined],
  ])
})
