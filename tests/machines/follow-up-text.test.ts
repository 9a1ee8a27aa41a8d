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
  'file.remove': [{type: 'file.remove', url: 'https://foo.example/a.pdf'}],
  'page.hidden': [{type: 'page.hidden'}],
  'page.leaving': [{type: 'page.leaving'}],
} satisfies EventFixtures<FollowUpTextEvent>

const [first, second] = ['https://foo.example/a.pdf', 'https://foo.example/b.pdf'] as const
const question = {key: 'a', question: 'one', references: [first, second]}

const machine = followUpTextMachine.provide({actions: {giveBack: () => undefined}})

describe('followUpText', () => {
  const {coverage} = describeRules(machine, {
    input: {ask: question, followUps: nobody, environment: startEnvironment()},
    key: ({context: {text, references}}) => [text, references],
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
  const actor = createActor(logic, {
    input: {ask: question, followUps: queue, environment: startEnvironment()},
  }).start()
  actor.send({type: 'editor.entered', isEdited: true})
  for (const event of sent) actor.send(event)
  return said
}

const references = [first, second]
const saved = {type: 'followUp.save', key: 'a', question: 'foo', references}
const kept = {...saved, type: 'followUp.keep'}
const restored = {type: 'followUp.keep', ...question}
const cancelled = {type: 'followUp.cancel', key: 'a'}
const typed = {type: 'text.type', text: 'foo'} as const
const hidden = {type: 'page.hidden'} as const
const removed = {type: 'file.remove', url: first} as const
const oneFile = {references: [second]}
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
  ['a hidden page keeps what is typed', [typed, hidden, hidden], [kept, kept]],
  ['and nothing else', [hidden], []],
  ['which is not kept where it is cancelled', [typed, hidden, {type: 'text.cancel'}], [kept, restored, cancelled]],
  ['nor where it is typed back', [typed, hidden, {type: 'text.type', text: undefined}, hidden], [kept, restored]],
  ['and saved once its editor goes', [typed, hidden, gone(true)], [kept, saved, cancelled]],
  [
    'a file that is taken out goes with the text',
    [removed, {type: 'text.save', question: 'one'}],
    [{...saved, question: 'one', ...oneFile}],
  ],
  ['also as the editor goes', [removed, gone(true)], [{...saved, question: 'one', ...oneFile}, cancelled]],
  [
    'and where the text is as before',
    [typed, removed, {type: 'text.type', text: undefined}, hidden],
    [{...kept, question: 'one', ...oneFile}],
  ],
  [
    'it is there again where that is cancelled',
    [removed, hidden, {type: 'text.cancel'}],
    [{...kept, question: 'one', ...oneFile}, restored, cancelled],
  ],
  ['alone it gives no text back', [removed, gone(false)], [cancelled]],
  ['a cancelled one is not saved', [typed, {type: 'text.cancel'}, gone(false)], [cancelled]],
])('%s', (_, sent, expected) => expect(saidAfter(...sent)).toEqual(expected))
