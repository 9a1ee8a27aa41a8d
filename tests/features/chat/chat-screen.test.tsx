import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {beforeAll, describe, expect, test, vi} from 'vitest'
import type {ServedModel} from '#contract/management.ts'
import {offerCommands} from '#browser/commands.ts'
import {listenToKeys, prepareKeys} from '#browser/key-listener.ts'
import type {RecordMessage} from '#domain/conversation.ts'
import type {Chat} from '#features/chat/chat.context.tsx'
import {ChatHead} from '#features/chat/chat-head.tsx'
import {ChatScreen} from '#features/chat/chat-screen.tsx'
import type {StoppedAnswer} from '#machines/conversation/conversation.types.ts'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
// loaded beforehand, so that a busy machine does not wait for it inside a test
import '#ui/overlays/menu-overlay.tsx'
import '#ui/overlays/popover-overlay.tsx'
import {phone} from '#ui/use-media-query.ts'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors, record} from './chat-fixture.tsx'

listenToKeys()
beforeAll(async () => void (await prepareKeys()))

async function showScreen(
  conversation: string | undefined,
  options: Parameters<typeof createChatActors>[0] = {},
  storedModel?: string,
) {
  const created = createChatActors(options)
  const ports = createChat(created.actors, {storedModel})
  await waitFor(() => expect(created.actors.conversations.getSnapshot().value).toBe('success'))
  const screenAt = (place: string | undefined) => (
    <InChat chat={ports.chat}>
      <ChatHead place={{group: 'chatgpt', conversation: place}} />
      <main>
        <ChatScreen place={{group: 'chatgpt', conversation: place}} />
      </main>
    </InChat>
  )
  const view = renderView(screenAt(conversation))
  return {...created, ...ports, goTo: (place: string | undefined) => view.rerender(screenAt(place))}
}
const settled = (message: Partial<RecordMessage>) =>
  record('a', {
    messages: [
      {role: 'user', content: 'foo?'},
      {role: 'assistant', content: 'bar', state: 'finished', ...message},
    ],
  })
const ask = async (question: string) => {
  const field = await screen.findByRole('textbox', {name: 'Message'})
  fireEvent.change(field, {target: {value: question}})
  fireEvent.keyDown(field, {key: 'Enter'})
}

