import {describe, expect, test} from 'vitest'
import {createActor} from 'xstate'
import {
  conversationSelectionMachine,
  selectChosenKeys,
  type ConversationSelectionEvent,
} from '#machines/conversation-selection/conversation-selection.machine.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const order = ['a', 'b', 'c', 'd']
const events = {
  'row.toggle': [{type: 'row.toggle', key: 'a'}],
  'row.extend': [{type: 'row.extend', key: 'c', order}],
  'rows.choose': [{type: 'rows.choose', keys: []}],
  'selection.end': [{type: 'selection.end'}],
  'delete.ask': [{type: 'delete.ask'}],
  'delete.cancel': [{type: 'delete.cancel'}],
} satisfies EventFixtures<ConversationSelectionEvent>

describe('several chosen conversations of a list', () => {
  const {coverage, edges} = describeRules(conversationSelectionMachine, {
    input: undefined,
    user: ['row.toggle', 'row.extend', 'rows.choose', 'selection.end', 'delete.ask', 'delete.cancel'],
    events: Object.values(events).flat(),
    key: ({context}) => [context.keys, context.anchor],
  })
  test('every transition is taken', () => expect(coverage.missing(conversationSelectionMachine)).toEqual([]))
  test('rows are chosen before they are asked about', () =>
    expect(
      edges.filter(({state, nextState}) => state.matches('idle') && nextState.matches({choosing: 'asking'})),
    ).toEqual([]))
  test('nothing stays chosen after the end', () =>
    expect(edges.filter(({nextState: {context, value}}) => value === 'idle' && context.keys.length > 0)).toEqual([]))
})

/** The rows that are chosen after these events. */
function chosenAfter(...sent: ConversationSelectionEvent[]) {
  const actor = stopAfterTest(createActor(conversationSelectionMachine).start())
  for (const event of sent) actor.send(event)
  return selectChosenKeys(actor.getSnapshot())
}
const toggle = (key: string) => ({type: 'row.toggle', key}) as const
const extend = (key: string) => ({type: 'row.extend', key, order}) as const

test.each<[what: string, events: ConversationSelectionEvent[], keys: string[] | undefined]>([
  ['nothing at first', [], undefined],
  ['a row, and without it none', [toggle('a'), toggle('a')], []],
  ['a range downwards', [toggle('b'), extend('d')], ['b', 'c', 'd']],
  ['a range upwards, which keeps what was chosen', [toggle('a'), toggle('d'), extend('c')], ['a', 'd', 'c']],
  ['a range begins with the row before, chosen or not', [toggle('a'), toggle('a'), extend('b')], ['a', 'b']],
  ['without a row before, a range is one row', [extend('b')], ['b']],
  ['from a row that is not listed, one row', [toggle('x'), extend('b')], ['x', 'b']],
  ['these, whatever was chosen', [toggle('a'), {type: 'rows.choose', keys: ['b', 'c']}], ['b', 'c']],
  ['the next choice begins anew', [toggle('a'), {type: 'selection.end'}, extend('b')], ['b']],
  ['rows may change while the question stands', [toggle('a'), {type: 'delete.ask'}, toggle('b')], ['a', 'b']],
])('chosen are %s', (_what, sent, keys) => expect(chosenAfter(...sent)).toEqual(keys))

test('the question comes back to the actions, and the next choice begins with them', () => {
  const actor = stopAfterTest(createActor(conversationSelectionMachine).start())
  const values = [toggle('a'), {type: 'delete.ask'}, {type: 'delete.cancel'}, {type: 'selection.end'}, toggle('b')].map(
    (event) => {
      // as: the list of events has several types
      actor.send(event as ConversationSelectionEvent)
      return actor.getSnapshot().value
    },
  )
  expect(values).toEqual([
    {choosing: 'offering'},
    {choosing: 'asking'},
    {choosing: 'kept'},
    'idle',
    {choosing: 'offering'},
  ])
})
