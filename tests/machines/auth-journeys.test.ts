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
import type {AuthInput, LoginCode, LoginFrameFact, LoginInput, LoginStart} from '#machines/auth/auth.types.ts'
import {siteOriginMachine} from '#machines/site/site-origin.machine.ts'
import type {SleepInput} from '#machines/lib/sleep-until.ts'
import {input, lost, newer, owned, refused, restored, token, user} from './auth-fixtures.ts'

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
    expect([snapshot.context.token, snapshot.context.failure]).toEqual([undefined, undefined])
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

  test('a deleted account signs out, and the login page is to say why', async () => {
    const {actor, calls} = start(input({restored}))
    actor.send({type: 'session.resume'})
    await waitFor(actor, (snapshot) => snapshot.matches('signedIn'))
    actor.send({type: 'account.deleted'})
    await waitFor(actor, (snapshot) => snapshot.matches({redirecting: 'leaving'}))
    expect(calls.slice(-2)).toEqual(['end', 'login deleted'])
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
