import {describe, expect, test} from 'vitest'
import {createActor} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {answeringKeys, liveKeys} from '#machines/conversation-list/conversation-list.rules.ts'
import type {ConversationListEvent} from '#machines/conversation-list/conversation-list.types.ts'
import {nobody} from './nobody.ts'
import type {EventFixtures} from './graph.ts'
import {isFull} from '../long.ts'
import {describeRules} from './rules.ts'
import {environment, settled, running, failure, failed, unpaid, waiting, start} from './conversation-list-fixture.ts'

const events = {
  'credential.ready': [{type: 'credential.ready'}],
  'credential.missing': [{type: 'credential.missing'}],
  'credits.added': [{type: 'credits.added', at: 60, left: 1}],
  'credits.listed': [{type: 'credits.listed', at: 60, left: 1}],
  'page.shown': [{type: 'page.shown'}],
  'conversations.refresh': [{type: 'conversations.refresh'}],
  'conversation.create': [{type: 'conversation.create', key: 'new', model: 'm'}],
  'conversation.open': [
    {type: 'conversation.open', key: 'a'},
    {type: 'conversation.open', key: 'unknown'},
  ],
  'conversation.close': [{type: 'conversation.close'}],
  'conversation.retry': [{type: 'conversation.retry', key: 'a', requestKey: 'key-1', at: 5}],
  'conversation.rejected': [{type: 'conversation.rejected', key: 'a', failure}],
  'conversations.remove': [{type: 'conversations.remove', keys: ['a', 'b']}],
  'conversations.restore': [{type: 'conversations.restore', keys: ['a']}],
  'removals.left': [{type: 'removals.left', keys: ['a', 'gone']}],
  'removals.due': [{type: 'removals.due'}],
  'removal.hold': [{type: 'removal.hold', keys: ['a', 'b']}],
  'removal.release': [{type: 'removal.release', keys: ['a', 'b']}],
  'conversations.changed': [{type: 'conversations.changed', changes: [{key: 'a', title: 'bar'}]}],
  'service.changed': [{type: 'service.changed', capabilities: ['resume', 'marks']}],
  'connection.restored': [{type: 'connection.restored'}],
  'page.leaving': [{type: 'page.leaving'}],
  'conversation.changed': [
    {type: 'conversation.changed', phase: 'running', record: running},
    {type: 'conversation.changed', phase: 'settled', record: settled('run')},
  ],
  'conversation.heard': [
    {type: 'conversation.heard', id: 'unknown', last: 'm-unknown', isSettled: false},
    {type: 'conversation.heard', id: 'run', last: 'm-run', isSettled: false},
    {type: 'conversation.heard', id: 'a', isSettled: true},
  ],
  'followUps.changed': [
    {type: 'followUps.changed', phase: 'settled', record: {...settled('run'), followUps: [waiting]}},
    {type: 'followUps.changed', phase: 'running', record: settled('run')},
  ],
  'followUps.asked': [{type: 'followUps.asked'}],
  'followUps.heard': [
    {type: 'followUps.heard', key: 'a', items: [waiting]},
    {type: 'followUps.heard', key: 'unknown', items: []},
  ],
  'conversations.removed': [{type: 'conversations.removed', keys: ['a', 'unknown']}],
  'removal.undone': [{type: 'removal.undone', key: 'a'}],
  'removal.done': [{type: 'removal.done', key: 'a'}],
  'removal.failed': [{type: 'removal.failed', key: 'a', failure}],
  'finding.settled': [
    {type: 'finding.settled', key: 'unknown'},
    {type: 'finding.settled', key: 'unknown', failure: {...failure, status: 404}},
    {type: 'finding.settled', key: 'unknown', failure: {...failure, lost: true}},
  ],
  'conversation.loaded': [{type: 'conversation.loaded', record: settled('unknown')}],
  'naming.settled': [{type: 'naming.settled', key: 'run', title: 'bar'}],
  'unsent.heard': [
    {type: 'unsent.heard', id: 'a', was: [], versions: [[{role: 'assistant', content: '', unsent: true}]]},
  ],
  'unread.heard': [
    {type: 'unread.heard', keys: ['a', 'unknown'], isUnread: true},
    {type: 'unread.heard', keys: ['a'], isUnread: false},
  ],
  [`xstate.error.actor.${''}`]: [
    {type: 'xstate.error.actor.conversation/a', actorId: 'conversation/a', error: new Error('foo')},
  ],
} satisfies EventFixtures<ConversationListEvent>

/** The device had these when the list began to be read. */
const copies = [settled('a'), running]

