import {waitFor} from '@testing-library/react'
import {expect, test} from 'vitest'
import {conversationGroup} from '#app/commands/user-commands.tsx'
import type {Making} from '#app/commands/page-commands.tsx'
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
