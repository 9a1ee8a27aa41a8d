import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {describe, expect, test} from 'vitest'
import type {RecordMessage} from '#domain/conversation.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {newDraftKey} from '#features/chat/chat.context.tsx'
import {now, record} from './chat-fixture.tsx'
import {showScreen} from './chat-screen-fixture.tsx'

/* A user leaves a conversation and comes back: the text of an edited message is there again. */

const editor = () => screen.queryByRole<HTMLTextAreaElement>('textbox', {name: 'Edit message'})

test('an edit that is left half typed is there again without the focus, until it is cancelled or sent', async () => {
  const user = userEvent.setup()
  const {answers, goTo} = await showScreen('a', {records: [record('a'), record('b')]})
  await user.click(await screen.findByRole('button', {name: 'Edit'}))
  await user.type(await screen.findByRole('textbox', {name: 'Edit message'}), ' and a half')
  goTo('b')
  await waitFor(() => expect(editor()).toBeNull())
  goTo('a')
  await waitFor(() => expect(editor()?.value).toBe('foo? and a half'))
  expect(document.activeElement).not.toBe(editor())
  fireEvent.keyDown(screen.getByRole('textbox', {name: 'Edit message'}), {key: 'Escape'})
  await waitFor(() => expect(editor()).toBeNull())
  await user.click(screen.getByRole('button', {name: 'Edit'}))
  expect(editor()?.value).toBe('foo?')
  expect(document.activeElement).toBe(editor())
  await user.type(screen.getByRole('textbox', {name: 'Edit message'}), ' more{Enter}')
  await waitFor(() => expect(answers[0]?.input.exchange.question).toBe('foo? more'))
  goTo('b')
  await waitFor(() => expect(screen.queryByText('foo? more')).toBeNull())
  goTo('a')
  expect(await screen.findByText('foo? more')).toBeVisible()
  expect(editor()).toBeNull()
})

describe('an edit whose conversation is deleted', () => {
  const editKey = 'edit/a/0'
  async function showEdit(options: Parameters<typeof showScreen>[1] = {}) {
    const user = userEvent.setup()
    const shown = await showScreen('a', {records: [record('a'), record('b')], ...options})
    await user.click(await screen.findByRole('button', {name: 'Edit'}))
    await user.type(await screen.findByRole('textbox', {name: 'Edit message'}), ' and a half')
    expect(shown.drafts.get(editKey)?.text).toBe('foo? and a half')
    return shown
  }

  test('by another tab is in the field of a new one, also while the list is read', async () => {
    let reads = 0
    const reading = () => {
      reads += 1
      return reads === 1 ? Promise.resolve() : new Promise<void>(() => undefined)
    }
    const {actors, drafts} = await showEdit({reading})
    act(() => actors.conversations.send({type: 'conversations.refresh'}))
    act(() => actors.conversations.send({type: 'conversations.removed', keys: ['a']}))
    await waitFor(() => expect(editor()).toBeNull())
    expect(actors.conversations.getSnapshot().value).toEqual({request: 'again'})
    expect(drafts.get(newDraftKey('chatgpt'))?.text).toBe('foo? and a half')
    expect(drafts.get(editKey)).toBeUndefined()
  })

  test('by its user stays with it until the undo', async () => {
    const {actors, drafts, goTo} = await showEdit()
    act(() => actors.conversations.send({type: 'conversations.remove', keys: ['a']}))
    goTo('b')
    expect(drafts.get(newDraftKey('chatgpt'))).toBeUndefined()
    act(() => actors.conversations.send({type: 'conversations.restore', keys: ['a']}))
    goTo('a')
    await waitFor(() => expect(editor()?.value).toBe('foo? and a half'))
  })
})

