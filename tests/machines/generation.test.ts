import {describe, expect, test} from 'vitest'
import type {GenerationEvent} from '#machines/generation/generation.types.ts'
import type {EventFixtures} from './graph.ts'
import {isSetUp, startOwner} from './media-fixtures.ts'
import {describeRules} from './rules.ts'
import {machine, input, imageInput, rule, file} from './generation-fixture.ts'

const events = {
  'field.change': [
    {type: 'field.change', field: 'prompt', value: ''},
    {type: 'field.change', field: 'prompt', value: 'bar'},
  ],
  'form.reset': [{type: 'form.reset'}],
  'form.fill': [{type: 'form.fill', values: {prompt: 'baz'}}],
  'form.submit': [{type: 'form.submit', key: 'k', at: 1}],
  'submit.cancel': [{type: 'submit.cancel'}],
  'files.add': [{type: 'files.add', field: 'picture', files: [file('f')], rule, most: 1}],
  'file.remove': [{type: 'file.remove', id: 'f'}],
  'file.retry': [{type: 'file.retry', id: 'f'}],
  'file.move': [{type: 'file.move', field: 'pictures', id: 'f', position: 0}],
  'provision.ready': [{type: 'provision.ready'}],
  'result.use': [
    {type: 'result.use', use: {target: {kind: 'tool', tool: 'foo', input: imageInput, value: '/r.png'}, ratio: 1}},
  ],
  'result.arrived': [{type: 'result.arrived', reading: {artifacts: []}, request: {}}],
  'upload.settled': [{type: 'upload.settled', id: 'f', field: 'picture', url: '/f.png'}],
  'upload.failed': [{type: 'upload.failed', id: 'f', field: 'picture'}],
  [`xstate.error.actor.${''}`]: [{type: 'xstate.error.actor.upload/f', actorId: 'upload/f', error: new Error('foo')}],
} satisfies EventFixtures<GenerationEvent>

describe('generation', () => {
  const {edges, states, coverage} = describeRules(machine, {
    user: [
      'field.change',
      'form.reset',
      'form.fill',
      'form.submit',
      'submit.cancel',
      'files.add',
      'file.remove',
      'file.retry',
      'file.move',
    ],
    input,
    inputs: [{...input, owner: startOwner(false).owner}],
    events: Object.values(events).flat(),
    key: ({context: {form, uploads, tool, owner, click}}) => [
      form.prompt,
      form.picture,
      uploads.map(({state}) => state),
      isSetUp({owner, tool}),
      click === undefined,
    ],
    endless: ['results'],
  })
  test('every transition is taken', () => expect(coverage.missing(machine)).toEqual([]))
  /** A request goes out on exactly these edges: the click is used up and nothing holds it back. */
  const sent = edges.filter(
    ({state, event, nextState}) =>
      nextState.context.click === undefined &&
      nextState.matches('editing') &&
      !nextState.hasTag('checked') &&
      (event.type === 'form.submit' || (state.hasTag('waiting') && event.type !== 'submit.cancel')) &&
      !event.type.startsWith('xstate.after.') &&
      event.type !== 'form.reset',
  )
  test('a form with faults is never sent, nor before calls can be made', () => {
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.filter(({nextState: {context}}) => context.faults.length > 0)).toEqual([])
    expect(sent.filter(({nextState: {context}}) => !isSetUp(context))).toEqual([])
  })
  test('while a click waits another one changes nothing', () => {
    const clicked = edges.filter(({state, event}) => event.type === 'form.submit' && state.hasTag('waiting'))
    expect(clicked.length).toBeGreaterThan(0)
    expect(clicked.filter(({state, nextState}) => nextState.context.click !== state.context.click)).toEqual([])
  })
  test('a press on a form with faults shows them, and no other edge does without a press', () => {
    const shown = edges.filter(({state, nextState}) => !state.hasTag('checked') && nextState.hasTag('checked'))
    const isWaiting = ({state, event}: (typeof edges)[number]) =>
      event.type === 'form.submit' || state.hasTag('waiting')
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.filter((edge) => !isWaiting(edge))).toEqual([])
    const hidden = edges.filter(({state, nextState}) => state.hasTag('checked') && !nextState.hasTag('checked'))
    expect(new Set(hidden.map(({event}) => event.type))).toEqual(new Set(['form.submit', 'form.reset']))
  })
  test('sending keeps the form', () => {
    const submitted = edges.filter(({event}) => event.type === 'form.submit')
    expect(submitted.filter(({state, nextState}) => nextState.context.form !== state.context.form)).toEqual([])
  })
  test('a click exists exactly while it waits', () => {
    const wrong = states.filter((state) => state.hasTag('waiting') !== (state.context.click !== undefined))
    expect(wrong.map(({value}) => value)).toEqual([])
  })
})
