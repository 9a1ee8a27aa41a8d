import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {compareMachine, selectCanStopAll} from '#machines/compare/compare.machine.ts'
import type {CompareEvent} from '#machines/compare/compare.types.ts'
import {columnOf} from '#machines/compare/compare.selectors.ts'
import {columns, open, question, seen} from './compare-fixture.ts'
import {start} from './conversation-list-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'model.toggle': ['m-1', 'm-2', 'm-3', 'm-4', 'm-5'].map((model) => ({type: 'model.toggle', model}) as const),
  'comparison.begin': [
    {type: 'comparison.begin', columns, ...question},
    {type: 'comparison.begin', columns: columns.slice(1), ...question},
    {type: 'comparison.begin', columns, ...question, question: ' '},
  ],
  'question.ask': [
    {type: 'question.ask', asks: [{name: 'a', key: 'key-1'}], ...question},
    {type: 'question.ask', asks: [], ...question, question: ''},
  ],
  'column.stop': [{type: 'column.stop', name: 'a'}],
  'columns.stop': [{type: 'columns.stop'}],
  'column.retry': [{type: 'column.retry', name: 'a', key: 'key-2', at: 6}],
  'comparison.open': [
    {type: 'comparison.open', names: []},
    {type: 'comparison.open', names: ['c-a', 'b']},
    {type: 'comparison.open', names: ['other', 'b']},
  ],
  'comparison.new': [{type: 'comparison.new'}],
  'comparison.resume': [{type: 'comparison.resume'}],
  'columns.seen': [
    seen({a: 'waiting', b: 'writing'}),
    seen({a: 'reconnecting', b: 'finished'}),
    seen({a: 'unsent', b: 'finished'}),
    seen({a: 'stopping', b: 'finished'}),
    seen({a: 'stopped', b: 'unconfirmed'}),
    seen({a: 'unpaid', b: 'interrupted'}),
    seen({a: 'refused', b: 'gone'}),
    seen({a: 'gone', b: 'gone'}),
    seen({a: 'unread', b: 'unread'}),
    seen({a: 'finished'}),
  ],
} satisfies EventFixtures<CompareEvent>

const silent = {
  createColumns: () => undefined,
  askColumns: () => undefined,
  stopColumns: () => undefined,
  retryColumn: () => undefined,
  showNames: () => undefined,
  keepTimes: () => undefined,
  logFailure: () => undefined,
}

describe('asking several models', () => {
  const machine = compareMachine.provide({actions: silent})
  const {coverage, edges, states} = describeRules(machine, {
    input: {names: [], models: []},
    inputs: [{names: ['a', 'b'], models: ['m-1', 'm-2', 'm-3', 'm-4', 'm-5']}],
    user: [
      'model.toggle',
      'comparison.begin',
      'question.ask',
      'column.stop',
      'columns.stop',
      'column.retry',
      'comparison.open',
      'comparison.new',
      'comparison.resume',
    ],
    events: Object.values(events).flat(),
    endless: ['columns', 'addresses'],
    outputs: {},
    // the times decide nothing
    key: ({context: {models, columns}}) => [models.toSorted(), columns.map(({name, id, phase}) => [name, id, phase])],
  })
  test('every transition is taken', () => expect(coverage.missing(machine)).toEqual([]))
  test('never more than four models are chosen, and none twice', () => {
    expect(Math.max(...states.map(({context: {models}}) => models.length))).toBe(4)
    expect(states.filter(({context: {models}}) => new Set(models).size < models.length)).toEqual([])
  })
  test('nothing is asked of one model alone, and nothing without a text', () => {
    const begun = edges.filter(
      ({state, event, nextState}) =>
        state.matches('choosing') && event.type === 'comparison.begin' && nextState.hasTag('asked'),
    )
    expect(begun.length).toBeGreaterThan(0)
    expect(begun.filter(({nextState}) => nextState.context.columns.length < 2)).toEqual([])
    expect(begun.filter(({event}) => event === events['comparison.begin'][2])).toEqual([])
  })
  test('it is answering exactly while an answer runs', () => {
    const shown = states.filter((state) => state.matches('comparing'))
    const runs = ['waiting', 'writing', 'reconnecting', 'unsent', 'stopping']
    expect(
      shown.filter(
        (state) => state.hasTag('answering') !== state.context.columns.some(({phase}) => runs.includes(phase)),
      ),
    ).toEqual([])
  })
  test('what happens in one column leaves the others as they are', () => {
    const commands = edges.filter(({event}) => event.type === 'column.stop' || event.type === 'column.retry')
    expect(commands.filter(({state, nextState}) => state.context.columns !== nextState.context.columns)).toEqual([])
  })
})

test('a question goes to each model in a conversation of its own', () => {
  const {actor, done} = open()
  actor.send({type: 'comparison.begin', columns, ...question})
  expect(done()).toEqual([
    {column: columns[0], beside: ['a', 'b'], ...question},
    {column: columns[1], beside: ['a', 'b'], ...question},
    ['watch', 'a', 'b'],
  ])
})

