import {describe, expect, test} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {removalMachine, type RemovalEvent} from '#machines/lib/removal.machine.ts'
import {namingMachine} from '#machines/conversation-list/naming.machine.ts'
import {changingMachine} from '#machines/conversation-changes/changing.machine.ts'
import {createCoverage, endlessInvokes, unguardedInvokes, walk} from './graph.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'

const record = {key: 'foo', id: 'foo', model: 'm', messages: [], updatedAt: 0}

const notFound = new ApiError({code: 'not_found', detail: 'It is not there.', status: 404})

describe('removal', () => {
  const events: RemovalEvent[] = [
    {type: 'removal.undo'},
    {type: 'removal.hold'},
    {type: 'removal.release'},
    {type: 'removal.flush'},
    {type: 'credential.ready'},
  ]
  const {edges, coverage} = describeRules(removalMachine, {
    user: ['removal.undo', 'removal.hold', 'removal.release'],
    input: {parentRef: nobody, key: 'foo', id: 'foo'},
    inputs: [
      {parentRef: nobody, key: 'foo', id: undefined},
      {parentRef: nobody, key: 'foo', id: 'foo', isUnconfirmed: true},
    ],
    // set-up is tried again by itself and by the user (`provisioning`)
    lasting: ['unconfirmed'],
    events,
    errors: [new Error('foo'), notFound],
    key: ({context}) => context.id,
  })
  test('every transition is taken', () => expect(coverage.missing(removalMachine)).toEqual([]))
  test('what the server does not have is deleted', () => {
    const ends = edges.filter(({event}) => 'error' in event && event.error === notFound)
    expect(ends.map(({nextState}) => nextState.value)).toEqual(['done'])
  })
  test('an order of an earlier page is neither taken back nor sent without a credential', () => {
    const next = edges.filter(({state, nextState}) => state.matches('unconfirmed') && !nextState.matches('unconfirmed'))
    expect(next.map(({event, nextState}) => [event.type, nextState.value])).toEqual([['credential.ready', 'removing']])
  })
  test('the server is told only after the time to undo is over, which its owner may count, or when the page closes', () => {
    const orders = (offer: 'leaving' | 'held') =>
      edges
        .filter(({state, nextState}) => state.matches({undoable: offer}) && nextState.matches('removing'))
        .map(({event}) => event)
        .toSorted((a, b) => a.type.localeCompare(b.type))
    const flush = {type: 'removal.flush'}
    expect(orders('leaving')).toEqual([flush, {type: 'xstate.after.undoWindow.removal.undoable.leaving'}])
    expect(orders('held')).toEqual([flush])
  })
})

describe('finding', () => {
  const coverage = createCoverage()
  const {states} = walk(findingMachine, {
    observe: coverage.inspect,
    input: {key: 'foo', parentRef: nobody},
    events: [],
    outputs: {findConversation: [record]},
  })
  test('every transition is taken, and each ends it', () => {
    expect(coverage.missing(findingMachine)).toEqual([])
    expect([...new Set(states.map(({value}) => value))].sort()).toEqual(['asking', 'settled'])
  })
  test('it has an onError and a deadline', () => {
    expect([unguardedInvokes(findingMachine), endlessInvokes(findingMachine)]).toEqual([[], []])
  })
})

describe('naming', () => {
  const coverage = createCoverage()
  const {states} = walk(namingMachine, {
    observe: coverage.inspect,
    input: {key: 'foo', parentRef: nobody},
    events: [],
    outputs: {findConversation: [record, {...record, title: 'bar'}]},
    key: ({context}) => context.attempts,
  })
  test('every transition is taken, and it ends with or without a name', () => {
    expect(coverage.missing(namingMachine)).toEqual([])
    const ends = states.filter(({value}) => value === 'settled').map(({context}) => context.title)
    expect([...new Set(ends)]).toEqual(expect.arrayContaining([undefined, 'bar']))
  })
  test('it has an onError and a deadline', () => {
    expect([unguardedInvokes(namingMachine), endlessInvokes(namingMachine)]).toEqual([[], []])
  })
})

describe('changing', () => {
  const input = {
    sent: [{key: 'title:foo', change: {key: 'foo', title: 'bar'}, previous: {key: 'foo', title: undefined}}],
    isCompared: true,
    parentRef: nobody,
  }
  const coverage = createCoverage()
  const {states} = walk(changingMachine, {input, events: [], observe: coverage.inspect})
  test('every transition is taken, and each ends it', () => {
    expect(coverage.missing(changingMachine)).toEqual([])
    expect([...new Set(states.map(({value}) => value))].sort()).toEqual(['calling', 'settled'])
  })
  test('it has an onError and a deadline', () => {
    expect([unguardedInvokes(changingMachine), endlessInvokes(changingMachine)]).toEqual([[], []])
  })
})
