import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, SimulatedClock, waitFor} from 'xstate'
import {callMachine, selectRefusal, type CallEvent, type CallValues} from '#machines/call/call.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const input = {deadline: 20_000}
const values = {password: 'foo-secret'}
const events = {
  'call.open': [{type: 'call.open'}],
  'call.close': [{type: 'call.close'}],
  'call.send': [
    {type: 'call.send', subject: 'foo'},
    {type: 'call.send', values},
  ],
} satisfies EventFixtures<CallEvent>
const logic = callMachine.provide({actions: {announceDone: () => {}}})

type Request = {subject: string | undefined; values: CallValues}

/** A request that the test answers, one attempt after the other. */
function open(answers: (() => Promise<void>)[]) {
  const requests: Request[] = []
  const done: string[] = []
  const aborted: boolean[] = []
  const clock = new SimulatedClock()
  const actor = createActor(
    callMachine.provide({
      actors: {
        call: fromPromise<void, Request>(({input: request, signal}) => {
          requests.push(request)
          signal.addEventListener('abort', () => aborted.push(true))
          return answers[requests.length - 1]?.() ?? Promise.reject(new Error('one call too many'))
        }),
      },
      actions: {announceDone: () => void done.push('done')},
    }),
    {input, clock},
  ).start()
  return {actor, requests, done, aborted, clock}
}
const refused = () =>
  Promise.reject(Object.assign(new Error('foo'), {code: 'bad_request', detail: 'foo', status: 400, field: 'password'}))

describe('a request about the account', () => {
  const {coverage, states} = describeRules(logic, {
    input,
    user: ['call.open', 'call.close', 'call.send'],
    events: Object.values(events).flat(),
    key: ({context: {subject, failure}}) => [subject, failure?.code],
  })
  test('every transition is taken', () => expect(coverage.missing(logic)).toEqual([]))
  test('no password is kept', () => {
    expect(states.filter(({context}) => JSON.stringify(context).includes('foo-secret'))).toEqual([])
  })
  test('a refusal never outlives its form', () => {
    const stale = states.filter((state) => !state.matches('open') && selectRefusal(state) !== undefined)
    expect(stale).toEqual([])
  })
})

test('a refused request keeps its form open and says why; the next one is announced once', async () => {
  const {actor, requests, done} = open([refused, async () => {}])
  actor.send({type: 'call.open'})
  actor.send({type: 'call.send', values})
  const failed = await waitFor(actor, (snapshot) => !snapshot.matches('sending'))
  expect([failed.value, selectRefusal(failed)?.field, done]).toEqual(['open', 'password', []])
  actor.send({type: 'call.send', values: {password: 'bar'}})
  expect((await waitFor(actor, (snapshot) => !snapshot.matches('sending'))).value).toBe('done')
  expect([requests, done]).toEqual([
    [
      {subject: undefined, values},
      {subject: undefined, values: {password: 'bar'}},
    ],
    ['done'],
  ])
})

test('a second press while one is on its way does nothing', () => {
  const {actor, requests} = open([() => new Promise(() => {})])
  actor.send({type: 'call.send', subject: 'foo'})
  actor.send({type: 'call.send', subject: 'bar'})
  expect([requests.map(({subject}) => subject), actor.getSnapshot().context.subject]).toEqual([['foo'], 'foo'])
})

test('closing takes a request back; one without an answer counts as lost', () => {
  const taken = open([() => new Promise(() => {})])
  taken.actor.send({type: 'call.send'})
  taken.actor.send({type: 'call.close'})
  expect([taken.actor.getSnapshot().value, taken.aborted]).toEqual(['idle', [true]])
  const lost = open([() => new Promise(() => {})])
  lost.actor.send({type: 'call.send'})
  lost.clock.increment(20_000)
  expect(selectRefusal(lost.actor.getSnapshot())).toEqual({
    code: 'timeout',
    lost: true,
    detail: 'The server did not answer in time.',
  })
})
