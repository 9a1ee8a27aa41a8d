import {cleanup, fireEvent, screen} from '@testing-library/react'
import {describe, expect, test, vi} from 'vitest'
import {screen as klingScreen} from '#contract/media/kling.screen.ts'
import {tool as kling} from '#contract/media/kling.ts'
import type {Task} from '#contract/task.ts'
import type {AnyField, AnyScreen} from '#features/media/any-tool.ts'
import type {FileItem} from '#features/media/fields/files-field.types.ts'
import {toTaskRecord} from '#app/logic/media/task-records.ts'
import {createMediaWorld} from './media-fixture.tsx'
import {showField} from './show-field.tsx'

describe('files', () => {
  const field: Extract<AnyField, {kind: 'files'}> = {
    kind: 'files',
    key: 'images',
    label: 'foo',
    medium: 'image',
    most: 2,
    types: ['image/png'],
    maxBytes: 10,
  }
  const item = (given: Partial<FileItem> = {}): FileItem =>
    ({id: 'a', name: 'a.png', medium: 'image', previewUrl: 'blob:foo', state: 'done', ...given}) as FileItem // a whole item of each state

  test('are chosen and dropped', () => {
    const {files} = showField(field, {images: []})
    const file = new File(['foo'], 'a.png', {type: 'image/png'})
    const input = document.querySelector('input[type="file"]')
    expect(input?.getAttribute('accept')).toBe('image/png')
    fireEvent.change(input ?? document.body, {target: {files: [file]}})
    fireEvent.drop(screen.getByRole('group', {name: 'Foo'}), {dataTransfer: {files: [file], types: ['Files']}})
    expect(files.onAdd).toHaveBeenCalledTimes(2)
    expect(files.onAdd).toHaveBeenLastCalledWith([file])
  })

  test('one alone is optional unless the tool cannot do without', () => {
    const {view} = showField({...field, most: 1}, {images: ''})
    expect(screen.getByText('Optional')).toBeVisible()
    view.unmount()
    showField({...field, most: 1}, {images: ''}, {isNeeded: true})
    expect(screen.queryByText('Optional')).toBeNull()
  })

  test('show their progress', async () => {
    showField(field, {images: []}, {items: [item({state: 'running', percent: 40})]})
    const progress = await screen.findByRole('progressbar', {name: 'Uploading a.png'})
    expect(progress.getAttribute('aria-valuenow')).toBe('40')
  })

  test('a list is reordered by arrow keys and by a press, which is read out; Arabic is mirrored', async () => {
    const three = ['a', 'b', 'c'].map((id) => item({id, name: `${id}.png`}))
    const handle = (name: string) => screen.getByRole('button', {name})
    const {files, view} = showField({...field, most: 3}, {images: []}, {items: three})
    const help = 'Drag, or use the arrow keys, to change the order.'
    const second = await screen.findByRole('button', {name: 'Move b.png, 2 of 3', description: help})
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'a']) fireEvent.keyDown(second, {key})
    fireEvent.keyDown(handle('Move a.png, 1 of 3'), {key: 'ArrowLeft'})
    fireEvent.click(handle('Move c.png, 3 of 3'))
    expect(vi.mocked(files.onMove).mock.calls).toEqual([
      ['b', 2],
      ['b', 0],
      ['b', 0],
      ['b', 2],
      ['c', 0],
    ])
    expect(screen.getByRole('status').textContent).toBe('c.png is now 3 of 3.')
    view.unmount()
    document.documentElement.style.direction = 'rtl'
    const mirrored = showField({...field, most: 3}, {images: []}, {items: three, locale: 'ar'})
    fireEvent.keyDown(handle('نقل b.png، 2 من 3'), {key: 'ArrowRight'})
    document.documentElement.style.direction = ''
    expect(mirrored.files.onMove).toHaveBeenCalledExactlyOnceWith('b', 0)
  })

  test('a single file, and one alone in a list, have nothing to be moved to', async () => {
    const {view} = showField({...field, most: 1}, {images: ''}, {items: [item()]})
    await screen.findByRole('button', {name: 'Remove a.png'})
    expect(screen.queryByRole('button', {name: /^Move/})).toBeNull()
    view.unmount()
    showField(field, {images: []}, {items: [item()]})
    await screen.findByRole('button', {name: 'Remove a.png'})
    expect(screen.queryByRole('button', {name: /^Move/})).toBeNull()
  })

  test('one that failed says why, is sent again, or taken away', async () => {
    const {files} = showField(field, {images: []}, {items: [item({state: 'failed', problem: 'Bar'})]})
    expect(screen.getByRole('alert').textContent).toBe('a.png: Bar')
    fireEvent.click(await screen.findByRole('button', {name: 'Try a.png again'}))
    fireEvent.click(screen.getByRole('button', {name: 'Remove a.png'}))
    expect(files.onRetry).toHaveBeenCalledExactlyOnceWith('a')
    expect(files.onRemove).toHaveBeenCalledExactlyOnceWith('a')
  })

  test('one that is taken away by its button leaves the focus in the field', async () => {
    showField(field, {images: []}, {items: [item()]})
    const remove = await screen.findByRole('button', {name: 'Remove a.png'})
    remove.focus()
    fireEvent.click(remove)
    expect(document.activeElement).toBe(screen.getByRole('group', {name: 'Foo'}))
  })

  test('a refused one cannot be sent again', async () => {
    showField(field, {images: []}, {items: [item({state: 'refused', problem: 'Bar'})]})
    await screen.findByRole('button', {name: 'Remove a.png'})
    expect(screen.queryByRole('button', {name: 'Try a.png again'})).toBeNull()
  })

  test('a refused one takes no slot: another can be added or picked', () => {
    const onPick = vi.fn()
    const refused = item({id: 'r', name: 'r.svg', state: 'refused', problem: 'Bar'})
    const {view} = showField({...field, most: 1}, {images: ''}, {items: [refused], onPick})
    expect(screen.getByRole('button', {name: /Add/})).toBeVisible()
    expect(screen.getByRole('button', {name: 'Pick from your results'})).toBeVisible()
    view.unmount()
    showField(field, {images: []}, {items: [refused, item()], onPick})
    expect(screen.getByText('1 / 2')).toBeVisible()
  })

  test('an image is only ever the source of an img, whatever it is', async () => {
    showField(field, {images: []}, {items: [item({name: 'a.svg', previewUrl: 'blob:svg'})]})
    await screen.findByRole('button', {name: 'Remove a.svg'})
    expect(document.querySelector('img')?.getAttribute('src')).toBe('blob:svg')
    expect(document.querySelectorAll('object, embed, iframe')).toHaveLength(0)
  })

  test('a full field takes no more; own results can be picked while there is room', () => {
    const onPick = vi.fn()
    const {view} = showField(field, {images: []}, {items: [item()], onPick})
    fireEvent.click(screen.getByRole('button', {name: 'Pick from your results'}))
    expect(onPick).toHaveBeenCalledTimes(1)
    view.unmount()
    showField(field, {images: []}, {items: [item(), item({id: 'b'})], onPick})
    expect(screen.queryByRole('button', {name: 'Pick from your results'})).toBeNull()
    expect(screen.queryByRole('button', {name: 'Add image'})).toBeNull()
  })
})

