import {NEVER, Subject} from 'rxjs'
import {expect, test, vi} from 'vitest'
import {createActor, fromEventObservable, fromPromise, SimulatedClock} from 'xstate'
import type {AnswerInput} from '#domain/answer.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {lostContact} from '#domain/failure.ts'
import type {PersistedState} from '#domain/persisted-state.ts'
import {claimFor, leaveFavourites} from '#domain/state-owner.ts'
import {selectColumns} from '#machines/compare/compare.machine.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectConversation, selectItems, selectUnread} from '#machines/conversation-list/conversation-list.selectors.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
  type ConversationPageInput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {AnswerStreamEvent} from '#machines/conversation/conversation.types.ts'
import {createCompareLogic, namesIn} from '#app/chat/compare.ts'
import {createAnswerTimes, createColumnScrolls, keep, keptOf} from '#app/chat/kept-comparison.ts'
import {startEnvironment} from './machines/environment-fixture.ts'
import {nobody} from './machines/nobody.ts'
import {eventually} from './eventually.ts'

/** A list whose answers are streams in the hands of the test, by model. */
function openList(restored: ConversationRecord[] = [], stored: ConversationRecord[] = []) {
  const streams = new Map<string, Subject<AnswerStreamEvent>>()
  const asked: string[] = []
  const stopped: string[] = []
  const environment = startEnvironment()
  const list = createActor(
    conversationListMachine.provide({
      actors: {
        pages: conversationPagesMachine.provide({
          actors: {
            getConversations: fromPromise<ConversationPage, ConversationPageInput>(async () => ({records: []})),
          },
        }),
        finding: findingMachine.provide({
          actors: {
            findConversation: fromPromise<ConversationRecord, {key: string}>(async ({input: {key}}) => {
              const found = stored.find(({id}) => id === key)
              if (found === undefined) throw Object.assign(new Error('foo'), {code: 'not_found', status: 404})
              return found
            }),
          },
        }),
        conversation: conversationMachine.provide({
          actors: {
            answerStream: fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}) => {
              asked.push(`${input.model}: ${input.exchange.question}`)
              const stream = new Subject<AnswerStreamEvent>()
              streams.set(input.model, stream)
              return stream
            }),
            stopAnswer: fromPromise(async ({input}) => {
              stopped.push(input.conversation)
              return {state: 'failed' as const}
            }),
          },
        }),
      },
    }),
    {
      clock: new SimulatedClock(),
      input: {userId: 'u-1', environment, parentRef: nobody, restored},
    },
  ).start()
  list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']})
  const answer = (model: string, end?: AnswerStreamEvent, message = `m-${model}`) => {
    const stream = streams.get(model)
    const named = {conversation: `c-${model}`, message, attempt: 1}
    stream?.next({type: 'answer.started', ...named})
    stream?.next({type: 'answer.received', ...named, from: 1, seq: 1, text: `answer of ${model}`})
    if (end !== undefined) stream?.next(end)
  }
  /** A further piece of the answer that `answer` began. */
  const write = (model: string, seq: number) => {
    const named = {conversation: `c-${model}`, message: `m-${model}`, attempt: 1}
    streams.get(model)?.next({type: 'answer.received', ...named, from: seq, seq, text: 'foo'})
  }
  const fail = (model: string, code: string) =>
    streams.get(model)?.next({type: 'answer.failed', failure: {code, detail: '', status: 402}, outcome: 'refused'})
  const loseNetwork = (model: string) => {
    environment.send({type: 'connection.lost'})
    streams.get(model)?.next({type: 'answer.failed', failure: lostContact('offline'), outcome: 'interrupted'})
  }
  return {list, asked, stopped, answer, write, fail, loseNetwork}
}

/** The state that the browser keeps of a user. */
function openState() {
  let slices: PersistedState = {owner: 'ada'}
  return {
    read: () => slices,
    save: (next: Partial<PersistedState>) => void (slices = {...slices, ...next}),
    flush: () => true,
  }
}

function openPage(
  list: ReturnType<typeof openList>['list'],
  names: string[] = [],
  now = Date.now,
  times = createAnswerTimes(openState()),
) {
  const showNames = vi.fn()
  const logic = createCompareLogic(list, {addresses: NEVER, showNames, times, now, log: vi.fn()})
  const page = createActor(logic, {input: {names, models: []}}).start()
  const phases = () => selectColumns(page.getSnapshot()).map(({phase}) => phase)
  return {page, showNames, shows: (...expected: string[]) => eventually(() => expect(phases()).toEqual(expected))}
}

const question = {question: 'foo', references: [], at: 100}
const columns = ['one', 'two', 'three'].map((model) => ({name: `k-${model}`, model, key: `q-${model}`}))
const done = {type: 'answer.completed'} as const

test('how long an answer took is told by the clock that its question was stamped with', async () => {
  const {list, answer} = openList()
  const {page, shows} = openPage(list, [], () => question.at * 1_000 + 3_500)
  page.send({type: 'comparison.begin', columns: columns.slice(0, 2), ...question})
  await shows('waiting', 'waiting')
  answer('one', done)
  await shows('finished', 'waiting')
  expect(selectColumns(page.getSnapshot()).map(({took}) => took)).toEqual([3_500, undefined])
})

test('a comparison that is opened again has the times of its answers, and none for a later answer', async () => {
  const {list, answer} = openList()
  const times = createAnswerTimes(openState())
  const now = () => question.at * 1_000 + 3_500
  const tookOf = ({page}: ReturnType<typeof openPage>) => selectColumns(page.getSnapshot()).map(({took}) => took)
  const first = openPage(list, [], now, times)
  first.page.send({type: 'comparison.begin', columns: columns.slice(0, 2), ...question})
  await first.shows('waiting', 'waiting')
  answer('one', done)
  answer('two', done)
  await first.shows('finished', 'finished')
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

test('the last comparison is remembered until its user signs out', () => {
  const state = openState()
  expect(keptOf(state)).toEqual({models: [], last: []})
  keep(state, {models: ['one', 'two']})
  keep(state, {last: ['c-1', 'c-2']})
  expect(keptOf(state)).toEqual({models: ['one', 'two'], last: ['c-1', 'c-2']})
  const left = JSON.stringify(leaveFavourites(state.read()))
  expect(left).not.toContain('c-1')
  state.save(claimFor(state.read(), 'eve'))
  expect(keptOf(state)).toEqual({models: [], last: []})
})
