import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {beforeAll, describe, expect, test} from 'vitest'
import type {ServedModel} from '#contract/management.ts'
import {listenToKeys} from '#browser/key-listener.ts'
import {ChatScreen} from '#features/chat/chat-screen.tsx'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import '#ui/overlays/menu-overlay.tsx'
import '#ui/overlays/popover-overlay.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors, record} from './chat-fixture.tsx'
import {showScreen, settled, ask} from './chat-screen-fixture.tsx'

beforeAll(async () => void (await listenToKeys()()))

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
    expect(await screen.findByRole('gridcell', {name: /Foo 3B/, current: true})).toBeVisible()
    expect(screen.getByText('On this machine')).toBeVisible()
    expect(screen.getByText('Needs a provider key from the operator.')).toBeVisible()
    await user.click(screen.getByRole('gridcell', {name: /^GPT-5 *Best/}))
    expect(await screen.findByRole('button', {name: 'Model: GPT-5'})).toBeVisible()
    expect(chosen).toEqual(['gpt-5-all'])
    expect(selectActiveConversation(actors.conversations.getSnapshot())?.getSnapshot().context.model).toBe('gpt-5-all')
  })
})

test('models that were opened before the session was there stay open', async () => {
  const user = userEvent.setup()
  const {early, goTo} = await showScreen(undefined)
  early()
  await user.click(await screen.findByRole('button', {name: /^Model: /}))
  expect(await screen.findByRole('grid')).toBeVisible()
  await act(async () => goTo(undefined))
  expect(screen.getByRole('grid')).toBeVisible()
})

test('a model of a new answer is asked for this answer alone', async () => {
  const user = userEvent.setup()
  const {answers, chosen, actors} = await showScreen('a', {
    records: [record('a')],
    served: [
      {name: 'gpt-5-all', group: 'chatgpt', provider: 'openai'},
      {name: 'foo', label: 'Foo 3B', group: 'chatgpt', provider: 'ollama', local: true},
    ],
  })
  const menus = await screen.findAllByRole('button', {name: 'More actions'})
  await user.click(menus.at(-1) ?? document.body)
  await user.click(await screen.findByRole('menuitem', {name: 'Choose a model for a new answer'}))
  await user.click(await screen.findByRole('gridcell', {name: /Foo 3B/}))
  await waitFor(() => expect(answers[0]?.input.model).toBe('foo'))
  expect(selectActiveConversation(actors.conversations.getSnapshot())?.getSnapshot().context.model).toBe('gpt-5-all')
  expect(chosen).toEqual([])
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
  expect(await screen.findByRole('button', {name: 'Model: Foo 3B'})).toBeVisible()
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
  expect(screen.getByRole('button', {name: 'Model: gone'})).toBeVisible()
  expect(screen.getByText('Nobody serves this model here. Choose another model.')).toBeVisible()
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
    expect(screen.getByRole('button', {name: 'Model: GPT-5'})).toBeVisible()
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
    expect(await screen.findByText('Nobody serves this model here.')).toBeVisible()
    expect(screen.getByRole('button', {name: 'Model: o3'})).toBeVisible()
  })

  test('is replaced in no question that was sent before that was known', async () => {
    const {actors, answers} = createChatActors({served})
    const {chat} = createChat(actors, {storedModel: 'o3'})
    renderView(
      <InChat chat={chat}>
        <ChatScreen location={{group: 'chatgpt', conversation: undefined}} />
      </InChat>,
    )
    // at once: a field that is looked for first is found when everything is known
    fireEvent.change(screen.getByRole('textbox'), {target: {value: 'early?'}})
    fireEvent.keyDown(screen.getByRole('textbox'), {key: 'Enter'})
    expect(await screen.findByText(sentence)).toBeVisible()
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

test('while the first question is on its way the instructions of the next conversation are not offered for it', async () => {
  const user = userEvent.setup()
  const {actors, answers} = await showScreen(undefined, {
    served: [{name: 'gpt-5-all', group: 'chatgpt', provider: 'openai'}],
  })
  await screen.findByRole('button', {name: 'Model: GPT-5'})
  await act(async () => actors.conversations.send({type: 'service.changed', capabilities: ['preset']}))
  const open = async () => {
    const button = await screen.findByRole('button', {name: 'Model: GPT-5'})
    await act(() => user.click(button))
  }
  const instructions = () => screen.queryByRole('button', {name: 'Instructions for this conversation'})
  await open()
  await screen.findByRole('grid')
  await waitFor(() => expect(instructions()).not.toBeNull(), {timeout: 10_000})
  await user.keyboard('{Escape}')
  await ask('foo?')
  await open()
  await screen.findByRole('grid')
  expect(instructions()).toBeNull()
  const named = {conversation: 'c-1', message: 'm-1', attempt: 1}
  await act(async () => answers[0]?.stream.next({type: 'answer.started', ...named}))
  await waitFor(() => expect(instructions()).not.toBeNull())
})

test('a search finds models of other groups, and one that is chosen takes text and files along to its group', async () => {
  const user = userEvent.setup()
  const {visited, drafts, chosen} = await showScreen('a', {
    records: [record('a')],
    served: [
      {name: 'gpt-5-all', group: 'chatgpt', provider: 'openai'},
      {name: 'deepseek-v3', group: 'deepseek', provider: 'not of this site'},
      {name: 'grok-3', group: 'grok', provider: 'xai'},
      {name: 'grok-4', group: 'grok', provider: 'none', disabled: 'not_configured'},
    ],
  })
  fireEvent.change(await screen.findByRole('textbox', {name: 'Message'}), {target: {value: 'half a question'}})
  await user.click(await screen.findByRole('button', {name: 'Model: GPT-5'}))
  const search = await screen.findByRole('combobox', {name: 'Search models'})
  expect(screen.queryByRole('gridcell', {name: /Grok 3/})).toBeNull()
  await user.type(search, 'deepseek')
  expect(screen.getByText('No model matches.')).toBeVisible()
  await user.clear(search)
  await user.type(search, 'grok')
  expect(screen.queryByText('No model matches.')).toBeNull()
  const others = screen.getByRole('rowgroup', {name: 'Grok'})
  expect(within(others).getByText(/^In other groups/)).toBeVisible()
  expect(within(others).queryByRole('gridcell', {name: /Grok 4/})).toBeNull()
  await user.keyboard('{Enter}')
  expect(visited.at(-1)).toEqual({group: 'grok', conversation: undefined})
  expect(chosen).toEqual(['grok-3'])
  expect(drafts.get('new/grok')?.text).toBe('half a question')
  expect(drafts.get('a')).toBeUndefined()
})
