import {describe, expect, test} from 'vitest'
import {createActor, SimulatedClock} from 'xstate'
import {findActor} from '#machines/lib/find-actor.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import {selectTray} from '#machines/tasks/tasks.selectors.ts'
import {taskListId, toolProvisioningId, type TasksEvent, type TasksInput} from '#machines/tasks/tasks.types.ts'
import type {ToolActor} from '#machines/tool/tool.machine.ts'
import {toolId} from '#machines/tool/tool.types.ts'
import type {EventFixtures} from './graph.ts'
import {startEnvironment} from './environment-fixture.ts'
import {intent, ref} from './media-fixtures.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'
import {tasksWithTools as machine} from './tasks-fixture.ts'

const input: TasksInput = {
  session: nobody,
  userId: 'u-1',
  host: 'https://foo.test',
  tools: [],
  environment: startEnvironment(),
}
const named = [{id: 'a', created_at: 100}]

const events = {
  'tool.open': [
    {type: 'tool.open', tool: 'foo'},
    {type: 'tool.open', tool: 'bar'},
  ],
  'tasks.found': [{type: 'tasks.found', tools: [{tool: 'foo', running: named}]}],
  'task.submit': [{type: 'task.submit', intent: intent('k')}],
  'credits.added': [{type: 'credits.added', at: 1, left: 1}],
  'credits.bought': [{type: 'credits.bought', applicationId: 'a-1', at: 1}],
  'applications.changed': [{type: 'applications.changed'}],
  'token.renewed': [{type: 'token.renewed'}],
  'list.changed': [
    {type: 'list.changed', tool: 'foo', running: 1},
    {type: 'list.changed', tool: 'foo', running: 0},
  ],
} satisfies EventFixtures<TasksEvent>

describe('tasks', () => {
  const {edges, coverage} = describeRules(machine, {
    // a screen is opened, a request is sent
    user: ['tool.open', 'task.submit'],
    lasting: [{}],
    input,
    inputs: [{...input, tools: ['foo']}],
    events: Object.values(events).flat(),
    key: ({context: {tools, running}}) => [tools, running],
  })
  test('every transition is taken', () => {
    expect(coverage.missing(machine)).toEqual([])
  })
  test('a tool is in use once, and stays in use', () => {
    const wrong = edges.filter(({state, nextState}) => {
      const [before, after] = [state.context.tools, nextState.context.tools]
      return new Set(after).size !== after.length || before.some((tool) => !after.includes(tool))
    })
    expect(wrong).toEqual([])
  })
  test('a tool is started by what it is told, and by nothing else', () => {
    const started = edges.filter(({state, nextState}) => nextState.context.tools.length > state.context.tools.length)
    expect(new Set(started.map(({event}) => event.type))).toEqual(new Set(['tool.open', 'tasks.found', 'task.submit']))
  })
})

/** The tasks with the real lists and set-ups of the tools. */
function start(tools: string[] = []) {
  const actor = createActor(machine, {input: {...input, tools}, clock: new SimulatedClock()})
  actor.start()
  const list = (tool: string) => findActor<TaskListActor>(actor.system, taskListId(tool))
  const tray = () => selectTray(actor.getSnapshot()).map(({tool, id, state}) => `${tool} ${id} ${state}`)
  return {actor, list, tray, tool: (id: string) => findActor<ToolActor>(actor.system, toolId(id))}
}

describe('tasks journeys', () => {
  test('what runs elsewhere wakes the list of a tool that nobody opened, and joins one that is in use', () => {
    const {actor, list, tray} = start(['bar'])
    actor.send({
      type: 'tasks.found',
      tools: [
        {tool: 'foo', running: named},
        {tool: 'bar', running: [{id: 'b', created_at: 200}]},
      ],
    })
    expect(tray()).toEqual(['bar b queued', 'foo a queued'])
    expect(actor.getSnapshot().context).toMatchObject({tools: ['bar', 'foo'], running: {foo: 1, bar: 1}})
    const known = [list('foo'), list('bar')]
    actor.send({type: 'tasks.found', tools: [{tool: 'foo', running: named}]})
    expect([[list('foo'), list('bar')], tray()]).toEqual([known, ['bar b queued', 'foo a queued']])
    actor.stop()
  })

  test('what runs for a tool that cannot be set up is lost, not queued, and a question sets it up again', () => {
    const {actor, list, tool, tray} = start(['foo'])
    actor.send({type: 'tasks.found', tools: [{tool: 'foo', running: named}]})
    tool('foo')?.send({type: 'provision.missing', serviceId: ref.serviceId})
    expect(tray()).toEqual(['foo a lost'])
    const setUp = findActor<ProvisioningActor>(actor.system, toolProvisioningId('foo'))
    const asked: string[] = []
    const subscription = actor.system.inspect((inspected) => {
      if (inspected.type === '@xstate.event' && inspected.actorRef === setUp) asked.push(inspected.event.type)
    })
    list('foo')?.send({type: 'task.check', id: 'a'})
    expect(asked).toEqual(['applications.refresh'])
    subscription.unsubscribe()
    tool('foo')?.send({type: 'provision.ready', serviceId: ref.serviceId})
    expect(tray()).toEqual(['foo a queued'])
    actor.stop()
  })

  test('a request starts its tool, and opens no form', () => {
    const {actor, tool, tray} = start()
    actor.send({type: 'task.submit', intent: intent('k')})
    expect([tray(), tool('foo')?.getSnapshot().matches({form: 'closed'})]).toEqual([['foo undefined sending'], true])
    actor.stop()
  })

  test('credits that one tool reads let its own requests go on, and all tools look for theirs', () => {
    const {actor, list, tool} = start(['foo', 'bar'])
    const looking: unknown[] = []
    const resumed: unknown[] = []
    actor.system.inspect((inspected) => {
      if (inspected.type === '@xstate.event' && inspected.event.type === 'balance.check')
        looking.push(inspected.actorRef)
      if (inspected.type === '@xstate.event' && inspected.event.type === 'credits.added')
        resumed.push(inspected.actorRef)
    })
    tool('foo')?.send({type: 'credits.added', at: 1, left: 1})
    expect(looking).toEqual([tool('foo'), tool('bar')])
    expect(resumed).toContain(list('foo')?.getSnapshot().children.requests)
    expect(resumed).not.toContain(list('bar')?.getSnapshot().children.requests)
    actor.stop()
  })
})