describe('a changed question that the server refuses', () => {
  const url = 'https://hub.example/files/plan.txt'
  const refused = () => Object.assign(new Error('foo'), {code: 'bad_request', detail: 'foo', status: 400})
  const fileButton = () => screen.queryByRole('button', {name: 'Remove plan.txt'})
  /** Sends another text for a question with a file, or without that file; `refuse` answers the deletion before it. */
  async function sendChanged({keepsFile = true} = {}) {
    const refusals: ((error: Error) => void)[] = []
    const messages: RecordMessage[] = [
      {
        role: 'user',
        content: [
          {type: 'text', text: 'foo?'},
          {type: 'file_url', file_url: url},
        ],
        id: 'q-1',
      },
      {role: 'assistant', content: 'bar', state: 'finished', id: 'a-1'},
    ]
    const shown = await showScreen('a', {
      records: [record('a', {messages}), record('b')],
      truncate: () => new Promise((_, reject) => refusals.push(reject)),
    })
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', {name: 'Edit'}))
    await waitFor(() => expect(fileButton()).not.toBeNull())
    if (!keepsFile) await user.click(screen.getByRole('button', {name: 'Remove plan.txt'}))
    await user.type(await screen.findByRole('textbox', {name: 'Edit message'}), ' more{Enter}')
    await waitFor(() => expect(editor()).toBeNull())
    return {...shown, user, refuse: () => act(async () => refusals[0]?.(refused()))}
  }

  test('is in the message field again with its files', async () => {
    const {drafts, refuse} = await sendChanged()
    await refuse()
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', {name: 'Message'})
    await waitFor(() => expect(field.value).toBe('foo? more'))
    await waitFor(() => expect(fileButton()).not.toBeNull())
    expect(drafts.get('a')).toEqual({text: 'foo? more', references: [{url, name: 'plan.txt'}]})
  })

  test('is in its editor again with those files alone where another screen is shown', async () => {
    const {drafts, refuse, goTo} = await sendChanged({keepsFile: false})
    goTo('b')
    await waitFor(() => expect(screen.queryByText('foo? more')).toBeNull())
    await refuse()
    await waitFor(() => expect(drafts.get('edit/q-1')?.text).toBe('foo? more'))
    goTo('a')
    await waitFor(() => expect(editor()?.value).toBe('foo? more'))
    expect(drafts.get('files/edit/q-1')).toEqual({text: 'foo? more', references: []})
    expect(fileButton()).toBeNull()
  })
})

/** Two questions, of which another page changed the first: what followed stands under its first version. */
const versions = {
  first: [
    {role: 'user', content: 'one', id: 'q-1', versions: ['q-1', 'q-1b'], state: 'finished'},
    {role: 'assistant', content: 'bar', id: 'a-1', state: 'finished'},
    {role: 'user', content: 'two', id: 'q-2', state: 'finished'},
    {role: 'assistant', content: 'baz', id: 'a-2', state: 'finished'},
  ],
  second: [
    {role: 'user', content: 'uno', id: 'q-1b', versions: ['q-1', 'q-1b'], state: 'finished'},
    {role: 'assistant', content: 'bar two', id: 'a-1b', state: 'finished'},
    {role: 'user', content: 'dos', id: 'q-2b', state: 'finished'},
    {role: 'assistant', content: 'baz two', id: 'a-2b', state: 'finished'},
  ],
} satisfies Record<string, RecordMessage[]>

