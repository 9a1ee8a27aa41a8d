import {waitFor} from '@testing-library/react'
import {expect, test, vi} from 'vitest'
import {conversationGroup, modelGroup} from '#app/commands/user-commands.tsx'
import type {Making} from '#app/commands/page-commands.tsx'
import {tools} from '#features/shell/tools.ts'
import {createChat, createChatActors, record} from './features/chat/chat-fixture.tsx'

test('conversations of one title have their model beside it in the palette', async () => {
  const records = [record('a', {title: 'foo'}), record('b', {title: 'foo', model: 'deepseek-v3', updatedAt: 1})]
  const {actors} = createChatActors({records})
  await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe('success'))
  const {chat} = createChat(actors)
  const making: Making = {text: (id) => id, english: () => undefined, go: () => undefined}
  const {entries} = conversationGroup(making, {chat, conversations: actors.conversations, served: []})
  expect(entries.map(({label, note}) => [label, note])).toEqual([
    ['foo', 'GPT-5'],
    ['foo', 'DeepSeek V3'],
  ])
})

test('a conversation is used again by the id that the server gave it', async () => {
  const {actors} = createChatActors({records: [record('a', {id: 'named'})]})
  await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe('success'))
  const {chat} = createChat(actors)
  const making: Making = {text: (id) => id, english: () => undefined, go: () => undefined}
  const {entries} = conversationGroup(making, {chat, conversations: actors.conversations, served: []})
  expect(entries.map(({id}) => id)).toEqual(['chat/named'])
})

test('the palette has the models that can be used; one of another group leads to a new chat of it', async () => {
  const {actors} = createChatActors()
  await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe('success'))
  const {chat} = createChat(actors)
  const go = vi.fn()
  const making: Making = {text: (id) => id, english: () => undefined, go}
  const {entries} = modelGroup(making, tools, {
    ...{chat, conversations: actors.conversations, served: []},
    current: 'chatgpt',
  })
  expect(entries.map(({words, note}) => [words, note])).toEqual(
    expect.arrayContaining([
      ['gpt-5-all', 'ChatGPT'],
      ['deepseek-r1', 'DeepSeek'],
      ['grok-4', 'Grok'],
    ]),
  )
  void entries.find(({words}) => words === 'grok-4')?.run()
  expect(go).toHaveBeenCalledWith(chat.navigation.href({group: 'grok', conversation: undefined}))
})

test('a model that cannot be used is in the palette with the reason', async () => {
  const {actors} = createChatActors()
  await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe('success'))
  const {chat} = createChat(actors)
  const making: Making = {text: (id) => id, english: () => undefined, go: () => undefined}
  const {entries} = modelGroup(making, tools, {
    ...{chat, conversations: actors.conversations, current: 'chatgpt'},
    served: [
      {name: 'sandbox-chatgpt', group: 'chatgpt', provider: 'sandbox'},
      {name: 'gpt-5', group: 'chatgpt', provider: 'openai', disabled: 'not_configured'},
    ],
  })
  const reasons = Object.fromEntries(entries.map(({id, unavailable}) => [id, unavailable]))
  expect(reasons).toMatchObject({
    'model/chatgpt/sandbox-chatgpt': undefined,
    'model/chatgpt/gpt-5': 'chat.notConfigured',
    'model/chatgpt/gpt-4o': 'chat.notServed',
  })
})
