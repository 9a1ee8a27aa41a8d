import {render, screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type {StatelyInspectionEvent} from '@stately/inspect'
import {expect, test, vi} from 'vitest'
import {emptyInspection, inspect} from '#app/inspector/inspection-store.ts'
import {InspectorView} from '#app/inspector/inspector-view.tsx'

const definition = JSON.stringify({
  id: 'foo',
  initial: 'idle',
  states: {idle: {on: {'foo.start': 'running'}}, running: {}},
})
const base = {_version: '0', createdAt: '0', id: '', rootId: 'a'}
// as: what the view reads of the library's events
const story = [
  {
    ...base,
    type: '@xstate.actor',
    sessionId: 'a',
    name: 'app',
    definition,
    snapshot: {status: 'active', value: 'idle', context: {count: 1}},
  },
  {
    ...base,
    type: '@xstate.actor',
    sessionId: 'b',
    parentId: 'a',
    name: 'load',
    snapshot: {status: 'done', output: 'bar'},
  },
  {...base, type: '@xstate.event', sessionId: 'a', sourceId: 'b', event: {type: 'foo.start', by: 'me'}},
  {
    ...base,
    type: '@xstate.snapshot',
    sessionId: 'a',
    event: {type: 'foo.start'},
    snapshot: {status: 'active', value: 'running', context: {count: 2}},
  },
  {...base, type: '@xstate.event', sessionId: 'b', event: {type: 'xstate.init'}},
] as unknown as StatelyInspectionEvent[]

const setUp = (events = story) => {
  const onPause = vi.fn()
  const onClear = vi.fn()
  const inspection = events.reduce(inspect, emptyInspection)
  render(<InspectorView inspection={inspection} isPaused={false} onPause={onPause} onClear={onClear} />)
  return {onPause, onClear, user: userEvent.setup(), events: screen.getByRole('complementary', {name: 'Events'})}
}
const active = () => Array.from(document.querySelectorAll('[aria-current="true"] > h3'), ({textContent}) => textContent)
const eventTypes = (events: HTMLElement) =>
  within(events)
    .queryAllByRole('listitem')
    .map((item) => item.querySelector('b')?.textContent)

test('without actors it says where they come from', () => {
  setUp([])
  expect(screen.getByText(/No actors yet/)).toBeTruthy()
})

test('the root is shown with the state it is in, and the transition it took', () => {
  setUp()
  expect(screen.getByRole('heading', {level: 2}).textContent).toBe('app')
  expect(active()).toEqual(['foo', 'running'])
  expect(document.querySelector('[data-taken="true"]')?.textContent).toBe('foo.start → running')
  expect(screen.getByText(/"count": 2/)).toBeTruthy()
})

test('an actor that is no machine shows its data', async () => {
  const {user} = setUp()
  await user.click(within(screen.getByRole('navigation')).getByRole('button', {name: /load/}))
  expect(screen.getByText(/This actor is no machine/)).toBeTruthy()
  expect(screen.getByText('"bar"')).toBeTruthy()
})

test('an event shows the actor as it was after it, and what changed', async () => {
  const {user, events} = setUp([
    ...story,
    {
      ...base,
      type: '@xstate.snapshot',
      sessionId: 'a',
      event: {type: 'other'},
      snapshot: {status: 'active', value: 'idle', context: {count: 3}},
    } as unknown as StatelyInspectionEvent, // see story
  ])
  expect(active()).toEqual(['foo', 'idle'])
  await user.click(within(events).getByRole('button', {name: /foo\.start/}))
  expect(active()).toEqual(['foo', 'running'])
  expect(screen.getByText('Changed: count')).toBeTruthy()
  expect(screen.getByText(/"by": "me"/)).toBeTruthy()
  await user.click(screen.getByRole('button', {name: /back to now/}))
  expect(active()).toEqual(['foo', 'idle'])
})

test('events, the newest first, can be filtered by words and by actor', async () => {
  const {user, events} = setUp()
  expect(eventTypes(events)).toEqual(['xstate.init', 'foo.start'])
  await user.type(screen.getByRole('searchbox'), 'START')
  expect(eventTypes(events)).toEqual(['foo.start'])
  await user.clear(screen.getByRole('searchbox'))
  await user.click(screen.getByRole('checkbox'))
  expect(eventTypes(events)).toEqual(['foo.start'])
})

test('pause and clear', async () => {
  const {user, onPause, onClear} = setUp()
  await user.click(screen.getByRole('button', {name: 'Pause'}))
  await user.click(screen.getByRole('button', {name: 'Clear'}))
  expect([onPause.mock.calls, onClear.mock.calls.length]).toEqual([[[true]], 1])
})
