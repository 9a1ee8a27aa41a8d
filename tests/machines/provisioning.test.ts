import {describe, expect, test} from 'vitest'
import {provisioningMachine} from '#machines/provisioning/provisioning.machine.ts'
import type {ProvisioningEvent} from '#machines/provisioning/provisioning.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'
import {bare, credential, equipped, individual, input, service} from './provisioning-fixtures.ts'

const events = {
  'provision.refresh': [{type: 'provision.refresh'}],
  'applications.refresh': [{type: 'applications.refresh'}],
  'credits.bought': [
    {type: 'credits.bought', applicationId: 'a-1', at: 1},
    {type: 'credits.bought', applicationId: 'a-2', at: 1},
  ],
  'application.choose': [
    {type: 'application.choose', application: individual, now: 0},
    {type: 'application.choose', application: equipped, now: 0},
  ],
  'application.apply': [
    {type: 'application.apply', termsAccepted: true},
    {type: 'application.apply', termsAccepted: false},
  ],
  'connection.restored': [{type: 'connection.restored'}],
  'token.renewed': [{type: 'token.renewed'}],
  'credential.rejected': [
    {type: 'credential.rejected', token: 'foo'},
    {type: 'credential.rejected', token: 'stale'},
  ],
} satisfies EventFixtures<ProvisioningEvent>

describe('provisioning', () => {
  const {edges, states, coverage} = describeRules(provisioningMachine, {
    user: ['provision.refresh', 'applications.refresh', 'application.choose', 'application.apply'],
    input,
    inputs: [
      {...input, restored: {service, applications: [equipped], application: equipped, credential}},
      {...input, restored: {service}},
    ],
    events: Object.values(events).flat(),
    outputs: {
      getService: [service],
      getApplications: [[], [bare], [equipped], [individual]].map((applications) => ({applications, now: 0})),
      applyForApplication: [bare],
      createCredential: [{id: 'c-2', token: 'foo'}],
    },
    endless: ['environmentChanges'],
    errors: [{status: 409, code: 'duplication', detail: 'foo'}, new Error('foo')],
    key: ({context: {application, credential: held, renewals, supply, failures}}) => [
      failures.applications?.status,
      application === undefined,
      application?.credentials?.length === 0,
      held?.token,
      renewals,
      supply?.applicationId,
    ],
  })
  test('every transition is taken', () => expect(coverage.missing(provisioningMachine)).toEqual([]))

  test('ready means a token', () => {
    expect(states.filter((state) => state.hasTag('ready') && !state.context.credential?.token)).toEqual([])
  })
  test('a credential is only asked for with an application', () => {
    const asked = edges.filter(
      ({state, nextState}) =>
        nextState.matches({credential: 'request'}) &&
        !state.matches({credential: 'request'}) &&
        !nextState.context.application,
    )
    expect(asked).toEqual([])
  })
  test('a list without an application stops set-up', () => {
    const stopped = edges.filter(
      ({event, nextState}) =>
        event.type === 'xstate.done.actor.getApplications' && nextState.matches({application: 'needed'}),
    )
    expect(stopped.length).toBeGreaterThan(0)
    expect(stopped.filter(({nextState}) => nextState.hasTag('ready') || nextState.context.application)).toEqual([])
  })
  test('a failed load clears what the specification says', () => {
    for (const {event, nextState} of edges) {
      if (event.type === 'xstate.error.actor.getService') expect(nextState.context.service).toBeUndefined()
      if (event.type !== 'xstate.error.actor.getApplications') continue
      expect(nextState.context.applications).toEqual([])
      expect(nextState.context.application).toBeUndefined()
    }
  })
})
