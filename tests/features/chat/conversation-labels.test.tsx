import {act, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test} from 'vitest'
import {labelColours, withColours} from '#features/chat/list/labels.ts'
import {focus, showRows} from './rows-fixture.tsx'

test('labels have different colours as long as there are some', async () => {
  // the names alone give the first and the last of these one colour
  await showRows({a: ['a', 'b'], b: ['f'], c: ['c', 'd']})
  const colours = ['a, b', 'f', 'c, d'].flatMap((name) =>
    [...screen.getByRole('img', {name}).children].map((dot) => dot.getAttribute('style')),
  )
  expect([colours.length, new Set(colours).size]).toEqual([5, 5])
})

test('more labels than colours have one each', () => {
  const names = Array.from({length: 12}, (_, index) => `label ${index}`)
  const colours = labelColours(names, [])
  expect([...colours.keys()].toSorted()).toEqual(names.toSorted())
  expect(new Set(colours.values()).size).toBe(5)
  expect(labelColours(names.toReversed(), [])).toEqual(colours)
})

test('a label keeps its colour when a new one sorts before it, or another one goes', async () => {
  const {chat, actors} = await showRows({a: ['f']})
  const dots = (name: string) => [...screen.getByRole('img', {name}).children].map((dot) => dot.getAttribute('style'))
  const [colour] = dots('f')
  // by its name alone `a` has the colour of `f`, and sorts first
  expect(labelColours(['a'], [])).toEqual(new Map([['a', labelColours(['f'], []).get('f')]]))
  act(() => actors.conversations.send({type: 'conversations.changed', changes: [{key: 'b', labels: ['a']}]}))
  await screen.findByRole('img', {name: 'a'})
  expect(dots('f')).toEqual([colour])
  const [other] = dots('a')
  expect(other).not.toBe(colour)
  act(() => actors.conversations.send({type: 'conversations.changed', changes: [{key: 'a', labels: []}]}))
  await waitFor(() => expect(screen.queryByRole('img', {name: 'f'})).toBeNull())
  expect(dots('a')).toEqual([other])
  expect(chat.labelColours.read().map(({label}) => label)).toEqual(['f', 'a'])
})

test('a new label leaves the colour of one that is gone, until all colours are taken', () => {
  // by their names alone `a` and `f` have one colour
  const gone = withColours([], ['f'])
  const stored = withColours(gone, ['a'])
  expect(new Set(labelColours(['a', 'f'], stored).values()).size).toBe(2)
  const full = withColours([], ['a', 'b', 'c', 'd', 'f'])
  const shown = labelColours(['a', 'b', 'new'], withColours(full, ['a', 'b', 'new']))
  expect(new Set(shown.values()).size).toBe(3)
})

/** Opens the labels of the first two conversations. */
async function labelTwo() {
  const user = userEvent.setup()
  await focus('title a')
  await user.keyboard(' ')
  await user.click(screen.getByRole('checkbox', {name: 'Select title b'}))
  await user.click(await screen.findByRole('button', {name: 'Labels…'}))
  await screen.findByRole('dialog')
}

test('a label that has the name of a part of every object is no more chosen than others', async () => {
  const names = ['constructor', 'toString', '__proto__']
  const {actors} = await showRows({c: names})
  act(() => actors.conversations.send({type: 'service.changed', capabilities: ['marks']}))
  await labelTwo()
  const boxes = (isChecked: boolean) => names.map((name) => screen.getByRole('checkbox', {name, checked: isChecked}))
  const user = userEvent.setup()
  for (const box of boxes(false)) await user.click(box)
  expect(boxes(true)).toHaveLength(3)
  await user.click(screen.getByRole('button', {name: 'Save'}))
  const labels = actors.conversations.getSnapshot().context.items.find(({key}) => key === 'a')?.labels
  expect(labels?.toSorted()).toEqual(['__proto__', 'constructor', 'toString'])
})

test('the labels of several conversations close with a notice once another tab has deleted all of them', async () => {
  const {actors, notices} = await showRows()
  act(() => actors.conversations.send({type: 'service.changed', capabilities: ['marks']}))
  await labelTwo()
  act(() => actors.conversations.send({type: 'conversations.removed', keys: ['a']}))
  expect(screen.getByRole('dialog')).toBeVisible()
  expect(notices).toEqual([])
  act(() => actors.conversations.send({type: 'conversations.removed', keys: ['b']}))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(notices).toEqual(['chat.severalDeletedElsewhere'])
})

test('labels of conversations that are not listed any more close, and stay so when they are again', async () => {
  let failure: object | undefined
  const ours = {messages: [{role: 'user' as const, content: 'foo', unsent: true}]}
  const {actors, notices} = await showRows({}, {c: ours}, () => failure)
  act(() => actors.conversations.send({type: 'service.changed', capabilities: ['marks']}))
  await labelTwo()
  const boxes = () => screen.getAllByRole('checkbox', {name: /^Select/, hidden: true})
  failure = {code: 'forbidden', detail: 'foo', status: 403}
  act(() => actors.conversations.send({type: 'conversations.refresh'}))
  await waitFor(() => expect(boxes()).toHaveLength(1))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  failure = undefined
  act(() => actors.conversations.send({type: 'conversations.refresh'}))
  await waitFor(() => expect(boxes()).toHaveLength(3))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(notices).toEqual([])
})
