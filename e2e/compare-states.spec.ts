import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {compareMachine, selectColumns, type CompareSnapshot} from '#machines/compare/compare.machine.ts'
import type {ColumnPhase} from '#machines/compare/compare.types.ts'
import {expect} from './fixtures.ts'
import {composer, deleteElsewhere, offeredModel} from './support/chat-page.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {closeModels, column, headOf, openPage, test, toggleModels} from './support/compare-page.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, refuseWith} from './support/held-route.ts'
import type {ModelServer} from './support/model-server.ts'
import {blankTab, storedState} from './support/signed-in.ts'

/* The page of a comparison shows what its machine says, over every edge of the graph generated from the machine. */

type Action =
  | 'take out'
  | 'put back'
  | 'fill'
  | 'ask'
  | 'stop first'
  | 'finish second'
  | 'retry first'
  | 'stop all'
  | 'reload'
  | 'delete both elsewhere'
  | 'new'
  | 'ask while nothing can be watched'
  | 'watch again'
  | 'open on a new device'
  | 'its list comes'
  | 'its list is refused'
  | 'load again'
type Seen = 'writing' | 'stopped' | 'finished'
type Shown =
  | 'few'
  | 'enough'
  | 'full'
  | `${Seen} ${Seen}`
  | 'gone gone'
  | 'opening opening'
  | 'unread unread'
  | 'broken'

const machine = compareMachine.provide({
  actions: {
    createColumns: () => undefined,
    stopColumns: () => undefined,
    retryColumn: () => undefined,
    showNames: () => undefined,
    keepTimes: () => undefined,
  },
})
const send = sender(machine)
const [first, second] = ['gpt-5-all', 'deepseek-v3']
const started = (names: string[]) => initialTransition(machine, {names, models: [first, second]})[0]
const toggle = (snapshot: CompareSnapshot, ...models: string[]) =>
  send(snapshot, ...models.map((model) => ({type: 'model.toggle' as const, model})))
const phasesOf = (snapshot: CompareSnapshot) => selectColumns(snapshot).map(({phase}) => phase)
/** The page reports the phases of both conversations. */
const see = (snapshot: CompareSnapshot, [a, b]: readonly (ColumnPhase | undefined)[]) =>
  send(snapshot, {
    type: 'columns.seen',
    at: 0,
    columns: [
      {name: 'a', phase: a ?? 'opening'},
      {name: 'b', phase: b ?? 'opening'},
    ],
  })

const choosing = (state: 'few' | 'enough' | 'full') => (snapshot: CompareSnapshot) =>
  snapshot.matches({choosing: state})
const firstIs = (phase: ColumnPhase) => (snapshot: CompareSnapshot) => phasesOf(snapshot)[0] === phase
const secondIs = (phase: ColumnPhase) => (snapshot: CompareSnapshot) => phasesOf(snapshot)[1] === phase
const isOneStopped = (snapshot: CompareSnapshot) => phasesOf(snapshot).join() === 'stopped,finished'
const begin = (snapshot: CompareSnapshot) =>
  send(snapshot, {
    type: 'comparison.begin',
    question: 'Foo',
    references: [],
    at: 0,
    columns: [
      {name: 'a', model: first, key: 'k1'},
      {name: 'b', model: second, key: 'k2'},
    ],
  })
const isUnread = secondIs('unread')
const isAsked = (snapshot: CompareSnapshot) => snapshot.matches('comparing')
const isBroken = (snapshot: CompareSnapshot) => snapshot.matches('broken')

