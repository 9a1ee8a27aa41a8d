import {expect, test} from 'vitest'
import {filterNow, movedFilter, type ListFilter} from '#features/chat/list/labels.ts'

const work: ListFilter = {show: 'label', label: 'work'}
const nameOf = (filter: ListFilter) => (filter.show === 'label' ? filter.label : filter.show)

test('two new names that are taken back one after the other lead to the first', () => {
  const job = movedFilter(work, {label: 'work', to: 'job', labels: ['work']})
  const task = movedFilter(job, {label: 'job', to: 'task', labels: ['job']})
  expect([['task'], ['job'], ['work']].map((labels) => nameOf(filterNow(task, labels)))).toEqual([
    'task',
    'job',
    'work',
  ])
})

test('a label that became one with another one leads to its own again, though the other one stays', () => {
  const home = movedFilter(work, {label: 'work', to: 'home', labels: ['work', 'home']})
  expect([['home'], ['home', 'work']].map((labels) => nameOf(filterNow(home, labels)))).toEqual(['home', 'work'])
})

test('a new label with the old name does not take the filter along', () => {
  const job = movedFilter(work, {label: 'work', to: 'job', labels: ['work']})
  expect(nameOf(filterNow(job, ['job', 'work']))).toBe('job')
})

test('a deleted label is no filter, and other labels leave it alone', () => {
  expect(movedFilter(work, {label: 'work', to: undefined, labels: ['work']})).toEqual({show: 'all'})
  expect(movedFilter(work, {label: 'home', to: 'job', labels: ['home', 'work']})).toBe(work)
})
