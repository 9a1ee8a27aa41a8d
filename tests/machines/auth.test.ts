import {NEVER, Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {
  createActor,
  fromCallback,
  fromEventObservable,
  fromPromise,
  SimulatedClock,
  waitFor,
  type EventObject,
} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import type {User} from '#contract/management.ts'
import type {LoginReturn} from '#domain/login-return.ts'
import type {SessionToken} from '#domain/session-token.ts'
import {authMachine} from '#machines/auth/auth.machine.ts'
import type {
  AuthEvent,
  AuthInput,
  LoginCode,
  LoginFrameFact,
  LoginInput,
  LoginStart,
} from '#machines/auth/auth.types.ts'
import {siteOriginMachine} from '#machines/site/site-origin.machine.ts'
import type {SleepInput} from '#machines/lib/sleep-until.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const tokenOf = (access: string, receivedAt = 0): SessionToken => ({
  access,
  refresh: `refresh-${access}`,
  expiration: 900,
  receivedAt,
  refreshAt: receivedAt + 720_000,
})
const token = tokenOf('foo')
const user: User = {id: 'u-1'}
/** Of a fresh sign-in: whose it is is not known. */
const newer = tokenOf('bar', 5)
const owned: SessionToken = {...newer, userId: user.id}
const claimed: LoginCode = {code: 'foo', isOurs: true}
const refused = {status: 401, code: 'invalid_grant', detail: 'foo'}
const lost = {code: 'unknown', detail: 'foo', lost: true}

const events = {
  'code.received': [{type: 'code.received', code: 'foo', state: 'bar'}],
  'session.resume': [{type: 'session.resume'}],
  'login.request': [{type: 'login.request', returnPath: '/foo'}],
  'login.received': [{type: 'login.received', token}],
  'login.redirect': [{type: 'login.redirect'}],
  'qr.received': [{type: 'qr.received', link: 'foo'}],
  'qr.close': [{type: 'qr.close'}],
  'logout.request': [{type: 'logout.request'}],
  'token.rejected': [
    {type: 'token.rejected', access: 'foo'},
    {type: 'token.rejected', access: 'stale'},
  ],
  'token.adopted': [
    {type: 'token.adopted', token: newer, epoch: 1},
    {type: 'token.adopted', token: newer, epoch: 0},
    {type: 'token.adopted', token: owned, epoch: 1},
  ],
  'session.ended': [
    {type: 'session.ended', epoch: 2},
    {type: 'session.ended', epoch: 1},
  ],
  'connection.restored': [{type: 'connection.restored'}],
  'page.restored': [{type: 'page.restored'}],
  'user.changed': [
    {type: 'user.changed', user: {id: user.id, nickname: 'changed'}},
    {type: 'user.changed', user: {id: 'another', nickname: 'changed'}},
  ],
} satisfies EventFixtures<AuthEvent>

const environment = startEnvironment()
const input = (more: Partial<AuthInput> = {}): AuthInput => ({
  environment,
  parentRef: nobody,
  flow: 'redirect',
  epoch: 1,
  canRefresh: true,
  ...more,
})
const restored = {token, user}

