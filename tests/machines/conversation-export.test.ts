import {NEVER, Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, SimulatedClock} from 'xstate'
import type {ExportForm} from '#domain/conversation-file.ts'
import {
  conversationExportMachine,
  type ExportEvent,
  type ExportFact,
  type SaveInput,
} from '#machines/conversation-export/conversation-export.machine.ts'
import type {DeletionsSettled} from '#machines/message-changes/message-changes.types.ts'
import {pendingDeletionsMachine} from '#machines/pending-deletions/pending-deletions.machine.ts'
import {noToken} from '#domain/failure.ts'
import type {EventFixtures} from './graph.ts'
import {settledBy} from './pending-deletions-fixture.ts'
import {describeRules} from './rules.ts'

const events = {
  'form.choose': [{type: 'form.choose', form: 'json'}],
  'attachments.choose': [{type: 'attachments.choose', isWith: false}],
  'export.start': [{type: 'export.start'}],
  'export.cancel': [{type: 'export.cancel'}],
  'dialog.closed': [{type: 'dialog.closed'}],
  'conversations.read': [{type: 'conversations.read', read: 1, total: 1}],
  'file.progressed': [{type: 'file.progressed'}],
  'files.counted': [{type: 'files.counted', total: 2}],
  'file.packed': [{type: 'file.packed'}],
  'file.failed': [{type: 'file.failed', name: 'foo.png'}],
} satisfies EventFixtures<ExportEvent>

describe('an export', () => {
  const {coverage, edges, states} = describeRules(conversationExportMachine, {
    input: {form: 'markdown', hasAttachments: true, conversations: ['foo']},
    user: ['form.choose', 'attachments.choose', 'export.start', 'export.cancel', 'dialog.closed'],
    events: Object.values(events).flat(),
    outputs: {saveConversations: [undefined], pendingDeletions: [{failure: undefined}, {failure: noToken}]},
    // its parts have deadlines of their own
    endless: ['saveConversations'],
    limited: ['pendingDeletions'],
    key: ({value, context: {form, isWithAttachments, failure}}) => [value, form, isWithAttachments, failure?.code],
  })
  test('every transition is taken', () => expect(coverage.missing(conversationExportMachine)).toEqual([]))
  test('a copy of what the server has is saved only after the deletions, Markdown without them', () => {
    const starts = edges.filter(
      ({state, nextState}) => nextState.matches({packing: 'saving'}) && !state.matches({packing: 'saving'}),
    )
    const types = (form: ExportForm) =>
      new Set(starts.filter(({nextState}) => nextState.context.form === form).map(({event}) => event.type))
    expect([...types('json')]).toEqual(['xstate.done.actor.pendingDeletions'])
    expect([...types('markdown')]).toEqual(['export.start'])
  })
  test('what failed says why', () => {
    const failed = states.filter((state) => state.matches('failed'))
    expect(failed.length).toBeGreaterThan(0)
    expect(failed.filter(({context}) => context.failure === undefined)).toEqual([])
  })
})

test('what could not be read is named, the rest is saved; a second one begins anew', () => {
  const deletions = settledBy('always done')
  const runs: (SaveInput & {facts: Subject<ExportFact>})[] = []
  const actor = createActor(
    conversationExportMachine.provide({
      actors: {
        pendingDeletions: deletions.logic,
        saveConversations: fromEventObservable<ExportFact, SaveInput>(({input}) => {
          const facts = new Subject<ExportFact>()
          runs.push({...input, facts})
          return facts
        }),
      },
    }),
    {input: {form: 'markdown', hasAttachments: true, conversations: ['foo', 'bar']}},
  ).start()
  actor.send({type: 'form.choose', form: 'json'})
  actor.send({type: 'export.start'})
  runs[0]?.facts.next({type: 'conversations.read', read: 2, total: 2})
  runs[0]?.facts.next({type: 'files.counted', total: 2})
  runs[0]?.facts.next({type: 'file.packed'})
  runs[0]?.facts.next({type: 'file.failed', name: 'foo.png'})
  expect(actor.getSnapshot().context).toEqual({
    packed: 1,
    total: 2,
    missing: ['foo.png'],
    form: 'json',
    conversations: ['foo', 'bar'],
    conversationsRead: {read: 2, total: 2},
    isWithAttachments: true,
    attempt: 1,
  })
  runs[0]?.facts.complete()
  expect(actor.getSnapshot().matches('saved')).toBe(true)
  actor.send({type: 'export.start'})
  expect(actor.getSnapshot().context).toEqual({
    form: 'json',
    packed: 0,
    missing: [],
    conversations: ['foo', 'bar'],
    isWithAttachments: true,
    attempt: 1,
  })
  actor.send({type: 'export.cancel'})
  expect([actor.getSnapshot().value, runs[1]?.facts.observed]).toEqual(['choosing', false])
  expect(deletions.asked).toEqual(['foo', 'bar', 'foo', 'bar'])
})

