import {describe, expect, test} from 'vitest'
import {authMachine} from '#machines/auth/auth.machine.ts'
import type {AuthEvent} from '#machines/auth/auth.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'
import {claimed, input, lost, newer, owned, refused, restored, token, user} from './auth-fixtures.ts'

const events = {
  'code.received': [{type: 'code.received', code: 'foo', state: 'bar'}],
  'session.resume': [{type: 'session.resume'}],
  'login.request': [{type: 'login.request', returnPath: '/foo'}],
  'login.received': [{type: 'login.received', token}],
  'login.redirect': [{type: 'login.redirect'}],
  'qr.received': [{type: 'qr.received', link: 'foo'}],
  'qr.close': [{type: 'qr.close'}],
  'logout.request': [{type: 'logout.request'}],
  'account.deleted': [{type: 'account.deleted'}],
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
    key: ({context: {token: held, user: known, qrLink, code, flow, canRefresh, epoch}}) => [
      held?.access,
      known?.id,
      qrLink,
      code?.isOurs,
      flow,
      canRefresh,
      epoch,
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
      'account.deleted',
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
