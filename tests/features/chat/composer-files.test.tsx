import {act, fireEvent, screen} from '@testing-library/react'
import {describe, expect, test, vi} from 'vitest'
import {isolated} from '#domain/isolated-text.ts'
import type {SendFile} from '#features/chat/attachment.ts'
import {attach, file} from './attached-files.ts'
import {modelNamed, showComposer} from './composer-fixture.tsx'

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
    expect(props.onSend).toHaveBeenCalledExactlyOnceWith({
      question: 'foo',
      references: ['https://hub.example/a.pdf'],
      sizes: {'https://hub.example/a.pdf': 3},
    })
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

  test('buttons of a file that go when they are pressed leave the focus in the field', async () => {
    const upload = vi.fn<SendFile>()
    upload.mockRejectedValueOnce({code: 'unknown', detail: '', status: 503})
    upload.mockResolvedValueOnce({url: 'https://hub.example/a.pdf'})
    const {field} = showComposer({upload})
    attach(file('a.pdf', 'application/pdf'))
    const retry = await screen.findByRole('button', {name: 'Try a.pdf again'})
    act(() => retry.focus())
    fireEvent.click(retry)
    await screen.findByText(/Ready/)
    expect(document.activeElement).toBe(field)
    const remove = screen.getByRole('button', {name: 'Remove a.pdf'})
    act(() => remove.focus())
    fireEvent.click(remove)
    expect(screen.queryByText('a.pdf')).toBeNull()
    expect(document.activeElement).toBe(field)
  })

  test('the name of a file keeps its end: a long one, and beside the buttons of a failed one a shorter one', async () => {
    const upload = vi.fn<SendFile>()
    upload.mockRejectedValueOnce({code: 'unknown', detail: '', status: 503})
    upload.mockResolvedValue({url: 'https://hub.example/a.pdf'})
    showComposer({upload})
    const parts = (name: string) => [...screen.getByTitle(name).children].map(({textContent}) => textContent)
    attach(file('failed-upload.pdf', 'application/pdf'))
    await screen.findByRole('button', {name: 'Try failed-upload.pdf again'})
    expect(parts('failed-upload.pdf')).toEqual(['failed-up', 'load.pdf'])
    fireEvent.click(screen.getByRole('button', {name: 'Try failed-upload.pdf again'}))
    await screen.findByText(/Ready/)
    expect(screen.queryByTitle('failed-upload.pdf')).toBeNull()
    attach(file('minutes-of-the-meeting.pdf', 'application/pdf'))
    await screen.findByTitle('minutes-of-the-meeting.pdf')
    expect(parts('minutes-of-the-meeting.pdf')).toEqual(['minutes-of-the-mee', 'ting.pdf'])
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
    expect(screen.getByRole('alert').textContent).toBe(
      'The upload is complete. Nothing was sent yet: now you can send.',
    )
    expect(props.onSend).not.toHaveBeenCalled()
    fireEvent.click(send)
    expect(props.onSend).toHaveBeenCalledExactlyOnceWith({
      question: 'foo',
      references: ['https://hub.example/a.pdf'],
      sizes: {'https://hub.example/a.pdf': 3},
    })
    expect(screen.queryByRole('alert')).toBeNull()
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
    expect(props.onSend).toHaveBeenCalledExactlyOnceWith({
      question: 'foo',
      references: ['https://hub.example/a.pdf'],
      sizes: {'https://hub.example/a.pdf': 3},
    })
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
    const note = await screen.findByText(/^You can attach 10 files to a message\./)
    const names = ['10.pdf', '11.pdf'].map(isolated).join(' · ')
    expect(note.textContent).toBe(`You can attach 10 files to a message. 2 files were left out: ${names}`)
    expect(upload).toHaveBeenCalledTimes(10)
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
    expect(props.onSend).toHaveBeenCalledExactlyOnceWith({
      question: 'foo',
      references: ['https://hub.example/b.pdf'],
      sizes: {'https://hub.example/b.pdf': 3},
    })
  })
})