describe('conversation list', () => {
  const {edges, coverage} = describeRules(conversationListMachine, {
    user: [
      'conversations.refresh',
      'conversation.create',
      'conversation.open',
      'conversation.close',
      'conversation.retry',
      'conversations.remove',
      'conversations.restore',
    ],
    input: {userId: 'u-1', environment, parentRef: nobody},
    inputs: [
      {userId: 'u-1', environment, parentRef: nobody, restored: [settled('a'), running]},
      {userId: 'u-1', environment, parentRef: nobody, restored: [failed('a')]},
      {userId: 'u-1', environment, parentRef: nobody, restored: [unpaid('u')]},
    ],
    events: Object.values(events).flat(),
    limit: 600_000,
    // pages have deadlines of their own
    endless: ['environmentChanges', 'pages'],
    outputs: {
      pages: [
        {kept: copies, records: [settled('a'), settled('b')]},
        {kept: copies, records: []},
        {kept: copies, records: [settled('a')], failure},
        {kept: copies, records: [], failure: {...failure, status: 403}},
      ],
    },
    key: ({context: {items, shown, removing, phases, finding, absent}}) => [
      absent.toSorted(),
      finding.toSorted(),
      items.map(({key}) => key).toSorted(),
      shown,
      removing.toSorted(),
      Object.entries(phases).toSorted(),
    ],
    // conversations that are looked for or deleted do not touch each other: one at a time is walked with all that is
    // open, and with no more than one that is open where this is not the full run
    stop: ({context: {finding, removing, phases}}) =>
      finding.length + removing.length > 1 || (!isFull && Object.keys(phases).length > 1),
  })
  test('a conversation that is known by two names is one', () => {
    const input = {userId: 'u-1', environment, parentRef: nobody, restored: [settled('a'), running]}
    const list = createActor(conversationListMachine, {input, inspect: coverage.inspect}).start()
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'conversation.changed', phase: 'settled', record: {...settled('a'), key: 'run'}})
    expect(list.getSnapshot().context).toMatchObject({items: [{key: 'a'}], shown: ['a'], phases: {a: 'settled'}})
    list.stop()
  })
  test('questions that wait leave the marks of a conversation alone', () => {
    const marked = {...settled('a'), pinned: true, labels: ['foo']}
    const input = {userId: 'u-1', environment, parentRef: nobody, restored: [marked]}
    const list = createActor(conversationListMachine, {input, inspect: coverage.inspect}).start()
    const record = {...settled('a'), followUps: [waiting]}
    list.send({type: 'followUps.changed', phase: 'settled', record})
    expect(list.getSnapshot().context.items).toEqual([
      {...settled('a'), pinned: true, labels: ['foo'], followUps: [waiting]},
    ])
    list.stop()
  })
  test('every transition is taken', () => expect(coverage.missing(conversationListMachine)).toEqual([]))

  test('what runs survives a failed load and a missing token', () => {
    const failing = edges.filter(
      ({event}) =>
        event.type === 'xstate.error.actor.pages' ||
        // as: the end of an invoked actor has its output
        (event as {output?: {failure?: unknown}}).output?.failure !== undefined ||
        event.type === 'credential.missing',
    )
    expect(failing.length).toBeGreaterThan(0)
    for (const {state, nextState} of failing) {
      expect(nextState.value).toBe('error')
      const kept = state.context.items.filter(({key}) => answeringKeys(state.context).includes(key))
      expect(nextState.context.items).toEqual(expect.arrayContaining(kept))
    }
  })

  test('what has a phase has an actor, also when the last report of a stopped one comes late', () => {
    const orphans = edges.filter(({nextState: {context, children}}) =>
      liveKeys(context).some((key) => !Object.hasOwn(children, `conversation/${key}`)),
    )
    expect(orphans).toEqual([])
    const strayChanges = edges.filter(
      ({state, event}) => event.type === 'conversation.changed' && !liveKeys(state.context).includes('run'),
    )
    expect(strayChanges.length).toBeGreaterThan(0)
    for (const {nextState} of strayChanges) expect(liveKeys(nextState.context)).not.toContain('run')
  })

  test('what no server has stays in a list that cannot be read', () => {
    const unsent: ConversationRecord = {
      key: 'local',
      model: 'm',
      updatedAt: 2,
      messages: [
        {role: 'user', content: 'foo', unsent: true},
        {role: 'assistant', content: '', state: 'failed', outcome: 'refused', unsent: true},
      ],
    }
    const further = {...settled('further'), messages: [...settled('further').messages, ...unsent.messages]}
    const {list, keys} = start([unsent, settled('a'), further])
    list.send({type: 'credential.missing'})
    expect(keys()).toEqual(['local', 'further'])
  })

  test('a deleted conversation never comes back with a list that was on its way', () => {
    const back = edges.filter(({nextState}) =>
      nextState.context.items.some(({key}) => nextState.context.removed.includes(key)),
    )
    expect(back).toEqual([])
  })
})
