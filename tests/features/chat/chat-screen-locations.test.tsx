import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeAll, describe, expect, test, vi} from 'vitest'
import {offerCommands} from '#browser/commands.ts'
import {listenToKeys} from '#browser/key-listener.ts'
import type {Chat, ChatLocation} from '#features/chat/chat.context.tsx'
import {ChatScreen} from '#features/chat/chat-screen.tsx'
import '#ui/overlays/menu-overlay.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors, record} from './chat-fixture.tsx'
import {showScreen, ask} from './chat-screen-fixture.tsx'

beforeAll(async () => void (await listenToKeys()()))

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

  test('while a comparison is on its way nothing is asked, and the text stays', async () => {
    const {answers, chat} = await showScreen('a', {records: [record('a')]})
    const comparing = vi.spyOn(chat.navigation, 'isComparing').mockReturnValue(true)
    await ask('foo')
    expect([answers, screen.getByRole<HTMLTextAreaElement>('textbox').value]).toEqual([[], 'foo'])
    // it did not come
    comparing.mockReturnValue(false)
    await ask('foo')
    await waitFor(() => expect(answers).toHaveLength(1))
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
