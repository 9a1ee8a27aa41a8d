import {describe, expect, test} from 'vitest'
import {createActor} from 'xstate'
import {labelEditingMachine, type LabelEditingEvent} from '#machines/label-editing/label-editing.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const labels = ['work', 'home']
const events = {
  'rename.begin': [{type: 'rename.begin', label: 'work', labels}],
  'name.change': [
    {type: 'name.change', name: ' '},
    {type: 'name.change', name: ' work'},
    {type: 'name.change', name: 'home '},
    {type: 'name.change', name: 'job'},
  ],
  'rename.cancel': [{type: 'rename.cancel'}],
  'rename.confirm': [
    {type: 'rename.confirm', labels},
    {type: 'rename.confirm', labels: [...labels, 'job']},
    {type: 'rename.confirm', labels: ['home']},
  ],
  'label.delete': [{type: 'label.delete', label: 'home', keys: ['a'], colour: 3}],
  'delete.undo': [{type: 'delete.undo'}],
} satisfies EventFixtures<LabelEditingEvent>

describe('labelEditing', () => {
  const {coverage, edges} = describeRules(labelEditingMachine, {
    input: undefined,
    events: Object.values(events).flat(),
    outputs: {},
    errors: [],
    limit: 20_000,
    key: ({context}) => [context],
    stop: ({context}) => context.deleted.length > 2,
  })

  test('every transition is taken', () => {
    expect(coverage.missing(labelEditingMachine)).toEqual([])
  })

  test('no label gets an empty name, or the one it has', () => {
    const renamed = edges.filter(
      ({event, nextState}) => event.type === 'rename.confirm' && nextState.matches({names: 'listed'}),
    )
    const changed = renamed.filter(({state}) => state.matches({names: 'renaming'}))
    expect(changed.length).toBeGreaterThan(0)
    const same = changed.filter(({state, nextState}) => ['', state.context.label].includes(nextState.context.label))
    expect(same).toEqual([])
  })

  test('a deletion can be taken back as long as it is stored, and no longer', () => {
    const stale = edges.filter(
      ({nextState}) => nextState.matches({deletion: 'undoable'}) !== nextState.context.deleted.length > 0,
    )
    expect(stale).toEqual([])
  })
})

test('a name that another label has is told before the two become one', () => {
  const actor = createActor(labelEditingMachine).start()
  actor.send({type: 'rename.begin', label: 'work', labels: ['work', 'Café']})
  actor.send({type: 'name.change', name: ' Cafe\u0301 '})
  expect(actor.getSnapshot().matches({names: {renaming: 'taken'}})).toBe(true)
  actor.send({type: 'rename.confirm', labels: ['work', 'Café']})
  expect(actor.getSnapshot().context.label).toBe('Café')
})

test('a name that another tab took while it was typed is told too', () => {
  const actor = createActor(labelEditingMachine).start()
  actor.send({type: 'rename.begin', label: 'work', labels: ['work']})
  actor.send({type: 'name.change', name: 'job'})
  actor.send({type: 'rename.confirm', labels: ['work', 'job']})
  expect(actor.getSnapshot().matches({names: {renaming: 'taken'}})).toBe(true)
  expect(actor.getSnapshot().context.label).toBe('work')
  actor.send({type: 'rename.confirm', labels: ['work', 'job']})
  expect(actor.getSnapshot().context.label).toBe('job')
})

test('a label that another tab deleted is not renamed, and what was typed stays', () => {
  const actor = createActor(labelEditingMachine).start()
  actor.send({type: 'rename.begin', label: 'work', labels: ['work']})
  actor.send({type: 'name.change', name: 'job'})
  actor.send({type: 'rename.confirm', labels: []})
  expect(actor.getSnapshot().matches({names: 'renaming'})).toBe(true)
  expect(actor.getSnapshot().context).toEqual({label: 'work', name: 'job', labels: ['work'], deleted: []})
  // and the other tab took that back
  actor.send({type: 'rename.confirm', labels: ['work']})
  expect(actor.getSnapshot().context.label).toBe('job')
})
