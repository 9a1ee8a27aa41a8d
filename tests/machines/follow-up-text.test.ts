import {describe, expect, test} from 'vitest'
import {createActor, fromCallback} from 'xstate'
import {followUpTextMachine, type FollowUpTextEvent} from '#machines/follow-up-text/follow-up-text.machine.ts'
import type {FollowUpsEvent} from '#machines/follow-ups/follow-ups.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'

const events = {
  'editor.entered': [
    {type: 'editor.entered', isEdited: true},
    {type: 'editor.entered', isEdited: false},
  ],
  'editor.left': [
    {type: 'editor.left', isWaiting: true},
    {type: 'editor.left', isWaiting: false},
  ],
  'text.type': [
    {type: 'text.type', text: 'foo'},
    {type: 'text.type', text: undefined},
  ],
  'text.save': [{type: 'text.save', question: 'bar'}],
  'text.cancel': [{type: 'text.cancel'}],
  'page.leaving': [{type: 'page.leaving'}],
} satisfies EventFixtures<FollowUpTextEvent>

const machine = followUpTextMachine.provide({actions: {giveBack: () => undefined}})

describe('followUpText', () => {
  const {coverage} = describeRules(machine, {
    input: {key: 'a', followUps: nobody, environment: startEnvironment()},
    events: Object.values(events).flat(),
    endless: ['environmentChanges'],
  })
  test('every transition is taken', () => expect(coverage.missing(followUpTextMachine)).toEqual([]))
})

/** The messages of the chart to the queue, and texts that it gave back, after these events. */
function saidAfter(...sent: FollowUpTextEvent[]) {
  const said: unknown[] = []
  const queue = createActor(fromCallback<FollowUpsEvent>(({receive}) => receive((event) => said.push(event)))).start()
  const giveBack = (_: unknown, {question}: {question: string}) => void said.push(question)
  const logic = followUpTextMachine.provide({actions: {giveBack}})
  const actor = createActor(logic, {input: {key: 'a', followUps: queue, environment: startEnvironment()}}).start()
  actor.send({type: 'editor.entered', isEdited: true})
  for (const event of sent) actor.send(event)
  return said
}

const saved = {type: 'followUp.save', key: 'a', question: 'foo'}
const cancelled = {type: 'followUp.cancel', key: 'a'}
const typed = {type: 'text.type', text: 'foo'} as const
const gone = (isWaiting: boolean) => ({type: 'editor.left', isWaiting}) as const

test.each<[string, FollowUpTextEvent[], unknown[]]>([
  ['a typed text is saved as its editor goes', [typed, gone(true)], [saved, cancelled]],
  ['and given back where its question went', [typed, gone(false)], ['foo']],
  ['a text as it was changes nothing', [typed, {type: 'text.type', text: undefined}, gone(true)], [cancelled]],
  ['nor where its question went', [gone(false)], [cancelled]],
  ['a saved text is saved once', [typed, {type: 'text.save', question: 'foo'}, gone(true)], [saved]],
  ['a typed text is saved as its page goes', [typed, {type: 'page.leaving'}], [saved]],
  ['and again as the page comes back', [typed, {type: 'page.leaving'}, gone(true)], [saved, saved, cancelled]],
  ['or given back as it comes back', [typed, {type: 'page.leaving'}, gone(false)], [saved, 'foo']],
  ['which saves nothing else', [{type: 'page.leaving'}], []],
  ['a cancelled one is not saved', [typed, {type: 'text.cancel'}, gone(false)], [cancelled]],
])('%s', (_, sent, expected) => expect(saidAfter(...sent)).toEqual(expected))
