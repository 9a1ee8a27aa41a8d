import {expect, test} from 'vitest'
import type {ConversationRecord} from '#domain/conversation.ts'
import {selectColumns} from '#machines/compare/compare.machine.ts'
import {selectItems, selectUnread} from '#machines/conversation-list/conversation-list.selectors.ts'
import {namesIn} from '#app/chat/compare.ts'
import {columns, done, openList, openPage, question} from './app-compare-fixture.ts'

test('how long an answer took is told by the clock that its question was stamped with', async () => {
  const {list, answer} = openList()
  const {page, shows} = openPage(list, [], () => question.at * 1_000 + 3_500)
  page.send({type: 'comparison.begin', columns: columns.slice(0, 2), ...question})
  await shows('waiting', 'waiting')
  answer('one', done)
  await shows('finished', 'waiting')
  expect(selectColumns(page.getSnapshot()).map(({took}) => took)).toEqual([3_500, undefined])
})

test('each model is asked in a conversation of its own; one is stopped, one refused, and the third answers', async () => {
  const {list, asked, stopped, answer, fail} = openList()
  const {page, shows, showNames} = openPage(list)
  page.send({type: 'comparison.begin', columns, ...question})
  expect(asked).toEqual(['one: foo', 'two: foo', 'three: foo'])
  await shows('waiting', 'waiting', 'waiting')
  answer('one')
  answer('three')
  await shows('writing', 'waiting', 'writing')
  page.send({type: 'column.stop', name: 'k-one'})
  fail('two', 'forbidden')
  await shows('stopped', 'refused', 'writing')
  expect(stopped).toEqual(['c-one'])
  answer('three', done)
  await shows('stopped', 'refused', 'finished')
  // all of them are in the list, and none is unread: they are on screen
  expect(
    selectItems(list.getSnapshot())
      .map(({model}) => model)
      .toSorted(),
  ).toEqual(['one', 'three', 'two'])
  expect(selectUnread(list.getSnapshot())).toEqual([])
  expect(showNames.mock.calls.at(-1)).toEqual([['c-one', 'k-two', 'c-three']])

  page.send({type: 'column.retry', name: 'k-two', key: 'q-again', at: 101})
  await shows('stopped', 'waiting', 'finished')
  expect(asked.slice(3)).toEqual(['two: foo'])
  page.stop()
  list.stop()
})

test('a column whose question waits for the network says so, and not that its answer is looked for', async () => {
  const {list, answer, loseNetwork} = openList()
  const {page, shows} = openPage(list)
  page.send({type: 'comparison.begin', columns: columns.slice(0, 2), ...question})
  answer('one')
  await shows('writing', 'waiting')
  loseNetwork('one')
  loseNetwork('two')
  await shows('reconnecting', 'unsent')
  page.stop()
  list.stop()
})

test('one runs out of credits while the other answers; it goes on by itself when there are some', async () => {
  const {list, asked, answer, fail} = openList()
  const {page, shows} = openPage(list)
  page.send({type: 'comparison.begin', columns: columns.slice(0, 2), ...question})
  fail('one', 'used_up')
  answer('two', done)
  await shows('unpaid', 'finished')
  list.send({type: 'credits.added', at: 160, left: 1})
  await shows('waiting', 'finished')
  expect(asked).toEqual(['one: foo', 'two: foo', 'one: foo'])
  page.stop()
  list.stop()
})

test('the next question goes to those that are named, and waits where an answer runs', async () => {
  const {list, asked, answer} = openList()
  const {page, shows} = openPage(list)
  page.send({type: 'comparison.begin', columns: columns.slice(0, 2), ...question})
  answer('one', done)
  await shows('finished', 'waiting')
  const asks = ['k-one', 'k-two'].map((name) => ({name, key: `q-next-${name}`}))
  page.send({type: 'question.ask', asks, question: 'bar', references: [], at: 102})
  await shows('waiting', 'waiting')
  expect(asked.slice(2)).toEqual(['one: bar'])
  page.stop()
  list.stop()
})

test('an address that names a conversation twice shows it once', () => {
  expect(namesIn(undefined)).toEqual([])
  expect(namesIn('c-1')).toEqual(['c-1'])
  expect(namesIn(['c-1', 'c-2', 'c-1', 'c-3', 'c-4', 'c-5'])).toEqual(['c-1', 'c-2', 'c-3', 'c-4'])
})

test('a conversation that is named by its key and by its id is asked once', async () => {
  const {list, asked, answer} = openList()
  const first = openPage(list)
  first.page.send({type: 'comparison.begin', columns: columns.slice(0, 2), ...question})
  answer('one', done)
  answer('two', done)
  await first.shows('finished', 'finished')
  first.page.stop()

  const {page, shows} = openPage(list, ['k-one', 'c-one', 'c-two'])
  await shows('finished', 'finished', 'finished')
  const asks = ['k-one', 'c-one', 'c-two'].map((name) => ({name, key: `q-next-${name}`}))
  page.send({type: 'question.ask', asks, question: 'bar', references: [], at: 102})
  expect(asked.slice(2)).toEqual(['one: bar', 'two: bar'])
  answer('one', done)
  answer('two', done)
  await shows('finished', 'finished', 'finished')
  expect(asked).toHaveLength(4)
  page.stop()
  list.stop()
})

test('leaving the page stops nothing, and the address finds what ran and what only the server has', async () => {
  const elsewhere: ConversationRecord = {
    key: 'c-two',
    id: 'c-two',
    model: 'two',
    updatedAt: 5,
    messages: [
      {role: 'user', content: 'foo', id: 'm-1'},
      {role: 'assistant', content: 'bar', state: 'finished', id: 'm-2'},
    ],
  }
  const {list, answer} = openList([], [elsewhere])
  const first = openPage(list)
  first.page.send({type: 'comparison.begin', columns: columns.slice(0, 2), ...question})
  answer('one')
  await first.shows('writing', 'waiting')
  first.page.stop()
  expect(list.getSnapshot().context.shown).toEqual([])

  const {page, shows} = openPage(list, ['c-one', 'c-two', 'c-gone'])
  await shows('writing', 'opening', 'opening')
  list.send({type: 'conversations.refresh'})
  await shows('writing', 'finished', 'gone')
  answer('one', done)
  await shows('finished', 'finished', 'gone')
  page.stop()
  list.stop()
})
