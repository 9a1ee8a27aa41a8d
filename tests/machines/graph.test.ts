import {describe, expect, test} from 'vitest'
import {createActor, createMachine, fromPromise} from 'xstate'
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

describe('the rules find what breaks them', () => {
  test('dead ends', () => expect(deadEnds(walked)).toEqual(['"waiting"', '"trap"']))
  test('invokes without onError', () => expect(unguardedInvokes(faulty)).toEqual(['faulty.waiting: foo']))
  test('invokes without a deadline', () => expect(endlessInvokes(faulty)).toEqual(['faulty.waiting: foo']))
  test('transitions nobody took', () => {
    const coverage = createCoverage()
    coverage.follow(faulty, undefined, walked.edges)
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
