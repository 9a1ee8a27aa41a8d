import {describe, expect, test} from 'vitest'
import {buyingTime} from '#domain/conversation.ts'
import {lostContact} from '#domain/failure.ts'
import {submissionMachine} from '#machines/submission/submission.machine.ts'
import type {SubmissionEvent} from '#machines/submission/submission.types.ts'
import type {EventFixtures} from './graph.ts'
import {startEnvironment} from './environment-fixture.ts'
import {record, startList} from './media-fixtures.ts'
import {describeRules} from './rules.ts'
import {failed, unauthorized, usedUp, input, stored, own, start, lostError} from './submission-fixture.ts'

const events = {
  'submission.retry': [{type: 'submission.retry'}],
  'submission.discard': [{type: 'submission.discard'}],
  'tasks.arrived': [
    {type: 'tasks.arrived', records: [own]},
    {type: 'tasks.arrived', records: [record('other')]},
  ],
  'task.granted': [{type: 'task.granted'}],
  'credits.added': [{type: 'credits.added', at: 1, left: 1}],
  'credits.listed': [{type: 'credits.listed', at: 1, left: 1}],
  'credits.look': [{type: 'credits.look'}],
  'provision.ready': [{type: 'provision.ready'}],
  'provision.missing': [{type: 'provision.missing'}],
  'page.shown': [{type: 'page.shown'}],
  'connection.lost': [{type: 'connection.lost'}],
  'connection.restored': [{type: 'connection.restored'}],
} satisfies EventFixtures<SubmissionEvent>

describe('submission', () => {
  const {edges, coverage} = describeRules(submissionMachine, {
    user: ['submission.retry', 'submission.discard'],
    input,
    inputs: [
      {...input, origin: 'stored'},
      {...input, environment: startEnvironment({isOnline: false})},
      {...input, origin: 'broken'},
      {...input, list: startList('settling').list},
      {...input, list: startList('missing').list},
      {...input, origin: 'stored', list: startList('missing').list},
      {...input, environment: startEnvironment({isOnline: false}), list: startList('settling').list},
      stored('rejected'),
      stored('usedUp'),
      stored('usedUp', {now: 101}),
      {...stored('usedUp', {now: 101}), intent: {...stored('usedUp').intent, failure: {...usedUp, needed: '1'}}},
    ],
    events: Object.values(events).flat(),
    outputs: {
      saveIntent: [undefined],
      prepareRequest: [
        {repeats: true, isHeld: false, isOld: false},
        {repeats: false, isHeld: true, isOld: false},
        {repeats: true, isHeld: false, isOld: true},
      ],
      findTasks: [[]],
      postRequest: [{task: 't-1'}, {}],
    },
    errors: [
      lostContact('foo'),
      unauthorized,
      usedUp,
      {status: 400, code: 'bad_request', detail: 'foo'},
      {code: 'not_applied', detail: 'no token'},
    ],
    key: ({context: {environment, list, repeats, isHeld, tries, looks, failure}}) => [
      environment.getSnapshot().value,
      list.getSnapshot().hasTag('ready'),
      list.getSnapshot().hasTag('missing'),
      repeats,
      isHeld,
      Math.min(tries, 6),
      Math.min(looks, 5),
      failure?.code,
      failure?.needed,
    ],
    endless: ['environmentChanges'],
    stop: ({context: {tries, looks}}) => tries > 6 || looks > 5,
  })
  test('every transition is taken', () => expect(coverage.missing(submissionMachine)).toEqual([]))
  test('nothing is sent before it is stored', () => {
    const early = edges.filter(({state, nextState}) => state.matches('saving') && nextState.matches('posting'))
    expect(early).toEqual([])
  })
  test('what the server may have is never sent by itself after a long time, nor where keys are unknown', () => {
    type Answer = {type: string; output?: {repeats: boolean; isOld: boolean}}
    const answered = edges.filter(
      ({state, event}) => state.matches({recovering: 'reading'}) && event.type === 'xstate.done.actor.prepareRequest',
    )
    // as: the walk answers what `outputs` lists
    const isSure = ({event}: (typeof edges)[number]) => {
      const {output} = event as Answer
      return output?.repeats === true && !output.isOld
    }
    expect(new Set(answered.map(isSure))).toEqual(new Set([true, false]))
    expect(answered.filter((edge) => !isSure(edge) && edge.nextState.matches('posting'))).toEqual([])
  })
  test('without keys a lost answer is never sent again by itself', () => {
    const again = edges.filter(
      ({state, event, nextState}) =>
        !state.context.repeats &&
        state.context.tries > 0 &&
        nextState.context.tries > state.context.tries &&
        event.type !== 'submission.retry' &&
        !state.matches({preparing: 'reading'}),
    )
    expect(again).toEqual([])
  })
})

