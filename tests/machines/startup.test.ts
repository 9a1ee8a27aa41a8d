import {describe, expect, test} from 'vitest'
import {createActor, fromCallback, fromPromise, SimulatedClock, waitFor, type EventObject} from 'xstate'
import type {LoginReturn} from '#domain/login-return.ts'
import type {SessionDecision} from '#machines/auth/auth.types.ts'
import {siteOriginMachine} from '#machines/site/site-origin.machine.ts'
import {startupMachine} from '#machines/startup/startup.machine.ts'
import type {PreparedPage, StartupEvent, StartupInput} from '#machines/startup/startup.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const failure = {code: 'unknown', detail: 'foo'}
const refusal = {...failure, status: 403}
const code: LoginReturn = {code: 'foo', state: 'bar'}
const signedIn: SessionDecision = {authenticated: true, isUnreachable: false}
const signedOut: SessionDecision = {authenticated: false, isUnreachable: false}
const failedLogin: SessionDecision = {...signedOut, failure}
const unreachable: SessionDecision = {authenticated: false, isUnreachable: true, failure}

const events = {
  'startup.retry': [{type: 'startup.retry'}],
  'session.opened': [{type: 'session.opened'}],
  'session.decided': [signedIn, signedOut, failedLogin, unreachable].map(
    (decision) => ({type: 'session.decided', ...decision}) as const,
  ),
  'site.decided': [
    {type: 'site.decided', hasOrigin: true},
    {type: 'site.decided', hasOrigin: false},
    {type: 'site.decided', hasOrigin: false, failure},
  ],
} satisfies EventFixtures<StartupEvent>

describe('startup', () => {
  const {edges, coverage} = describeRules(startupMachine, {
    user: ['startup.retry'],
    input: {flow: 'redirect'},
    inputs: [{flow: 'popup'}],
    events: Object.values(events).flat(),
    outputs: {
      preparePage: [{}, {code}, {redirectTo: 'https://20261120.foo.test'}],
      siteOrigin: [{hadOrigin: false}, {hadOrigin: false, failure}, {hadOrigin: false, failure: refusal}],
    },
    key: ({context: {flow, session, page}}) => [flow, session, page],
  })
  test('every transition is taken', () => expect(coverage.missing(startupMachine)).toEqual([]))

  test('a spent code is never spent again', () => {
    const held = edges.filter(({nextState}) => nextState.context.page.code !== undefined)
    expect(held.filter(({nextState}) => !nextState.matches({opening: {session: 'deciding'}}))).toEqual([])
  })
})

type Fakes = {page?: PreparedPage; hasOrigin?: boolean; decisions?: SessionDecision[]; isRefused?: boolean}

function start(
  {page = {}, hasOrigin = true, decisions = [signedIn], isRefused = false}: Fakes,
  input: StartupInput = {flow: 'redirect'},
) {
  const calls: string[] = []
  const machine = startupMachine.provide({
    actors: {
      preparePage: fromPromise(async () => {
        calls.push('page')
        return page
      }),
      leavePage: fromPromise<void, {url: string}>(async ({input: {url}}) => void calls.push(`leave ${url}`)),
      watchSite: fromCallback<EventObject>(({sendBack}) => {
        calls.push('site')
        sendBack({type: 'site.decided', hasOrigin})
      }),
      watchAuth: fromCallback<EventObject>(({sendBack}) =>
        sendBack({type: 'session.decided', ...(decisions.shift() ?? signedIn)}),
      ),
      findFingerprint: fromPromise<void, undefined>(async () => void calls.push('fingerprint')),
      siteOrigin: siteOriginMachine.provide({
        actors: {
          watchSite: fromCallback<EventObject>(({sendBack}) =>
            sendBack({
              type: 'site.decided',
              hasOrigin: calls.includes('initialize') && !isRefused,
              ...(isRefused && {failure: refusal}),
            }),
          ),
        },
        actions: {initializeSite: () => void calls.push('initialize')},
      }),
    },
    actions: {
      openSession: ({context}) => void calls.push(`session ${context.page.code?.code ?? 'none'}`),
      requestLogin: () => void calls.push('login'),
      requestRate: () => void calls.push('rate'),
      logFailure: () => void calls.push('failure'),
    },
  })
  const clock = new SimulatedClock()
  return {actor: createActor(machine, {input, clock}).start(), calls, clock}
}

describe('startup journeys', () => {
  test('page first, then site, session and browser id side by side', async () => {
    const {actor, calls} = start({})
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    expect(calls).toEqual(['page', 'rate', 'session none', 'site', 'fingerprint'])
  })

  test('a site without an origin is initialized after the code was spent', async () => {
    const {actor, calls} = start({page: {code}, hasOrigin: false})
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    expect(calls.slice(-2)).toEqual(['fingerprint', 'initialize'])
    expect(calls).toContain('session foo')
  })

  test('nobody signed in: one navigation, and no site is made', async () => {
    const {actor, calls} = start({decisions: [signedOut], hasOrigin: false})
    await waitFor(actor, (snapshot) => snapshot.matches('redirecting'))
    expect(calls.filter((call) => call === 'login')).toHaveLength(1)
    expect(calls).not.toContain('initialize')
  })

  test.each([
    ['redirect', 'redirecting'],
    ['popup', 'ready'],
  ] as const)('a refused initialization of the site, %s flow: %s', async (flow, value) => {
    const {actor} = start({hasOrigin: false, isRefused: true}, {flow})
    await waitFor(actor, (snapshot) => snapshot.matches(value))
  })

  test('nobody signed in, popup flow: the page is ready under the dialog', async () => {
    const {actor} = start({decisions: [signedOut]}, {flow: 'popup'})
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
  })

  test('a code that fails shows it; the retry asks to sign in and does not loop', async () => {
    const {actor, calls} = start({page: {code}, decisions: [failedLogin]})
    const failed = await waitFor(actor, (snapshot) => snapshot.hasTag('failed'))
    expect([failed.value, failed.context.failure]).toEqual([{failed: 'login'}, failure])
    expect(calls).not.toContain('login')
    actor.send({type: 'startup.retry'})
    await waitFor(actor, (snapshot) => snapshot.matches('redirecting'))
  })

  test('a user who could not be read: the retry tries without the code', async () => {
    const {actor, calls} = start({page: {code}, decisions: [unreachable, signedIn]})
    await waitFor(actor, (snapshot) => snapshot.hasTag('failed'))
    actor.send({type: 'startup.retry'})
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    expect(calls.filter((call) => call.startsWith('session'))).toEqual(['session foo', 'session none'])
  })

  test('the dated sub-domain: nothing else happens', async () => {
    const {actor, calls} = start({page: {redirectTo: 'https://20261120.foo.test'}})
    await waitFor(actor, () => calls.length > 1)
    expect(calls).toEqual(['page', 'leave https://20261120.foo.test'])
    expect(actor.getSnapshot().hasTag('redirecting')).toBe(true)
  })

  test('someone signs in while the page waits to leave', async () => {
    const {actor} = start({decisions: [signedOut]})
    await waitFor(actor, (snapshot) => snapshot.matches('redirecting'))
    actor.send({type: 'session.opened'})
    expect(actor.getSnapshot().value).toBe('ready')
  })

  test('a page that does not leave says so after its deadline', async () => {
    const {actor, clock} = start({decisions: [signedOut]})
    await waitFor(actor, (snapshot) => snapshot.matches('redirecting'))
    clock.increment(20_000)
    expect(actor.getSnapshot().value).toEqual({failed: 'login'})
  })
})
