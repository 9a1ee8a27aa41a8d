import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import {expect} from 'vitest'
import type {RecordMessage} from '#domain/conversation.ts'
import {ChatHead, HeadTools} from '#features/chat/chat-head.tsx'
import {ChatScreen} from '#features/chat/chat-screen.tsx'
// loaded beforehand, so that a busy machine does not wait for it inside a test
import '#features/chat/thread-views.ts'
import '#ui/overlays/menu-overlay.tsx'
import {renderView} from '#tests/ui/render.tsx'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import {InChat, createChat, createChatActors, record} from './chat-fixture.tsx'
import type {createFiles} from './chat-files-fixture.ts'

export async function showScreen(
  conversation: string | undefined,
  options: Parameters<typeof createChatActors>[0] = {},
  storedModel?: string,
  filesOf?: (drafts: ChatPorts['drafts']) => ReturnType<typeof createFiles>,
  given: Partial<Pick<ChatPorts, 'startVoice'>> = {},
) {
  const created = createChatActors(options)
  const ports = createChat(created.actors, {storedModel})
  const own = filesOf?.(ports.chat.drafts)
  const chat = {...ports.chat, ...(own && {files: own.files}), ...given}
  await waitFor(() => expect(created.actors.conversations.getSnapshot().value).toMatch(/success|error/))
  const screenAt = (location: string | undefined, given = chat) => (
    <InChat chat={given}>
      <ChatHead location={{group: 'chatgpt', conversation: location}} />
      <HeadTools />
      <main>
        <ChatScreen location={{group: 'chatgpt', conversation: location}} />
      </main>
    </InChat>
  )
  const view = renderView(screenAt(conversation))
  return {
    ...created,
    ...ports,
    chat,
    goTo: (location: string | undefined) => view.rerender(screenAt(location)),
    /** Shows the screen as before the session was there. */
    early: () => view.rerender(screenAt(undefined, {...chat, actors: undefined, isOpening: true})),
    endSession: () => own?.endSession(),
    breakFiles: () => own?.breakFiles(),
    knownUploads: () => own?.knownUploads(),
    /** Whether the browser would ask before the page is left. */
    asksBeforeLeaving: () => own?.asksBeforeLeaving() === true,
  }
}
export const settled = (message: Partial<RecordMessage>) =>
  record('a', {
    messages: [
      {role: 'user', content: 'foo?'},
      {role: 'assistant', content: 'bar', state: 'finished', ...message},
    ],
  })
export const ask = async (question: string) => {
  const field = await screen.findByRole('textbox', {name: 'Message'})
  fireEvent.change(field, {target: {value: question}})
  // the first question brings the thread, which suspends
  await act(async () => {
    fireEvent.keyDown(field, {key: 'Enter'})
  })
}
