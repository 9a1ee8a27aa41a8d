import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, setup, SimulatedClock, type AnyEventObject} from 'xstate'
import {lostContact} from '#domain/failure.ts'
import type {Intent, StoredIntent} from '#domain/intent.ts'
import {submissionMachine} from '#machines/submission/submission.machine.ts'
import type {
  Accepted,
  PostInput,
  Preparation,
  SubmissionEvent,
  SubmissionInput,
} from '#machines/submission/submission.types.ts'
import {selectRequest} from '#machines/task-requests/task-requests.selectors.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import type {RenewalInput} from '#machines/lib/renewal.ts'
import type {EventFixtures} from './graph.ts'
import {startEnvironment} from './environment-fixture.ts'
import {intent, record, startList} from './media-fixtures.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'

const failed = (status: number, code: string) => Object.assign(new Error('foo'), {status, code, detail: 'foo'})
const unauthorized = {status: 401, code: 'invalid_token', detail: 'foo'}
const usedUp = {status: 403, code: 'used_up', detail: 'foo'}
const input: SubmissionInput = {
  ...startList().input,
  environment: startEnvironment(),
  parentRef: nobody,
  intent: intent('k'),
  origin: 'new',
}
const stored = (state: StoredIntent['state'], more: Partial<SubmissionInput> = {}): SubmissionInput => ({
  ...input,
  intent: {...intent('k'), state, failure: usedUp},
  origin: 'stored',
  ...more,
})
const own = {...record('t-1'), task: {...record('t-1').task, request: intent('k').submission.body}}

const events = {
  'submission.retry': [{type: 'submission.retry'}],
  'submission.discard': [{type: 'submission.discard'}],
  'tasks.arrived': [
    {type: 'tasks.arrived', records: [own]},
    {type: 'tasks.arrived', records: [record('other')]},
  ],
  'task.granted': [{type: 'task.granted'}],
  'credits.added': [{type: 'credits.added'}],
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
      stored('rejected'),
      stored('usedUp'),
      stored('usedUp', {now: 101}),
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
      renewCredential: [undefined],
    },
    errors: [
      lostContact('foo'),
      unauthorized,
      usedUp,
      {status: 400, code: 'bad_request', detail: 'foo'},
      {code: 'not_applied', detail: 'no token'},
    ],
    key: ({context: {environment, list, repeats, isHeld, isOld, tries, looks, renewals, isRestored, failure}}) => [
      environment.getSnapshot().value,
      list.getSnapshot().hasTag('ready'),
      list.getSnapshot().hasTag('missing'),
      repeats,
      isHeld,
      isOld,
      Math.min(tries, 6),
      Math.min(looks, 5),
      renewals,
      isRestored,
      failure?.code,
    ],
    endless: ['environmentChanges'],
    stop: ({context: {tries, looks}}) => tries > 6 || looks > 5,
  })
  test('every transition is taken', () => expect(coverage.missing(submissionMachine)).toEqual([]))
  test('nothing is sent before it is stored', () => {
    const early = edges.filter(({state, nextState}) => state.matches('saving') && nextState.matches('posting'))
    expect(early).toEqual([])
  })
  test('without keys a lost answer is never sent again by itself', () => {
    const again = edges.filter(
      ({state, event, nextState}) =>
        !state.context.repeats &&
        state.context.tries > 0 &&
        nextState.context.tries > state.context.tries &&
        event.type !== 'submission.retry' &&
        // a refused credential means that nothing was accepted
        !state.matches('renewing') &&
        !state.matches('preparing'),
    )
    expect(again).toEqual([])
  })
})

type Fakes = {
  preparation?: Partial<Preparation>
  post: (call: number) => Promise<Accepted>
  save?: () => Promise<void>
  prepare?: (call: number) => Promise<void>
}

