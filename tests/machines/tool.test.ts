import {describe, expect, test} from 'vitest'
import {selectionId} from '#machines/selection/selection.types.ts'
import {formId, taskListId, toolProvisioningId} from '#machines/tasks/tasks.types.ts'
import type {ToolEvent, ToolPart} from '#machines/tool/tool.types.ts'
import type {EventFixtures} from './graph.ts'
import {startEnvironment} from './environment-fixture.ts'
import {intent, ref} from './media-fixtures.ts'
import {describeRules} from './rules.ts'
import {machine, input, use} from './tool-fixture.ts'

const parts: readonly ToolPart[] = ['list', 'provisioning', 'form']

const events = {
  'form.open': [{type: 'form.open'}, {type: 'form.open', use}],
  'selection.send': [{type: 'selection.send', event: {type: 'selection.enter'}}],
  'task.submit': [{type: 'task.submit', intent: intent('k')}],
  'tasks.named': [{type: 'tasks.named', tasks: [{id: 'a', created_at: 100}]}],
  'child.restart': parts.map((child) => ({type: 'child.restart' as const, child})),
  'provision.ready': [{type: 'provision.ready', serviceId: ref.serviceId}],
  'provision.missing': [{type: 'provision.missing', serviceId: ref.serviceId}],
  'provision.serviceRead': [{type: 'provision.serviceRead', serviceId: ref.serviceId, capabilities: []}],
  'application.applied': [{type: 'application.applied'}],
  'application.present': [{type: 'application.present'}],
  'credits.added': [{type: 'credits.added', at: 1, left: 1}],
  'credits.listed': [{type: 'credits.listed', at: 1, left: 1}],
  'credits.bought': [{type: 'credits.bought', applicationId: 'a-1', at: 1}],
  'list.changed': [{type: 'list.changed', tool: 'foo', running: 1}],
  'balance.check': [{type: 'balance.check'}],
  'connection.restored': [{type: 'connection.restored'}],
  'token.renewed': [{type: 'token.renewed'}],
  'list.started': [{type: 'list.started'}],
  'form.started': [{type: 'form.started'}],
  'selection.started': [{type: 'selection.started'}],
} satisfies EventFixtures<ToolEvent>

type Value = {list: unknown; provisioning: unknown; form: unknown; selection: unknown}
/** Regions that are off their usual state. */
const movedOf = ({list, provisioning, form, selection}: Value) =>
  [
    list !== 'running',
    provisioning !== 'running',
    form !== 'closed' && JSON.stringify(form) !== '{"running":"working"}',
    selection !== 'closed',
  ].filter(Boolean).length

describe('tool', () => {
  const {edges, coverage, states} = describeRules(machine, {
    // the screen is opened, a button is pressed, a broken part is asked for
    user: ['form.open', 'selection.send', 'child.restart'],
    input,
    inputs: [{...input, environment: startEnvironment({isOnline: false})}],
    events: Object.values(events).flat(),
    outputs: {
      loadForm: [undefined],
      loadSelection: [undefined],
      [taskListId('foo')]: [],
      [toolProvisioningId('foo')]: [],
      [formId('foo')]: [],
      [selectionId('foo')]: [],
    },
    endless: ['environmentChanges', taskListId('foo'), toolProvisioningId('foo'), formId('foo'), selectionId('foo')],
    // all works, and the user chooses several results
    lasting: [{list: 'running', provisioning: 'running', form: {running: 'working'}, selection: 'working'}],
    key: ({context: {environment, crashes, uses, choices}}) => [
      environment.getSnapshot().value,
      parts.map((part) => crashes[part]?.count ?? 0),
      uses.length > 0,
      choices.length > 0,
    ],
    // regions do not touch each other: one is moved at a time
    stop: ({value, context: {crashes}}) =>
      movedOf(value) > 1 || parts.filter((part) => (crashes[part]?.count ?? 0) > 0).length > 1,
  })
  test('every transition is taken', () => expect(coverage.missing(machine)).toEqual([]))
  test('a part that breaks leaves the others as they are', () => {
    const broken = edges.filter(({event}) => /^xstate\.error\.actor\.(tasks|provisioning|generation)/.test(event.type))
    expect(broken.length).toBeGreaterThan(0)
    const changed = broken.filter(({state, nextState}) => {
      const [before, after] = [Object.entries(state.value), Object.entries(nextState.value)]
      return (
        before.filter(
          ([region, value], position) => JSON.stringify([region, value]) !== JSON.stringify(after[position]),
        ).length > 1
      )
    })
    expect(changed).toEqual([])
  })
  test('a form that was opened is never closed again', () => {
    expect(
      edges.filter(({state, nextState}) => !state.matches({form: 'closed'}) && nextState.matches({form: 'closed'})),
    ).toEqual([])
  })
  test('a load that fails is an offer to load again, and without a network it waits for that', () => {
    const failed = edges.filter(
      ({event, state}) =>
        state.matches({form: {running: 'loading'}}) &&
        (event.type === 'xstate.error.actor.loadForm' || event.type.startsWith('xstate.after.loadDeadline')),
    )
    const ends = failed.filter(({nextState}) => !nextState.matches({form: {running: 'loading'}}))
    const wrong = ends.filter(({state, nextState}) => {
      const isOnline = state.context.environment === input.environment
      return !nextState.matches({form: isOnline ? 'failed' : 'offline'})
    })
    expect([ends.length > 1, wrong]).toEqual([true, []])
  })
  test('what waits for a part is kept exactly until it runs', () => {
    const waiting = states.filter(({context: {uses}}) => uses.length > 0)
    expect(waiting.length).toBeGreaterThan(0)
    expect(states.filter((state) => state.matches({selection: 'closed'}) && state.context.choices.length > 0)).toEqual(
      [],
    )
  })
})
