import {screen} from '@testing-library/react'
import {flushSync} from 'react-dom'
import {createRoot} from 'react-dom/client'
import {expect, test, vi} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import {SharedThread} from '#features/chat/shared-thread.tsx'
import {
  sharedConversationMachine,
  type SharedReading,
} from '#machines/shared-conversation/shared-conversation.machine.ts'
import {TextProvider} from '#tests/ui/render.tsx'

const count = 200

/** The page of a shared conversation with more messages than a screen has. */
async function openLong() {
  const messages = Array.from({length: count}, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `message ${index}`,
  }))
  const reading: SharedReading = {
    conversation: {messages, updated_at: '2026-11-27T10:00:00Z'},
    site: undefined,
  }
  const actor = createActor(
    sharedConversationMachine.provide({actors: {readShared: fromPromise(() => Promise.resolve(reading))}}),
    {input: {id: 'foo'}},
  ).start()
  const snapshot = await waitFor(actor, ({status}) => status === 'done')
  return <SharedThread snapshot={snapshot} send={actor.send} />
}

test('the beginning of a long shared conversation is shown before the rest of it, which follows', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const page = document.body.appendChild(document.createElement('div'))
  const root = createRoot(page)
  const view = <TextProvider>{await openLong()}</TextProvider>
  // the first of its renders alone
  flushSync(() => root.render(view))
  const articles = page.querySelectorAll('article')
  expect(articles[0]?.textContent).toContain('message 0')
  expect(articles.length).toBeLessThan(count / 2)
  expect(await screen.findByText(`message ${count - 1}`, undefined, {timeout: 20_000})).toBeVisible()
  expect(page.querySelectorAll('article')).toHaveLength(count)
  root.unmount()
  page.remove()
})