const video: Task = {
  id: 'foo',
  type: 'videos',
  created_at: 0,
  request: {prompt: 'a boat'},
  response: {success: true, task_id: 'foo', video_id: 'v-1', video_url: 'https://cdn.example/v.mp4', state: 'succeed'},
}

test('the result that is worked on can only be taken away, with its image', async () => {
  const field: AnyField = {kind: 'taskRef', key: 'video_id', previewKey: 'video_url', label: 'foo'}
  const onChange = vi.fn()
  const {media} = createMediaWorld({
    tool: kling,
    // as: the world holds any tool, and a form of one tool is narrower than that
    screen: klingScreen as unknown as AnyScreen,
  })
  media.actors.list.send({type: 'tasks.polled', records: [toTaskRecord(kling, video)]})
  const {view} = showField(field, {video_id: 'v-1', video_url: 'https://cdn.example/v.mp4'}, {onChange, media})
  const remove = await screen.findByRole('button', {name: 'Remove Foo'})
  expect(screen.getByRole('group').textContent).toBe('a boat')
  expect(document.querySelector('video')?.getAttribute('src')).toBe('https://cdn.example/v.mp4#t=0.001')
  fireEvent.click(remove)
  expect(onChange.mock.calls).toEqual([
    ['video_id', undefined],
    ['video_url', undefined],
  ])
  view.unmount()
  // one that the list does not have is told by its id
  showField(field, {video_id: 'v-2'}, {media})
  expect((await screen.findByRole('group')).textContent).toBe('v-2')
  cleanup()
  showField(field, {video_id: ''}, {media})
  expect(screen.queryByRole('group')).toBeNull()
})
