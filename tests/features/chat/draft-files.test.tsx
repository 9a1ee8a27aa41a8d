import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import {firstValueFrom, Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import type {SendFile} from '#features/chat/attachment.ts'
import {ask, showScreen} from './chat-screen-fixture.tsx'
import {createFiles} from './chat-files-fixture.ts'
import {record} from './chat-fixture.tsx'
import {attach} from './attached-files.ts'
import {pdf, showChat} from './draft-files-fixture.tsx'

describe('files of a draft', () => {
  test('an upload goes on while another conversation is shown, and is there when the user returns', async () => {
    const {goTo, sent, drafts} = await showChat('a')
    attach(pdf('a.pdf'), pdf('b.pdf'), pdf('c.pdf'))
    const [first, second] = [await sent('a.pdf'), await sent('b.pdf')]
    goTo('b')
    await waitFor(() => expect(screen.queryByText('a.pdf')).toBeNull())
    await act(async () => {
      first.finish()
      second.fail()
    })
    expect(drafts.get('a')?.references).toEqual([
      {url: 'https://hub.example/files/a.pdf', name: 'a.pdf', size: 3},
      // the others would be lost with the page
      {url: 'lost:3/b.pdf', name: 'b.pdf', size: 3, id: expect.any(String)},
      {url: 'lost:3/c.pdf', name: 'c.pdf', size: 3, id: expect.any(String)},
    ])
    expect(drafts.get('b')).toBeUndefined()
    goTo('a')
    await screen.findByText('a.pdf')
    expect(screen.getByRole('button', {name: 'Try b.pdf again'})).toBeVisible()
    expect(screen.getByText('Uploading 0%')).toBeVisible()
    // it waited for its turn
    const third = await sent('c.pdf')
    expect(third.signal.aborted).toBe(false)
  })

  test('what is sent is gone: the next conversation and the next visit have no files', async () => {
    const {goTo, sent, drafts, chat} = await showChat(undefined)
    attach(pdf('a.pdf'))
    const first = await sent('a.pdf')
    await act(async () => first.finish())
    await ask('foo')
    await waitFor(() => expect(screen.queryByRole('button', {name: 'Remove a.pdf'})).toBeNull())
    goTo('b')
    goTo(undefined)
    await screen.findByRole('textbox', {name: 'Message'})
    expect(screen.queryByText('a.pdf')).toBeNull()
    expect([drafts.get('new/chatgpt'), chat.files.opened.get().size]).toEqual([undefined, 0])
  })

  test('no message is sent without a file that was chosen before files could be opened', async () => {
    const session = new Subject<void>()
    const present = firstValueFrom(session)
    const {drafts} = await showScreen('a', {records: [record('a')]}, undefined, (of) =>
      createFiles(() => new Promise(() => undefined), of, undefined, present),
    )
    attach(pdf('a.pdf'))
    await ask('foo')
    expect(drafts.get('a')?.text).toBe('foo')
    await act(async () => session.next())
    expect(await screen.findByText('a.pdf')).toBeVisible()
    await ask('foo')
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', {name: 'Message'}).value).toBe('foo')
  })

  test.each([
    ['the first one', undefined, 'new/chatgpt'],
    ['another conversation', 'a', 'a'],
  ])('the field that replaces %s sends no message without a file that was chosen before', async (_, location, key) => {
    const session = new Subject<void>()
    const present = firstValueFrom(session)
    const records = [record('a'), record('b')]
    const {answers, chat, early, goTo} = await showScreen(location, {records}, undefined, (of) =>
      createFiles(() => new Promise(() => undefined), of, undefined, present),
    )
    if (location === undefined) early()
    attach(pdf('a.pdf'))
    if (location !== undefined) goTo('b')
    goTo(location)
    await ask('foo')
    expect(answers).toEqual([])
    expect(await screen.findByText('a.pdf')).toBeVisible()
    await act(async () => session.next())
    await ask('foo')
    expect([answers, [...chat.files.opened.get().keys()]]).toEqual([[], [key]])
    expect(screen.getByText('a.pdf')).toBeVisible()
  })

  test('a file that is chosen before there is a session is shown, and Send says that it waits', async () => {
    const session = new Subject<void>()
    const present = firstValueFrom(session)
    const {early} = await showScreen(undefined, {}, undefined, (of) =>
      createFiles(() => new Promise(() => undefined), of, undefined, present),
    )
    early()
    attach(pdf('a.pdf'))
    expect(await screen.findByText('a.pdf')).toBeVisible()
    expect(screen.getByText('Sending waits for the upload.').getAttribute('role')).toBe('status')
    await ask('foo')
    const first = screen.getByRole('alert')
    expect(first.textContent).toBe('Sending waits for the upload.')
    await ask('foo')
    expect(screen.getByRole('alert')).not.toBe(first)
    expect(screen.getByRole('button', {name: 'Send'})).toBeVisible()
  })

  test('Send is pressed before the upload ends: its end says that nothing was sent, until the text is edited', async () => {
    const {sent, answers} = await showChat('a')
    attach(pdf('a.pdf'), pdf('b.pdf'))
    const [first, second] = [await sent('a.pdf'), await sent('b.pdf')]
    await ask('foo')
    const alerts = () => screen.queryAllByRole('alert').map(({textContent}) => textContent)
    expect(alerts()).toEqual(['Sending waits for the upload.'])
    await act(async () => first.finish())
    expect(alerts()).toEqual(['Sending waits for the upload.'])
    await act(async () => second.fail())
    expect(alerts()).toEqual(['Nothing was sent: one file is missing. Try it again or remove it, then send.'])
    await act(async () => void fireEvent.click(screen.getByRole('button', {name: 'Try b.pdf again'})))
    const again = await sent('b.pdf')
    await act(async () => again.finish())
    expect([alerts(), answers]).toEqual([['The upload is complete. Nothing was sent yet: now you can send.'], []])
    fireEvent.change(screen.getByRole('textbox', {name: 'Message'}), {target: {value: 'foo?'}})
    await waitFor(() => expect(alerts()).toEqual([]))
  })

  test('Send is pressed before the file could be opened: the end of its upload says that nothing was sent', async () => {
    const session = new Subject<void>()
    const present = firstValueFrom(session)
    const {answers} = await showScreen('a', {records: [record('a')]}, undefined, (of) =>
      createFiles(async () => ({url: 'https://hub.example/files/a.pdf'}), of, undefined, present),
    )
    attach(pdf('a.pdf'))
    await ask('foo')
    await act(async () => session.next())
    const note = await screen.findByText('The upload is complete. Nothing was sent yet: now you can send.')
    expect([note.getAttribute('role'), answers]).toEqual(['alert', []])
  })

  test('a file is taken out before files can be opened: only the others are uploaded, and without any the question goes out', async () => {
    const session = new Subject<void>()
    const present = firstValueFrom(session)
    const uploads: string[] = []
    const upload: SendFile = ({name}) => {
      uploads.push(name)
      return new Promise(() => undefined)
    }
    const {answers} = await showScreen('a', {records: [record('a')]}, undefined, (of) =>
      createFiles(upload, of, undefined, present),
    )
    attach(pdf('a.pdf'))
    fireEvent.click(await screen.findByRole('button', {name: 'Remove a.pdf'}))
    expect(screen.queryByText('a.pdf')).toBeNull()
    await ask('foo')
    expect(answers).toHaveLength(1)
    attach(pdf('b.pdf'), pdf('c.pdf'))
    fireEvent.click(await screen.findByRole('button', {name: 'Remove b.pdf'}))
    await act(async () => session.next())
    expect(await screen.findByText('Uploading 0%')).toBeVisible()
    expect(uploads).toEqual(['c.pdf'])
    expect(screen.queryByText('a.pdf')).toBeNull()
  })

  test('a file that is being opened as its edit is cancelled is not uploaded, and does not come into the next edit', async () => {
    const session = new Subject<void>()
    const uploads: string[] = []
    const upload: SendFile = ({name}) => {
      uploads.push(name)
      return new Promise(() => undefined)
    }
    const {drafts} = await showScreen('a', {records: [record('a')]}, undefined, (of) =>
      createFiles(upload, of, undefined, firstValueFrom(session)),
    )
    const edit = async () => {
      fireEvent.click(await screen.findByRole('button', {name: 'Edit'}))
      await screen.findByRole('textbox', {name: 'Edit message'})
    }
    await edit()
    attach(pdf('a.pdf'))
    expect(await screen.findByText('a.pdf')).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Cancel'}))
    await act(async () => session.next())
    await edit()
    expect(screen.queryByText('a.pdf')).toBeNull()
    expect(uploads).toEqual([])
    expect([...drafts.keys()]).toEqual([])
  })

  test('the only file of a question that is taken out of its edit stays out while another conversation is shown', async () => {
    const content = [
      {type: 'text' as const, text: 'foo?'},
      {type: 'file_url' as const, file_url: 'https://hub.example/files/a.pdf'},
    ]
    const messages = [{role: 'user' as const, content}, ...record('a').messages.slice(1)]
    const {goTo} = await showScreen('a', {records: [record('a', {messages}), record('b')]}, undefined, (of) =>
      createFiles(() => new Promise(() => undefined), of),
    )
    fireEvent.click(await screen.findByRole('button', {name: 'Edit'}))
    const removal = await screen.findByRole('button', {name: 'Remove a.pdf'})
    await screen.findByText(/Ready/)
    fireEvent.click(removal)
    goTo('b')
    await waitFor(() => expect(screen.queryByRole('textbox', {name: 'Edit message'})).toBeNull())
    goTo('a')
    await screen.findByRole('textbox', {name: 'Edit message'})
    expect(screen.queryByRole('button', {name: 'Remove a.pdf'})).toBeNull()
  })

  test('a question that was asked before a file came does not go out without it', async () => {
    const session = new Subject<void>()
    const present = firstValueFrom(session)
    const {answers, drafts, early, goTo} = await showScreen(undefined, {}, undefined, (of) =>
      createFiles(() => new Promise(() => undefined), of, undefined, present),
    )
    early()
    await ask('foo')
    attach(pdf('a.pdf'))
    await act(async () => goTo(undefined))
    expect(await screen.findByText('a.pdf')).toBeVisible()
    expect([answers, drafts.get('new/chatgpt')?.text]).toEqual([[], 'foo'])
  })

  test('a question that is asked before the chat is there takes its files along, and the next chat has none', async () => {
    const {answers, chat, early, goTo, sent} = await showChat(undefined)
    early()
    attach(pdf('a.pdf'))
    const first = await sent('a.pdf')
    await act(async () => first.finish())
    await ask('foo')
    await act(async () => goTo(undefined))
    const references = ['https://hub.example/files/a.pdf']
    expect(answers.map(({input}) => input.exchange)).toEqual([
      {
        question: 'foo',
        references,
        key: 'key-2',
        model: 'gpt-5-all',
        attempt: 1,
        lastSeq: 0,
        answer: '',
        reconnects: 0,
        at: expect.any(Number),
        message: 'key-2',
        sizes: {'https://hub.example/files/a.pdf': 3},
      },
    ])
    expect(chat.files.opened.get().size).toBe(0)
  })

  test.each(['endSession', 'breakFiles'] as const)('the text stays where its files are lost: %s', async (lose) => {
    const {sent, chat, ...shown} = await showChat('a')
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', {name: 'Message'})
    fireEvent.change(field, {target: {value: 'foo'}})
    attach(pdf('a.pdf'))
    await sent('a.pdf')
    act(() => shown[lose]())
    expect([chat.files.opened.get().size, screen.queryByText('a.pdf'), field.value]).toEqual([0, null, 'foo'])
  })

  test('the browser asks before the page is left while a file is on its way, in whichever conversation', async () => {
    const {goTo, sent, asksBeforeLeaving} = await showChat('a')
    attach(pdf('a.pdf'))
    const first = await sent('a.pdf')
    goTo('b')
    attach(pdf('b.pdf'))
    const second = await sent('b.pdf')
    expect(asksBeforeLeaving()).toBe(true)
    await act(async () => first.fail())
    expect(asksBeforeLeaving()).toBe(true)
    await act(async () => second.finish())
    expect(asksBeforeLeaving()).toBe(false)
  })

  test('a file that is removed is not uploaded any further', async () => {
    const {sent} = await showChat('a')
    attach(pdf('a.pdf'), pdf('b.pdf'))
    const [first, second] = [await sent('a.pdf'), await sent('b.pdf')]
    fireEvent.click(screen.getByRole('button', {name: 'Remove a.pdf'}))
    expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false])
  })

  test('the end of the session ends every upload; its files are named as lost', async () => {
    const {goTo, sent, endSession, drafts} = await showChat('a')
    attach(pdf('a.pdf'))
    const first = await sent('a.pdf')
    goTo('b')
    act(() => endSession())
    expect(first.signal.aborted).toBe(true)
    await act(async () => first.finish())
    // the draft of this user goes on to say that it was not uploaded
    const references = [{url: 'lost:3/a.pdf', name: 'a.pdf', size: 3, id: expect.any(String)}]
    expect(drafts.get('a')).toEqual({text: '', references})
  })

  test('files that something else put into the draft are shown beside those on their way', async () => {
    const {goTo, sent, chat} = await showChat('a')
    attach(pdf('a.pdf'))
    await sent('a.pdf')
    goTo('b')
    const result = {url: 'https://hub.example/files/kite.png', name: 'kite.png', size: undefined}
    chat.drafts.write('a', {text: 'foo', references: [result]})
    goTo('a')
    expect(await screen.findByText('kite.png')).toBeVisible()
    expect(screen.getByText('a.pdf')).toBeVisible()
    expect(chat.drafts.read('a')).toEqual({
      text: 'foo',
      references: [{url: 'lost:3/a.pdf', name: 'a.pdf', size: 3, id: expect.any(String)}, result],
    })
  })

  test('files go over to the field that replaces the first one', async () => {
    const {goTo, sent, chat, early} = await showChat(undefined)
    early()
    const input = document.querySelector<HTMLInputElement>('input[type="file"]')
    fireEvent.paste(screen.getByRole('textbox', {name: 'Message'}), {
      clipboardData: {files: [pdf('a.pdf')], types: ['Files'], getData: () => ''},
    })
    goTo(undefined)
    await sent('a.pdf')
    // the dialog of the first field may still be open
    expect(input?.isConnected).toBe(false)
    Object.defineProperty(input, 'files', {value: [pdf('b.pdf')]})
    act(() => void input?.dispatchEvent(new Event('change')))
    await sent('b.pdf')
    expect([...chat.files.opened.get().keys()]).toEqual(['new/chatgpt'])
  })
})
