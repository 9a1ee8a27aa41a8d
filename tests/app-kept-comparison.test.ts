import {expect, test, vi} from 'vitest'
import {createAnswerTimes, createColumnScrolls, keep, keptOf} from '#app/chat/kept-comparison.ts'
import {createStateStorage} from '#browser/storage.ts'
import {boundState, foreignParts, isOfBrowser, shrinkState, validateState} from '#domain/persisted-state.ts'
import {claimFor, leaveFavourites} from '#domain/state-owner.ts'
import {selectColumns} from '#machines/compare/compare.machine.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {columns, done, openList, openPage, question} from './app-compare-fixture.ts'
import {createFakeStorage} from './browser/fake-storage.ts'
import {eventually} from './eventually.ts'
import {stopAfterTest} from './stop-after-test.ts'

/** The state that a tab of the browser keeps of a user. */
function openState({storage} = createFakeStorage()) {
  const state = createStateStorage({
    storage,
    // as: the store listens to two events of a window and its document, and these are
    view: Object.assign(new EventTarget(), {document: new EventTarget()}) as unknown as Window,
    rules: {validate: validateState, bound: boundState, shrink: shrinkState, foreign: foreignParts, isOfBrowser},
    now: () => 1_000,
    log: () => undefined,
  })
  state.save({owner: 'ada'})
  state.flush()
  stopAfterTest({stop: () => state.close()})
  return state
}

const now = () => question.at * 1_000 + 3_500
const tookOf = ({page}: ReturnType<typeof openPage>) => selectColumns(page.getSnapshot()).map(({took}) => took)

/** A comparison of two models that have answered; `state` keeps the times of their answers. */
async function openAnswered(state: ReturnType<typeof openState>) {
  const {list, answer} = openList()
  const times = createAnswerTimes(state)
  const first = openPage(list, [], now, times)
  first.page.send({type: 'comparison.begin', columns: columns.slice(0, 2), ...question})
  await first.shows('waiting', 'waiting')
  answer('one', done)
  answer('two', done)
  await first.shows('finished', 'finished')
  return {list, answer, times, first}
}

test('what is kept leaves what was kept a moment before, here and in another tab', () => {
  const browser = createFakeStorage()
  const [state, other] = [openState(browser), openState(browser)]
  const time = {name: 'c-1', answer: 'm-1', took: 3_500}
  createAnswerTimes(state).keep([time])
  createColumnScrolls(state).keep(['c-1', 'c-2'], 1)
  keep(other, {models: ['one', 'two']})
  keep(state, {last: ['c-1', 'c-2']})
  createAnswerTimes(other).keep([{...time, name: 'c-2'}])
  state.close()
  other.close()
  expect(keptOf(openState(browser))).toEqual({
    models: ['one', 'two'],
    last: ['c-1', 'c-2'],
    times: [time, {...time, name: 'c-2'}],
    scrolls: [{comparison: 'c-1\nc-2', columns: 1}],
  })
})

test('a comparison that is opened again has the times of its answers, and none for a later answer', async () => {
  const {list, answer, times, first} = await openAnswered(openState())
  first.page.stop()

  const again = openPage(list, ['c-one', 'c-two'], now, times)
  await again.shows('finished', 'finished')
  expect(tookOf(again)).toEqual([3_500, 3_500])
  again.page.stop()

  // its user goes on with one of them
  list.send({type: 'conversation.open', key: 'c-two', beside: []})
  const ask = {question: 'bar', references: [], key: 'q-next', at: 200}
  selectConversation(list.getSnapshot(), 'c-two')?.send({type: 'prompt.submit', ...ask})
  answer('two', done, 'm-next')
  const last = openPage(list, ['c-one', 'c-two'], now, times)
  await last.shows('finished', 'finished')
  expect(tookOf(last)).toEqual([3_500, undefined])
  last.page.stop()
  list.stop()
})

