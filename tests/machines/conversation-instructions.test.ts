import {describe, expect, test} from 'vitest'
import {
  conversationInstructionsMachine,
  type ConversationInstructionsEvent,
} from '#machines/conversation-instructions/conversation-instructions.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'instructions.load': [{type: 'instructions.load'}],
  'instructions.save': [
    {type: 'instructions.save', text: 'foo'},
    {type: 'instructions.save', text: ''},
  ],
  'instructions.take': [{type: 'instructions.take'}],
} satisfies EventFixtures<ConversationInstructionsEvent>

describe('the instructions of a conversation', () => {
  const {coverage, edges, states} = describeRules(conversationInstructionsMachine, {
    input: {conversation: 'c-1'},
    user: ['instructions.load', 'instructions.save', 'instructions.take'],
    events: Object.values(events).flat(),
    outputs: {
      readInstructions: ['', 'bar'],
      writeInstructions: [
        {text: 'foo', isConflict: false},
        {text: 'theirs', isConflict: true},
      ],
    },
    errors: [{code: 'busy', detail: 'foo', status: 500}],
    key: ({context: {known, text, failure}}) => [known, text, failure?.code],
  })

  test('every transition is taken', () => expect(coverage.missing(conversationInstructionsMachine)).toEqual([]))

  test('a failure says why, and a text that is being saved is none', () => {
    const failed = states.filter((snapshot) => snapshot.matches('failed'))
    expect(failed.every(({context}) => context.failure !== undefined)).toBe(true)
    const saving = states.filter((snapshot) => snapshot.matches('saving'))
    expect(saving.every(({context}) => context.failure === undefined)).toBe(true)
  })

  test('what another page wrote is known before it can be replaced', () => {
    const again = edges.filter(({state, nextState}) => state.matches('conflicting') && nextState.matches('saving'))
    expect(again.length).toBeGreaterThan(0)
    expect(new Set(again.map(({nextState}) => nextState.context.known))).toEqual(new Set(['theirs']))
  })

  test('a saved text ends it, and nothing else', () => {
    const ends = edges.filter(({state, nextState}) => nextState.status === 'done' && state.status !== 'done')
    expect(ends.length).toBeGreaterThan(0)
    expect(ends.every(({state}) => state.matches('saving'))).toBe(true)
  })
})
