import {createEvent, fireEvent, screen, waitFor} from '@testing-library/react'
import {describe, expect, test, vi} from 'vitest'
import type {SendFile} from '#features/chat/attachment.ts'
import {mostFiles} from '#domain/attachment-limit.ts'
import {Dialog} from '#ui/dialog.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {file} from './attached-files.ts'
import {modelNamed, showComposer} from './composer-fixture.tsx'

const clipboard = (text: string, ...files: File[]) => ({
  files,
  types: [...(text === '' ? [] : ['text/plain']), ...(files.length === 0 ? [] : ['Files'])],
  getData: () => text,
})

describe('pasted and dropped files', () => {
  test('a pasted image is attached', async () => {
    const {upload, field} = showComposer()
    fireEvent.paste(field, {clipboardData: clipboard('', file('a.png', 'image/png'))})
    expect(await screen.findByText('a.png')).toBeVisible()
    expect(upload).toHaveBeenCalledTimes(1)
  })

  test('an image that the model cannot read is explained when it is pasted; text beside it is pasted as text', async () => {
    const {props, field} = showComposer({model: modelNamed('foo')})
    expect(fireEvent.paste(field, {clipboardData: clipboard('words', file('a.png', 'image/png'))})).toBe(true)
    expect(fireEvent.paste(field, {clipboardData: clipboard('', file('a.png', 'image/png'))})).toBe(false)
    expect(await screen.findByText("foo can't read files.")).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Use GPT-5'}))
    expect(props.onChooseModel).toHaveBeenCalledWith('gpt-5-all')
  })

  test('cells of a table are pasted as text, though they come with an image; a file with its name stays a file', async () => {
    const {upload, field} = showComposer()
    const cells = clipboard('a\tb', file('cells.png', 'image/png'))
    for (const type of ['text/html', 'text/rtf'])
      expect(fireEvent.paste(field, {clipboardData: {...cells, types: [type, ...cells.types]}})).toBe(true)
    // what the browser makes of a copied image: its address as HTML, and no text
    const image = clipboard('', file('a.png', 'image/png'))
    expect(fireEvent.paste(field, {clipboardData: {...image, types: ['text/html', 'Files']}})).toBe(false)
    expect(fireEvent.paste(field, {clipboardData: clipboard('b.pdf', file('b.pdf', 'application/pdf'))})).toBe(false)
    await screen.findByText('b.pdf')
    expect(vi.mocked(upload).mock.calls.map(([{name}]) => name)).toEqual(['a.png', 'b.pdf'])
  })

  test('files that are pasted beside the field are attached; text, and what is pasted into another field or a dialog, is not', async () => {
    const {upload, field} = showComposer()
    const other = renderView(<input aria-label="other" />)
    const pasteInto = (target: Element, ...pasted: Parameters<typeof clipboard>) =>
      fireEvent.paste(target, {clipboardData: clipboard(...pasted)})
    const otherField = screen.getByRole('textbox', {name: 'other'})
    otherField.focus()
    expect(pasteInto(otherField, '', file('a.png', 'image/png'))).toBe(true)
    other.unmount()
    expect(pasteInto(document.body, 'foo\n'.repeat(200))).toBe(true)
    const dialog = renderView(<Dialog open title="foo" />)
    await waitFor(() => expect(screen.queryByRole('textbox', {name: 'Message'})).toBeNull())
    for (const target of [await screen.findByRole('dialog'), document.body])
      expect(pasteInto(target, '', file('b.png', 'image/png'))).toBe(true)
    dialog.unmount()
    await waitFor(() => expect(screen.getByRole('textbox', {name: 'Message'})).toBeVisible())
    expect(pasteInto(document.body, '', file('c.png', 'image/png'))).toBe(false)
    expect(await screen.findByText('c.png')).toBeVisible()
    expect(vi.mocked(upload).mock.calls.map(([{name}]) => name)).toEqual(['c.png'])
    expect(field.value).toBe('')
  })

  test('files that are dropped anywhere are attached; a folder and an empty file are explained', async () => {
    const {upload} = showComposer()
    const files = [file('a.pdf', 'application/pdf'), new File([], 'empty.txt'), new File([], 'folder')]
    const items = files.map(({name}) => ({webkitGetAsEntry: () => ({isDirectory: name === 'folder', name})}))
    const dataTransfer = {types: ['Files'], files, items}
    fireEvent.dragEnter(document.body, {dataTransfer})
    await waitFor(() => expect(fireEvent.dragOver(document.body, {dataTransfer})).toBe(false))
    expect(await screen.findByText('Drop files here')).toBeVisible()
    expect(fireEvent.drop(document.body, {dataTransfer})).toBe(false)
    expect(await screen.findByText('a.pdf')).toBeVisible()
    expect(screen.getByText('This file is empty.')).toBeVisible()
    expect(screen.queryByText('folder')).toBeNull()
    expect(screen.getByText("Folders can't be attached. Add the files in them.")).toBeVisible()
    expect(upload).toHaveBeenCalledTimes(1)
  })

  test('files that are dropped while a modal dialog is open are not for the message', async () => {
    const {upload} = showComposer()
    const files = [file('a.json', 'application/json')]
    const items = [{webkitGetAsEntry: () => ({isDirectory: false, name: 'a.json'})}]
    const dataTransfer = {types: ['Files'], files, items}
    // what takes files listens with the first that are dragged over the page
    fireEvent.dragEnter(document.body, {dataTransfer})
    await waitFor(() => expect(fireEvent.dragOver(document.body, {dataTransfer})).toBe(false))
    const leaving = createEvent.dragLeave(document.body, {dataTransfer})
    fireEvent(document.body, Object.assign(leaving, {relatedTarget: null}))
    const onDrop = vi.fn((event: {preventDefault: () => void}) => event.preventDefault())
    const dialog = renderView(
      <Dialog open title="foo">
        <p onDrop={onDrop}>import</p>
      </Dialog>,
    )
    const area = await screen.findByText('import')
    await waitFor(() => expect(screen.queryByRole('textbox', {name: 'Message'})).toBeNull())
    const dragging = createEvent.dragOver(screen.getByText('foo'), {dataTransfer})
    fireEvent(screen.getByText('foo'), dragging)
    expect(dragging).toMatchObject({defaultPrevented: true, dataTransfer: {dropEffect: 'none'}})
    for (const target of [area, screen.getByText('foo')]) expect(fireEvent.drop(target, {dataTransfer})).toBe(false)
    expect(onDrop).toHaveBeenCalledTimes(1)
    expect(screen.queryByText('Drop files here')).toBeNull()
    dialog.unmount()
    await waitFor(() => expect(screen.getByRole('textbox', {name: 'Message'})).toBeVisible())
    expect(upload).not.toHaveBeenCalled()
    fireEvent.drop(document.body, {dataTransfer})
    expect(await screen.findByText('a.json')).toBeVisible()
    expect(upload).toHaveBeenCalledTimes(1)
  })

  test('a long pasted text becomes a file, and a text again', async () => {
    const {upload, field} = showComposer()
    const long = 'line\n'.repeat(101)
    expect(fireEvent.paste(field, {clipboardData: clipboard('short')})).toBe(true)
    expect(fireEvent.paste(field, {clipboardData: clipboard(long)})).toBe(false)
    expect(await screen.findByText('pasted-text.txt')).toBeVisible()
    expect(vi.mocked(upload).mock.calls[0]?.[0]).toMatchObject({
      name: 'pasted-text.txt',
      type: 'text/plain',
      size: 505,
    })
    fireEvent.click(screen.getByRole('button', {name: 'Paste as text'}))
    expect(field.value).toBe(long)
    expect(screen.queryByText('pasted-text.txt')).toBeNull()
  })

  test('a long pasted text stays text where the message has all the files it may have', async () => {
    const {field} = showComposer()
    const files = Array.from({length: mostFiles}, (_, index) => file(`${index}.pdf`, 'application/pdf'))
    fireEvent.paste(field, {clipboardData: clipboard('', ...files)})
    await waitFor(() => expect(screen.getAllByText(/Ready/)).toHaveLength(mostFiles))
    expect(fireEvent.paste(field, {clipboardData: clipboard('line\n'.repeat(101))})).toBe(true)
    expect(screen.queryByText('pasted-text.txt')).toBeNull()
  })

  test('a refused file takes no slot: it is not counted, and a long pasted text becomes the tenth file', async () => {
    const {field} = showComposer({largestFile: 600})
    const large = new File(['a'.repeat(601)], 'large.pdf', {type: 'application/pdf'})
    const files = Array.from({length: mostFiles - 1}, (_, index) => file(`${index}.pdf`, 'application/pdf'))
    fireEvent.paste(field, {clipboardData: clipboard('', large, ...files)})
    expect(await screen.findByText('9 of 10 files')).toBeVisible()
    expect(fireEvent.paste(field, {clipboardData: clipboard('line\n'.repeat(101))})).toBe(false)
    expect(await screen.findByText('pasted-text.txt')).toBeVisible()
    expect(screen.getByText('10 of 10 files')).toBeVisible()
    expect(screen.getByText('large.pdf')).toBeVisible()
  })

  test.each(['gpt-4o', 'foo'])(
    'a model that takes no files, such as %s, gets a long pasted text in the question, uploaded or not',
    async (name) => {
      const upload = vi.fn<SendFile>()
      upload.mockRejectedValueOnce({code: 'unknown', detail: '', status: 503})
      upload.mockImplementation(async (file) => ({url: `https://hub.example/${file.name}`}))
      const {props, field} = showComposer({model: modelNamed(name), upload})
      const long = `${'a'.repeat(8_001)}\n\`\`\`\n`
      expect(fireEvent.paste(field, {clipboardData: clipboard(long)})).toBe(false)
      expect(await screen.findByText('pasted-text.txt')).toBeVisible()
      expect(fireEvent.paste(field, {clipboardData: clipboard(long)})).toBe(false)
      expect(await screen.findByText('pasted-text-2.txt')).toBeVisible()
      await waitFor(() => expect(screen.getAllByText(/Ready/)).toHaveLength(2))
      expect(screen.queryByRole('button', {name: /^Try/})).toBeNull()
      fireEvent.change(field, {target: {value: 'What is it?'}})
      fireEvent.keyDown(field, {key: 'Enter'})
      const quoted = `\`\`\`\`\n${long}\`\`\`\``
      expect(props.onSend).toHaveBeenCalledExactlyOnceWith({
        question: `What is it?\n\n${quoted}\n\n${quoted}`,
        references: [],
      })
    },
  )

  test('a pasted text stays one with its draft: quoted, or put into the field', async () => {
    const reference = {url: 'https://hub.example/pasted-text.txt', name: 'pasted-text.txt', size: 3, text: 'bar'}
    const draft = {text: 'foo', references: [reference]}
    const {props, view, field} = showComposer({model: modelNamed('foo'), draft})
    expect(await screen.findByText('pasted-text.txt')).toBeVisible()
    await waitFor(() => expect(props.onDraft).toHaveBeenLastCalledWith(draft))
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(props.onSend).toHaveBeenLastCalledWith({question: 'foo\n\n```\nbar\n```', references: []})
    view.unmount()
    const again = showComposer({draft})
    expect(await screen.findByText('pasted-text.txt')).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Paste as text'}))
    expect(again.field.value).toBe('foo\nbar')
  })
})