test('each conversation has a minute for its deletions, however many there are', () => {
  const settled = new Subject<DeletionsSettled>()
  const clock = new SimulatedClock()
  const actor = createActor(
    conversationExportMachine.provide({
      actors: {
        pendingDeletions: pendingDeletionsMachine.provide({
          actors: {requestDeletions: fromEventObservable<DeletionsSettled, {conversation: string}>(() => settled)},
        }),
        saveConversations: fromEventObservable<ExportFact, SaveInput>(() => NEVER),
      },
    }),
    {clock, input: {form: 'json', hasAttachments: true, conversations: ['foo', 'bar', 'baz']}},
  ).start()
  actor.send({type: 'export.start'})
  for (const _ of [1, 2, 3]) {
    clock.increment(59_999)
    expect(actor.getSnapshot().value).toEqual({packing: 'deleting'})
    settled.next({type: 'deletions.settled'})
  }
  expect(actor.getSnapshot().value).toEqual({packing: {saving: 'reading'}})
})

/** An export whose runs a test reports of. */
function openExport(clock = new SimulatedClock()) {
  const runs: (SaveInput & {facts: Subject<ExportFact>})[] = []
  const actor = createActor(
    conversationExportMachine.provide({
      actors: {
        pendingDeletions: settledBy('always done').logic,
        saveConversations: fromEventObservable<ExportFact, SaveInput>(({input}) => {
          const facts = new Subject<ExportFact>()
          runs.push({...input, facts})
          return facts
        }),
      },
    }),
    {clock, input: {form: 'json', hasAttachments: true, conversations: ['foo']}},
  ).start()
  return {actor, clock, runs}
}

test('a long list on a slow line, and a long attachment, are no failure as long as something comes', () => {
  const {actor, clock, runs} = openExport()
  actor.send({type: 'export.start'})
  for (const read of [20, 40, 60]) {
    clock.increment(119_999)
    runs[0]?.facts.next({type: 'conversations.read', read, total: 60})
  }
  for (const _ of [1, 2, 3]) {
    clock.increment(119_999)
    runs[0]?.facts.next({type: 'file.progressed'})
  }
  expect([actor.getSnapshot().value, actor.getSnapshot().context.conversationsRead]).toEqual([
    {packing: {saving: 'reading'}},
    {read: 60, total: 60},
  ])
  clock.increment(120_000)
  expect(actor.getSnapshot().value).toBe('failed')
})

test('what failed goes on; after an end or a cancel an export begins anew', () => {
  const {actor, runs} = openExport()
  actor.send({type: 'export.start'})
  runs[0]?.facts.error(new Error('foo'))
  actor.send({type: 'export.start'})
  runs[1]?.facts.complete()
  actor.send({type: 'export.start'})
  actor.send({type: 'export.cancel'})
  actor.send({type: 'export.start'})
  expect(runs.map(({attempt}) => attempt)).toEqual([1, 2, 1, 1])
})

test('after an end, another file is chosen in the same dialog', () => {
  const {actor, runs} = openExport()
  actor.send({type: 'export.start'})
  runs[0]?.facts.complete()
  actor.send({type: 'form.choose', form: 'markdown'})
  const {value, context} = actor.getSnapshot()
  expect([value, context.form]).toEqual(['choosing', 'markdown'])
})
