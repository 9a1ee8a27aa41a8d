import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {AnswerDetails} from '#contract/answer-details.ts'
import {answerDetailsMachine, type AnswerDetailsEvent} from '#machines/answer-details/answer-details.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const details: AnswerDetails = {attempts: [{attempt: 1, state: 'finished', model: 'foo', created_at: '2026-01-01'}]}
const events = {'details.load': [{type: 'details.load'}]} satisfies EventFixtures<AnswerDetailsEvent>

describe('the details of an answer', () => {
  const {coverage, states} = describeRules(answerDetailsMachine, {
    input: {message: 'foo'},
    user: ['details.load'],
    events: Object.values(events).flat(),
    outputs: {readDetails: [details]},
  })
  test('every transition is taken', () => expect(coverage.missing(answerDetailsMachine)).toEqual([]))
  test('what is shown was read, and a failure says why', () => {
    const shown = states.filter((snapshot) => snapshot.matches('shown'))
    expect(shown.map(({context}) => context.details)).toEqual(shown.map(() => details))
    const failed = states.filter((snapshot) => snapshot.matches('failed'))
    expect(failed.every(({context}) => context.failure !== undefined)).toBe(true)
  })
})

test('a failed reading is repeated for the same message', async () => {
  const asked: string[] = []
  const actor = createActor(
    answerDetailsMachine.provide({
      actors: {
        readDetails: fromPromise<AnswerDetails, {message: string}>(async ({input}) => {
          asked.push(input.message)
          if (asked.length === 1) throw new Error('foo')
          return details
        }),
      },
    }),
    {input: {message: 'bar'}},
  ).start()
  await waitFor(actor, (snapshot) => snapshot.matches('failed'))
  actor.send({type: 'details.load'})
  await waitFor(actor, (snapshot) => snapshot.status === 'done')
  expect(asked).toEqual(['bar', 'bar'])
  expect(actor.getSnapshot().context.details).toEqual(details)
})
