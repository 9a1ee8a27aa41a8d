import {act, screen} from '@testing-library/react'
import {afterEach, expect, test, vi} from 'vitest'
import {MessageTime} from '#features/chat/message-actions.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors, now} from './chat-fixture.tsx'
import {showRows} from './rows-fixture.tsx'

afterEach(() => vi.useRealTimers())

test('a time of today gets its day at midnight', () => {
  const evening = new Date(2026, 2, 11, 23, 59)
  vi.useFakeTimers({now: evening})
  renderView(<MessageTime at={evening.getTime() / 1_000} />)
  const time = screen.getByRole('time')
  expect(time.textContent).not.toContain('2026')
  act(() => void vi.advanceTimersByTime(60_000))
  expect(time.textContent).toContain('2026')
})

test('a message has the day of the list on a device whose clock is a day ahead, once the server has answered', () => {
  vi.useFakeTimers({now: (now + 86_400) * 1_000})
  const {actors} = createChatActors()
  const {chat} = createChat(actors)
  const serverNow = {now: () => Date.now() / 1_000}
  Object.assign(chat, {now: () => serverNow.now()})
  renderView(
    <InChat chat={chat}>
      <MessageTime at={now - 60} />
    </InChat>,
  )
  const time = screen.getByRole('time')
  expect(time.textContent).toContain('2026')
  serverNow.now = () => now
  act(() => actors.conversations.send({type: 'conversations.changed', changes: [{key: 'foo', title: 'Foo'}]}))
  expect(time.textContent).not.toContain('2026')
  serverNow.now = () => now + 43_200
  act(() => void vi.advanceTimersByTime(43_200_000))
  expect(time.textContent).toContain('2026')
})

test('the list calls today’s conversations yesterday’s once the page is shown on the next day', async () => {
  const {chat} = await showRows()
  expect(screen.getByRole('heading', {name: 'Today'})).toBeVisible()
  Object.assign(chat, {now: () => now + 86_400})
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(screen.getByRole('heading', {name: 'Yesterday'})).toBeVisible()
  expect(screen.queryByRole('heading', {name: 'Today'})).toBeNull()
})
