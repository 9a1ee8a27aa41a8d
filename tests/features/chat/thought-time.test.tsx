import {act, fireEvent, screen} from '@testing-library/react'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import {renderView} from '#tests/ui/render.tsx'

beforeEach(() => void vi.useFakeTimers({toFake: ['performance', 'setInterval', 'clearInterval']}))
afterEach(() => void vi.useRealTimers())

const wait = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))
const head = () => document.querySelector('summary')?.textContent

test('a thought counts its seconds, keeps them, and is readable while it grows', () => {
  const view = renderView(<Markdown id="foo" text="<think>one" growing />)
  expect(head()).toBe('Thinking…')
  wait(3_000)
  expect(head()).toBe('Thinking… 3 sec')
  const details = document.querySelector('details')
  if (details === null) throw new Error('no thought')
  details.open = true
  fireEvent(details, new Event('toggle'))
  view.rerender(<Markdown id="foo" text={'<think>one\n\ntwo'} growing />)
  expect(screen.getByText('two')).toBeVisible()
  wait(62_000)
  expect(head()).toBe('Thinking… 1 min 5 sec')
  view.rerender(<Markdown id="foo" text={'<think>one\n\ntwo</think>\n\nbar'} growing />)
  expect(head()).toBe('Thoughts, 1 min 5 sec')
  expect(screen.getByText('two')).toBeVisible()
  wait(5_000)
  view.unmount()
  renderView(<Markdown id="foo" text={'<think>one\n\ntwo</think>\n\nbar'} />)
  expect(head()).toBe('Thoughts, 1 min 5 sec')
})

test('a thought keeps its time over a reload of the tab', () => {
  const view = renderView(<Markdown id="kept" text="<think>one" growing />)
  wait(7_000)
  view.rerender(<Markdown id="kept" text="<think>one</think>bar" growing />)
  const stored = sessionStorage.getItem('atrium.thoughts') ?? ''
  expect(JSON.parse(stored)).toEqual({'kept/0': 7})
  expect(stored).not.toContain('one')
  // another page of this tab knows nothing but what is stored
  sessionStorage.setItem('atrium.thoughts', stored.replace('kept', 'reloaded'))
  renderView(<Markdown id="reloaded" text="<think>one</think>bar" />)
  expect([...document.querySelectorAll('summary')].at(-1)?.textContent).toBe('Thoughts, 7 sec')
})

test('a time that cannot be read is none', () => {
  sessionStorage.setItem('atrium.thoughts', '{"foo')
  renderView(<Markdown id="broken" text="<think>one</think>bar" />)
  expect(head()).toBe('Thoughts')
})

test('a thought whose begin was not seen has no time, nor has one of another answer', () => {
  const view = renderView(<Markdown id="late" text={`<think>${'word '.repeat(200)}`} growing />)
  wait(3_000)
  expect(head()).toBe('Thinking…')
  view.rerender(<Markdown id="other" text="<think>foo</think>bar" />)
  expect(head()).toBe('Thoughts')
})

test('a thought that ended unseen has no time', () => {
  const view = renderView(<Markdown id="left" text="<think>one" growing />)
  wait(3_000)
  view.unmount()
  renderView(<Markdown id="left" text="<think>one</think>bar" />)
  expect(head()).toBe('Thoughts')
})

test('a thought that this tab did not see has the time that its server measured; what the tab saw comes first', () => {
  const text = '<think>one</think>bar\n\n<think>two</think>'
  renderView(<Markdown id="elsewhere" text={text} thoughtMs={65_400} />)
  expect([...document.querySelectorAll('summary')].map(({textContent}) => textContent)[0]).toBe('Thoughts, 1 min 5 sec')
  const seen = renderView(<Markdown id="seen" text="<think>one" growing />)
  wait(3_000)
  seen.rerender(<Markdown id="seen" text="<think>one</think>bar" thoughtMs={9_000} />)
  expect([...document.querySelectorAll('summary')].at(-1)?.textContent).toBe('Thoughts, 3 sec')
})
