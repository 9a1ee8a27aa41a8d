import {act, fireEvent, render, screen} from '@testing-library/react'
import {expect, test} from 'vitest'
import '#features/chat/markdown/framed-image.tsx'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import {MediaPolicyContext} from '#features/chat/markdown/media-origins.ts'
import {TextProvider} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors} from './chat-fixture.tsx'

const policy = {pageOrigin: 'https://atrium.example', ownFiles: [], foreignImages: 'framed'} as const

/** Shows an answer with one foreign image; its frames report as the test says. */
function showAnswer(id: string) {
  const {unmount} = render(
    <TextProvider>
      <MediaPolicyContext value={policy}>
        <Markdown id={id} text="![A boat](https://foo.example/boat.png)" />
      </MediaPolicyContext>
    </TextProvider>,
  )
  return {unmount}
}

const offer = () => screen.queryByRole('button', {name: /^Load from/})
const frame = () => screen.findByTitle<HTMLIFrameElement>('A boat')
const box = async () => (await frame()).parentElement

type Fact = {type: 'image.asked' | 'image.failed'} | {type: 'image.loaded'; width: number; height: number}

/**
 * The frame on screen reports these facts, in this order; frames load nothing in this document and have no window of
 * their own.
 */
async function report(...facts: Fact[]) {
  // as: the frame's window is compared, and takes the address
  const source = {postMessage: () => {}} as unknown as Window
  Object.defineProperty(await frame(), 'contentWindow', {value: source})
  await act(async () => {
    for (const data of facts) window.dispatchEvent(new MessageEvent('message', {data, source, origin: 'null'}))
  })
}
const asked = {type: 'image.asked'} as const
const failed = {type: 'image.failed'} as const
const loaded = {type: 'image.loaded', width: 88, height: 31} as const

async function press() {
  const key = offer()
  if (key === null) throw new Error('No image is offered')
  await act(async () => void fireEvent.click(key))
}

test('an image that was shown comes back by itself, in its own box', async () => {
  const first = showAnswer('shown')
  await press()
  await report(asked, loaded)
  first.unmount()
  showAnswer('shown')
  expect(offer()).toBeNull()
  expect((await box())?.style.inlineSize).toBe('88px')
})

test('one that fails on its return says so in no box of the image', async () => {
  const first = showAnswer('narrow')
  await press()
  await report(asked, loaded)
  first.unmount()
  showAnswer('narrow')
  expect((await box())?.style.inlineSize).toBe('88px')
  await report(asked, failed)
  const failure = screen.getByText("This image can't be shown here.").parentElement
  expect(failure?.getAttribute('style') ?? '').toBe('')
  expect(screen.getByRole('button', {name: 'Retry'})).toBeVisible()
})

test('one that failed on its return waits for a press at its next one', async () => {
  const first = showAnswer('failed')
  await press()
  await report(asked, loaded)
  first.unmount()
  const second = showAnswer('failed')
  await report(asked, failed)
  second.unmount()
  showAnswer('failed')
  expect(screen.queryByTitle('A boat')).toBeNull()
  expect(offer()).toBeVisible()
})

test('one that a retry shows after all comes back by itself again', async () => {
  const first = showAnswer('retried')
  await press()
  await report(asked, failed)
  fireEvent.click(screen.getByRole('button', {name: 'Retry'}))
  await report(asked, loaded)
  first.unmount()
  showAnswer('retried')
  expect((await box())?.style.inlineSize).toBe('88px')
})

test('a press counts in its session: after a sign-in the same message waits for one again', async () => {
  const sessions = [createChatActors(), createChatActors()].map(({actors}) => ({
    ...createChat(actors).chat,
    media: policy,
  }))
  const shown = sessions.map((chat) => (
    <InChat key={chat.newKey()} chat={chat}>
      <Markdown id="signed-out" text="![A boat](https://foo.example/boat.png)" />
    </InChat>
  ))
  const view = render(<TextProvider>{shown[0]}</TextProvider>)
  await press()
  await report(asked, loaded)
  view.unmount()
  const next = render(<TextProvider>{shown[1]}</TextProvider>)
  expect(screen.queryByTitle('A boat')).toBeNull()
  expect(offer()).toBeVisible()
  next.unmount()
  render(<TextProvider>{shown[0]}</TextProvider>)
  expect((await box())?.style.inlineSize).toBe('88px')
})

test('an image of our own holds its earlier room until it has come back', () => {
  const text = '![A boat](https://hub.example/files/boat.png)'
  const {chat} = createChat(createChatActors().actors)
  const show = () =>
    render(
      <TextProvider>
        <InChat chat={chat}>
          <Markdown id="own" text={text} />
        </InChat>
      </TextProvider>,
    )
  const image = () => screen.getByRole('img', {name: 'A boat'})
  const first = show()
  expect(image().getAttribute('style') ?? '').toBe('')
  Object.defineProperties(image(), {offsetWidth: {value: 88}, offsetHeight: {value: 31}})
  fireEvent.load(image())
  first.unmount()
  show()
  expect(image().style.inlineSize).toBe('88px')
  expect(image().style.blockSize).toBe('31px')
  fireEvent.load(image())
  expect(image().getAttribute('style') ?? '').toBe('')
})
