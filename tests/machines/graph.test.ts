import {describe, expect, test} from 'vitest'
import {assign, createActor, createMachine, fromPromise} from 'xstate'
import {createCoverage, deadEnds, endlessInvokes, unguardedInvokes, walk} from './graph.ts'

/** A machine with every fault the rules look for. */
const faulty = createMachine({
  id: 'faulty',
  initial: 'idle',
  states: {
    idle: {on: {go: 'waiting', stay: {}}},
    waiting: {invoke: {id: 'foo', src: fromPromise(async () => 'foo'), onDone: 'trap'}},
    trap: {},
    unreachable: {on: {go: 'idle'}},
  },
})
const walked = walk(faulty, {input: undefined, events: [{type: 'go'}, {type: 'stay'}]})

test('an answer for an actor that the machine does not invoke is no answer that is walked past', () => {
  const options = {input: undefined, events: [{type: 'go'}], outputs: {bar: ['foo']}}
  expect(() => walk(faulty, options)).toThrow('outputs: faulty invokes no bar, but foo')
})

describe('the rules find what breaks them', () => {
  test('dead ends', () => expect(deadEnds({...walked, user: ['go', 'stay']})).toEqual(['"waiting"', '"trap"']))
  test('the end of a chart with deadlines of its own is an exit', () => {
    const run = walk(faulty, {input: undefined, events: [{type: 'go'}, {type: 'stay'}], outputs: {foo: ['bar']}})
    expect(deadEnds({...run, user: ['go', 'stay'], limited: ['foo']})).toEqual(['"trap"'])
    expect(deadEnds({...run, user: ['go', 'stay'], limited: ['bar']})).toEqual(['"waiting"', '"trap"'])
  })
  test('only a user or a near deadline is an exit', () => {
    const waiting = createMachine({
      id: 'waiting',
      initial: 'told',
      states: {
        told: {on: {'fact.told': 'late'}},
        late: {after: {120_001: 'soon'}, on: {'fact.told': 'soon'}},
        soon: {after: {patience: 'asked'}},
        asked: {on: {'user.asks': 'told'}},
      },
    }).provide({delays: {patience: 120_000}})
    const run = walk(waiting, {input: undefined, events: [{type: 'fact.told'}, {type: 'user.asks'}]})
    expect(deadEnds({...run, user: ['user.asks']})).toEqual(['"told"', '"late"'])
  })
  test('an exit of one context is none of another', () => {
    const guarded = createMachine({
      id: 'guarded',
      context: {isOpen: true},
      initial: 'here',
      states: {
        here: {
          on: {
            'fact.shut': {actions: assign({isOpen: false})},
            'user.leaves': {guard: ({context}) => context.isOpen, target: 'there'},
          },
        },
        there: {on: {'user.leaves': 'here'}},
      },
    })
    const key = ({context}: {context: {isOpen: boolean}}) => context.isOpen
    const run = walk(guarded, {input: undefined, events: [{type: 'fact.shut'}, {type: 'user.leaves'}], key})
    expect(deadEnds({...run, user: ['user.leaves']})).toEqual([])
    expect(deadEnds({...run, user: ['user.leaves'], key})).toEqual(['"here"'])
  })
  test('invokes without onError', () => expect(unguardedInvokes(faulty)).toEqual(['faulty.waiting: foo']))
  test('invokes without a deadline', () => expect(endlessInvokes(faulty)).toEqual(['faulty.waiting: foo']))
  test('transitions nobody took', () => {
    const coverage = createCoverage()
    walk(faulty, {input: undefined, events: [{type: 'go'}, {type: 'stay'}], observe: coverage.inspect})
    expect(coverage.missing(faulty)).toEqual(['faulty.unreachable | go | 0'])
  })
  test('a journey counts like an edge', () => {
    const coverage = createCoverage()
    const actor = createActor(faulty, {inspect: coverage.inspect}).start()
    actor.send({type: 'stay'})
    expect(coverage.missing(faulty)).not.toContain('faulty.idle | stay | 0')
    expect(coverage.missing(faulty)).toContain('faulty.idle | go | 0')
    actor.stop()
  })
})
