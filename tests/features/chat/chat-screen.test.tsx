import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {beforeAll, describe, expect, onTestFinished, test, vi} from 'vitest'
import {listenToKeys} from '#browser/key-listener.ts'
import type {RecordMessage} from '#domain/conversation.ts'
import {ChatHead} from '#features/chat/chat-head.tsx'
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

test.each([
  ['after its text', [{type: 'text', text: 'Here it is.'}]],
  ['alone', []],
] as const)('an image that an answer of another app came with is shown (%s)', async (_, text) => {
  const content: RecordMessage['content'] = [...text, {type: 'image_url', image_url: 'https://hub.example/files/c.png'}]
  const messages: RecordMessage[] = [
    {role: 'user', content: 'foo?'},
    {role: 'assistant', content, state: 'finished'},
  ]
  await showScreen('a', {records: [record('a', {messages})]})
  const [, answer] = await screen.findAllByRole('article')
  expect(await within(answer ?? document.body).findByRole('img', {name: 'c.png'})).toBeVisible()
  expect(screen.queryByText('The model sent no text.')).toBeNull()
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
