import {act, cleanup, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {afterEach, expect, test} from 'vitest'
import {actorOf} from '#app/actors.context.tsx'
import {unseenCount} from '#app/shell/unseen-count.ts'
import '../shell/patience.ts'

import {open, rail, user} from './open-app.tsx'

afterEach(cleanup)

test('the tab is named by the conversation in the address; a new one is a new chat', async () => {
  const messages = [{role: 'user' as const, content: 'How tall is a foo?'}]
  const conversations = [
    {key: '1', id: '1', model: 'gpt-5-all', title: 'About foo', messages, updatedAt: 2},
    {key: '2', id: '2', model: 'gpt-5-all', messages, updatedAt: 1},
  ]
  const {root, router} = await open('/chatgpt/conversations/1', {user, conversations})
  await waitFor(() => expect(document.title).toBe('About foo · Foo'))
  await act(() => router.navigate({to: '/chatgpt/conversations'}))
  await waitFor(() => expect(document.title).toBe('New chat · Foo'))
  await act(() => router.navigate({to: '/chatgpt/conversations/$conversationId', params: {conversationId: '2'}}))
  await waitFor(() => expect(document.title).toBe('How tall is a foo? · Foo'))
  act(() =>
    actorOf(root, 'conversations')?.send({type: 'conversations.changed', changes: [{key: '2', title: 'Renamed'}]}),
  )
  await waitFor(() => expect(document.title).toBe('Renamed · Foo'))
  await act(() => router.navigate({to: '/chatgpt/conversations/$conversationId', params: {conversationId: 'gone'}}))
  await waitFor(() => expect(document.title).toBe('Chat · Foo'))
}, 30_000)

test('the title counts what ended unseen', async () => {
  await open('/chatgpt/conversations', {user})
  await waitFor(() => expect(document.title).toBe('New chat · Foo'))
  act(() => unseenCount.set(2))
  expect(document.title).toBe('(2) New chat · Foo')
  act(() => unseenCount.set(0))
  expect(document.title).toBe('New chat · Foo')
})

test('Chat in the rail leads back to the conversation that was left in the group, and to a new one when it is gone', async () => {
  const messages = [{role: 'user' as const, content: 'Foo?'}]
  const conversations = [
    {key: '1', id: '1', model: 'gpt-5-all', title: 'One', messages, updatedAt: 2},
    {key: '2', id: '2', model: 'deepseek-v3', title: 'Two', messages, updatedAt: 1},
  ]
  const {root, router} = await open('/chatgpt/conversations/1', {user, conversations})
  const chat = () => rail().getByRole('link', {name: 'Chat'})
  const goTo = (path: string) => act(async () => router.history.push(path))
  await waitFor(() => expect(chat().getAttribute('href')).toBe('/chatgpt/conversations/1'))
  await goTo('/deepseek/conversations/2')
  await waitFor(() => expect(chat().getAttribute('href')).toBe('/deepseek/conversations/2'))
  await goTo('/chatgpt/conversations')
  await waitFor(() => expect(chat().getAttribute('href')).toBe('/chatgpt'))
  await goTo('/chatgpt/conversations/1')
  await waitFor(() => expect(chat().getAttribute('href')).toBe('/chatgpt/conversations/1'))
  await goTo('/profile')
  await userEvent.click(chat())
  await waitFor(() => expect(router.state.location.pathname).toBe('/chatgpt/conversations/1'))
  await goTo('/profile')
  act(() => actorOf(root, 'conversations')?.send({type: 'conversations.remove', keys: ['1']}))
  await waitFor(() => expect(chat().getAttribute('href')).toBe('/chatgpt'))
}, 30_000)

test('the tab says how much is being made', async () => {
  const {root} = await open('/chatgpt/conversations', {user})
  await waitFor(() => expect(document.title).toBe('New chat · Foo'))
  await waitFor(() => expect(actorOf(root, 'conversations')?.id).toBe('conversations'))
  const change = (phase: 'running' | 'settled') => {
    const messages = [{role: 'user' as const, content: 'Foo?'}]
    const record = {key: 'k', model: 'gpt-5-all', messages, updatedAt: 1}
    actorOf(root, 'conversations')?.send({type: 'conversation.changed', phase, record})
  }
  act(() => actorOf(root, 'conversations')?.send({type: 'conversation.create', key: 'k', model: 'gpt-5-all'}))
  act(() => change('running'))
  await waitFor(() => expect(document.title).toBe('(1) New chat · Foo'))
  act(() => change('settled'))
  await waitFor(() => expect(document.title).toBe('New chat · Foo'))
}, 30_000)
