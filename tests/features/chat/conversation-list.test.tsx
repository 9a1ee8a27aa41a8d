import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {describe, expect, test} from 'vitest'
import {offered} from '#browser/commands.ts'
import {keyBindings} from '#browser/remembered-value.ts'
import {takeTypedAhead, waitForField} from '#browser/typed-ahead.ts'
import {modelGroups} from '#contract/models.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import {conversationSections} from '#features/chat/list/conversation-sections.ts'
import {loadRows} from '#features/chat/use-conversation-rows.ts'
import {now, record} from './chat-fixture.tsx'
import {showPanel} from './conversation-panel-fixture.tsx'

const day = 86_400

test('the groups that the site offers are there, and the one that is open', () => {
  showPanel({}, 'en', ['grok'])
  const links = within(screen.getByRole('navigation', {name: 'Model group'})).getAllByRole('link')
  expect(links.map(({textContent}) => textContent)).toEqual(['ChatGPT', 'Grok'])
})

test('the keys beside *New chat* are those that the user has chosen just now', () => {
  showPanel({})
  const link = screen.getByRole('link', {name: /^New chat/})
  expect(link.textContent).toContain('O')
  act(() => keyBindings.set({newChat: 'Mod+Alt+J'}))
  expect(link.textContent).toMatch(/Alt J$/)
  act(() => keyBindings.set({}))
  expect(link.textContent).toMatch(/O$/)
})

test('an empty list offers to import conversations once its view is there, where the server takes them', async () => {
  const opened: string[] = []
  const {actors, chat} = showPanel({capabilities: ['import']}, 'en', modelGroups, (part) => opened.push(part))
  await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe('success'))
  await act(() => loadRows(chat.threadWords))
  fireEvent.click(await screen.findByRole('button', {name: 'Import from ChatGPT or LobeChat…'}))
  expect(opened).toEqual(['import'])
})

test.each([
  ['offers to import conversations', ['import'], 1],
  ['offers no import where the server takes none', [], 0],
])('the menu of a list %s', async (_, capabilities, count) => {
  const opened: string[] = []
  showPanel({records: [record('a')], capabilities}, 'en', modelGroups, (part) => opened.push(part))
  fireEvent.click(await screen.findByRole('button', {name: 'Options of the list'}))
  await screen.findByRole('menuitem', {name: 'Export all…'})
  const items = screen.queryAllByRole('menuitem', {name: 'Import from ChatGPT or LobeChat…'})
  expect(items).toHaveLength(count)
  for (const item of items) fireEvent.click(item)
  expect(opened).toEqual(items.map(() => 'import'))
})

test('a group without conversations has the search, which finds those of other groups', async () => {
  showPanel({records: [record('a', {model: 'grok-4', title: 'Owls'})]})
  const field = await screen.findByRole('searchbox')
  expect(screen.getByText('Your conversations will be listed here.')).toBeVisible()
  takeTypedAhead()
  offered('searchList')?.()
  expect(document.activeElement).toBe(field)
  fireEvent.change(field, {target: {value: 'owls'}})
  expect(await screen.findByRole('link', {name: /Owls/})).toBeVisible()
})

test('a key that follows those of the search at once is behind what was typed before the field was there', async () => {
  showPanel({records: [record('a', {title: 'Owls'})]})
  const field = await screen.findByRole<HTMLInputElement>('searchbox')
  waitForField()
  dispatchEvent(new KeyboardEvent('keydown', {key: 'o', cancelable: true}))
  offered('searchList')?.()
  expect([field.value, document.activeElement]).toEqual(['o', field])
  fireEvent.input(field, {target: {value: `${field.value}w`}})
  await waitFor(() => expect(field.value).toBe('ow'))
})

test('without the import, and where there are conversations, an offer would lead nowhere or stand in the way', async () => {
  const {actors, chat} = showPanel()
  await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe('success'))
  await act(() => loadRows(chat.threadWords))
  expect(screen.getByText('Your conversations will be listed here.')).toBeVisible()
  expect(screen.queryByRole('button', {name: /^Import/})).toBeNull()
})