test('on phones the badge stands beside the model, before the way to a new chat', async () => {
  const original = window.matchMedia.bind(window)
  const width = vi.spyOn(window, 'matchMedia').mockImplementation((query) => original(query === phone ? 'all' : query))
  try {
    const {chat} = createChat(createChatActors().actors)
    renderView(
      <InChat chat={chat}>
        <ChatHead place={{group: 'chatgpt', conversation: undefined}} badge={<b>Foo</b>} />
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
    expect(await screen.findByRole('heading', {level: 1, name: 'What are you working on?'})).toBeDefined()
    fireEvent.click(screen.getByRole('button', {name: 'Draft'}))
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Draft a short, friendly message about ')
    await ask('foo?')
    expect(answers[0]?.input.exchange.question).toBe('foo?')
    expect(screen.getByRole('textbox')).toHaveProperty('value', '')
    const log = await screen.findByRole('log')
    expect(log.getAttribute('aria-live')).toBe('off')
    expect(log.getAttribute('aria-busy')).toBe('true')
    expect(within(log).getAllByRole('article')).toHaveLength(2)
    expect(within(log).getByRole('img', {name: 'Waiting for the answer'})).toBeDefined()
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

describe('an answer', () => {
  test('appears word by word, says start and end to screen readers, and keeps its elements', async () => {
    const {answers, goTo} = await showScreen(undefined)
    await ask('foo?')
    const {stream} = answers[0] ?? {}
    act(() => stream?.next({type: 'answer.started', conversation: 'a', message: 'm', attempt: 1}))
    goTo('a')
    act(() =>
      stream?.next({type: 'answer.received', message: 'm', attempt: 1, seq: 1, text: 'first **paragraph**\n\nsec'}),
    )
    const paragraph = (await screen.findByText('paragraph')).closest('p')
    expect(screen.getByText('Answer started')).toBeDefined()
    act(() => stream?.next({type: 'answer.received', message: 'm', attempt: 1, seq: 2, text: 'ond'}))
    expect(screen.getByText('second')).toBeDefined()
    act(() => stream?.next({type: 'answer.completed'}))
    expect(await screen.findByText('Answer ready')).toBeDefined()
    expect(screen.getByText('paragraph').closest('p')).toBe(paragraph)
    expect(screen.getByRole('log').getAttribute('aria-busy')).toBe('false')
    expect(screen.getByRole('button', {name: 'Send'})).toBeDefined()
  })

  test('stops by Esc, keeps its text, and offers Continue and Retry', async () => {
    const {answers} = await showScreen(undefined)
    await ask('foo?')
    const {stream} = answers[0] ?? {}
    act(() => stream?.next({type: 'answer.started', conversation: 'a', message: 'm', attempt: 1}))
    act(() => stream?.next({type: 'answer.received', message: 'm', attempt: 1, seq: 1, text: 'partial'}))
    fireEvent.keyDown(document.body, {key: 'Escape'})
    expect(await screen.findByText('Stopped.')).toBeDefined()
    expect(screen.getByText('partial')).toBeDefined()
    fireEvent.click(await screen.findByRole('button', {name: 'Continue'}))
    expect(answers[1]?.input.exchange.question).toBe('Continue')
  })

  test.each([
    [false, 'Stopped.'],
    [true, "Stopped here. The server didn't confirm, so the answer may go on there."],
  ])('that was stopped says whether the server confirmed it (unconfirmed: %s)', async (unconfirmed, sentence) => {
    await showScreen('a', {records: [settled({state: 'failed', outcome: 'stopped', unconfirmed})]})
    expect(await screen.findByText(sentence)).toBeDefined()
  })

  test('is being stopped until the server confirms it, and stopped from then on', async () => {
    let confirm = (_: StoppedAnswer) => {}
    const stopAnswer = () => new Promise<StoppedAnswer>((resolve) => (confirm = resolve))
    const {actors, answers} = await showScreen(undefined, {stopAnswer})
    act(() => actors.conversations.send({type: 'service.changed', capabilities: ['stop']}))
    await ask('foo?')
    const {stream} = answers[0] ?? {}
    act(() => stream?.next({type: 'answer.started', conversation: 'a', message: 'm', attempt: 1}))
    act(() => stream?.next({type: 'answer.received', message: 'm', attempt: 1, seq: 1, text: 'half **bo'}))
    fireEvent.keyDown(document.body, {key: 'Escape'})
    expect(screen.getByText('Stopping…')).toBeDefined()
    expect(screen.queryByText('Stopped.')).toBeNull()
    confirm({state: 'failed'})
    expect(await screen.findByText('Stopped.')).toBeDefined()
    expect(screen.queryByText('Stopping…')).toBeNull()
  })

  test('without a text says so and can be asked again', async () => {
    const {answers} = await showScreen('a', {records: [settled({content: '<think>hm</think>\n'})]})
    expect(await screen.findByText('The model sent no text.')).toBeDefined()
    const [again] = screen.getAllByRole('button', {name: 'Answer again'})
    if (again !== undefined) fireEvent.click(again)
    await waitFor(() => expect(answers[0]?.input.exchange.question).toBe('foo?'))
  })

  test.each([
    ['stopped', {state: 'failed', outcome: 'stopped'}],
    ['interrupted', {state: 'failed', outcome: 'interrupted'}],
    ['refused half way', {state: 'failed', outcome: 'refused', error: {code: 'busy'}}],
    ['at its longest length', {outcome: 'truncated'}],
  ] as const)('that was cut (%s) has no raw marker at its end', async (_, end) => {
    await showScreen('a', {records: [settled({content: 'some **bold wo', ...end})]})
    expect((await screen.findByText('bold wo')).tagName).toBe('STRONG')
    expect(screen.getByRole('log').textContent).not.toContain('*')
  })

  test('that reached its longest length says so and can be continued', async () => {
    const {answers} = await showScreen('a', {records: [settled({outcome: 'truncated'})]})
    expect(await screen.findByText('The answer reached its length limit and is not complete.')).toBeDefined()
    fireEvent.click(screen.getByRole('button', {name: 'Continue'}))
    expect(answers[0]?.input.exchange.question).toBe('Continue')
  })

  test('is asked again with a new key', async () => {
    const {answers} = await showScreen('a', {records: [record('a')]})
    fireEvent.click(await screen.findByRole('button', {name: 'Answer again'}))
    await waitFor(() => expect(answers).toHaveLength(1))
    expect(answers[0]?.input.exchange.question).toBe('foo?')
    expect(answers[0]?.input.exchange.key).toMatch(/^key-/)
  })

  test('by the sandbox says so', async () => {
    await showScreen('a', {records: [settled({sandbox: true})]})
    expect(await screen.findByText('Sandbox: no language model wrote this')).toBeDefined()
  })
})

describe('a failed answer', () => {
  test.each([
    ['timeout', "The model didn't answer in time. Your message is kept."],
    ['too_many_requests', 'Too many requests. Try again in a moment.'],
    ['content_too_large', 'The question is too long. Shorten it and try again.'],
    [
      'duplication',
      'Another question is being answered in this conversation. Yours is kept; try again when that answer is complete.',
    ],
    ['no_such_code', 'Something went wrong. Your message is kept.'],
  ])('%s: a sentence, the code and detail, Retry and Edit; the text stays', async (code, sentence) => {
    const {answers} = await showScreen('a', {
      records: [settled({state: 'failed', outcome: 'refused', error: {code, message: 'foo detail'}})],
    })
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText(sentence)).toBeDefined()
    expect(within(alert).getByText(`${code} - foo detail`)).toBeDefined()
    expect(screen.getByText('bar')).toBeDefined()
    expect(within(alert).queryByRole('link')).toBeNull()
    fireEvent.click(within(alert).getByRole('button', {name: 'Edit'}))
    expect(screen.getByRole('textbox', {name: 'Edit message'})).toHaveProperty('value', 'foo?')
    fireEvent.click(screen.getByRole('button', {name: 'Cancel'}))
    fireEvent.click(within(alert).getByRole('button', {name: 'Retry'}))
    await waitFor(() => expect(answers).toHaveLength(1))
  })

  test('used up: the way to more credits', async () => {
    const {followed} = await showScreen('a', {
      records: [settled({state: 'failed', outcome: 'refused', error: {code: 'used_up', message: ''}})],
    })
    const link = await screen.findByRole('link', {name: 'Add credits'})
    await waitFor(() =>
      expect(link.getAttribute('href')).toBe(
        '/console/applications/application/extra?redirect=/chatgpt/conversations/a',
      ),
    )
    fireEvent.click(link, {ctrlKey: true})
    expect(followed).toEqual([])
    fireEvent.click(link)
    expect(followed).toEqual(['/console/applications/application/extra?redirect=/chatgpt/conversations/a'])
  })

  test('lost contact is not called a refusal', async () => {
    await showScreen('a', {records: [settled({state: 'failed', outcome: 'interrupted'})]})
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The connection was lost before the answer was complete.',
    )
  })

  test('what arrived of an interrupted answer can be continued', async () => {
    const {answers} = await showScreen('a', {records: [settled({state: 'failed', outcome: 'interrupted'})]})
    fireEvent.click(within(await screen.findByRole('alert')).getByRole('button', {name: 'Continue'}))
    expect(answers[0]?.input.exchange.question).toBe('Continue')
  })

  test('nothing can be continued where nothing arrived', async () => {
    await showScreen('a', {records: [settled({state: 'failed', outcome: 'interrupted', content: ''})]})
    expect(within(await screen.findByRole('alert')).queryByRole('button', {name: 'Continue'})).toBeNull()
  })

  test('canceled shows no error', async () => {
    await showScreen('a', {records: [settled({state: 'failed', outcome: 'refused', error: {code: 'canceled'}})]})
    expect(await screen.findByText('Stopped.')).toBeDefined()
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('a message of the person', () => {
  test('is edited in place: Cancel restores, Send replaces what came after', async () => {
    const user = userEvent.setup()
    const {answers, calls} = await showScreen('a', {records: [record('a')]})
    await user.click(await screen.findByRole('button', {name: 'Edit'}))
    const field = screen.getByRole('textbox', {name: 'Edit message'})
    expect(screen.getByText('Later messages will be replaced.')).toBeDefined()
    await user.type(field, ' more{Escape}')
    expect(screen.getByText('foo?')).toBeDefined()
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
    expect(await screen.findByText('<b>foo</b> **bar**')).toBeDefined()
    expect(screen.getByRole('link', {name: 'a b.pdf'}).getAttribute('href')).toBe('https://foo.example/a%20b.pdf')
    expect(screen.getByRole('img', {name: 'c.png'}).getAttribute('src')).toBe('https://hub.example/files/c.png')
    expect(screen.queryAllByRole('link')).toHaveLength(1)
    expect(screen.getAllByText('Whoever has the address of an attached file can open it.')).toHaveLength(1)
  })

  test('says who can open what is attached where a file of this server is among it', async () => {
    const asked = (address: string): RecordMessage['content'] => [
      {type: 'text', text: 'foo'},
      {type: 'file_url', file_url: address},
    ]
    const messages: RecordMessage[] = [
      {role: 'user', content: asked('https://foo.example/a.pdf')},
      {role: 'assistant', content: 'x'},
    ]
    await showScreen('a', {records: [record('a', {messages})]})
    await screen.findByText('a.pdf')
    expect(screen.queryByText(/^Whoever has/)).toBeNull()
  })
})

describe('places', () => {
  test('an unknown conversation says so and offers a new chat', async () => {
    await showScreen('nowhere', {records: [record('a')]})
    expect(await screen.findByText('This conversation is not here. It may have been deleted.')).toBeDefined()
    expect(screen.getByRole('link', {name: 'New chat'}).getAttribute('href')).toBe('/chatgpt/conversations')
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
    expect(await screen.findByText('for a')).toBeDefined()
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
        <ChatScreen place={{group: 'grok', conversation: undefined}} />
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
      const screenWith = (given: Partial<Chat>) => (
        <InChat chat={{...chat, ...given}}>
          <ChatScreen place={{group: 'chatgpt', conversation: undefined}} />
        </InChat>
      )
      const view = renderView(screenWith({isOpening: true}))
      const created = createChatActors()
      return {
        drafts,
        answers: created.answers,
        open: () => view.rerender(screenWith({actors: created.actors})),
      }
    }

    test('it goes out once there is somebody to ask, once, and is a draft no more', async () => {
      const {answers, drafts, open} = showOpening()
      await ask('  early? ')
      expect(screen.getByRole('textbox')).toHaveProperty('value', '  early? ')
      expect(screen.getByRole('button', {name: 'Stop'})).toBeDefined()
      open()
      expect(await within(await screen.findByRole('log')).findByText('early?')).toBeDefined()
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
      expect(screen.getByRole('button', {name: 'Send'})).toBeDefined()
      open()
      await waitFor(() => expect(screen.getByRole('button', {name: 'Send'})).toHaveProperty('disabled', false))
      expect(screen.getByRole('textbox')).toHaveProperty('value', left)
      expect(answers).toEqual([])
    })

    test('it waits until it is known which models are served', async () => {
      const local = {name: 'local-one', group: 'chatgpt' as const, provider: 'ollama', enabled: true}
      const gone = {name: 'gpt-5-all', group: 'chatgpt' as const, provider: 'none', enabled: false}
      const {actors, answers} = createChatActors({served: [local, gone]})
      const {chat} = createChat(actors)
      renderView(
        <InChat chat={chat}>
          <ChatScreen place={{group: 'chatgpt', conversation: undefined}} />
        </InChat>,
      )
      fireEvent.change(screen.getByRole('textbox'), {target: {value: 'early?'}})
      fireEvent.keyDown(screen.getByRole('textbox'), {key: 'Enter'})
      expect(await screen.findByText('early?')).toBeDefined()
      expect(answers.map(({input}) => input.model)).toEqual(['local-one'])
    })
  })

  test('a conversation whose person is not known yet shows that it comes, and takes no words for another one', () => {
    const {chat} = createChat(undefined)
    renderView(
      <InChat chat={chat}>
        <ChatScreen place={{group: 'grok', conversation: 'a'}} />
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

describe('model', () => {
  test('is chosen from the menu; what cannot be chosen says why; old conversations show theirs', async () => {
    const user = userEvent.setup()
    const {chosen, actors} = await showScreen('a', {
      records: [record('a', {model: 'foo'})],
      served: [
        {name: 'gpt-5-all', group: 'chatgpt', provider: 'openai'},
        {name: 'foo', label: 'Foo 3B', group: 'chatgpt', provider: 'ollama', local: true},
        {name: 'gpt-4o', group: 'chatgpt', provider: 'openai', disabled: 'not_configured'},
      ],
    })
    const button = await screen.findByRole('button', {name: 'Model: Foo 3B'})
    await act(() => user.click(button))
    expect(await screen.findByRole('gridcell', {name: /Foo 3B/, current: true})).toBeDefined()
    expect(screen.getByText('On this machine')).toBeDefined()
    expect(screen.getByText('Needs a provider key from the operator.')).toBeDefined()
    await user.click(screen.getByRole('gridcell', {name: /^GPT-5 *Best/}))
    expect(await screen.findByRole('button', {name: 'Model: GPT-5'})).toBeDefined()
    expect(chosen).toEqual(['gpt-5-all'])
    expect(selectActiveConversation(actors.conversations.getSnapshot())?.getSnapshot().context.model).toBe('gpt-5-all')
  })
})

test('a model chosen in an empty chat is shown and asked', async () => {
  const user = userEvent.setup()
  const {answers} = await showScreen(undefined, {
    served: [
      {name: 'gpt-5-all', group: 'chatgpt', provider: 'openai'},
      {name: 'foo', label: 'Foo 3B', group: 'chatgpt', provider: 'ollama', local: true},
    ],
  })
  await user.click(await screen.findByRole('button', {name: 'Model: GPT-5'}))
  await user.click(await screen.findByRole('gridcell', {name: /Foo 3B/}))
  expect(await screen.findByRole('button', {name: 'Model: Foo 3B'})).toBeDefined()
  await ask('foo?')
  expect(answers[0]?.input.model).toBe('foo')
})

test('a model that is not served any more stays chosen and says why; Send waits for another one', async () => {
  const user = userEvent.setup()
  const {actors} = await showScreen('a', {
    records: [record('a', {model: 'gone'})],
    served: [{name: 'gpt-5-all', group: 'chatgpt', provider: 'openai'}],
  })
  const field = await screen.findByRole('textbox')
  fireEvent.change(field, {target: {value: 'question'}})
  expect(screen.getByRole('button', {name: 'Model: gone'})).toBeDefined()
  expect(screen.getByText('Nobody serves this model here. Choose another model.')).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', {name: 'Send'}).disabled).toBe(true)
  await user.click(screen.getByRole('button', {name: 'Model: gone'}))
  await user.click(await screen.findByRole('gridcell', {name: /^GPT-5 *Best/}))
  expect(screen.getByRole<HTMLButtonElement>('button', {name: 'Send'}).disabled).toBe(false)
  expect(selectActiveConversation(actors.conversations.getSnapshot())?.getSnapshot().context.model).toBe('gpt-5-all')
})

describe('a stored model that is not served any more', () => {
  const served: ServedModel[] = [
    {name: 'gpt-5-all', group: 'chatgpt', provider: 'openai'},
    {name: 'foo', label: 'Foo 3B', group: 'chatgpt', provider: 'ollama', local: true},
  ]
  const sentence = "o3 isn't available any more, so GPT-5 is used."

  test('leaves a new question to the first one that is, which is said until it is asked', async () => {
    const {answers, chosen} = await showScreen(undefined, {served}, 'o3')
    expect((await screen.findByText(sentence)).getAttribute('role')).toBe('status')
    expect(screen.getByRole('button', {name: 'Model: GPT-5'})).toBeDefined()
    await ask('foo?')
    expect(answers[0]?.input.model).toBe('gpt-5-all')
    expect(chosen).toEqual(['gpt-5-all'])
    expect(screen.queryByText(sentence)).toBeNull()
  })

  test('is told of no more once another one is chosen', async () => {
    const user = userEvent.setup()
    const {answers} = await showScreen(undefined, {served}, 'o3')
    await screen.findByText(sentence)
    await user.click(screen.getByRole('button', {name: 'Model: GPT-5'}))
    await user.click(await screen.findByRole('gridcell', {name: /Foo 3B/}))
    expect(screen.queryByText(sentence)).toBeNull()
    await ask('foo?')
    expect(answers[0]?.input.model).toBe('foo')
  })

  test('stays with its reason where nothing can be used', async () => {
    const disabled: ServedModel[] = [{name: 'gpt-4o', group: 'chatgpt', provider: 'openai', disabled: 'not_configured'}]
    await showScreen(undefined, {served: disabled}, 'o3')
    expect(await screen.findByText('Nobody serves this model here.')).toBeDefined()
    expect(screen.getByRole('button', {name: 'Model: o3'})).toBeDefined()
  })

  test('has another one take its place in no question that was sent before that was known', async () => {
    const {actors, answers} = createChatActors({served})
    const {chat} = createChat(actors, {storedModel: 'o3'})
    renderView(
      <InChat chat={chat}>
        <ChatScreen place={{group: 'chatgpt', conversation: undefined}} />
      </InChat>,
    )
    // at once: a field that is looked for first is found when everything is known
    fireEvent.change(screen.getByRole('textbox'), {target: {value: 'early?'}})
    fireEvent.keyDown(screen.getByRole('textbox'), {key: 'Enter'})
    expect(await screen.findByText(sentence)).toBeDefined()
    expect(screen.getByRole('textbox')).toHaveProperty('value', 'early?')
    expect(answers).toEqual([])
  })
})

describe('with a model that is not served any more', () => {
  const served = [{name: 'gpt-5-all', group: 'chatgpt', provider: 'openai'}] as const
  const why = 'Nobody serves this model here.'
  const chooseServed = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(screen.getByRole('button', {name: 'Model: gone'}))
    await user.click(await screen.findByRole('gridcell', {name: /^GPT-5 *Best/}))
  }

  test.each([
    ['Answer again', {}],
    ['Retry', {state: 'failed', outcome: 'interrupted'}],
    ['Continue', {state: 'failed', outcome: 'stopped'}],
  ] as const)('%s asks nobody and leads to where it is said; with another model it asks', async (name, message) => {
    const user = userEvent.setup()
    const {answers} = await showScreen('a', {records: [{...settled(message), model: 'gone'}], served: [...served]})
    await screen.findByText(new RegExp(why))
    await user.click(await screen.findByRole('button', {name}))
    expect(answers).toEqual([])
    expect(document.activeElement).toBe(screen.getByRole('textbox', {name: 'Message'}))
    await chooseServed(user)
    await user.click(screen.getByRole('button', {name}))
    await waitFor(() => expect(answers.map(({input}) => input.model)).toEqual(['gpt-5-all']))
  })

  test('an edited message keeps its text, says why it waits, and is sent with another model', async () => {
    const user = userEvent.setup()
    const {answers} = await showScreen('a', {records: [{...settled({}), model: 'gone'}], served: [...served]})
    await screen.findByText(new RegExp(why))
    await user.click(await screen.findByRole('button', {name: 'Edit'}))
    const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', {name: 'Edit message'})
    const editor = within(field().form ?? document.body)
    fireEvent.change(field(), {target: {value: 'another question'}})
    expect(editor.getByRole('status').textContent).toBe(why)
    expect(editor.getByRole<HTMLButtonElement>('button', {name: 'Send'}).disabled).toBe(true)
    fireEvent.keyDown(field(), {key: 'Enter', ctrlKey: true})
    expect(answers).toEqual([])
    await chooseServed(user)
    expect(field().value).toBe('another question')
    await user.click(editor.getByRole('button', {name: 'Send'}))
    await waitFor(() => expect(answers[0]?.input.exchange.question).toBe('another question'))
    expect(answers[0]?.input.model).toBe('gpt-5-all')
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