describe('what becomes of a request', () => {
  test('used up: bought credits send the same request with the same key', async () => {
    const run = start({post: async (call) => (call === 1 ? Promise.reject(failed(403, 'used_up')) : {task: 't-1'})})
    await run.turn()
    expect(run.states()).toEqual(['sending', 'usedUp'])
    run.child.send({type: 'submission.retry'})
    await run.turn()
    expect(run.posted).toEqual(['k', 'k'])
    expect(run.states().at(-1)).toBe('joined')
  })

  test('a refusal is not sent again by itself', async () => {
    const run = start({post: () => Promise.reject(failed(500, 'api_error'))})
    await run.turn()
    run.clock.increment(1_000_000)
    await run.turn()
    expect([run.posted.length, run.states()]).toEqual([1, ['sending', 'rejected']])
  })

  test('what was heard of a request is kept beside it, and forgotten with its task', async () => {
    const run = start({post: async (call) => (call === 1 ? Promise.reject(failed(400, 'no')) : {task: 't-1'})})
    await run.turn()
    run.child.send({type: 'submission.retry'})
    await run.turn()
    expect(run.kept.map((stored) => stored && (stored.state ?? 'underway'))).toEqual([
      'underway',
      'rejected',
      'underway',
      'underway',
      undefined,
    ])
  })

  test('a request that is put aside is forgotten, and one that was just accepted is not put aside', async () => {
    const run = start({post: () => Promise.reject(failed(400, 'no'))})
    await run.turn()
    run.child.send({type: 'submission.discard'})
    expect([run.kept.at(-1), run.named('submission.ended').length]).toEqual([undefined, 1])
    const accepted = start({post: async () => ({task: 't-1'})})
    await accepted.turn()
    accepted.child.send({type: 'submission.discard'})
    expect(accepted.child.getSnapshot().matches('joined')).toBe(true)
    accepted.clock.increment(1_000)
    expect(accepted.child.getSnapshot().status).toBe('done')
  })

  test.each(['rejected', 'usedUp'] as const)(
    'a stored %s request is sent only when the user says so',
    async (state) => {
      const run = start({post: async () => ({task: 't-1'})}, stored(state))
      await run.turn()
      run.environment.send({type: 'connection.restored'})
      expect([run.posted, run.states(), run.child.getSnapshot().context.failure]).toEqual([[], [state], usedUp])
      run.child.send({type: 'submission.retry'})
      await run.turn()
      expect([run.posted, run.states().at(-1)]).toEqual([['k'], 'joined'])
    },
  )

  test.each([
    ['goes on', 100 + buyingTime - 1, ['k']],
    ['stays, when it is of long ago', 100 + buyingTime, []],
  ] as const)('a stored request without credits %s once some were bought', async (_name, now, posted) => {
    const {list, facts} = startList()
    const run = start({post: async () => ({task: 't-1'})}, stored('usedUp', {list, now}))
    run.child.send({type: 'credits.look'})
    run.child.send({type: 'credits.added', at: 1, left: 1})
    await run.turn()
    expect([facts, run.posted]).toEqual([[{type: 'request.waiting'}], posted])
  })

  test('a lost request claims the task of the list that is its own, and is one once that is granted', async () => {
    const run = start({preparation: {repeats: false}, post: () => Promise.reject(lostError())})
    await run.turn()
    run.child.send({type: 'tasks.arrived', records: [record('other')]})
    expect(run.named('task.claimed')).toEqual([])
    run.child.send({type: 'tasks.arrived', records: [record('other'), own]})
    expect(run.named('task.claimed')).toEqual([{type: 'task.claimed', key: 'k', task: 't-1'}])
    expect(run.states().at(-1)).toBe('looking')
    run.child.send({type: 'task.granted'})
    expect([run.states().at(-1), run.kept.at(-1)]).toEqual(['joined', undefined])
  })
})