function start(fakes: Fakes, more: Partial<SubmissionInput> = {}, isOnline = true) {
  const environment = startEnvironment({isOnline})
  const facts: AnyEventObject[] = []
  const posted: string[] = []
  /** The stored request after each write of it; nothing once it was forgotten. */
  const kept: (StoredIntent | undefined)[] = []
  let prepared = 0
  const machine = submissionMachine.provide({
    actors: {
      saveIntent: fromPromise<void, {userId: string; intent: Intent}>(fakes.save ?? (async () => undefined)),
      prepareRequest: fromPromise<Preparation, {ref: ToolRef; intent: Intent}>(async () => {
        prepared += 1
        await fakes.prepare?.(prepared)
        return {repeats: true, isHeld: false, isOld: false, ...fakes.preparation}
      }),
      postRequest: fromPromise<Accepted, PostInput>(({input: {intent: sent}}) => {
        posted.push(sent.key)
        return fakes.post(posted.length)
      }),
      renewCredential: fromPromise<void, RenewalInput>(async () => undefined),
    },
    actions: {
      keepIntent: (_, written) => void kept.push(written.stored),
      forgetIntent: () => void kept.push(undefined),
    },
  })
  const clock = new SimulatedClock()
  const parent = setup({actors: {child: machine}}).createMachine({
    invoke: {id: 'child', src: 'child', input: ({self}) => ({...input, ...more, environment, parentRef: self})},
    on: {'*': {actions: ({event}) => void (event.type.startsWith('xstate.') || facts.push(event))}},
  })
  const child = createActor(parent, {clock}).start().getSnapshot().children.child
  if (child === undefined) throw new Error('The child did not start')
  const states: string[] = []
  const look = () => {
    const snapshot = child.getSnapshot()
    const state = snapshot.matches('joined') ? 'joined' : selectRequest(snapshot).state
    if (states.at(-1) !== state && snapshot.status === 'active') states.push(state)
  }
  look()
  child.subscribe(look)
  const turn = async () => {
    for (let round = 0; round < 4; round += 1) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const named = (type: string) => facts.filter((fact) => fact.type === type)
  return {child, environment, clock, facts, named, posted, kept, states: () => states, turn}
}

describe('submission journeys', () => {
  test('stored, then sent, then a task', async () => {
    let isStored = false
    const run = start({
      save: async () => void (isStored = true),
      post: async () => {
        expect(isStored).toBe(true)
        return {task: 't-1'}
      },
    })
    await run.turn()
    expect(run.states()).toEqual(['sending', 'joined'])
    expect(run.named('submission.joined')).toEqual([{type: 'submission.joined', key: 'k', task: 't-1'}])
  })

  test('a store that fails does not keep the request back', async () => {
    const run = start({save: () => Promise.reject(new Error('full')), post: async () => ({task: 't-1'})})
    await run.turn()
    expect(run.states().at(-1)).toBe('joined')
  })

  test.each(['provision.ready', 'submission.retry'] as const)(
    'a request of a page that was left is looked for before it is sent, also when its set-up failed first (%s)',
    async (type) => {
      const unready = () => Promise.reject(Object.assign(new Error('foo'), {code: 'not_applied', detail: 'no token'}))
      const run = start(
        {
          prepare: (call) => (call === 1 ? unready() : Promise.resolve()),
          preparation: {repeats: false},
          post: async () => ({task: 't-1'}),
        },
        {origin: 'stored'},
      )
      await run.turn()
      expect(run.states()).toEqual(['sending', 'unsure'])
      run.child.send({type})
      await run.turn()
      expect([run.states(), run.posted]).toEqual([['sending', 'unsure', 'sending', 'looking'], []])
    },
  )

  test('a request waits for set-up, and is sent when that stands', async () => {
    const run = start({post: async () => ({task: 't-1'})}, {list: startList('settling').list})
    await run.turn()
    expect([run.states(), run.posted]).toEqual([['sending'], []])
    run.child.send({type: 'provision.ready'})
    await run.turn()
    expect([run.states(), run.posted]).toEqual([['sending', 'joined'], ['k']])
  })

  test.each(['settling', 'missing'] as const)(
    'a request of a tool that is %s and then missing waits for the user',
    async (setUp) => {
      const run = start({post: async () => ({task: 't-1'})}, {list: startList(setUp).list})
      await run.turn()
      run.child.send({type: 'provision.missing'})
      const {failure} = run.child.getSnapshot().context
      expect([run.states(), failure?.code, run.posted]).toEqual([['sending', 'rejected'], 'not_applied', []])
      run.child.send({type: 'provision.ready'})
      expect(run.states().at(-1)).toBe(setUp === 'missing' ? 'rejected' : 'sending')
    },
  )

  test('a credential that is gone by the time it is sent is made again, once', async () => {
    const noToken = Object.assign(new Error('foo'), {code: 'not_applied', detail: 'no token'})
    const run = start({post: async (call) => (call === 1 ? Promise.reject(noToken) : {task: 't-1'})})
    await run.turn()
    expect([run.states(), run.posted]).toEqual([
      ['sending', 'joined'],
      ['k', 'k'],
    ])
    const refused = start({post: () => Promise.reject(noToken)})
    await refused.turn()
    expect([refused.states(), refused.posted]).toEqual([
      ['sending', 'rejected'],
      ['k', 'k'],
    ])
  })

  test('a lost answer is asked for with the same key until it comes', async () => {
    const run = start({post: async (call) => (call < 3 ? Promise.reject(lostError()) : {task: 't-1'})})
    await run.turn()
    run.clock.increment(10_000)
    await run.turn()
    run.clock.increment(10_000)
    await run.turn()
    expect(run.posted).toEqual(['k', 'k', 'k'])
    expect(run.states()).toEqual(['sending', 'joined'])
  })

  test.each([true, false])('without a network it waits, and is sent once there is one (keys: %s)', async (repeats) => {
    const run = start({preparation: {repeats}, post: async () => ({task: 't-1'})}, {}, false)
    await run.turn()
    expect([run.states(), run.posted]).toEqual([['offline'], []])
    run.environment.send({type: 'connection.restored'})
    await run.turn()
    expect([run.states().slice(1), run.posted]).toEqual([['sending', 'joined'], ['k']])
  })

  test('the user may doubt that there is no network: the request is sent all the same', async () => {
    const run = start({post: async () => ({task: 't-1'})}, {}, false)
    await run.turn()
    expect(run.posted).toEqual([])
    run.child.send({type: 'submission.retry'})
    await run.turn()
    expect([run.states().at(-1), run.posted]).toEqual(['joined', ['k']])
  })

  test('a network that goes while it is sent is waited for as long as it takes', async () => {
    const run = start({post: async (call) => (call < 12 ? Promise.reject(lostError()) : {task: 't-1'})})
    run.environment.send({type: 'connection.lost'})
    await run.turn()
    for (let round = 0; round < 10; round += 1) {
      expect(run.states().at(-1)).toBe('offline')
      // the browser may be wrong about the network
      run.clock.increment(30_000)
      await run.turn()
    }
    run.environment.send({type: 'connection.restored'})
    await run.turn()
    run.clock.increment(10_000)
    await run.turn()
    expect([run.posted.length, run.states().at(-1)]).toEqual([12, 'joined'])
  })

  test('a retry waits for the network instead of its turn', async () => {
    const run = start({post: async (call) => (call === 1 ? Promise.reject(lostError()) : {task: 't-1'})})
    await run.turn()
    run.environment.send({type: 'connection.lost'})
    expect(run.states().at(-1)).toBe('offline')
    run.environment.send({type: 'connection.restored'})
    await run.turn()
    expect([run.posted.length, run.states().at(-1)]).toEqual([2, 'joined'])
  })

  test('where keys are unknown it is looked for, then waits for the user', async () => {
    const run = start({preparation: {repeats: false}, post: () => Promise.reject(lostError())})
    await run.turn()
    expect(run.states()).toEqual(['sending', 'looking'])
    for (let round = 0; round < 4; round += 1) run.clock.increment(5_000)
    expect(run.states().at(-1)).toBe('unsure')
    expect(run.posted).toHaveLength(1)
    run.child.send({type: 'submission.retry'})
    await run.turn()
    expect(run.posted).toHaveLength(2)
  })

  test('after a reload: with keys it is sent again, without it is looked for', async () => {
    const known = start({post: async () => ({task: 't-1'})}, {origin: 'stored'})
    await known.turn()
    expect(known.posted).toEqual(['k'])
    const unknown = start({preparation: {repeats: false}, post: async () => ({task: 't-1'})}, {origin: 'stored'})
    await unknown.turn()
    expect([unknown.posted, unknown.states()]).toEqual([[], ['sending', 'looking']])
  })

  test('a call that is held open is looked for in the list meanwhile, and not sent again', async () => {
    const run = start({preparation: {repeats: false, isHeld: true}, post: () => new Promise(() => undefined)})
    await run.turn()
    run.clock.increment(6_000)
    run.clock.increment(6_000)
    expect([run.states(), run.named('submission.lost').length]).toEqual([['sending', 'looking'], 2])
    expect(run.posted).toHaveLength(1)
  })

  test('used up: bought credits send the same request with the same key', async () => {
    const run = start({post: async (call) => (call === 1 ? Promise.reject(failed(403, 'used_up')) : {task: 't-1'})})
    await run.turn()
    expect(run.states()).toEqual(['sending', 'usedUp'])
    run.child.send({type: 'submission.retry'})
    await run.turn()
    expect(run.posted).toEqual(['k', 'k'])
    expect(run.states().at(-1)).toBe('joined')
  })

  test('a refused credential is renewed once', async () => {
    const run = start({post: async (call) => (call === 1 ? Promise.reject(failed(401, 'no')) : {task: 't-1'})})
    await run.turn()
    expect([run.posted.length, run.states().at(-1)]).toEqual([2, 'joined'])
    const stubborn = start({post: () => Promise.reject(failed(401, 'no'))})
    await stubborn.turn()
    expect([stubborn.posted.length, stubborn.states().at(-1)]).toEqual([2, 'rejected'])
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
    ['goes on', 100 + 60 * 60 - 1, ['k']],
    ['stays, when it is of long ago', 100 + 60 * 60, []],
  ] as const)('a stored request without credits %s once some were bought', async (_name, now, posted) => {
    const run = start({post: async () => ({task: 't-1'})}, stored('usedUp', {now}))
    run.child.send({type: 'credits.look'})
    run.child.send({type: 'credits.added'})
    await run.turn()
    expect([run.named('submission.waiting').length, run.posted]).toEqual([1, posted])
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

const lostError = () => Object.assign(new Error('foo'), lostContact('foo'))
