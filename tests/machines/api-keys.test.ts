import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, SimulatedClock, waitFor} from 'xstate'
import type {Application} from '#contract/management.ts'
import {createSanitizer} from '#app/inspector/sanitize.ts'
import {
  apiKeysMachine,
  selectKeyState,
  type ApiKeysEvent,
  type ApiKeysSnapshot,
} from '#machines/api-keys/api-keys.machine.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const environment = startEnvironment()
const input = {applicationId: 'foo', environment}
const application: Application = {id: 'foo', type: 'Usage', scope: 'Global'}
const token = 'sk-atrium-foobarfoobar'
const events = {
  'application.load': [{type: 'application.load'}],
  'key.new': [{type: 'key.new'}],
  'key.create': [{type: 'key.create', name: 'bar'}],
  'key.revoke': [{type: 'key.revoke', id: 'baz'}],
  'revoke.confirm': [{type: 'revoke.confirm'}],
  'dialog.close': [{type: 'dialog.close'}],
  'key.reveal': [{type: 'key.reveal', id: 'baz'}],
  'key.hide': [{type: 'key.hide'}],
  'token.received': [{type: 'token.received', id: 'baz', token}],
  'connection.restored': [{type: 'connection.restored'}],
  'page.leaving': [{type: 'page.leaving'}],
} satisfies EventFixtures<ApiKeysEvent>

const refused = (status: number) => Object.assign(new Error('foo'), {status, code: 'bad_request', detail: 'foo'})

type Answers = {
  create?: () => Promise<{id: string; token: string}>
  revoke?: () => Promise<void>
  read?: () => Promise<string>
}

/** The open page of an application whose calls the test answers. */
async function open(answers: Answers = {}) {
  const calls: string[] = []
  const clock = new SimulatedClock()
  const actor = createActor(
    apiKeysMachine.provide({
      actors: {
        readApplication: fromPromise<Application, {applicationId: string}>(async () => application),
        createKey: fromPromise<{id: string; token: string}, {applicationId: string; name: string}>(({input: key}) => {
          calls.push(`create ${key.applicationId} ${key.name}`)
          return answers.create?.() ?? Promise.resolve({id: 'baz', token})
        }),
        revokeKey: fromPromise<void, {id: string}>(({input: {id}}) => {
          calls.push(`revoke ${id}`)
          return answers.revoke?.() ?? Promise.resolve()
        }),
        readToken: fromPromise<string, {id: string}>(({input: {id}}) => {
          calls.push(`read ${id}`)
          return answers.read?.() ?? Promise.resolve(token)
        }),
      },
      actions: {refreshList: () => void calls.push('list')},
    }),
    {input, clock},
  ).start()
  const reaches = (state: Parameters<ApiKeysSnapshot['matches']>[0]) =>
    waitFor(actor, (snapshot) => snapshot.matches(state))
  await reaches('open')
  return {actor, calls, clock, reaches}
}

const logic = apiKeysMachine.provide({actions: {refreshList: () => {}}})

describe('the API keys of an application', () => {
  const {coverage, edges, states} = describeRules(logic, {
    input,
    user: [
      'application.load',
      'key.new',
      'key.create',
      'key.revoke',
      'revoke.confirm',
      'dialog.close',
      'key.reveal',
      'key.hide',
    ],
    events: Object.values(events).flat(),
    endless: ['environmentChanges'],
    outputs: {readApplication: [application], createKey: [{id: 'baz', token}], readToken: [token]},
    errors: [new Error('foo'), refused(404)],
    key: ({context: {created, revoking, revoked, failure, reading, revealed, revealFailure}}) => [
      created,
      revoking,
      revoked,
      failure?.code,
      reading,
      revealed?.id,
      revealFailure?.code,
    ],
  })

  test('every transition is taken', () => expect(coverage.missing(logic)).toEqual([]))

  test('a token is kept exactly while its key is shown', () => {
    const wrong = states.filter(
      (state) => state.matches({open: {token: 'shown'}}) !== (state.context.revealed !== undefined),
    )
    expect(wrong).toEqual([])
  })

  test('the inspector sees no token, in a context or in an event', () => {
    const seen = edges.filter(({nextState: {context}, event}) =>
      JSON.stringify(createSanitizer()({context: {...context, environment: undefined}, event})).includes('foobar'),
    )
    expect(seen).toEqual([])
  })

  test('a closed dialog leaves neither a failure nor a new key', () => {
    const stale = states.filter(
      (state) =>
        state.matches({open: {dialog: 'closed'}}) &&
        (state.context.failure !== undefined || state.context.created !== undefined),
    )
    expect(stale).toEqual([])
  })
})

test('an application that is not there can be asked for again', async () => {
  const reads = [() => Promise.reject(refused(404)), async () => application]
  const actor = createActor(
    logic.provide({
      actors: {
        readApplication: fromPromise<Application, {applicationId: string}>(
          () => reads.shift()?.() ?? Promise.reject(refused(500)),
        ),
      },
    }),
    {input},
  ).start()
  const missing = await waitFor(actor, (snapshot) => snapshot.matches('unavailable'))
  expect(missing.context.failure?.status).toBe(404)
  actor.send({type: 'application.load'})
  expect((await waitFor(actor, (snapshot) => snapshot.matches('open'))).context.failure).toBeUndefined()
})