describe('an editor whose message another page takes off the thread', () => {
  const notice = () => screen.queryByText(/The message you were editing is not in the version shown now/)
  async function editSecond() {
    const shown = await showScreen('a', {records: [record('a', {messages: versions.first}), record('b')]})
    const user = userEvent.setup()
    await user.click((await screen.findAllByRole('button', {name: 'Edit'})).at(-1) as HTMLElement) // as: find throws on none
    expect(editor()?.value).toBe('two')
    let updatedAt = now
    const load = (messages: RecordMessage[]) =>
      act(async () => {
        const actor = selectConversation(shown.actors.conversations.getSnapshot(), 'a')
        actor?.send({type: 'history.loaded', record: record('a', {messages, updatedAt: (updatedAt += 1)})})
      })
    return {...shown, user, load}
  }

  test('closes with a word, keeps what was typed, and is there again with its version', async () => {
    const {user, drafts, load} = await editSecond()
    await user.type(screen.getByRole('textbox', {name: 'Edit message'}), ' and more')
    await load(versions.second)
    await screen.findByText('dos')
    expect(editor()).toBeNull()
    expect(notice()).not.toBeNull()
    expect(drafts.get('edit/q-2')?.text).toBe('two and more')
    expect(drafts.get('edit/q-2b')).toBeUndefined()
    await load(versions.first)
    expect(editor()?.value).toBe('two and more')
    expect(notice()).toBeNull()
  })

  test('is offered again after another message was edited meanwhile', async () => {
    const {user, load} = await editSecond()
    await user.type(screen.getByRole('textbox', {name: 'Edit message'}), ' and more')
    await load(versions.second)
    await user.click((await screen.findAllByRole('button', {name: 'Edit'})).at(-1) as HTMLElement) // as: find throws on none
    expect(notice()).toBeNull()
    expect(editor()?.value).toBe('dos')
    await load(versions.first)
    expect(editor()?.value).toBe('two and more')
  })

  test('follows its message to another position', async () => {
    const {user, load} = await editSecond()
    await user.type(screen.getByRole('textbox', {name: 'Edit message'}), ' and more')
    await load(versions.first.slice(2))
    expect(editor()?.value).toBe('two and more')
    expect(notice()).toBeNull()
  })

  test('goes without a word where nothing was typed', async () => {
    const {load} = await editSecond()
    await load(versions.second)
    await screen.findByText('dos')
    expect([editor(), notice()]).toEqual([null, null])
  })

  test('leaves a notice that the user dismisses, and its words', async () => {
    const {user, drafts, load} = await editSecond()
    await user.type(screen.getByRole('textbox', {name: 'Edit message'}), ' and more')
    await load(versions.second)
    await user.click(await screen.findByRole('button', {name: 'Dismiss'}))
    expect(notice()).toBeNull()
    expect(drafts.get('edit/q-2')?.text).toBe('two and more')
    await load(versions.first)
    expect(editor()?.value).toBe('two and more')
  })
})

test('an edited message that gets its name from the server keeps its words under that, and leaves none under its place', async () => {
  const refused: RecordMessage[] = [
    {role: 'user', content: 'one', unsent: true},
    {
      role: 'assistant',
      content: '',
      unsent: true,
      state: 'failed',
      outcome: 'refused',
      error: {code: 'used_up', message: ''},
    },
  ]
  const shown = await showScreen('a', {records: [record('a', {messages: refused})]})
  const user = userEvent.setup()
  await user.click((await screen.findAllByRole('button', {name: 'Edit'}))[0] as HTMLElement) // as: find throws on none
  await user.type(screen.getByRole('textbox', {name: 'Edit message'}), ' and more')
  expect(shown.drafts.get('edit/a/0')?.text).toBe('one and more')
  const answered: RecordMessage[] = [
    {role: 'user', content: 'one', id: 'q-1', state: 'finished'},
    {role: 'assistant', content: 'bar', id: 'a-1', state: 'finished'},
  ]
  const actor = selectConversation(shown.actors.conversations.getSnapshot(), 'a')
  await act(async () =>
    actor?.send({type: 'history.loaded', record: record('a', {messages: answered, updatedAt: now + 1})}),
  )
  await screen.findByText('bar')
  expect(editor()?.value).toBe('one and more')
  expect(shown.drafts.get('edit/q-1')?.text).toBe('one and more')
  expect(shown.drafts.get('edit/a/0')).toBeUndefined()
})

test('what was typed for a conversation that is gone joins what waits for a new chat, without files that wait there already', async () => {
  const file = (name: string) => ({url: `https://foo.example/${name}`, name, size: 1})
  const {drafts, goTo} = await showScreen(undefined, {records: [record('b')]})
  drafts.set(newDraftKey('chatgpt'), {text: 'waiting', references: [file('a.txt')]})
  drafts.set('gone', {text: 'typed', references: [file('a.txt'), file('b.txt')]})
  goTo('gone')
  await screen.findByText('This conversation is not here. It may have been deleted.')
  await waitFor(() => expect(drafts.get('gone')).toBeUndefined())
  expect(drafts.get(newDraftKey('chatgpt'))).toEqual({
    text: 'waiting\n\ntyped',
    references: [file('a.txt'), file('b.txt')],
  })
})