test('a later answer that was not seen to run has no time, and leaves that of the earlier one', async () => {
  const state = openState()
  const {list, first} = await openAnswered(state)
  const keptTimes = keptOf(state).times
  expect(keptTimes?.map(({answer: mark}) => mark)).toEqual(['m-one', 'm-two'])

  // answered in another tab
  const conversation = selectConversation(list.getSnapshot(), 'c-two')
  const {messages} = conversation?.getSnapshot().context ?? {messages: []}
  const later = [
    {role: 'user', content: 'bar', id: 'm-3'} as const,
    {role: 'assistant', content: 'baz', id: 'm-4'} as const,
  ]
  conversation?.send({type: 'path.show', message: 'm-4', messages: [...messages, ...later]})
  await eventually(() => expect(tookOf(first)).toEqual([3_500, undefined]))
  expect(keptOf(state).times).toEqual(keptTimes)
  first.page.stop()
  list.stop()
})

test('the state of the browser is not read whenever a column writes', async () => {
  const {list, answer, write} = openList()
  const state = openState()
  const read = vi.spyOn(state, 'read')
  const {page, shows} = openPage(list, [], Date.now, createAnswerTimes(state))
  page.send({type: 'comparison.begin', columns: columns.slice(0, 2), ...question})
  await shows('waiting', 'waiting')
  answer('one', done)
  answer('two')
  await shows('finished', 'writing')
  read.mockClear()
  const changes = vi.fn()
  selectConversation(list.getSnapshot(), 'c-two')?.subscribe(changes)
  write('two', 2)
  await eventually(() => expect(changes).toHaveBeenCalled())
  await Promise.resolve()
  expect(read).not.toHaveBeenCalled()
  page.stop()
  list.stop()
})

test('a comparison whose conversations get their ids one by one has one scroll', () => {
  const state = openState()
  const scrolls = createColumnScrolls(state)
  scrolls.keep(['k-1', 'k-2'], 1)
  scrolls.rename(['k-1', 'k-2'], ['c-1', 'k-2'])
  scrolls.keep(['c-1', 'k-2'], 2)
  scrolls.rename(['c-1', 'k-2'], ['c-1', 'c-2'])
  expect(keptOf(state).scrolls).toEqual([{comparison: 'c-1\nc-2', columns: 2}])
  // opened again by an address of then
  scrolls.rename(['k-1', 'k-2'], ['c-1', 'c-2'])
  scrolls.rename(['c-1', 'c-2'], ['c-1', 'c-2'])
  expect(scrolls.read(['c-1', 'c-2'])).toBe(2)
})

test('the columns of a comparison are remembered where they stood, until their user signs out', () => {
  const state = openState()
  const scrolls = createColumnScrolls(state)
  const [one, other] = [
    ['c-1', 'c-2'],
    ['c-1', 'c-3'],
  ]
  expect(scrolls.read(one)).toBeUndefined()
  scrolls.keep(one, 1)
  scrolls.keep(other, 0.5)
  scrolls.keep(one, 2)
  expect([scrolls.read(one), scrolls.read(other)]).toEqual([2, 0.5])
  for (const index of Array.from({length: 40}).keys()) scrolls.keep([`c-${index}`], 0)
  expect([scrolls.read(one), scrolls.read(['c-39'])]).toEqual([undefined, 0])
  expect(JSON.stringify(leaveFavourites(state.read()))).not.toContain('c-39')
})

test('a page that goes because its user signs out leaves no scroll behind', () => {
  const state = openState()
  const scrolls = createColumnScrolls(state)
  state.endSession()
  scrolls.keep(['c-1', 'c-2'], 1)
  expect(JSON.stringify(state.read())).not.toContain('c-1')
})

test('the last comparison is remembered until its user signs out', () => {
  const state = openState()
  expect(keptOf(state)).toEqual({models: [], last: []})
  keep(state, {models: ['one', 'two']})
  keep(state, {last: ['c-1', 'c-2']})
  expect(keptOf(state)).toEqual({models: ['one', 'two'], last: ['c-1', 'c-2']})
  const left = JSON.stringify(leaveFavourites(state.read()))
  expect(left).not.toContain('c-1')
  state.save(claimFor(state.read(), 'eve'))
  state.flush()
  expect(keptOf(state)).toEqual({models: [], last: []})
})