test('a key is made by one request for two presses, shown, and forgotten with the dialog', async () => {
  const {actor, calls, reaches} = await open()
  actor.send({type: 'key.new'})
  actor.send({type: 'key.create', name: 'bar'})
  actor.send({type: 'key.create', name: 'bar'})
  const created = await reaches({open: {dialog: {creating: 'created'}}})
  expect([calls, created.context.created, created.context.revealed, selectKeyState(created, 'baz')]).toEqual([
    ['create foo bar', 'list'],
    'baz',
    {id: 'baz', token},
    'shown',
  ])
  actor.send({type: 'dialog.close'})
  const closed = actor.getSnapshot()
  expect([closed.value, selectKeyState(closed, 'baz'), JSON.stringify(closed.context.revealed)]).toEqual([
    {open: {dialog: 'closed', token: 'hidden'}},
    'hidden',
    undefined,
  ])
})

test('a refused key keeps its form open and says why; so does one without an answer', async () => {
  const {actor, calls, clock, reaches} = await open({create: () => Promise.reject(refused(409))})
  actor.send({type: 'key.new'})
  actor.send({type: 'key.create', name: ''})
  const failed = await reaches({open: {dialog: {creating: 'naming'}}})
  expect([failed.context.failure?.status, calls]).toEqual([409, ['create foo ', 'list']])
  const lost = await open({create: () => new Promise(() => {})})
  lost.actor.send({type: 'key.new'})
  lost.actor.send({type: 'key.create', name: ''})
  lost.clock.increment(20_000)
  expect([lost.actor.getSnapshot().context.failure, lost.calls]).toEqual([
    {code: 'timeout', lost: true, detail: 'The server did not answer in time.'},
    ['create foo ', 'list'],
  ])
  expect(clock.now()).toBe(0)
})

test('a shown key hides after a minute, by hand, and when the page is left', async () => {
  const {actor, clock, reaches} = await open()
  const reveal = async () => {
    actor.send({type: 'key.reveal', id: 'baz'})
    expect(selectKeyState(actor.getSnapshot(), 'baz')).toBe('reading')
    return reaches({open: {token: 'shown'}})
  }
  expect((await reveal()).context.revealed).toEqual({id: 'baz', token})
  clock.increment(59_999)
  expect(selectKeyState(actor.getSnapshot(), 'baz')).toBe('shown')
  clock.increment(1)
  expect(selectKeyState(actor.getSnapshot(), 'baz')).toBe('hidden')
  for (const type of ['key.hide', 'page.leaving'] as const) {
    await reveal()
    actor.send({type})
    expect([selectKeyState(actor.getSnapshot(), 'baz'), actor.getSnapshot().context.revealed]).toEqual([
      'hidden',
      undefined,
    ])
  }
})

test('another key replaces the shown one; a key that cannot be read says why', async () => {
  const answers = [async () => token, () => Promise.reject(refused(404))]
  const {actor, calls, reaches} = await open({read: () => answers.shift()?.() ?? Promise.reject(refused(500))})
  actor.send({type: 'key.reveal', id: 'foo'})
  await reaches({open: {token: 'shown'}})
  actor.send({type: 'key.reveal', id: 'bar'})
  const failed = await reaches({open: {token: 'failed'}})
  expect([selectKeyState(failed, 'foo'), selectKeyState(failed, 'bar'), failed.context.revealFailure?.status]).toEqual([
    'hidden',
    'failed',
    404,
  ])
  expect(calls).toEqual(['read foo', 'read bar', 'list'])
})

test('a revoked key is gone at once; one that was revoked elsewhere counts as revoked', async () => {
  for (const revoke of [() => Promise.resolve(), () => Promise.reject(refused(404))]) {
    const {actor, calls, reaches} = await open({revoke})
    actor.send({type: 'key.revoke', id: 'baz'})
    actor.send({type: 'revoke.confirm'})
    actor.send({type: 'revoke.confirm'})
    const done = await reaches({open: {dialog: 'closed'}})
    expect([done.context.revoked, calls]).toEqual([['baz'], ['revoke baz', 'list']])
  }
})

test('a key that could not be revoked stays, and its dialog says why', async () => {
  const {actor, reaches, clock} = await open({revoke: () => Promise.reject(refused(500))})
  actor.send({type: 'key.revoke', id: 'baz'})
  actor.send({type: 'revoke.confirm'})
  const failed = await reaches({open: {dialog: {revoking: 'confirming'}}})
  expect([failed.context.revoked, failed.context.failure?.status]).toEqual([[], 500])
  actor.send({type: 'dialog.close'})
  expect(actor.getSnapshot().context.failure).toBeUndefined()
  expect(clock.now()).toBe(0)
})
