import {NEVER} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, SimulatedClock} from 'xstate'
import type {Service} from '#contract/management.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {provisioningMachine, type ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {PeerReport} from '#machines/task-poll/task-poll.types.ts'
import {taskListMachine, type TaskListActor} from '#machines/task-list/task-list.machine.ts'
import {tasksMachine} from '#machines/tasks/tasks.machine.ts'
import {selectIsDown, selectTray} from '#machines/tasks/tasks.selectors.ts'
import {
  formId,
  taskListId,
  toolProvisioningId,
  type CachedTasks,
  type TasksEvent,
  type TasksInput,
  type ToolRef,
  type UsedTool,
} from '#machines/tasks/tasks.types.ts'
import type {EventFixtures} from './graph.ts'
import {startEnvironment} from './environment-fixture.ts'
import {intent, ref} from './media-fixtures.ts'
import {describeRules} from './rules.ts'

const other = {tool: 'bar', service: 'bar-service', serviceId: 's-bar'}
const input: TasksInput = {userId: 'u-1', host: 'https://foo.test', tools: [], environment: startEnvironment()}
const failure = {code: 'unknown', detail: 'foo'}
const named = [{id: 'a', created_at: 100}]
const parts = [taskListId('foo'), toolProvisioningId('foo'), formId('foo')] as const

const events = {
  'tool.use': [
    {type: 'tool.use', ref},
    {type: 'tool.use', ref: other},
  ],
  'tasks.found': [{type: 'tasks.found', tools: [{ref, running: named}]}],
  'form.open': [{type: 'form.open', tool: 'foo'}],
  'selection.open': [{type: 'selection.open', tool: 'foo'}],
  'task.submit': [{type: 'task.submit', intent: intent('k')}],
  'credits.added': [{type: 'credits.added'}],
  'applications.changed': [{type: 'applications.changed'}],
  'provision.ready': [{type: 'provision.ready', serviceId: 's-foo'}],
  'provision.missing': [{type: 'provision.missing', serviceId: 's-foo'}],
  'provision.serviceRead': [{type: 'provision.serviceRead', serviceId: 's-foo', capabilities: []}],
  'application.applied': [{type: 'application.applied'}],
  'application.present': [{type: 'application.present'}],
  'setUp.missed': [{type: 'setUp.missed', tool: 'foo'}],
  'credits.missed': [{type: 'credits.missed', tool: 'foo'}],
  'list.changed': [
    {type: 'list.changed', tool: 'foo', running: 1},
    {type: 'list.changed', tool: 'foo', running: 0},
  ],
  'task.settled': [{type: 'task.settled', tool: 'foo', id: 'a', status: 'succeeded'}],
  'task.gone': [{type: 'task.gone', tool: 'foo', id: 'a'}],
  'task.removed': [{type: 'task.removed', tool: 'foo', id: 'a', isDue: false}],
  'task.unfound': [{type: 'task.unfound', tool: 'foo', id: 'a', failure}],
  'task.removeFailed': [{type: 'task.removeFailed', tool: 'foo', id: 'a', failure}],
  'submission.accepted': [{type: 'submission.accepted', tool: 'foo', key: 'k', id: 'a'}],
  'part.restart': parts.map((part) => ({type: 'part.restart' as const, part})),
  'part.revive': parts.map((part) => ({type: 'part.revive' as const, part})),
  [`xstate.error.actor.${''}`]: parts.map((actorId) => ({
    type: `xstate.error.actor.${actorId}` as const,
    actorId,
    error: new Error('foo'),
  })),
} satisfies EventFixtures<TasksEvent>

describe('tasks', () => {
  const {edges, coverage} = describeRules(tasksMachine, {
    // a screen is opened, a request is sent, a broken part is asked for
    user: ['tool.use', 'form.open', 'selection.open', 'task.submit', 'part.revive'],
    lasting: [{}],
    input,
    inputs: [{...input, tools: [{ref}]}],
    events: Object.values(events).flat(),
    key: ({context: {tools, setUps, running, crashes}}) => [
      tools.map((used) => used.ref.tool),
      setUps,
      running,
      parts.map((part) => crashes[part]?.count ?? 0),
    ],
    stop: ({context: {crashes}}) =>
      [...parts.map((part) => (crashes[part]?.count ?? 0) > 0)].filter(Boolean).length > 1 ||
      parts.some((part) => (crashes[part]?.count ?? 0) > 4),
  })
  test('every transition is taken', () => {
    expect(coverage.missing(tasksMachine)).toEqual([])
  })
  test('a tool is in use once, and stays in use', () => {
    const wrong = edges.filter(({state, nextState}) => {
      const before = state.context.tools.map((used) => used.ref.tool)
      const after = nextState.context.tools.map((used) => used.ref.tool)
      return new Set(after).size !== after.length || before.some((tool) => !after.includes(tool))
    })
    expect(wrong).toEqual([])
  })
  test('what a broken list told of does not count as running: nobody follows it', () => {
    const broken = edges.filter(
      ({state, event}) =>
        event.type === `xstate.error.actor.${taskListId('foo')}` &&
        state.context.tools.some((used) => used.ref.tool === 'foo'),
    )
    expect(broken.some(({state}) => state.context.running.foo === 1)).toBe(true)
    expect(broken.filter(({nextState}) => nextState.context.running.foo !== 0)).toEqual([])
  })
})

