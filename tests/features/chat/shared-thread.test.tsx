import {screen} from '@testing-library/react'
import {flushSync} from 'react-dom'
import {createRoot} from 'react-dom/client'
import {expect, test, vi} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import {MediaPolicyContext} from '#features/chat/markdown/media-origins.ts'
import {SharedThread} from '#features/chat/shared-thread.tsx'
import {
  sharedConversationMachine,
  type SharedReading,
} from '#machines/shared-conversation/shared-conversation.machine.ts'
import {renderView, TextProvider} from '#tests/ui/render.tsx'

const count = 200

type Messages = SharedReading['conversation']['messages']

/** More messages than a screen has. */
const long: Messages = Array.from({length: count}, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `message ${index}`,
}))

/** The page of a shared conversation. */
async function open(messages: Messages) {
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
  const view = <TextProvider>{await open(long)}</TextProvider>
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

test('an image that an answer of another app came with is shown', async () => {
  const image = {type: 'image_url' as const, image_url: 'https://hub.example/files/c.png'}
  const content = [{type: 'text' as const, text: 'Here it is.'}, image]
  const view = await open([
    {role: 'user', content: 'foo?'},
    {role: 'assistant', content},
  ])
  const policy = {pageOrigin: 'https://hub.example', ownFiles: ['https://hub.example/files/'], foreignImages: false}
  renderView(<MediaPolicyContext value={policy}>{view}</MediaPolicyContext>)
  expect(await screen.findByText('Here it is.')).toBeVisible()
  expect(screen.getByRole('img', {name: 'c.png'})).toBeVisible()
})

test('an answer of an image alone says that its image is not shared', async () => {
  renderView(
    await open([
      {role: 'user', content: 'Draw one'},
      {role: 'assistant', content: [], withheld: 1},
    ]),
  )
  const [question, answer] = screen.getAllByRole('article')
  expect(question?.textContent).not.toContain('not shared')
  expect(answer?.textContent).toContain('1 attachment is not shared')
})
