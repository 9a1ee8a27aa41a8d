import {expect, test} from 'vitest'
import type {ConversationRecord} from '#domain/conversation.ts'
import {filterNow, movedFilter, type ListFilter} from '#features/chat/list/labels.ts'

const work: ListFilter = {show: 'label', label: 'work'}
const nameOf = (filter: ListFilter) => (filter.show === 'label' ? filter.label : filter.show)
/** Conversations `0`, `1`, … with these labels. */
const records = (...labels: string[][]): ConversationRecord[] =>
  labels.map((each, key) => ({key: String(key), model: 'm', messages: [], updatedAt: 0, labels: each}))
/** Names of the filter in each of these lists. */
const namesIn = (filter: ListFilter, lists: readonly ConversationRecord[][]) =>
  lists.map((list) => nameOf(filterNow(filter, list)))

test('two new names that are taken back one after the other lead to the first', () => {
  const [works, jobs, tasks] = [records(['work']), records(['job']), records(['task'])]
  const job = movedFilter(work, {label: 'work', to: 'job', records: works})
  const task = movedFilter(job, {label: 'job', to: 'task', records: jobs})
  expect(namesIn(task, [tasks, jobs, works])).toEqual(['task', 'job', 'work'])
})

test('a label that became one with another one leads to its own again, though the other one stays', () => {
  const before = records(['work'], ['home'], ['work', 'home'])
  const home = movedFilter(work, {label: 'work', to: 'home', records: before})
  expect(namesIn(home, [records(['home'], ['home'], ['home']), before])).toEqual(['home', 'work'])
})

test('a merged label that got one more name leads to its own again when both are taken back', () => {
  const [before, merged] = [records(['work'], ['home']), records(['home'], ['home'])]
  const home = movedFilter(work, {label: 'work', to: 'home', records: before})
  const flat = movedFilter(home, {label: 'home', to: 'flat', records: merged})
  expect(namesIn(flat, [records(['flat'], ['flat']), merged, before])).toEqual(['flat', 'home', 'work'])
})

test('a new label with the old name does not take the filter along', () => {
  const job = movedFilter(work, {label: 'work', to: 'job', records: records(['work'], [])})
  expect(namesIn(job, [records(['job'], ['work']), records([], ['work'])])).toEqual(['job', 'job'])
})

test('after two labels became one, the old name on other conversations does not take the filter along', () => {
  const home = movedFilter(work, {label: 'work', to: 'home', records: records(['work'], ['home'], [])})
  const relabelled = [
    records(['home'], ['home'], ['work']),
    records(['home'], ['home', 'work'], []),
    records(['home', 'work'], ['home'], []),
  ]
  expect(namesIn(home, relabelled)).toEqual(['home', 'home', 'home'])
})

test('conversations that are gone by now do not keep a name from being taken back', () => {
  const home = movedFilter(work, {label: 'work', to: 'home', records: records(['work'], ['work'])})
  expect(namesIn(home, [records(['work']), []])).toEqual(['work', 'home'])
})

test('a deleted label is no filter, and other labels leave it alone', () => {
  const list = records(['work'], ['home'])
  expect(movedFilter(work, {label: 'work', to: undefined, records: list})).toEqual({show: 'all'})
  expect(movedFilter(work, {label: 'home', to: 'job', records: list})).toBe(work)
})