test('the address names what is compared, by the ids of the server once there are some', () => {
  const {actor, see, shownNames} = open()
  expect(shownNames()).toEqual([[]])
  actor.send({type: 'comparison.begin', columns, ...question})
  expect(shownNames()).toEqual([['a', 'b']])
  see({a: 'writing'})
  expect(shownNames()).toEqual([['c-a', 'b']])
  see({a: 'finished', b: 'writing'})
  see({a: 'finished', b: 'finished'})
  expect(shownNames()).toEqual([['c-a', 'c-b']])
  actor.send({type: 'comparison.new'})
  expect(shownNames()).toEqual([[]])
})

test('one fails, one is stopped: the others go on, and each is asked again alone', () => {
  const {actor, done, see, phases} = open(['a', 'b', 'c'])
  see({a: 'writing', b: 'refused', c: 'waiting'})
  expect(actor.getSnapshot().value).toEqual({comparing: 'answering'})
  done()
  actor.send({type: 'column.stop', name: 'c'})
  actor.send({type: 'column.stop', name: 'b'})
  expect(done()).toEqual([['stop', 'c']])
  see({a: 'writing', b: 'refused', c: 'stopped'})
  actor.send({type: 'column.retry', name: 'a', key: 'key-1', at: 7})
  actor.send({type: 'column.retry', name: 'b', key: 'key-2', at: 7})
  expect(done()).toEqual([['retry', 'b', 'key-2']])
  see({a: 'finished', b: 'waiting', c: 'stopped'})
  expect([actor.getSnapshot().value, phases()]).toEqual([{comparing: 'answering'}, ['finished', 'waiting', 'stopped']])
  see({a: 'finished', b: 'finished', c: 'stopped'})
  expect(actor.getSnapshot().value).toEqual({comparing: 'settled'})
})

test('stopping all leaves what has ended and what is being stopped alone', () => {
  const {actor, done, see} = open(['a', 'b', 'c', 'd'])
  see({a: 'writing', b: 'stopping', c: 'finished', d: 'reconnecting'})
  done()
  expect(selectCanStopAll(actor.getSnapshot())).toBe(true)
  actor.send({type: 'columns.stop'})
  expect(done()).toEqual([
    ['stop', 'a'],
    ['stop', 'd'],
  ])
})

test('one waits for credits: it is neither running nor lost, and goes on when it is seen to', () => {
  const {actor, see, phases} = open(['a', 'b'])
  see({a: 'finished', b: 'unpaid'})
  expect([actor.getSnapshot().value, phases()]).toEqual([{comparing: 'settled'}, ['finished', 'unpaid']])
  see({a: 'finished', b: 'waiting'})
  expect(actor.getSnapshot().value).toEqual({comparing: 'answering'})
})

test('after a reload the address names the conversations; the name that the server gives one is no other comparison', () => {
  const {actor, done, see} = open(['a', 'b'])
  expect([actor.getSnapshot().value, done()]).toEqual([{comparing: 'opening'}, [['watch', 'a', 'b']]])
  see({a: 'writing', b: 'finished'})
  actor.send({type: 'comparison.open', names: ['c-a', 'c-b']})
  expect(done()).toEqual([])
  actor.send({type: 'comparison.open', names: ['c-a', 'd']})
  expect([actor.getSnapshot().value, done()]).toEqual([{comparing: 'opening'}, [['watch', 'c-a', 'd']]])
  actor.send({type: 'comparison.open', names: []})
  expect([actor.getSnapshot().value, actor.getSnapshot().context.columns]).toEqual([{choosing: 'enough'}, []])
})

test('what watches the conversations breaks: they stay, and are watched again on wish', () => {
  const {actor, done, see, fail} = open(['a', 'b'])
  see({a: 'finished', b: 'finished'})
  fail()
  expect([actor.getSnapshot().value, actor.getSnapshot().context.columns.length]).toEqual(['broken', 2])
  expect(done().at(-1)).toEqual(['log', new Error('foo')])
  actor.send({type: 'comparison.resume'})
  expect(done()).toEqual([['watch', 'a', 'b']])
})

test('an address that is not watched any more is logged, and the comparison goes on', () => {
  const {actor, done, see, failAddresses} = open(['a', 'b'])
  done()
  failAddresses()
  expect(done()).toEqual([['log', new Error('bar')]])
  see({a: 'finished', b: 'finished'})
  expect(actor.getSnapshot().value).toEqual({comparing: 'settled'})
})

test('a column whose conversation nobody looks for any more, and whose list could not be read, says so', async () => {
  const refuse = async () => {
    throw Object.assign(new Error('foo'), {code: 'unknown', status: 500})
  }
  const {list, end} = start([], refuse, refuse)
  list.send({type: 'credential.ready'})
  await waitFor(list, (snapshot) => snapshot.matches('error'))
  list.send({type: 'conversation.open', key: 'c-1', beside: ['c-2']})
  list.send({type: 'conversation.open', key: 'c-2', beside: ['c-1']})
  const phases = () => ['c-1', 'c-2'].map((name) => columnOf(list.getSnapshot(), name).phase)
  expect(phases()).toEqual(['opening', 'opening'])
  await waitFor(list, (snapshot) => snapshot.context.finding.length === 0)
  expect(phases()).toEqual(['unread', 'unread'])
  end()
})