describe('auth', () => {
  const {edges, states, coverage} = describeRules(authMachine, {
    // signing in within the dialog's frame is the user's own act
    user: ['login.request', 'logout.request', 'qr.close', 'login.received'],
    // the start-up decides; it has deadlines of its own
    lasting: ['undecided'],
    input: input(),
    inputs: [
      input({restored}),
      input({restored: {token}}),
      input({flow: 'popup', restored}),
      input({flow: 'popup'}),
      input({canRefresh: false, restored}),
      input({restored, resumes: true}),
    ],
    events: Object.values(events).flat(),
    outputs: {
      claimCode: [claimed, {code: 'foo', isOurs: false}, undefined],
      exchangeCode: [token],
      fetchUser: [user],
      fetchPopupUser: [user],
      refreshToken: [owned, newer],
      renewToken: [owned, newer],
      endSession: [{epoch: 2}],
      startLogin: [{kind: 'leaving'}, {kind: 'loop'}],
      forceLogin: [{kind: 'leaving'}],
      siteOrigin: [{hadOrigin: true}, {hadOrigin: false}, {hadOrigin: false, failure: lost}],
      reloadPage: [{isLeaving: true}, {isLeaving: false}],
    },
    errors: [refused, lost],
    endless: ['sleepUntil', 'environmentChanges', 'loginMessages'],
    key: ({context: {token: held, user: known, qrLink, code, flow, canRefresh, epoch, resumes}}) => [
      held?.access,
      known?.id,
      qrLink,
      code?.isOurs,
      flow,
      canRefresh,
      epoch,
      resumes,
    ],
  })

  test('every transition is taken', () => expect(coverage.missing(authMachine)).toEqual([]))

  test('a QR link never outlives the dialog', () => {
    const stale = states.filter((state) => !state.hasTag('loginDialog') && state.context.qrLink !== undefined)
    expect(stale).toEqual([])
  })

  test('authenticated means a token and a user', () => {
    const hollow = states.filter(
      (state) =>
        state.hasTag('authenticated') && (state.context.token === undefined || state.context.user === undefined),
    )
    expect(hollow).toEqual([])
  })

  test('a session goes on with a token of its own user alone', () => {
    const strange = edges.filter(
      ({state, nextState}) =>
        state.hasTag('authenticated') &&
        nextState.hasTag('authenticated') &&
        state.context.token?.access !== nextState.context.token?.access &&
        nextState.context.token?.userId !== state.context.user?.id,
    )
    expect(strange).toEqual([])
  })

  test('only a 401, a refused grant, a sign-out or another tab ends a session; never lost contact', () => {
    const ending = edges.filter(
      ({state, nextState}) => state.hasTag('authenticated') && !nextState.hasTag('authenticated'),
    )
    const kinds = new Set(
      ending.map(({event}) => ('error' in event ? `${event.type} ${JSON.stringify(event.error)}` : event.type)),
    )
    expect([...kinds].sort()).toEqual([
      'login.request',
      'logout.request',
      'session.ended',
      'token.adopted',
      'token.rejected',
      'xstate.done.actor.refreshToken',
      `xstate.error.actor.refreshToken ${JSON.stringify(refused)}`,
    ])
  })

  test('a code nobody here asked for never replaces a session', () => {
    const replaced = edges.filter(
      ({state, event, nextState}) =>
        event.type === 'xstate.done.actor.claimCode' &&
        !('output' in event && event.output === claimed) &&
        state.context.token !== undefined &&
        nextState.matches('exchanging'),
    )
    expect(edges.some(({state}) => state.matches('claiming') && state.context.token !== undefined)).toBe(true)
    expect(replaced).toEqual([])
  })

  test('a sign-out leaves nothing of the user', () => {
    const after = edges.filter(({state, nextState}) => state.matches('signingOut') && !nextState.matches('signingOut'))
    expect(after.length).toBeGreaterThan(0)
    for (const {nextState} of after) {
      const {token: held, user: known, code, qrLink} = nextState.context
      expect({held, known, code, qrLink}).toEqual({
        held: undefined,
        known: undefined,
        code: undefined,
        qrLink: undefined,
      })
    }
  })
})

type Fakes = {
  refresh?: () => Promise<SessionToken>
  fetchUser?: () => Promise<User>
  startLogin?: (from: LoginInput) => Promise<LoginStart>
  frame?: Subject<LoginFrameFact>
}

function start(from: AuthInput, fakes: Fakes = {}) {
  const calls: string[] = []
  let wake = () => {}
  const slept: SleepInput[] = []
  const clock = new SimulatedClock()
  const machine = authMachine.provide({
    actions: {forgetAccess: () => undefined},
    actors: {
      loginMessages: fromEventObservable<LoginFrameFact, undefined>(() => fakes.frame ?? NEVER),
      exchangeCode: fromPromise(async () => {
        calls.push('exchange')
        return token
      }),
      fetchUser: fromPromise<User, {access: string}>(({input: {access}}) => {
        calls.push(`user ${access}`)
        return (fakes.fetchUser ?? (() => Promise.resolve(user)))()
      }),
      refreshToken: fromPromise<SessionToken, {token: SessionToken}>(() => {
        calls.push('refresh')
        return (fakes.refresh ?? (() => Promise.resolve(owned)))()
      }),
      endSession: fromPromise(async () => {
        calls.push('end')
        return {epoch: 2}
      }),
      startLogin: fromPromise<LoginStart, LoginInput>(({input: asked}) => {
        calls.push(`login ${asked.reason}`)
        return (fakes.startLogin ?? (async () => ({kind: 'leaving'})))(asked)
      }),
      siteOrigin: siteOriginMachine.provide({
        actors: {
          watchSite: fromCallback<EventObject>(({sendBack}) =>
            sendBack({type: 'site.decided', hasOrigin: calls.includes('initialize')}),
          ),
        },
        actions: {initializeSite: () => void calls.push('initialize')},
      }),
      claimCode: fromPromise<LoginCode | undefined, LoginReturn>(async ({input: {code, state}}) => ({
        code,
        isOurs: state === 'ours',
      })),
      reloadPage: fromPromise<{isLeaving: boolean}, {toSite: boolean}>(async ({input: {toSite}}) => {
        calls.push(`reload ${toSite ? 'to site' : 'here'}`)
        return {isLeaving: true}
      }),
      sleepUntil: fromPromise<void, SleepInput>(({input: until}) => {
        slept.push(until)
        return new Promise<void>((resolve) => (wake = resolve))
      }),
    },
  })
  const facts: string[] = []
  const owner = createActor(fromCallback<EventObject>(({receive}) => receive(({type}) => facts.push(type)))).start()
  const actor = createActor(machine, {input: {...from, parentRef: owner}, clock}).start()
  return {actor, facts, calls, slept, clock, wake: () => wake()}
}

