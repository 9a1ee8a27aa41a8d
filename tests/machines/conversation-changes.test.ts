import {describe, expect, test} from 'vitest'
import {createActor} from 'xstate'
import {conversationChangesMachine} from '#machines/conversation-changes/conversation-changes.machine.ts'
import type {
  ConversationChangesContext,
  ConversationChangesEvent,
} from '#machines/conversation-changes/conversation-changes.types.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {startChanges} from './conversation-changes-fixture.ts'
import {environment, failure, settled} from './conversation-list-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'

const renaming = {key: 'title:a', change: {key: 'a', title: 'bar'}, previous: {key: 'a', title: 'foo'}}
const marking = {key: 'marks:a', change: {key: 'a', pinned: true}, previous: {key: 'a', pinned: false}}
const events = {
  'conversation.rename': [
    {type: 'conversation.rename', key: 'a', title: 'bar'},
    {type: 'conversation.rename', key: 'a', title: 'baz'},
    {type: 'conversation.rename', key: 'a', title: ' '},
  ],
  'conversations.mark': [
    {type: 'conversations.mark', changes: [{key: 'a', archived: true}], textId: 'chat.foo'},
    {type: 'conversations.mark', changes: [{key: 'a', pinned: true}]},
    {type: 'conversations.mark', changes: [], textId: 'chat.foo', back: [{key: 'a', pinned: false}]},
  ],
  'changing.settled': [
    {type: 'changing.settled', sent: [renaming]},
    {type: 'changing.settled', sent: [renaming], failure},
    {type: 'changing.settled', sent: [marking]},
    {type: 'changing.settled', sent: [marking], failure},
  ],
  'conversation.loaded': [{type: 'conversation.loaded', record: {...settled('a'), title: 'baz'}}],
  'finding.settled': [
    {type: 'finding.settled', key: 'a'},
    {type: 'finding.settled', key: 'a', failure},
  ],
  'connection.restored': [{type: 'connection.restored'}],
  'list.reading': [{type: 'list.reading'}],
  'list.ended': [{type: 'list.ended'}],
  [`xstate.error.actor.${''}`]: [
    {type: 'xstate.error.actor.changing/marks:a', actorId: 'changing/marks:a', error: new Error('foo')},
  ],
} satisfies EventFixtures<ConversationChangesEvent>

const callsOf = ({children}: {children: object}) => Object.keys(children).filter((id) => id.startsWith('changing/'))

/** A list that stays as it is: it shows what was wished. */
function listOf(...capabilities: ('marks' | 'labels')[]) {
  const input = {
    userId: 'u-1',
    environment,
    parentRef: nobody,
    restored: [{...settled('a'), title: 'bar', pinned: true}],
  }
  const list = createActor(conversationListMachine, {input}).start()
  list.send({type: 'service.changed', capabilities})
  return list
}

describe('changes of conversations', () => {
  const {edges, coverage} = describeRules(conversationChangesMachine, {
    user: ['conversation.rename', 'conversations.mark'],
    input: {list: listOf('marks'), parentRef: nobody},
    inputs: [{list: listOf(), parentRef: nobody}],
    events: Object.values(events).flat(),
    endless: ['listFacts'],
    key: ({context: {changing, crossed}}) => [Object.entries(changing).toSorted(), crossed],
  })
  test('every transition is taken', () => expect(coverage.missing(conversationChangesMachine)).toEqual([]))
  test('one call at a time: what is wished while one is on its way waits, and goes out when that has ended', () => {
    const isBusy = ({context}: {context: ConversationChangesContext}) => 'title:a' in context.changing
    const wished = edges.filter(({state, event}) => event.type === 'conversation.rename' && isBusy(state))
    const next = edges.filter(
      ({state, event}) => event.type === 'changing.settled' && state.context.changing['title:a'],
    )
    expect([wished.length, next.length].every((count) => count > 0)).toBe(true)
    for (const {state, nextState} of wished) expect(callsOf(nextState)).toEqual(callsOf(state))
    for (const {nextState} of next) expect(isBusy(nextState)).toBe(true)
  })
  test('what a server that keeps no marks is not told', () => {
    const {list, changes, context} = startChanges([settled('a')])
    const mark = {type: 'conversations.mark', changes: [{key: 'a', pinned: true}]} as const
    expect(changes.getSnapshot().can(mark)).toBe(false)
    list.send({type: 'service.changed', capabilities: ['marks']})
    expect(changes.getSnapshot().can(mark)).toBe(true)
    changes.send(mark)
    expect(context().items).toEqual([{...settled('a'), pinned: true}])
  })
  test('they end with the list', () => {
    const list = listOf('marks')
    const changes = createActor(conversationChangesMachine, {input: {list, parentRef: nobody}}).start()
    list.stop()
    expect(changes.getSnapshot()).toMatchObject({status: 'done', value: 'over'})
  })
})
