import {describe, expect, test} from 'vitest'
import {isSameData} from '#domain/same-data.ts'
import {taskListMachine} from '#machines/task-list/task-list.machine.ts'
import type {PeerReport} from '#machines/task-poll/task-poll.types.ts'
import type {TaskListEvent, TaskListInput} from '#machines/task-list/task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {record, ref} from './media-fixtures.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'

const input: TaskListInput = {userId: 'u-1', ref, environment: startEnvironment(), parentRef: nobody, session: nobody}
const failure = {code: 'unknown', detail: 'foo'}
const report: PeerReport = {records: [], watched: [], gone: [], isHidden: false, isLost: false, nextIn: 3_000}

const events = {
  'task.select': [
    {type: 'task.select', id: 'a'},
    {type: 'task.select', id: undefined},
  ],
  'task.check': [{type: 'task.check'}, {type: 'task.check', id: 'a'}],
  'task.remove': [{type: 'task.remove', id: 'a'}],
  'tasks.polled': [
    {type: 'tasks.polled', records: [record('a', 'succeeded')]},
    {type: 'tasks.polled', records: [record('a', 'failed')]},
  ],
  'tasks.read': [
    {type: 'tasks.read', records: [record('a'), record('0', 'succeeded', 1)], total: 2},
    {type: 'tasks.read', records: [record('a')]},
  ],
  'requests.changed': [{type: 'requests.changed'}],
  'request.joined': [{type: 'request.joined', key: 'k', task: {id: 'b', created_at: 100, request: {prompt: 'k'}}}],
  'request.lost': [{type: 'request.lost'}],
  'request.waiting': [{type: 'request.waiting'}],
  'running.changed': [{type: 'running.changed'}],
  'tasks.gone': [{type: 'tasks.gone', ids: ['a']}],
  'contact.lost': [{type: 'contact.lost'}],
  'peer.polled': [
    {type: 'peer.polled', ...report},
    {type: 'peer.polled', ...report, isLost: true},
  ],
  'removal.undone': [{type: 'removal.undone', key: 'a'}],
  'removal.done': [{type: 'removal.done', key: 'a'}],
  'removal.failed': [{type: 'removal.failed', key: 'a', failure}],
  'provision.ready': [{type: 'provision.ready'}],
  'provision.missing': [{type: 'provision.missing'}],
  'page.leaving': [{type: 'page.leaving'}],
  [`xstate.error.actor.${''}`]: [
    {type: 'xstate.error.actor.removal/foo/a', actorId: 'removal/foo/a', error: new Error('foo')},
  ],
} satisfies EventFixtures<TaskListEvent>

describe('task list', () => {
  // a broken part breaks the list, which is a test of its own
  const unbroken = taskListMachine.provide({actions: {breakDown: () => undefined}})
  const {edges, coverage} = describeRules(unbroken, {
    user: ['task.select', 'task.check', 'task.remove'],
    // nothing of the list waits for set-up: its parts do, each with a deadline
    input,
    events: Object.values(events).flat(),
    outputs: {
      readCached: [{records: [record('a')], total: 3, intents: []}],
      readDeletions: [['a']],
      taskPoll: [],
      peers: [undefined],
    },
    errors: [{status: 401, code: 'invalid_token', detail: 'foo'}, new Error('foo')],
    endless: ['taskPoll', 'peers', 'environmentChanges', 'pages', 'days', 'lookup', 'favourites', 'requests'],
    key: ({context: {items, active, removing, unconfirmed, removed, gone}}) => [
      active,
      items.map(({task, status}) => [task.id, status]),
      removing,
      unconfirmed,
      removed,
      gone,
    ],
    // regions that do not touch each other: what is off its usual state is off alone
    stop: ({value, context: {removing, unconfirmed, removed, gone}}) =>
      [
        value.cache === 'reading',
        value.setUp !== 'ready',
        !isSameData(value.poll, {running: 'heard'}),
        value.peers !== 'listening',
        removing.length > 0,
        unconfirmed.length > 0,
        removed.length > 0,
        gone.length > 0,
      ].filter(Boolean).length > 2,
  })
  test('every transition is taken', () => {
    expect(coverage.missing(taskListMachine)).toEqual([])
  })
  test('a terminal task keeps its status', () => {
    const over = ({status}: TaskRecord) => status === 'succeeded' || status === 'failed'
    const changed = edges.filter(({state, nextState}) =>
      state.context.items.some(
        (before) =>
          over(before) &&
          nextState.context.items.some((after) => after.task.id === before.task.id && after.status !== before.status),
      ),
    )
    expect(changed).toEqual([])
  })
  test('what is said of set-up is known, whatever else happens', () => {
    const tags = {'provision.ready': 'ready', 'provision.missing': 'missing'} as const
    const provisionEdges = edges.filter(({event}) => event.type in tags)
    // as: just filtered by it
    const unheard = provisionEdges.filter(
      ({event, nextState}) => !nextState.hasTag(tags[event.type as keyof typeof tags]),
    )
    expect(provisionEdges.length).toBeGreaterThan(0)
    expect(unheard).toEqual([])
  })
  test('set-up is told by provisioning alone', () => {
    const changed = edges.filter(({state, nextState}) => state.value.setUp !== nextState.value.setUp)
    expect(new Set(changed.map(({event}) => event.type))).toEqual(new Set(['provision.ready', 'provision.missing']))
  })
  test('a running task is shown as old exactly while nobody can ask for it', () => {
    const lost = edges.filter(
      ({event}) => event.type === 'contact.lost' || event.type === 'xstate.error.actor.taskPoll',
    )
    expect(lost.some(({nextState}) => nextState.matches({poll: 'broken'}))).toBe(true)
    expect(lost.filter(({nextState}) => !nextState.hasTag('lost'))).toEqual([])
    const asked = edges.filter(({state, event}) => event.type === 'tasks.polled' && state.matches({poll: 'running'}))
    expect(asked.filter(({nextState}) => nextState.hasTag('lost'))).toEqual([])
  })
  test('items always ascend by time, one per id', () => {
    const wrong = edges.filter(
      ({
        nextState: {
          context: {items},
        },
      }) => {
        const isUnique = new Set(items.map(({task}) => task.id)).size === items.length
        return !isUnique || items.some(({task}, index) => task.created_at < (items[index - 1]?.task.created_at ?? 0))
      },
    )
    expect(wrong).toEqual([])
  })
})
