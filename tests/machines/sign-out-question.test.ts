import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, SimulatedClock, waitFor} from 'xstate'
import type {Unsent} from '#domain/unsent.ts'
import {
  signOutQuestionMachine,
  type SignOutQuestionEvent,
} from '#machines/sign-out-question/sign-out-question.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'signOut.stay': [{type: 'signOut.stay'}],
  'signOut.go': [{type: 'signOut.go'}],
} satisfies EventFixtures<SignOutQuestionEvent>

describe('the question before signing out', () => {
  const {coverage, edges} = describeRules(signOutQuestionMachine, {
    input: undefined,
    user: ['signOut.stay', 'signOut.go'],
    events: Object.values(events).flat(),
    outputs: {
      countUnsent: [
        {drafts: 0, questions: 0, tasks: 0},
        {drafts: 1, questions: 0, tasks: 0},
        {drafts: 0, questions: 2, tasks: 0},
        {drafts: 0, questions: 0, tasks: 1},
      ],
    },
    key: ({context}) => [context.drafts, context.questions, context.tasks],
  })
  test('every transition is taken', () => expect(coverage.missing(signOutQuestionMachine)).toEqual([]))
  test('who is asked leaves by an answer alone', () => {
    const ends = edges.filter(({state, nextState}) => state.matches('asked') && nextState.status === 'done')
    const answers = ends.map(({event, nextState}) => `${event.type}: ${String(nextState.value)}`)
    expect([...new Set(answers)].toSorted()).toEqual(['signOut.go: leaving', 'signOut.stay: staying'])
  })
  test('what is not sent is never dropped without a question, but where the browser cannot ask', () => {
    const silent = edges.filter(({state, nextState}) => nextState.matches('leaving') && !state.matches('asked'))
    const causes = silent.map(({state, event}) => `${String(state.value)}: ${event.type}`)
    expect([...new Set(causes)].toSorted()).toEqual([
      'counting: xstate.after.countDeadline.signOutQuestion.counting',
      'counting: xstate.done.actor.countUnsent',
      'counting: xstate.error.actor.countUnsent',
    ])
    const counted = silent.filter(({event}) => event.type === 'xstate.done.actor.countUnsent')
    expect(counted.map(({nextState: {context}}) => context)).toEqual([{drafts: 0, questions: 0, tasks: 0}])
  })
})

function begin(count: () => Promise<Unsent>) {
  const clock = new SimulatedClock()
  const actors = {countUnsent: fromPromise<Unsent, void>(count)}
  return {clock, question: createActor(signOutQuestionMachine.provide({actors}), {clock}).start()}
}

test('a browser that does not say what it keeps holds nobody', () => {
  const {clock, question} = begin(() => new Promise(() => {}))
  clock.increment(2_999)
  expect(question.getSnapshot().value).toBe('counting')
  clock.increment(1)
  expect(question.getSnapshot().value).toBe('leaving')
})

test('it is asked how much would be lost', async () => {
  const {question} = begin(async () => ({drafts: 2, questions: 3, tasks: 0}))
  const asked = await waitFor(question, (snapshot) => snapshot.matches('asked'))
  expect(asked.context).toEqual({drafts: 2, questions: 3, tasks: 0})
})
