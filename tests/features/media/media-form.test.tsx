import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeEach, describe, expect, test} from 'vitest'
import {useWidth} from './open-screen.tsx'
import {eventually} from '../../eventually.ts'
import {now} from './cards.ts'
import {openMedia, panel, prompt} from './media-screen-fixture.tsx'

beforeEach(() => void useWidth(1_440))
const generate = () => panel().getByRole('button', {name: /^Generate/})

describe('the form', () => {
  test('shows what a run costs and what is left after it', async () => {
    await openMedia({balance: 100})
    fireEvent.change(prompt(), {target: {value: 'foo'}})
    const expectCost = (words: string) =>
      eventually(() => expect(document.querySelector('#panel')?.textContent).toContain(words))
    await expectCost('Estimated cost 1.40 credits')
    await expectCost('98.60 left after')
    fireEvent.click(panel().getByRole('radio', {name: '10 s'}))
    await expectCost('Estimated cost 2.80 credits')
  })

  test('says how much is missing', async () => {
    await openMedia({balance: 1})
    fireEvent.change(prompt(), {target: {value: 'foo'}})
    await waitFor(() => expect(document.querySelector('#panel')?.textContent).toContain('0.40 credits short'))
  })

  test('faults show from the first try on', async () => {
    const {submitted} = await openMedia()
    expect(prompt().getAttribute('aria-invalid')).toBeNull()
    fireEvent.click(generate())
    expect(submitted).toEqual([])
    expect(await panel().findByText('Describe what to make first.')).toBeVisible()
    expect(prompt().getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(prompt()))
  })

  test('a prompt is called optional only while the form can go without it', async () => {
    const {actors} = await openMedia()
    expect(await panel().findByText('0 / 500')).toBeVisible()
    act(() => actors.generation.send({type: 'form.fill', values: {start_image_url: 'https://cdn.example/a.png'}}))
    expect(panel().queryByText('0 / 500')).toBeNull()
  })

  test('Ctrl+Enter sends what the form says, and its card is there at once', async () => {
    const {submitted} = await openMedia()
    fireEvent.change(prompt(), {target: {value: 'a paper boat'}})
    fireEvent.keyDown(prompt(), {key: 'Enter', ctrlKey: true})
    expect(submitted).toHaveLength(1)
    const sent = {
      prompt: 'a paper boat',
      aspect_ratio: '1:1',
      cfg_scale: 0,
      duration: 5,
      mode: 'std',
      model: 'kling-v1',
    }
    expect(submitted[0]).toEqual({
      key: 'key-1',
      at: now,
      tool: 'kling',
      form: {...sent, negative_prompt: '', start_image_url: '', end_image_url: '', video_id: '', video_url: ''},
      submission: {operation: 'videos', body: sent},
    })
    const [newest] = screen.getAllByRole('article')
    expect(within(newest ?? document.body).getByText('Sending')).toBeVisible()
  })

  test('an input method that composes sends nothing', async () => {
    const {submitted} = await openMedia()
    fireEvent.change(prompt(), {target: {value: 'にほん'}})
    fireEvent.keyDown(prompt(), {key: 'Enter', ctrlKey: true, keyCode: 229})
    expect(submitted).toEqual([])
  })

  test('generating waits for an upload and says so', async () => {
    const {submitted, uploads} = await openMedia()
    fireEvent.change(prompt(), {target: {value: 'foo'}})
    const [input] = document.querySelectorAll<HTMLInputElement>('#panel input[type="file"]')
    fireEvent.change(input ?? document.body, {target: {files: [new File(['foo'], 'a.png', {type: 'image/png'})]}})
    expect(await panel().findByRole('progressbar', {name: 'Uploading a.png'})).toBeVisible()
    await act(async () => uploads.next({type: 'upload.progressed', percent: 40}))
    expect(panel().getByRole('progressbar', {name: 'Uploading a.png'}).getAttribute('aria-valuenow')).toBe('40')
    fireEvent.click(generate())
    expect(panel().getByText('Generating waits for the upload.')).toBeVisible()
    expect(submitted).toEqual([])
    await act(async () => uploads.next({type: 'upload.finished', url: 'https://hub.example/files/a.png'}))
    await act(async () => uploads.complete())
    expect(submitted[0]?.submission.body).toEqual({
      start_image_url: 'https://hub.example/files/a.png',
      prompt: 'foo',
      model: 'kling-v1',
      aspect_ratio: '1:1',
      duration: 5,
      mode: 'std',
      cfg_scale: 0,
    })
  })

  test('taking a thumbnail away clears the value', async () => {
    const {actors} = await openMedia()
    act(() => actors.generation.send({type: 'form.fill', values: {start_image_url: 'https://cdn.example/a.png'}}))
    fireEvent.click(panel().getByRole('button', {name: 'Remove a.png'}))
    expect(actors.generation.getSnapshot().context.form.start_image_url).toBe('')
  })

  test('a file of the wrong type is refused with the types that work', async () => {
    await openMedia()
    const [input] = document.querySelectorAll<HTMLInputElement>('#panel input[type="file"]')
    fireEvent.change(input ?? document.body, {target: {files: [new File(['foo'], 'a.svg', {type: 'image/svg+xml'})]}})
    expect((await panel().findByRole('alert')).textContent).toBe(
      'a.svg: Only PNG, JPEG, GIF, BMP, or WEBP files work here.',
    )
  })

  test('own results can be picked', async () => {
    const {media, actors} = await openMedia()
    media.ownResults.mockResolvedValue([{url: 'https://cdn.example/own.png', previewUrl: undefined, title: 'an owl'}])
    fireEvent.click(panel().getAllByRole('button', {name: 'Pick from your results'})[0] ?? document.body)
    fireEvent.click(await screen.findByRole('button', {name: 'an owl'}))
    expect(actors.generation.getSnapshot().context.form.start_image_url).toBe('https://cdn.example/own.png')
  })

  test('reset takes everything back to its default and says when there is something to take back', async () => {
    const {actors} = await openMedia()
    expect(await panel().findByRole('button', {name: 'Reset'})).toBeVisible()
    fireEvent.change(prompt(), {target: {value: 'foo'}})
    fireEvent.click(panel().getByRole('button', {name: 'Reset Changed'}))
    expect(actors.generation.getSnapshot().context.form.prompt).toBe('')
  })
})
