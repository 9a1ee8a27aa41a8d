import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {beforeAll, describe, expect, onTestFinished, test, vi} from 'vitest'
import {offerCommands} from '#browser/commands.ts'
import {listenToKeys} from '#browser/key-listener.ts'
import type {RecordMessage} from '#domain/conversation.ts'
import type {Chat, ChatLocation} from '#features/chat/chat.context.tsx'
import {ChatHead} from '#features/chat/chat-head.tsx'
import {ChatScreen} from '#features/chat/chat-screen.tsx'
import '#ui/overlays/menu-overlay.tsx'
import {phone} from '#ui/use-media-query.ts'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors, record} from './chat-fixture.tsx'
import {showScreen, ask} from './chat-screen-fixture.tsx'

beforeAll(async () => void (await listenToKeys()()))

test('on phones the badge stands beside the model, before the way to a new chat', async () => {
  const original = window.matchMedia.bind(window)
  const width = vi.spyOn(window, 'matchMedia').mockImplementation((query) => original(query === phone ? 'all' : query))
  try {
    const {chat} = createChat(createChatActors().actors)
    renderView(
      <InChat chat={chat}>
        <ChatHead location={{group: 'chatgpt', conversation: undefined}} badge={<b>Foo</b>} />
      </InChat>,
    )
    const badge = await screen.findByText('Foo')
    const newChat = screen.getByRole('link', {name: 'New chat'})
    expect(badge.parentElement?.querySelector('button')).not.toBeNull()
    expect(badge.compareDocumentPosition(newChat)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(badge.parentElement?.contains(newChat)).toBe(false)
  } finally {
    width.mockRestore()
  }
})

describe('new conversation', () => {
  test('greets, suggests, and asks', async () => {
    const {answers, visited} = await showScreen(undefined)
    expect(await screen.findByRole('heading', {level: 1, name: 'What are you working on?'})).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Draft'}))
    const field = screen.getByRole<HTMLTextAreaElement>('textbox')
    expect([field.value, document.activeElement]).toEqual(['Draft a short, friendly message about ', field])
    expect(answers).toEqual([])
    await ask('foo?')
    expect(answers[0]?.input.exchange.question).toBe('foo?')
    expect(screen.getByRole('textbox')).toHaveProperty('value', '')
    const log = await screen.findByRole('log')
    expect(log.getAttribute('aria-live')).toBe('off')
    expect(log.getAttribute('aria-busy')).toBe('true')
    expect(within(log).getAllByRole('article')).toHaveLength(2)
    expect(within(log).getByRole('img', {name: 'Waiting for the answer'})).toBeVisible()
    act(() => answers[0]?.stream.next({type: 'answer.started', conversation: 'server-id', message: 'm', attempt: 1}))
    expect(visited).toEqual([{group: 'chatgpt', conversation: 'server-id'}])
  })

  test('the composer is the last text field of main', async () => {
    await showScreen('a', {records: [record('a')]})
    await screen.findByRole('log')
    const fields = within(screen.getByRole('main')).getAllByRole('textbox')
    expect(fields.at(-1)?.getAttribute('aria-label')).toBe('Message')
  })
})

test('the field takes the focus when its conversation comes, but not from a dialog that is open', async () => {
  const dialog = document.body.appendChild(document.createElement('div'))
  // as the overlays have it while they are open
  dialog.dataset['open'] = ''
  const inDialog = dialog.appendChild(document.createElement('input'))
  onTestFinished(() => dialog.remove())
  const {goTo} = await showScreen(undefined, {records: [record('a')]})
  const field = () => within(screen.getByRole('main')).getByRole('textbox', {name: 'Message'})
  await waitFor(() => expect(document.activeElement).toBe(field()))
  act(() => inDialog.focus())
  goTo('a')
  await screen.findByRole('log')
  expect(document.activeElement).toBe(inDialog)
  // it fades out: the focus would go nowhere with it
  delete dialog.dataset['open']
  goTo(undefined)
  await waitFor(() => expect(document.activeElement).toBe(field()))
})

test('the field takes no focus from another one in which the user began to type before the conversation came', async () => {
  const title = document.body.appendChild(document.createElement('input'))
  onTestFinished(() => title.remove())
  const {goTo, early} = await showScreen(undefined)
  const field = () => within(screen.getByRole('main')).getByRole('textbox', {name: 'Message'})
  await waitFor(() => expect(document.activeElement).toBe(field()))
  early()
  act(() => title.focus())
  goTo(undefined)
  await screen.findByRole('button', {name: 'Attach files'})
  expect(document.activeElement).toBe(title)
  // the user goes on from that field
  goTo('a')
  goTo(undefined)
  await waitFor(() => expect(document.activeElement).toBe(field()))
})

describe('a message of the user', () => {
  test('is edited where it stands: Cancel restores, Send replaces what came after', async () => {
    const user = userEvent.setup()
    const {answers, calls} = await showScreen('a', {records: [record('a')]})
    await user.click(await screen.findByRole('button', {name: 'Edit'}))
    const field = screen.getByRole('textbox', {name: 'Edit message'})
    expect(screen.getByText('Later messages will be replaced.')).toBeVisible()
    await user.type(field, ' more{Escape}')
    expect(screen.getByText('foo?')).toBeVisible()
    await user.click(screen.getByRole('button', {name: 'Edit'}))
    await user.type(screen.getByRole('textbox', {name: 'Edit message'}), ' more')
    await user.keyboard('{Shift>}{Enter}{/Shift}x{Backspace}{Backspace}')
    expect(answers).toHaveLength(0)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(answers).toHaveLength(1))
    expect(calls).toEqual([{type: 'truncate', conversation: 'a'}])
    expect(answers[0]?.input.exchange.question).toBe('foo? more')
    expect(screen.queryByText('bar')).toBeNull()
  })

  test('is text, whatever it holds, with its attachments', async () => {
    const content: RecordMessage['content'] = [
      {type: 'text', text: '<b>foo</b> **bar**'},
      {type: 'file_url', file_url: {url: 'https://foo.example/a%20b.pdf'}},
      {type: 'image_url', image_url: 'https://hub.example/files/c.png'},
      {type: 'file_url', file_url: 'javascript:alert(1)'},
    ]
    await showScreen('a', {
      records: [
        record('a', {
          messages: [
            {role: 'user', content},
            {role: 'assistant', content: 'x'},
          ],
        }),
      ],
    })
    expect(await screen.findByText('<b>foo</b> **bar**')).toBeVisible()
    expect(screen.getByRole('img', {name: 'c.png'}).getAttribute('src')).toBe('https://hub.example/files/c.png')
    // an image opens at full size; what is no address of a file opens nothing
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      'https://foo.example/a%20b.pdf',
      'https://hub.example/files/c.png',
    ])
    // it was said before they were sent
    expect(screen.queryByText(/^Whoever has/)).toBeNull()
  })
})

