import {describe, expect, test} from 'vitest'
import {createActor, waitFor} from 'xstate'
import {leaveQuestionMachine, type LeaveQuestionEvent} from '#machines/leave-question/leave-question.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'leave.ask': [{type: 'leave.ask'}],
  'leave.stay': [{type: 'leave.stay'}],
  'leave.go': [{type: 'leave.go'}],
  'leave.end': [{type: 'leave.end'}],
} satisfies EventFixtures<LeaveQuestionEvent>

describe('the question before a page is left', () => {
  const {coverage, edges} = describeRules(leaveQuestionMachine, {
    input: undefined,
    user: ['leave.ask', 'leave.stay', 'leave.go'],
    events: Object.values(events).flat(),
    key: () => [],
  })
  test('every transition is taken', () => expect(coverage.missing(leaveQuestionMachine)).toEqual([]))
  test('only an answer to the question leaves, or its end', () => {
    const leaving = edges.filter(({state, nextState}) => nextState.matches('leaving') && !state.matches('leaving'))
    expect(leaving.map(({state, event}) => [state.value, event.type])).toEqual([
      ['asked', 'leave.go'],
      ['asked', 'leave.end'],
    ])
  })
})

test('two who ask are given one answer, and the next one asks anew', async () => {
  const actor = createActor(leaveQuestionMachine).start()
  const answer = async () => {
    actor.send({type: 'leave.ask'})
    return (await waitFor(actor, (snapshot) => !snapshot.matches('asked'))).value
  }
  const both = [answer(), answer()]
  actor.send({type: 'leave.stay'})
  expect(await Promise.all(both)).toEqual(['staying', 'staying'])
  const next = answer()
  expect(actor.getSnapshot().value).toBe('asked')
  actor.send({type: 'leave.go'})
  expect(await next).toBe('leaving')
})