describe('auth journeys', () => {
  test('the embedded login page is heard exactly while it is shown, and again after a failure', async () => {
    const frame = new Subject<LoginFrameFact>()
    const {actor} = start(input({flow: 'popup'}), {
      frame,
      fetchUser: () => Promise.reject(Object.assign(new Error('foo'), lost)),
    })
    actor.send({type: 'session.resume'})
    expect(frame.observed).toBe(false)
    actor.send({type: 'login.request'})
    frame.next({type: 'qr.received', link: 'foo'})
    expect([frame.observed, actor.getSnapshot().context.qrLink]).toEqual([true, 'foo'])
    frame.next({type: 'login.received', token})
    expect([frame.observed, actor.getSnapshot().matches({popup: 'identifying'})]).toEqual([false, true])
    await waitFor(actor, (snapshot) => snapshot.matches({popup: 'open'}))
    expect(frame.observed).toBe(true)
  })

  test('a session that has another token says so, once for each', async () => {
    const {actor, facts, wake} = start(input({restored}))
    actor.send({type: 'session.resume'})
    await waitFor(actor, (snapshot) => snapshot.matches({signedIn: 'fresh'}))
    wake()
    await waitFor(actor, ({context}) => context.token?.access === owned.access)
    expect(facts).toEqual(['session.opened', 'token.renewed'])
  })

  test('a code becomes a token and a user', async () => {
    const {actor, calls, slept} = start(input())
    actor.send({type: 'code.received', code: 'foo', state: 'ours'})
    await waitFor(actor, (snapshot) => snapshot.matches('signedIn'))
    expect(calls).toEqual(['exchange', 'user foo'])
    expect(slept).toEqual([{at: 720_000, atMost: 720_000}])
  })

  test('at 80 % of its life the token is refreshed', async () => {
    const {actor, wake, calls} = start(input({restored}))
    actor.send({type: 'session.resume'})
    await waitFor(actor, (snapshot) => snapshot.matches({signedIn: 'fresh'}))
    wake()
    await waitFor(actor, (snapshot) => snapshot.context.token?.access === 'bar')
    expect(calls).toEqual(['user foo', 'refresh'])
    expect(actor.getSnapshot().value).toEqual({signedIn: 'fresh'})
  })

  test('five 401s of one token are one refresh, and one more of the old token is none', async () => {
    const {actor, calls} = start(input({restored}))
    actor.send({type: 'session.resume'})
    await waitFor(actor, (snapshot) => snapshot.matches('signedIn'))
    for (let index = 0; index < 5; index += 1) actor.send({type: 'token.rejected', access: 'foo'})
    await waitFor(actor, (snapshot) => snapshot.context.token?.access === 'bar')
    actor.send({type: 'token.rejected', access: 'foo'})
    expect(calls.filter((call) => call === 'refresh')).toHaveLength(1)
    expect(actor.getSnapshot().value).toEqual({signedIn: 'fresh'})
  })

  test('a refresh that finds no network is tried again and keeps the session', async () => {
    const answers: (() => Promise<SessionToken>)[] = [
      () => Promise.reject(Object.assign(new Error('x'), lost)),
      async () => newer,
    ]
    const {actor, clock} = start(input({restored}), {refresh: () => answers.shift()!()})
    actor.send({type: 'session.resume'})
    await waitFor(actor, (snapshot) => snapshot.matches('signedIn'))
    actor.send({type: 'token.rejected', access: 'foo'})
    await waitFor(actor, (snapshot) => snapshot.matches({signedIn: 'waiting'}))
    clock.increment(30_000)
    const fresh = await waitFor(actor, (snapshot) => snapshot.matches({signedIn: 'fresh'}))
    expect(fresh.context.token?.access).toBe('bar')
  })

  test('a refused refresh asks to sign in again and keeps the user', async () => {
    const {actor, calls} = start(input({restored}), {
      refresh: () => Promise.reject(Object.assign(new Error('x'), refused)),
    })
    actor.send({type: 'session.resume'})
    await waitFor(actor, (snapshot) => snapshot.matches('signedIn'))
    actor.send({type: 'token.rejected', access: 'foo'})
    await waitFor(actor, (snapshot) => snapshot.matches({redirecting: 'leaving'}))
    expect(calls.at(-1)).toBe('login expired')
    expect(actor.getSnapshot().context).toMatchObject({token: undefined, user})
  })

  test('users/me without network keeps the last known user', async () => {
    const {actor} = start(input({restored}), {fetchUser: () => Promise.reject(Object.assign(new Error('x'), lost))})
    actor.send({type: 'session.resume'})
    const snapshot = await waitFor(actor, (state) => state.matches('signedIn'))
    expect(snapshot.context.user).toEqual(user)
  })

  test('a stored session the server no longer knows is no failed sign-in', async () => {
    const {actor} = start(input({restored, canRefresh: false}), {
      fetchUser: () => Promise.reject(Object.assign(new Error('x'), refused)),
    })
    actor.send({type: 'session.resume'})
    const snapshot = await waitFor(actor, (state) => state.matches('signedOut'))
    expect(snapshot.context).toMatchObject({token: undefined, failure: undefined})
  })

  test('a user who could not be read is asked for again when the start is tried again', async () => {
    const answers = [() => Promise.reject(Object.assign(new Error('x'), lost)), async () => user]
    const {actor} = start(input({restored: {token}}), {fetchUser: () => answers.shift()!()})
    actor.send({type: 'session.resume'})
    await waitFor(actor, (snapshot) => snapshot.hasTag('unreachable'))
    actor.send({type: 'session.resume'})
    await waitFor(actor, (snapshot) => snapshot.hasTag('authenticated'))
  })

  test('sign-out clears, then leaves as one navigation', async () => {
    const {actor, calls} = start(input({restored}))
    actor.send({type: 'session.resume'})
    await waitFor(actor, (snapshot) => snapshot.matches('signedIn'))
    actor.send({type: 'logout.request'})
    await waitFor(actor, (snapshot) => snapshot.matches({redirecting: 'leaving'}))
    expect(calls.slice(-2)).toEqual(['end', 'login logout'])
    expect(actor.getSnapshot().context).toMatchObject({token: undefined, user: undefined, epoch: 2})
  })

  test('the loop breaker stops on this page; the user may go on', async () => {
    const {actor} = start(input(), {startLogin: async ({isForced}) => ({kind: isForced ? 'leaving' : 'loop'})})
    actor.send({type: 'session.resume'})
    actor.send({type: 'login.request'})
    await waitFor(actor, (snapshot) => snapshot.hasTag('loop'))
    actor.send({type: 'login.request'})
    await waitFor(actor, (snapshot) => snapshot.matches({redirecting: 'leaving'}))
  })

  test('popup: token, user, site, then the site page when it has no origin', async () => {
    const {actor, calls} = start(input({flow: 'popup'}))
    actor.send({type: 'session.resume'})
    actor.send({type: 'login.request'})
    expect(actor.getSnapshot().hasTag('loginDialog')).toBe(true)
    actor.send({type: 'qr.received', link: 'foo'})
    actor.send({type: 'login.received', token})
    expect(actor.getSnapshot().context.qrLink).toBeUndefined()
    await waitFor(actor, () => calls.some((call) => call.startsWith('reload')))
    expect(calls).toEqual(['user foo', 'initialize', 'reload to site'])
  })

  test('another tab signs out: this one does too, and an old epoch changes nothing', async () => {
    const {actor} = start(input({restored}))
    actor.send({type: 'session.resume'})
    await waitFor(actor, (snapshot) => snapshot.matches('signedIn'))
    actor.send({type: 'session.ended', epoch: 1})
    expect(actor.getSnapshot().hasTag('authenticated')).toBe(true)
    actor.send({type: 'session.ended', epoch: 2})
    expect(actor.getSnapshot().value).toBe('signedOut')
    actor.send({type: 'token.adopted', token: newer, epoch: 1})
    expect(actor.getSnapshot().value).toBe('signedOut')
  })

  test("another tab's sign-in: the session ends, and nobody is signed in until the server says who it is", async () => {
    const lose = () => Promise.reject<User>(new ApiError(lost))
    const answers = [() => Promise.resolve(user), lose, () => Promise.resolve<User>({id: 'u-2'})]
    const {actor} = start(input({restored}), {fetchUser: () => (answers.shift() ?? lose)()})
    actor.send({type: 'session.resume'})
    await waitFor(actor, (snapshot) => snapshot.matches('signedIn'))
    actor.send({type: 'token.adopted', token: newer, epoch: 1})
    const unknown = await waitFor(actor, (snapshot) => snapshot.matches('unreachable'))
    expect([unknown.hasTag('authenticated'), unknown.context.user]).toEqual([false, undefined])
    actor.send({type: 'connection.restored'})
    const known = await waitFor(actor, (snapshot) => snapshot.matches('signedIn'))
    expect(known.context.user).toEqual({id: 'u-2'})
  })
})
