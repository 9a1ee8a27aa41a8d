import {act, screen} from '@testing-library/react'
import type {ConversationRecord} from '#domain/conversation.ts'
import {ConversationPanel} from '#features/chat/conversation-panel.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors, now, record} from './chat-fixture.tsx'

export const location = {group: 'chatgpt', conversation: undefined} as const

export const groups = ['chatgpt'] as const

export const link = (title: string) => screen.findByRole('link', {name: title})

export const focus = async (title: string) => {
  const found = await link(title)
  act(() => found.focus())
}

export const titles = () => screen.getAllByRole('link', {name: /^title/}).map(({textContent}) => textContent)

export async function showRows(
  labels: Record<string, string[]> = {},
  given: Record<string, Partial<ConversationRecord>> = {},
  refusal: () => object | undefined = () => undefined,
) {
  const records = ['a', 'b', 'c'].map((key, index) =>
    record(key, {updatedAt: now - index, labels: labels[key] ?? [], ...given[key]}),
  )
  const created = createChatActors({records, refusal})
  const {chat, notices} = createChat(created.actors)
  renderView(
    <InChat chat={chat}>
      <ConversationPanel location={location} groups={groups} />
    </InChat>,
  )
  await link('title a')
  /** A question in another tab, which puts its conversation first. */
  const askIn = (key: string) => {
    act(() => created.actors.conversations.send({type: 'conversation.open', key}))
    const actor = created.actors.conversations.getSnapshot().children[`conversation/${key}`]
    act(() => actor?.send({type: 'prompt.submit', question: 'foo', references: [], key: 'k', at: now + 60}))
  }
  return {...created, chat, notices, records, askIn}
}