describe('sections', () => {
  test('today, yesterday, this week from Sunday, earlier; newest first, empty ones left out', () => {
    const at = (key: string, daysAgo: number) => record(key, {updatedAt: now - daysAgo * day})
    const sections = conversationSections(
      [at('old', 40), at('sunday', 3), at('saturday', 4), at('b', 0.1), at('a', 0), at('y', 1)],
      now,
    )
    expect(sections.map(({name, records}) => [name, records.map(({key}) => key)])).toEqual([
      ['today', ['a', 'b']],
      ['yesterday', ['y']],
      ['thisWeek', ['sunday']],
      ['earlier', ['saturday', 'old']],
    ])
    expect(conversationSections([at('a', 0)], now).map(({name}) => name)).toEqual(['today'])
  })

  test('pinned ones first, whatever their day', () => {
    const sections = conversationSections(
      [
        record('new', {updatedAt: now}),
        record('old', {updatedAt: now - 40 * day, pinned: true}),
        record('newer', {updatedAt: now - day, pinned: true}),
      ],
      now,
    )
    expect(sections.map(({name, records}) => [name, records.map(({key}) => key)])).toEqual([
      ['pinned', ['newer', 'old']],
      ['today', ['new']],
    ])
  })

  test('a title is the given one, else the first question as plain text, whatever was answered since', () => {
    const untitled = (content: string) =>
      conversationTitle({
        messages: [
          {role: 'user', content},
          {role: 'assistant', content: '# An answer'},
          {role: 'user', content: 'later'},
        ],
      })
    expect(conversationTitle(record('a', {title: 'foo'}))).toBe('foo')
    expect(conversationTitle(record('a', {title: ' '}))).toBe('foo?')
    expect(untitled('## **What** is `snake_case`,\n> and [a link](https://foo.example)?')).toBe(
      'What is snake_case, and a link?',
    )
    expect(untitled('```ts\nconst a = 2 * 3 * b\n```\n_why_')).toBe('const a = 2 * 3 * b why')
    expect(Array.from(untitled('🙂'.repeat(200)))).toHaveLength(80)
    expect(conversationTitle({messages: []})).toBe('')
  })
})

describe('model groups', () => {
  test('are links of a navigation, of which one is where the user is', () => {
    const {visited} = showPanel()
    const links = within(screen.getByRole('navigation', {name: 'Model group'})).getAllByRole('link')
    expect(
      links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('aria-current')]),
    ).toEqual([
      ['ChatGPT', '/chatgpt/conversations', 'page'],
      ['DeepSeek', '/deepseek/conversations', null],
      ['Grok', '/grok/conversations', null],
    ])
    const [, deepseek, grok] = links
    if (deepseek === undefined || grok === undefined) throw new Error('two links are missing')
    fireEvent.click(grok, {metaKey: true})
    fireEvent.click(deepseek)
    expect(visited).toEqual([{group: 'deepseek', conversation: undefined}])
  })
})