describe('locations', () => {
  test('an unknown conversation says so and offers a new chat', async () => {
    await showScreen('nowhere', {records: [record('a')]})
    expect(await screen.findByText('This conversation is not here. It may have been deleted.')).toBeVisible()
    expect(screen.getByRole('link', {name: 'New chat'}).getAttribute('href')).toBe('/chatgpt/conversations')
  })

  test('where the list cannot be read, the screen of a conversation says so and offers to try again', async () => {
    const {actors} = await showScreen('a', {fails: true})
    expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load your conversations.")
    const sent = vi.spyOn(actors.conversations, 'send')
    fireEvent.click(screen.getByRole('button', {name: 'Retry'}))
    expect(sent).toHaveBeenCalledWith({type: 'conversations.refresh'})
  })

  test('where no server answers, a conversation that this device does not have says so, not that the list failed', async () => {
    const {actors} = await showScreen('nowhere', {records: [record('a')], isCutOff: true})
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain("This conversation isn't on this device.")
    expect(alert.textContent).toContain('It can be loaded once the server can be reached.')
    expect(alert.textContent).not.toContain("Couldn't load your conversations.")
    const sent = vi.spyOn(actors.conversations, 'send')
    fireEvent.click(within(alert).getByRole('button', {name: 'Retry'}))
    expect(sent).toHaveBeenCalledWith({type: 'conversations.refresh'})
  })

  test('switching away stops nothing, and the answer lands where it belongs', async () => {
    const {answers, goTo} = await showScreen('a', {records: [record('a'), record('b')]})
    await ask('first?')
    const {stream} = answers[0] ?? {}
    act(() => stream?.next({type: 'answer.started', conversation: 'a', message: 'm', attempt: 1}))
    goTo('b')
    act(() =>
      stream?.next({type: 'answer.received', conversation: 'a', message: 'm', attempt: 1, seq: 1, text: 'for a'}),
    )
    await waitFor(() => expect(screen.queryByText('first?')).toBeNull())
    expect(screen.queryByText('for a')).toBeNull()
    act(() => stream?.next({type: 'answer.completed'}))
    goTo('a')
    expect(await screen.findByText('for a')).toBeVisible()
  })

  test('the draft of a conversation is there again', async () => {
    const {goTo} = await showScreen('a', {records: [record('a'), record('b')]})
    fireEvent.change(await screen.findByRole('textbox'), {target: {value: 'half a thought'}})
    goTo('b')
    await waitFor(() => expect(screen.getByRole('textbox')).toHaveProperty('value', ''))
    goTo('a')
    await waitFor(() => expect(screen.getByRole('textbox')).toHaveProperty('value', 'half a thought'))
  })

  test('signed out: the field takes text and keeps it, nothing is asked', async () => {
    const {chat, drafts} = createChat(undefined)
    renderView(
      <InChat chat={chat}>
        <ChatScreen location={{group: 'grok', conversation: undefined}} />
      </InChat>,
    )
    const field = screen.getByRole('textbox')
    fireEvent.change(field, {target: {value: 'foo'}})
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(field).toHaveProperty('value', 'foo')
    expect(drafts.get('new/grok')?.text).toBe('foo')
  })

  describe('sent while the chat opens', () => {
    const showOpening = () => {
      const {chat, drafts} = createChat(undefined)
      const screenWith = (given: Partial<Chat>, group: ChatLocation['group'] = 'chatgpt') => (
        <InChat chat={{...chat, ...given}}>
          <ChatScreen location={{group, conversation: undefined}} />
        </InChat>
      )
      const view = renderView(screenWith({isOpening: true}))
      const created = createChatActors()
      return {
        look: (group: ChatLocation['group']) => view.rerender(screenWith({isOpening: true}, group)),
        drafts,
        answers: created.answers,
        open: () => view.rerender(screenWith({actors: created.actors})),
      }
    }

    test('it goes out once a user is there who asks, once, and is a draft no more', async () => {
      const {answers, drafts, open} = showOpening()
      await ask('  early? ')
      expect(screen.getByRole('textbox')).toHaveProperty('value', '  early? ')
      expect(screen.getByRole('button', {name: 'Stop'})).toBeVisible()
      open()
      expect(await within(await screen.findByRole('log')).findByText('early?')).toBeVisible()
      expect(answers.map(({input}) => input.exchange.question)).toEqual(['early?'])
      expect(drafts.size).toBe(0)
      expect(screen.getByRole('textbox')).toHaveProperty('value', '')
    })

    test.each([
      ['Escape', (field: HTMLElement) => fireEvent.keyDown(field, {key: 'Escape'}), 'early?'],
      ['another word', (field: HTMLElement) => fireEvent.change(field, {target: {value: 'early? no'}}), 'early? no'],
    ])('%s takes it back', async (_, act, left) => {
      const {answers, open} = showOpening()
      await ask('early?')
      act(screen.getByRole('textbox'))
      expect(screen.getByRole('button', {name: 'Send'})).toBeVisible()
      open()
      await waitFor(() => expect(screen.getByRole('button', {name: 'Send'})).toHaveProperty('disabled', false))
      expect(screen.getByRole('textbox')).toHaveProperty('value', left)
      expect(answers).toEqual([])
    })

    test('a look at another group, which has nothing asked, does not take it back', async () => {
      const {answers, look, open} = showOpening()
      await ask('early?')
      look('grok')
      expect(screen.queryByRole('button', {name: 'Stop'})).toBeNull()
      look('chatgpt')
      expect(screen.getByRole('button', {name: 'Stop'})).toBeVisible()
      open()
      expect(await within(await screen.findByRole('log')).findByText('early?')).toBeVisible()
      expect(answers).toHaveLength(1)
    })

    test('it waits until it is known which models are served', async () => {
      const local = {name: 'local-one', group: 'chatgpt' as const, provider: 'ollama', enabled: true}
      const gone = {name: 'gpt-5-all', group: 'chatgpt' as const, provider: 'none', enabled: false}
      const {actors, answers} = createChatActors({served: [local, gone]})
      const {chat} = createChat(actors)
      renderView(
        <InChat chat={chat}>
          <ChatScreen location={{group: 'chatgpt', conversation: undefined}} />
        </InChat>,
      )
      fireEvent.change(screen.getByRole('textbox'), {target: {value: 'early?'}})
      fireEvent.keyDown(screen.getByRole('textbox'), {key: 'Enter'})
      expect(await within(await screen.findByRole('log')).findByText('early?')).toBeVisible()
      expect(answers.map(({input}) => input.model)).toEqual(['local-one'])
    })
  })

  test('a conversation whose user is not known yet shows that it comes, and takes no words for another one', () => {
    const {chat} = createChat(undefined)
    renderView(
      <InChat chat={chat}>
        <ChatScreen location={{group: 'grok', conversation: 'a'}} />
      </InChat>,
    )
    expect(screen.getByRole('img', {name: 'Loading'})).toBeTruthy()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  test('keys: slash focuses the field, Ctrl+Shift+O is left to the shell, and no key counts while composing', async () => {
    await showScreen('a', {records: [record('a')]})
    const newChat = vi.fn()
    const end = offerCommands({newChat})
    const field = await screen.findByRole('textbox')
    field.blur()
    fireEvent.keyDown(document.body, {key: '/'})
    expect(document.activeElement).toBe(field)
    fireEvent.keyDown(document.body, {key: 'O', ctrlKey: true, shiftKey: true, keyCode: 229})
    expect(newChat).not.toHaveBeenCalled()
    fireEvent.keyDown(document.body, {key: 'O', ctrlKey: true, shiftKey: true})
    expect(newChat).toHaveBeenCalledTimes(1)
    end()
  })
})

test('a long history keeps the document small', async () => {
  const messages = Array.from({length: 2_000}, (_, index): RecordMessage => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `message ${index}`,
  }))
  await showScreen('a', {records: [record('a', {messages})]})
  await screen.findByRole('log')
  expect(document.querySelectorAll('*').length).toBeLessThan(800)
})