const chart: Chart<CompareSnapshot, Action, Shown> = {
  start: () => started([]),
  effects: {
    'take out': where(choosing('enough'), (snapshot) => toggle(snapshot, second)),
    'put back': where(choosing('few'), (snapshot) => toggle(snapshot, second)),
    fill: where(
      (snapshot) => choosing('enough')(snapshot) || choosing('full')(snapshot),
      (snapshot) => toggle(snapshot, 'gpt-5', 'gpt-4o'),
    ),
    ask: where(choosing('enough'), (snapshot) => see(begin(snapshot), ['writing', 'writing'])),
    'ask while nothing can be watched': where(choosing('enough'), (snapshot) =>
      send(begin(snapshot), {type: 'xstate.error.actor.columns', error: 'foo'}),
    ),
    'watch again': where(isBroken, (snapshot) =>
      see(send(snapshot, {type: 'comparison.resume'}), ['writing', 'writing']),
    ),
    'stop first': where(firstIs('writing'), (snapshot) =>
      see(send(snapshot, {type: 'column.stop', name: 'a'}), ['stopped', phasesOf(snapshot)[1]]),
    ),
    'finish second': where(secondIs('writing'), (snapshot) => see(snapshot, [phasesOf(snapshot)[0], 'finished'])),
    'retry first': where(firstIs('stopped'), (snapshot) =>
      see(send(snapshot, {type: 'column.retry', name: 'a', key: 'k3', at: 0}), ['writing', phasesOf(snapshot)[1]]),
    ),
    'stop all': where(
      (snapshot) => snapshot.hasTag('answering'),
      (snapshot) =>
        see(
          send(snapshot, {type: 'columns.stop'}),
          phasesOf(snapshot).map((phase) => (phase === 'writing' ? 'stopped' : phase)),
        ),
    ),
    reload: where(
      (snapshot) => isAsked(snapshot) && !snapshot.matches({comparing: 'opening'}) && !isUnread(snapshot),
      (snapshot) => see(started(['a', 'b']), phasesOf(snapshot)),
    ),
    'delete both elsewhere': where(
      (snapshot) => snapshot.matches({comparing: 'settled'}) && !isUnread(snapshot),
      () => see(started(['a', 'b']), ['gone', 'gone']),
    ),
    'open on a new device': where(isOneStopped, () => started(['a', 'b'])),
    'its list comes': where(
      (snapshot) => snapshot.matches({comparing: 'opening'}),
      (snapshot) => see(snapshot, ['stopped', 'finished']),
    ),
    'its list is refused': where(
      (snapshot) => snapshot.matches({comparing: 'opening'}),
      (snapshot) => see(snapshot, ['unread', 'unread']),
    ),
    'load again': where(isUnread, (snapshot) => see(snapshot, ['opening', 'opening'])),
    new: where(
      (snapshot) => isAsked(snapshot) || isBroken(snapshot),
      (snapshot) => send(snapshot, {type: 'comparison.new'}),
    ),
  },
  shownBy: (snapshot) =>
    snapshot.matches('comparing')
      ? (phasesOf(snapshot).join(' ') as Shown) // as: these phases alone are seen here
      : isBroken(snapshot)
        ? 'broken'
        : snapshot.matches({choosing: 'few'})
          ? 'few'
          : snapshot.matches({choosing: 'full'})
            ? 'full'
            : 'enough',
}

type Hands = {page: Page; openai: ModelServer; deepseek: ModelServer; list: HeldRoute | undefined}
const [ofFirst, ofSecond] = ['GPT-5', 'DeepSeek V3']
const words: Record<Seen, string> = {writing: 'Answering', stopped: 'Stopped', finished: 'Answer ready'}
const columnsShow =
  (one: Seen, other: Seen) =>
  async ({page}: Hands) => {
    await expect(headOf(column(page, ofFirst))).toContainText(words[one])
    await expect(headOf(column(page, ofSecond))).toContainText(words[other])
    await expect(page.getByRole('button', {name: 'Stop all'})).toHaveCount([one, other].includes('writing') ? 1 : 0)
    for (const [model, phase] of [
      [ofFirst, one],
      [ofSecond, other],
    ] as const) {
      await expect(page.getByRole('button', {name: `${model}: Stop`})).toHaveCount(phase === 'writing' ? 1 : 0)
      await expect(page.getByRole('button', {name: `${model}: Retry`})).toHaveCount(phase === 'stopped' ? 1 : 0)
    }
  }