type Peered = {type: 'peer.polled'} & PeerReport

/** The tasks with the lists and set-ups of two tools, whose list of one breaks when it is told to. */
function start(tools: UsedTool[] = []) {
  const clock = new SimulatedClock()
  const logged: string[] = []
  const machine = tasksMachine.provide({
    actors: {
      taskList: taskListMachine.provide({
        actors: {
          readCached: fromPromise<CachedTasks, {ref: ToolRef; userId: string}>(() => new Promise(() => {})),
          peers: fromEventObservable<Peered, {ref: ToolRef; userId: string}>(() => NEVER),
        },
        actions: {
          select: () => {
            throw new Error('foo')
          },
        },
      }),
      provisioning: provisioningMachine.provide({
        actors: {getService: fromPromise<Service, {serviceId: string}>(() => new Promise(() => {}))},
      }),
    },
    actions: {logCrash: (_, {actorId}) => void logged.push(actorId)},
  })
  const actor = createActor(machine, {input: {...input, tools}, clock})
  actor.start()
  const list = (tool: string) => findActor<TaskListActor>(actor.system, taskListId(tool))
  const tray = () => selectTray(actor.getSnapshot()).map(({tool, id, state}) => `${tool} ${id} ${state}`)
  return {actor, clock, logged, list, tray, breakList: () => list('foo')?.send({type: 'task.select', id: 'a'})}
}

describe('tasks journeys', () => {
  test('what runs elsewhere wakes the list of a tool that nobody opened, and joins one that is in use', () => {
    const {actor, list, tray} = start([{ref: other}])
    actor.send({
      type: 'tasks.found',
      tools: [
        {ref, running: named},
        {ref: other, running: [{id: 'b', created_at: 200}]},
      ],
    })
    expect(tray()).toEqual(['bar b queued', 'foo a queued'])
    expect(actor.getSnapshot().context.tools.map((used) => used.ref.tool)).toEqual(['bar', 'foo'])
    const known = [list('foo'), list('bar')]
    actor.send({type: 'tasks.found', tools: [{ref, running: named}]})
    expect([[list('foo'), list('bar')], tray()]).toEqual([known, ['bar b queued', 'foo a queued']])
    actor.stop()
  })

  test('what runs for a tool that cannot be set up is lost, not queued, and a question sets it up again', () => {
    const {actor, list, tray} = start([{ref}])
    actor.send({type: 'tasks.found', tools: [{ref, running: named}]})
    actor.send({type: 'provision.missing', serviceId: ref.serviceId})
    expect(tray()).toEqual(['foo a lost'])
    const setUp = findActor<ProvisioningActor>(actor.system, toolProvisioningId('foo'))
    const asked: string[] = []
    const subscription = actor.system.inspect((inspected) => {
      if (inspected.type === '@xstate.event' && inspected.actorRef === setUp) asked.push(inspected.event.type)
    })
    list('foo')?.send({type: 'task.check', id: 'a'})
    expect(asked).toEqual(['applications.refresh'])
    subscription.unsubscribe()
    actor.send({type: 'provision.ready', serviceId: ref.serviceId})
    expect(tray()).toEqual(['foo a queued'])
    actor.stop()
  })

  test('what the server named before the charts were loaded is in the tray from the start', () => {
    const {actor, tray} = start([{ref, running: named}])
    expect([tray(), actor.getSnapshot().context.running]).toEqual([['foo a queued'], {foo: 1}])
    actor.stop()
  })

  test('a list that breaks is started again three times and then waits; asked for twice, it is started once', () => {
    const {actor, clock, logged, list, breakList} = start([{ref}])
    const part = taskListId('foo')
    const setUp = actor.system.get(toolProvisioningId('foo'))
    for (let round = 1; round <= 4; round += 1) {
      breakList()
      expect(list('foo')).toBeUndefined()
      clock.increment(30_000)
    }
    expect([logged, selectIsDown(actor.getSnapshot(), part)]).toEqual([[part, part, part, part], true])
    expect([list('foo'), actor.system.get(toolProvisioningId('foo'))]).toEqual([undefined, setUp])
    actor.send({type: 'part.revive', part})
    const revived = list('foo')
    actor.send({type: 'part.revive', part})
    expect([actor.getSnapshot().status, selectIsDown(actor.getSnapshot(), part)]).toEqual(['active', false])
    expect([list('foo'), revived?.getSnapshot().status]).toEqual([revived, 'active'])
    actor.stop()
  })

  test('a part that the user asks for while its restart is due is not started a second time', () => {
    const {actor, clock, list, breakList} = start([{ref}])
    breakList()
    actor.send({type: 'part.revive', part: taskListId('foo')})
    const revived = list('foo')
    clock.increment(30_000)
    expect([actor.getSnapshot().status, list('foo'), revived?.getSnapshot().status]).toEqual([
      'active',
      revived,
      'active',
    ])
    actor.stop()
  })
})
