import {act, createEvent, fireEvent, screen, waitFor} from '@testing-library/react'
import {describe, expect, test, vi} from 'vitest'
import type {SendFile} from '#features/chat/attachment.ts'
import {Dialog} from '#ui/dialog.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {modelNamed, showComposer} from './composer-fixture.tsx'

const file = (name: string, type: string) => new File(['foo'], name, {type})
const attach = (...files: File[]) => {
  const input = document.querySelector('input[type="file"]')
  if (input === null) throw new Error('no file field')
  fireEvent.change(input, {target: {files}})
}

const clipboard = (text: string, ...files: File[]) => ({
  files,
  types: [...(text === '' ? [] : ['text/plain']), ...(files.length === 0 ? [] : ['Files'])],
  getData: () => text,
})

describe('attachments', () => {
  test('sending waits for the upload and says so, then sends the addresses', async () => {
    let finish: (value: {url: string}) => void = () => undefined
    let progress: (share: number) => void = () => undefined
    const {props, field} = showComposer({
      upload: vi.fn<SendFile>((_, {onProgress}) => {
        progress = onProgress
        return new Promise((resolve) => (finish = resolve))
      }),
    })
    attach(file('a.pdf', 'application/pdf'))
    fireEvent.change(field, {target: {value: 'foo'}})
    await screen.findByText('a.pdf')
    act(() => progress(0.4))
    expect(await screen.findByText('Uploading 40%')).toBeVisible()
    expect(screen.getByText('Sending waits for the upload.').getAttribute('role')).toBe('status')
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(screen.getByRole('alert').textContent).toBe('Sending waits for the upload.')
    expect(props.onSend).not.toHaveBeenCalled()
    await act(async () => finish({url: 'https://hub.example/a.pdf'}))
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(props.onSend).toHaveBeenCalledExactlyOnceWith('foo', ['https://hub.example/a.pdf'])
    expect(screen.queryByText('a.pdf')).toBeNull()
  })

  test('a failed upload can be tried again or removed', async () => {
    const upload = vi.fn<SendFile>()
    upload.mockRejectedValueOnce({code: 'content_too_large', detail: 'foo'})
    upload.mockResolvedValueOnce({url: 'https://hub.example/a.pdf'})
    showComposer({upload})
    attach(file('a.pdf', 'application/pdf'))
    expect(await screen.findByText('This file is too large.')).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Try a.pdf again'}))
    expect(await screen.findByText(/Ready/)).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Remove a.pdf'}))
    expect(screen.queryByText('a.pdf')).toBeNull()
  })

  test.each([400, 413, 415, 422])(
    'a file that was refused with %i is only removed, not tried again',
    async (status) => {
      const upload = vi.fn<SendFile>()
      upload.mockRejectedValueOnce({code: 'bad_request', detail: 'Files of this kind are not taken here.', status})
      upload.mockRejectedValueOnce({code: 'unknown', detail: '', status: 503})
      const {props, field} = showComposer({upload})
      attach(file('a.zip', 'application/zip'), file('b.pdf', 'application/pdf'))
      expect(await screen.findByText('Files of this kind are not taken here.')).toBeVisible()
      expect(await screen.findByRole('button', {name: 'Try b.pdf again'})).toBeVisible()
      expect(screen.queryByRole('button', {name: 'Try a.zip again'})).toBeNull()
      fireEvent.change(field, {target: {value: 'foo'}})
      fireEvent.click(screen.getByRole('button', {name: 'Send'}))
      expect(screen.getByRole('alert').textContent).toBe(
        'Nothing was sent: one file is not taken. Remove it, then send.',
      )
      fireEvent.click(screen.getByRole('button', {name: 'Remove a.zip'}))
      fireEvent.click(screen.getByRole('button', {name: 'Send'}))
      expect(screen.getByRole('alert').textContent).toMatch(/one file is missing/)
      expect(props.onSend).not.toHaveBeenCalled()
    },
  )

  test('Send says what holds the message, each time it is pressed, and nothing is lost', async () => {
    const upload = vi.fn<SendFile>()
    upload.mockRejectedValueOnce({code: 'unknown', detail: ''})
    upload.mockResolvedValueOnce({url: 'https://hub.example/a.pdf'})
    const {props, field} = showComposer({upload})
    attach(file('a.pdf', 'application/pdf'))
    await screen.findByText('Upload failed')
    fireEvent.change(field, {target: {value: 'foo'}})
    expect(screen.queryByRole('alert')).toBeNull()
    const send = screen.getByRole('button', {name: 'Send'})
    expect(send.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(send)
    const first = screen.getByRole('alert')
    expect(first.textContent).toBe('Nothing was sent: one file is missing. Try it again or remove it, then send.')
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(screen.getByRole('alert')).not.toBe(first)
    expect([field.value, screen.queryByText('a.pdf') !== null]).toEqual(['foo', true])
    expect(props.onSend).not.toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', {name: 'Try a.pdf again'}))
    await screen.findByText(/Ready/)
    expect(screen.queryByRole('alert')).toBeNull()
    fireEvent.click(send)
    expect(props.onSend).toHaveBeenCalledExactlyOnceWith('foo', ['https://hub.example/a.pdf'])
  })

  test('a file that the model cannot read is explained, and a model that can is offered', async () => {
    const {props, field} = showComposer({model: modelNamed('gpt-4o')})
    attach(file('a.pdf', 'application/pdf'))
    expect(await screen.findByText('GPT-4o basic reads images only.')).toBeVisible()
    // a question alone would not send it
    expect(screen.queryByText('Write a question to send the files with it.')).toBeNull()
    fireEvent.change(field, {target: {value: 'foo'}})
    fireEvent.click(screen.getByRole('button', {name: 'Send'}))
    expect(screen.getByRole('alert').textContent).toMatch(/^Nothing is sent until/)
    expect(props.onSend).not.toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', {name: 'Use GPT-5'}))
    expect(props.onChooseModel).toHaveBeenCalledWith('gpt-5-all')
  })

  test('a file too large for a proxy is told in words of ours, and no model is offered for what none takes', async () => {
    const upload = vi.fn<SendFile>()
    upload.mockRejectedValueOnce({status: 413})
    upload.mockRejectedValueOnce({code: 'file_empty', detail: ''})
    showComposer({model: modelNamed('gpt-4o'), upload})
    attach(file('a.pdf', 'application/pdf'), file('b.pdf', 'application/pdf'))
    expect(await screen.findByText('This file is too large.')).toBeVisible()
    expect(await screen.findByText('This file is empty.')).toBeVisible()
    expect(screen.queryByRole('button', {name: 'Use GPT-5'})).toBeNull()
  })

  test('what was sent is no draft any more, though its screen still has it', async () => {
    const references = [{url: 'https://hub.example/a.pdf', name: 'a.pdf', size: 3}]
    const {props, field} = showComposer({draft: {text: 'foo', references}})
    await screen.findByText(/Ready/)
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(props.onSend).toHaveBeenCalledExactlyOnceWith('foo', ['https://hub.example/a.pdf'])
    expect(props.onDraft).toHaveBeenLastCalledWith(undefined)
    expect(screen.queryByText('a.pdf')).toBeNull()
  })

  test('a model that takes nothing has no attach button', () => {
    showComposer({model: modelNamed('foo')})
    expect(screen.queryByRole('button', {name: 'Attach files'})).toBeNull()
  })

  test('at most ten files', async () => {
    const {upload} = showComposer()
    attach(...Array.from({length: 12}, (_, index) => file(`${index}.pdf`, 'application/pdf')))
    expect(await screen.findByText('You can attach 10 files to a message.')).toBeVisible()
    expect(upload).toHaveBeenCalledTimes(10)
  })

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

  test("the server's reason why it takes no file is shown", async () => {
    const upload = vi.fn<SendFile>()
    upload.mockRejectedValueOnce({code: 'content_too_large', detail: 'A file has at most 25 MB.', status: 413})
    showComposer({upload})
    attach(file('a.pdf', 'application/pdf'))
    expect(await screen.findByText('A file has at most 25 MB.')).toBeVisible()
  })

  test('a file larger than the server takes is refused before it is sent, and the others are kept', async () => {
    const {upload, props, field} = showComposer({largestFile: 2_097_152})
    attach(new File([new Uint8Array(2_500_000)], 'a.pdf'), file('b.pdf', 'application/pdf'))
    expect(await screen.findByText('Too large: 2.5 MB. At most 2 MB.')).toBeVisible()
    expect(await screen.findByText(/Ready/)).toBeVisible()
    expect(vi.mocked(upload).mock.calls.map(([{name}]) => name)).toEqual(['b.pdf'])
    expect(screen.queryByRole('button', {name: 'Try a.pdf again'})).toBeNull()
    fireEvent.change(field, {target: {value: 'foo'}})
    fireEvent.click(screen.getByRole('button', {name: 'Send'}))
    expect(screen.getByRole('alert').textContent).toBe('Nothing was sent: one file is not taken. Remove it, then send.')
    fireEvent.click(screen.getByRole('button', {name: 'Remove a.pdf'}))
    fireEvent.click(screen.getByRole('button', {name: 'Send'}))
    expect(props.onSend).toHaveBeenCalledExactlyOnceWith('foo', ['https://hub.example/b.pdf'])
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
      expect(props.onSend).toHaveBeenCalledExactlyOnceWith(`What is it?\n\n${quoted}\n\n${quoted}`, [])
    },
  )

  test('a pasted text stays one with its draft: quoted, or put into the field', async () => {
    const reference = {url: 'https://hub.example/pasted-text.txt', name: 'pasted-text.txt', size: 3, text: 'bar'}
    const draft = {text: 'foo', references: [reference]}
    const {props, view, field} = showComposer({model: modelNamed('foo'), draft})
    expect(await screen.findByText('pasted-text.txt')).toBeVisible()
    await waitFor(() => expect(props.onDraft).toHaveBeenLastCalledWith(draft))
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(props.onSend).toHaveBeenLastCalledWith('foo\n\n```\nbar\n```', [])
    view.unmount()
    const again = showComposer({draft})
    expect(await screen.findByText('pasted-text.txt')).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Paste as text'}))
    expect(again.field.value).toBe('foo\nbar')
  })
})