const choiceShows =
  (count: number, isAskable: boolean) =>
  async ({page}: Hands) => {
    await expect(page.getByText(`${count} of 4 chosen`)).toBeVisible()
    await composer(page).fill('Foo')
    await expect(page.getByRole('button', {name: 'Send'})).toBeEnabled({enabled: isAskable})
    await expect(page.getByRole('button', {name: /^Take out /})).toHaveCount(count)
    await page.getByRole('button', {name: 'Choose models'}).click()
    await expect(offeredModel(page, /^Sandbox/).first()).toHaveAttribute('aria-disabled', String(count === 4))
    await closeModels(page)
  }

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'take out': ({page}) => page.getByRole('button', {name: 'Take out DeepSeek V3'}).click(),
  'put back': ({page}) => toggleModels(page, /^DeepSeek V3/),
  fill: ({page}) => toggleModels(page, /^GPT-5 basic/, /^GPT-4o basic/),
  ask: async ({page, deepseek}) => {
    deepseek.hold(1)
    await composer(page).press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.getAll('with').length).toBe(2)
  },
  'stop first': ({page}) => page.getByRole('button', {name: 'GPT-5: Stop'}).click(),
  'finish second': ({deepseek}) => Promise.resolve(deepseek.release()),
  'retry first': ({page}) => page.getByRole('button', {name: 'GPT-5: Retry'}).click(),
  'stop all': ({page}) => page.getByRole('button', {name: 'Stop all'}).click(),
  reload: ({page}) => page.reload(),
  // the page hears of it with the next list
  'delete both elsewhere': async ({page}) => {
    for (const id of new URL(page.url()).searchParams.getAll('with')) await deleteElsewhere(page, id)
    await page.reload()
  },
  'ask while nothing can be watched': async (hands) => {
    // the names of two conversations are turned round when they are opened, and nothing else is
    await hands.page.evaluate(() => {
      const {toReversed} = Array.prototype
      Array.prototype.toReversed = function (this: unknown[]) {
        Array.prototype.toReversed = toReversed
        throw new Error('foo')
      }
    })
    hands.deepseek.hold(1)
    await composer(hands.page).press('Enter')
  },
  'watch again': ({page}) => page.getByRole('alert').getByRole('button', {name: 'Retry'}).click(),
  'open on a new device': async (hands) => {
    const address = hands.page.url()
    const context = await hands.page.context().browser()?.newContext()
    if (context === undefined) throw new Error('There is no browser')
    const {chat: _, ...state} = JSON.parse(await storedState(hands.page))
    hands.page = await blankTab(context, new URL(address).origin, {state: JSON.stringify(state)})
    hands.list = await HeldRoute.on(hands.page, '**/aichat/conversations', (request) =>
      /"(retrieve_batch|revisions|retrieve)"/.test(request.postData() ?? ''),
    )
    await hands.page.goto(address)
  },
  'its list is refused': async ({list}) => list?.let(refuseWith(403, 'forbidden')),
  'load again': async ({page, list}) => {
    list?.hold()
    await page.getByRole('main').getByRole('alert').getByRole('button', {name: 'Retry'}).click()
  },
  'its list comes': async ({list}) => list?.let(goOn),
  new: ({page}) => page.getByRole('button', {name: 'New comparison'}).click(),
}
const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  few: choiceShows(1, false),
  enough: choiceShows(2, true),
  full: choiceShows(4, true),
  'writing writing': columnsShow('writing', 'writing'),
  'writing stopped': columnsShow('writing', 'stopped'),
  'writing finished': columnsShow('writing', 'finished'),
  'stopped writing': columnsShow('stopped', 'writing'),
  'stopped stopped': columnsShow('stopped', 'stopped'),
  'stopped finished': columnsShow('stopped', 'finished'),
  'finished writing': columnsShow('finished', 'writing'),
  'finished stopped': columnsShow('finished', 'stopped'),
  'finished finished': columnsShow('finished', 'finished'),
  'opening opening': async ({page, list}) => {
    await list?.waitForOne()
    const columns = page.getByRole('region', {name: 'Model', exact: true})
    await expect(columns.getByText('Loading', {exact: true})).toHaveCount(2)
    await expect(page.getByRole('button', {name: /: (Stop|Retry)$|^Stop all$/})).toHaveCount(0)
  },
  'unread unread': async ({page}) => {
    const main = page.getByRole('main')
    await expect(main.getByRole('alert')).toContainText("Couldn't load your conversations.")
    await expect(main.getByRole('region', {name: 'Model', exact: true}).getByText('Not loaded')).toHaveCount(2)
    await expect(main.getByText(/not asked/)).toHaveCount(0)
    await composer(page).fill('Foo')
    await expect(main.getByText('2 conversations are not loaded and are not asked.')).toBeVisible()
    await composer(page).fill('')
  },
  broken: async ({page, openai, deepseek}) => {
    await expect(page.getByRole('alert')).toContainText('The states shown here are not up to date. The answers go on.')
    await expect(page.getByRole('button', {name: 'Stop all'})).toHaveCount(0)
    // the conversations go on
    await expect.poll(() => [openai.heldAnswers, deepseek.heldAnswers]).toEqual([1, 1])
  },
  'gone gone': async ({page}) => {
    const columns = page.getByRole('region', {name: 'Model', exact: true})
    await expect(columns.getByRole('heading', {name: 'Model', exact: true})).toHaveCount(2)
    for (const text of ['Deleted', 'This conversation is not here. It may have been deleted.'])
      await expect(columns.getByText(text, {exact: true})).toHaveCount(2)
    await expect(page.getByRole('button', {name: /: (Stop|Retry)$|^Stop all$/})).toHaveCount(0)
  },
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({value}) => value)).toEqual(restingStates(compareMachine))
})

test('the page shows what the machine says, over every edge', long, async ({context, groups}) => {
  const page = await openPage(context, groups, '/compare')
  groups.openai.hold(1)
  groups.deepseek.hold(1)
  await walkPage(chart, {page, openai: groups.openai, deepseek: groups.deepseek, list: undefined}, {done, expected})
})
