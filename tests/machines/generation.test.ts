import {describe, expect, test} from 'vitest'
import type {GenerationEvent} from '#machines/generation/generation.types.ts'
import type {EventFixtures} from './graph.ts'
import {startOwner} from './media-fixtures.ts'
import {describeRules} from './rules.ts'
import {machine, input, pictureInput, rule, file} from './generation-fixture.ts'

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
  'file.move': [{type: 'file.move', field: 'pictures', id: 'f', place: 0}],
  'provision.ready': [{type: 'provision.ready'}],
  'result.use': [
    {type: 'result.use', use: {target: {kind: 'tool', tool: 'foo', input: pictureInput, value: '/r.png'}, ratio: 1}},
  ],
  'submit.repeat': [{type: 'submit.repeat'}],
  'submission.accepted': [{type: 'submission.accepted', key: 'k', task: 't-1'}],
  'submission.underway': [{type: 'submission.underway', key: 'k'}],
  'submission.resumed': [{type: 'submission.resumed', key: 'k'}],
  'submission.rejected': [
    {type: 'submission.rejected', key: 'k'},
    {type: 'submission.rejected', key: 'other'},
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
    outputs: {submission: [undefined]},
    key: ({context: {form, uploads, owner, request, click, showsFaults}}) => [
      form.prompt,
      form.picture,
      uploads.map(({state}) => state),
      owner.getSnapshot().hasTag('ready'),
      request?.submission,
      click === undefined,
      showsFaults,
    ],
    endless: ['submission', 'results'],
  })
  test('every transition is taken', () => expect(coverage.missing(machine)).toEqual([]))
  test('a form with faults is never sent', () => {
    const faulty = edges.filter(
      ({state, nextState}) =>
        !state.hasTag('busy') &&
        nextState.hasTag('busy') &&
        nextState.context.request !== state.context.request &&
        nextState.context.faults.length > 0,
    )
    expect(faulty).toEqual([])
  })
  test('while a request is on its way a click makes no other', () => {
    const clicked = edges.filter(({state, event}) => event.type === 'form.submit' && state.hasTag('busy'))
    expect(clicked.length).toBeGreaterThan(0)
    expect(clicked.filter(({state, nextState}) => nextState.context.request !== state.context.request)).toEqual([])
  })
  test('after a request was taken a click makes another exactly when the form is another', () => {
    const clicked = edges.filter(
      ({state, event}) =>
        event.type === 'form.submit' &&
        state.hasTag('sent') &&
        state.context.faults.length + state.context.uploads.length === 0,
    )
    const isOther = ({state: {context}}: (typeof edges)[number]) =>
      context.form.prompt !== context.request?.submission.body.prompt ||
      context.form.picture !== (context.request?.submission.body.picture ?? '')
    expect(new Set(clicked.map(isOther))).toEqual(new Set([true, false]))
    for (const edge of clicked) {
      expect(edge.nextState.context.request !== edge.state.context.request).toBe(isOther(edge))
    }
  })
  test('a refusal keeps the form', () => {
    const refused = edges.filter(({event}) => event.type === 'submission.rejected')
    expect(refused.filter(({state, nextState}) => nextState.context.form !== state.context.form)).toEqual([])
  })
  test('a request exists exactly while it is on its way, refused or just taken', () => {
    const wrong = states.filter(
      (state) => (state.matches('requested') || state.matches('sent')) !== (state.context.request !== undefined),
    )
    expect(wrong.map(({value}) => value)).toEqual([])
  })
})