describe('conversation list', () => {
  test('starts with a new chat; titles are links; only the group is listed', async () => {
    const {actors} = showPanel({records: [record('a'), record('b', {model: 'grok-4', title: 'other group'})]})
    const link = await screen.findByRole('link', {name: 'title a'})
    expect(link.getAttribute('href')).toBe('/chatgpt/conversations/a')
    const list = within(screen.getByRole('navigation', {name: 'Conversations'}))
    expect(list.getAllByRole('link')[0]?.textContent).toContain('New chat')
    expect(screen.queryByText('other group')).toBeNull()
    act(() => actors.conversations.send({type: 'conversation.open', key: 'a'}))
    await waitFor(() => expect(link.getAttribute('aria-current')).toBe('page'))
  })

  test("a plain click goes without loading the page, a click with Ctrl is the browser's", async () => {
    const {visited} = showPanel({records: [record('a')]})
    const link = await screen.findByRole('link', {name: 'title a'})
    expect(fireEvent.click(link, {ctrlKey: true})).toBe(true)
    expect(fireEvent.click(link)).toBe(false)
    expect(visited).toEqual([{group: 'chatgpt', conversation: 'a'}])
  })

  test('a dot says that an answer is being written, or arrived elsewhere', async () => {
    const {actors, answers} = showPanel({records: [record('a'), record('b')]})
    await screen.findByRole('link', {name: 'title a'})
    const {conversations} = actors
    act(() => conversations.send({type: 'conversation.open', key: 'a'}))
    const actor = conversations.getSnapshot().children['conversation/a']
    act(() => actor?.send({type: 'prompt.submit', question: 'foo', references: [], key: 'k', at: now}))
    expect(await screen.findByRole('img', {name: 'Answering'})).toBeVisible()
    act(() => conversations.send({type: 'conversation.open', key: 'b'}))
    act(() => answers[0]?.stream.next({type: 'answer.started', conversation: 'a', message: 'm', attempt: 1}))
    act(() => answers[0]?.stream.next({type: 'answer.completed'}))
    expect(await screen.findByRole('img', {name: 'New answer'})).toBeVisible()
    expect(screen.queryByRole('img', {name: 'Answering'})).toBeNull()
  })

  test('Enter and leaving the field rename, Esc does not, Enter of an input method does nothing', async () => {
    const user = userEvent.setup()
    const {calls} = showPanel({records: [record('a')]})
    const rename = async () => {
      fireEvent.keyDown(await screen.findByRole('link', {name: /title|new/}), {key: 'F2'})
      return screen.findByRole('textbox', {name: 'Title of the conversation'})
    }
    let field = await rename()
    await user.clear(field)
    await user.type(field, 'nope{Escape}')
    expect(await screen.findByRole('link', {name: 'title a'})).toBeVisible()
    expect(calls).toEqual([])

    field = await rename()
    await user.clear(field)
    await user.type(field, 'new title')
    fireEvent.keyDown(field, {key: 'Enter', keyCode: 229})
    expect(screen.getByRole('textbox')).toBeVisible()
    await user.type(field, '{Enter}')
    expect(await screen.findByRole('link', {name: 'new title'})).toBeVisible()

    field = await rename()
    await user.clear(field)
    await user.type(field, 'new again')
    fireEvent.blur(field)
    expect(await screen.findByRole('link', {name: 'new again'})).toBeVisible()
    await waitFor(() => expect(calls.map(({title}) => title)).toEqual(['new title', 'new again']))
  })

  test('deleting asks in the row and opens the neighbour', async () => {
    const user = userEvent.setup()
    const {actors, visited} = showPanel({records: [record('a'), record('b', {updatedAt: now - 60})]})
    await screen.findByRole('link', {name: 'title a'})
    act(() => actors.conversations.send({type: 'conversation.open', key: 'a'}))
    await user.click(screen.getByRole('button', {name: 'Actions for title a'}))
    await user.click(await screen.findByRole('menuitem', {name: 'Delete'}))
    const question = await screen.findByRole('alert')
    expect(question.textContent).toBe('Delete it?')
    await user.click(screen.getByRole('button', {name: 'Cancel'}))
    expect(await screen.findByRole('link', {name: 'title a'})).toBeVisible()
    await user.click(screen.getByRole('button', {name: 'Actions for title a'}))
    await user.click(await screen.findByRole('menuitem', {name: 'Delete'}))
    await user.click(await screen.findByRole('button', {name: 'Delete'}))
    await waitFor(() => expect(screen.queryByRole('link', {name: 'title a'})).toBeNull())
    expect(visited).toEqual([{group: 'chatgpt', conversation: 'b'}])
  })

  test.each([
    ['leads back to it', 'b', ['b', 'a']],
    ['leaves the user who went on meanwhile', 'c', ['b']],
  ])('undo of deleting the open conversation %s', async (_, at, expected) => {
    const user = userEvent.setup()
    const {actors, visited} = showPanel({records: [record('a'), record('b', {updatedAt: now - 60})]})
    await screen.findByRole('link', {name: 'title a'})
    act(() => actors.conversations.send({type: 'conversation.open', key: 'a'}))
    await user.click(screen.getByRole('button', {name: 'Actions for title a'}))
    await user.click(await screen.findByRole('menuitem', {name: 'Delete'}))
    await user.click(await screen.findByRole('button', {name: 'Delete'}))
    await waitFor(() => expect(screen.queryByRole('link', {name: 'title a'})).toBeNull())
    history.replaceState(null, '', `/chatgpt/conversations/${at}`)
    act(() => actors.conversations.send({type: 'conversations.restore', keys: ['a']}))
    expect(await screen.findByRole('link', {name: 'title a'})).toBeVisible()
    expect(visited.map(({conversation}) => conversation)).toEqual(expected)
    history.replaceState(null, '', '/')
  })

  test('an empty list says so', async () => {
    showPanel()
    expect(await screen.findByText('Your conversations will be listed here.')).toBeVisible()
  })

  test('a failed list says why and can be read again', async () => {
    const {actors} = showPanel({fails: true})
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText("Couldn't load your conversations.")).toBeVisible()
    expect(within(alert).getByText('busy - try later')).toBeVisible()
    fireEvent.click(within(alert).getByRole('button', {name: 'Retry'}))
    expect(actors.conversations.getSnapshot().matches('request')).toBe(true)
  })

  test('without an answer of the server the list shows what the device has, says so, and can be read again', async () => {
    const {actors} = showPanel({records: [record('a')], isCutOff: true})
    await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe('error'))
    const said = "The server can't be reached. These conversations are kept on this device."
    expect(await screen.findByText(said)).toBeVisible()
    expect(screen.getByRole('link', {name: 'title a'})).toBeVisible()
    // it stays while the list is read again, and with it the button that was pressed
    const retry = screen.getByRole('button', {name: 'Retry'})
    fireEvent.click(retry)
    expect(actors.conversations.getSnapshot().matches({request: 'again'})).toBe(true)
    expect(screen.getByText(said)).toBeVisible()
    expect(screen.getByRole('button', {name: 'Retry'})).toBe(retry)
  })

  test('rows stay while the server fails at reading them again; the list says so until it is read', async () => {
    let failure: object | undefined
    const {actors} = showPanel({records: [record('a')], refusal: () => failure})
    const row = await screen.findByRole('link', {name: 'title a'})
    failure = {code: 'busy', detail: 'foo', status: 503}
    act(() => actors.conversations.send({type: 'conversations.refresh'}))
    const said = "Couldn't refresh. This list may be out of date."
    await screen.findByText(said)
    expect(screen.getByRole('link', {name: 'title a'})).toBe(row)
    failure = undefined
    fireEvent.click(screen.getByRole('button', {name: 'Retry'}))
    await waitFor(() => expect(screen.queryByText(said)).toBeNull())
    expect(screen.getByRole('link', {name: 'title a'})).toBe(row)
  })

  test('a list that the device has nothing of says that the server did not answer, or that there is no network; not how the browser puts it', async () => {
    const {environment} = showPanel({isCutOff: true})
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('The server did not answer. Check your connection.')).toBeVisible()
    act(() => environment.send({type: 'connection.lost'}))
    expect(within(alert).getByText("You're offline. We'll reconnect automatically.")).toBeVisible()
    expect(alert.textContent).not.toContain('fetch')
  })

  test('a thousand conversations keep the document small', async () => {
    showPanel({records: Array.from({length: 1_000}, (_, index) => record(`c${index}`, {updatedAt: now - index}))})
    await waitFor(() => expect(screen.queryByRole('img', {name: 'Loading'})).toBeNull())
    expect(document.querySelectorAll('*').length).toBeLessThan(600)
  })
})
