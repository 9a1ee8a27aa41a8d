import {expect, test} from 'vitest'
import {ownResults} from '../src/app/media/own-results.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {record} from './machines/media-fixtures.ts'

const identity = (id: string) =>
  ({id, name: id, group: 'image', service: id, serviceId: id, order: 1, inputs: []}) as const
const list = (items: TaskRecord[], more: {removing?: string[]; removed?: string[]} = {}) =>
  // as: the port reads these parts alone
  ({getSnapshot: () => ({context: {items, removing: [], removed: [], ...more}})}) as unknown as TaskListActor
const of = (lists: Record<string, TaskListActor>, stored: Record<string, TaskRecord[]>) => ({
  identities: ['flux', 'kling'].map(identity),
  tools: {list: (id: string) => lists[id], stored: async (id: string) => stored[id] ?? []},
})
const urls = async (...given: Parameters<typeof of>) => (await ownResults(of(...given), 'image')).map(({url}) => url)

test('results of tools that were not opened in this visit are found where they are stored', async () => {
  expect(
    await urls({flux: list([record('a', 'succeeded', 300)])}, {kling: [record('b', 'succeeded', 400), record('c')]}),
  ).toEqual(['/b.png', '/a.png'])
})

test('what is stored and what the list knows is one result each; what failed or runs is none', async () => {
  const stored = {flux: [record('a', 'succeeded', 100), record('b', 'running', 200), record('c', 'failed', 300)]}
  expect(await urls({flux: list([record('a', 'succeeded', 100), record('b', 'succeeded', 200)])}, stored)).toEqual([
    '/b.png',
    '/a.png',
  ])
})

test('what is being deleted is not offered', async () => {
  const lists = {flux: list([record('a', 'succeeded', 100)], {removing: ['a'], removed: ['b']})}
  expect(await urls(lists, {flux: [record('a', 'succeeded', 100), record('b', 'succeeded', 200)]})).toEqual([])
})

test('a kind has its own results, named by their prompt', async () => {
  const given = of({}, {flux: [record('a', 'succeeded')]})
  expect(await ownResults(given, 'audio')).toEqual([])
  expect(await ownResults(given, 'image')).toEqual([{url: '/a.png', previewUrl: undefined, title: 'a'}])
})
