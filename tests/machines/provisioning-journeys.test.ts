import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {Application} from '#contract/management.ts'
import {selectCredentialStatus} from '#machines/provisioning/provisioning.selectors.ts'
import {startEnvironment} from './environment-fixture.ts'
import {bare, credential, type environment, equipped, host, individual, service} from './provisioning-fixtures.ts'
import {start, types} from './start-provisioning.ts'

describe('provisioning journeys', () => {
  test('service, applications, application, new credential', async () => {
    const {actor, facts, created} = start({})
    const ready = await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    expect(ready.value).toEqual({
      service: 'success',
      applications: 'success',
      application: 'selected',
      credential: 'success',
    })
    expect(created).toEqual([{applicationId: 'a-1', host}])
    expect(types(facts)).toEqual(['provision.serviceRead', 'provision.ready'])
  })

  test('the credential of this origin is used, no other made', async () => {
    const {actor, created} = start({applications: async () => ({applications: [equipped], now: 0})})
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    expect(created).toEqual([])
  })

  test('an order for another tool changes nothing', async () => {
    const {actor, facts} = start({applications: async () => ({applications: [equipped], now: 0})})
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    facts.length = 0
    actor.send({type: 'credits.bought', applicationId: 'elsewhere', at: 60})
    await waitFor(actor, (snapshot) => snapshot.matches({applications: 'success'}))
    expect([facts, actor.getSnapshot().context.application?.id]).toEqual([[], 'a-1'])
  })

  test('a stored credential works at once and is kept when the application still has it', async () => {
    const {actor, facts} = start({}, {restored: {service, application: equipped, credential}})
    expect(actor.getSnapshot().hasTag('ready')).toBe(true)
    await waitFor(actor, (snapshot) => snapshot.matches({application: 'selected'}))
    expect(types(facts).filter((type) => type === 'provision.ready')).toHaveLength(1)
  })

  test('a stored service tells what it offers before there is a credential', () => {
    const {actor, facts} = start({}, {restored: {service}})
    expect(actor.getSnapshot().matches({service: 'request', credential: 'none'})).toBe(true)
    expect(types(facts)).toEqual(['provision.serviceRead'])
  })

  test('nobody applied yet: the first run, terms accepted, then ready', async () => {
    let owned: Application[] = []
    const {actor, facts} = start({
      applications: async () => ({applications: owned, now: 0}),
      apply: async () => {
        owned = [bare]
        return bare
      },
    })
    await waitFor(actor, (snapshot) => snapshot.hasTag('needsApplication'))
    expect(actor.getSnapshot().can({type: 'application.apply', termsAccepted: false})).toBe(false)
    actor.send({type: 'application.apply', termsAccepted: true})
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    expect(types(facts)).toContain('application.applied')
  })

  test('duplication counts as already there', async () => {
    let owned: Application[] = []
    const {actor, facts} = start({
      applications: async () => ({applications: owned, now: 0}),
      apply: () => {
        owned = [bare]
        return Promise.reject(Object.assign(new Error('x'), {status: 409, code: 'duplication', detail: 'x'}))
      },
    })
    await waitFor(actor, (snapshot) => snapshot.hasTag('needsApplication'))
    actor.send({type: 'application.apply', termsAccepted: true})
    const ready = await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    expect(ready.context.failures.application).toBeUndefined()
    expect(types(facts)).toContain('application.present')
  })

  test('a 401 makes one new credential; a second one at once makes none, and after a calm minute there may be one', async () => {
    const {actor, created, clock} = start({})
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    actor.send({type: 'credential.rejected', token: 'foo'})
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    expect(created).toHaveLength(2)
    clock.increment(60_000)
    actor.send({type: 'credential.rejected', token: 'foo'})
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    actor.send({type: 'credential.rejected', token: 'foo'})
    expect([selectCredentialStatus(actor.getSnapshot()), created.length]).toEqual(['success', 3])
    clock.increment(59_999)
    actor.send({type: 'credential.rejected', token: 'foo'})
    clock.increment(59_999)
    actor.send({type: 'credential.rejected', token: 'foo'})
    expect(created).toHaveLength(3)
    clock.increment(60_000)
    actor.send({type: 'credential.rejected', token: 'foo'})
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    expect(created).toHaveLength(4)
  })

  test('without an application no credential is made, and it is logged', async () => {
    const {actor, created, logged, facts} = start(
      {applications: () => Promise.reject(new Error('x'))},
      {restored: {service, applications: [equipped], application: equipped, credential}},
    )
    await waitFor(actor, (snapshot) => snapshot.matches({applications: 'error', credential: 'success'}))
    actor.send({type: 'credential.rejected', token: 'stale'})
    expect(logged).toEqual([])
    actor.send({type: 'credential.rejected', token: 'foo'})
    expect(logged).toEqual(['Application not found'])
    expect(created).toEqual([])
    expect(actor.getSnapshot().context).toMatchObject({
      credential: undefined,
      failures: {credential: {code: 'not_applied'}},
    })
    expect(types(facts)).toContain('provision.missing')
  })

  test.each([
    ['a network', (page: typeof environment) => page.send({type: 'connection.restored'})],
    [
      'a new token',
      (_: typeof environment, child: {send: (event: {type: 'token.renewed'}) => void}) =>
        child.send({type: 'token.renewed'}),
    ],
  ])('what failed is asked again with %s, and what stands is not', async (_name, come) => {
    const page = startEnvironment({isOnline: false})
    let asked = 0
    const {actor} = start(
      {
        service: async () => {
          asked += 1
          if (asked === 1) throw new Error('x')
          return service
        },
      },
      {environment: page},
    )
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready') && snapshot.matches({service: 'error'}))
    come(page, actor)
    await waitFor(actor, (snapshot) => snapshot.matches({service: 'success'}))
    come(page, actor)
    actor.send({type: 'token.renewed'})
    expect([actor.getSnapshot().matches({service: 'success'}), asked]).toEqual([true, 2])
  })

  test('a service that cannot be read stops nothing else', async () => {
    const {actor} = start({service: () => Promise.reject(new Error('x'))})
    const ready = await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    expect(ready.value).toEqual({
      service: 'error',
      applications: 'success',
      application: 'selected',
      credential: 'success',
    })
  })

  test('applications that cannot be read take the choice with them, and choosing begins anew', async () => {
    let isDown = false
    const {actor} = start({
      applications: async () => {
        if (isDown) throw new Error('x')
        return {applications: [bare], now: 0}
      },
    })
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    isDown = true
    actor.send({type: 'applications.refresh'})
    const failed = await waitFor(actor, (snapshot) => snapshot.matches({applications: 'error'}))
    expect([failed.value.application, failed.context.application]).toEqual(['none', undefined])
    isDown = false
    actor.send({type: 'provision.refresh'})
    await waitFor(actor, (snapshot) => snapshot.matches({application: 'selected', credential: 'success'}))
  })

  test.each([
    ['an application of one tool goes on with it', [individual], 'individual'],
    ['nobody with anything is asked again', [], 'needed'],
  ] as const)('a failed first application: %s', async (_, applications, value) => {
    const {actor} = start({
      applications: async () => ({applications: [...applications], now: 0}),
      apply: () => Promise.reject(new Error('x')),
    })
    await waitFor(actor, (snapshot) => snapshot.matches({application: value}))
    actor.send({type: 'application.apply', termsAccepted: true})
    expect(actor.getSnapshot().matches({application: 'applying'})).toBe(true)
    const failed = await waitFor(actor, (snapshot) => !snapshot.matches({application: 'applying'}))
    expect(failed.value.application).toBe(value)
    expect(failed.context.failures.application).toEqual({code: 'unknown', detail: 'x'})
  })

  test('nobody has an application: set-up stops with the list, and nothing is made', async () => {
    const {actor, created, facts} = start(
      {applications: async () => ({applications: [], now: 0})},
      {restored: {service, applications: [equipped], application: equipped, credential}},
    )
    const stopped = await waitFor(actor, (snapshot) => snapshot.matches({application: 'needed'}))
    expect(stopped.value).toEqual({
      service: 'success',
      applications: 'success',
      application: 'needed',
      credential: 'none',
    })
    expect([stopped.context.application, stopped.context.credential]).toEqual([undefined, undefined])
    expect(types(facts).at(-1)).toBe('provision.missing')
    expect(created).toEqual([])
  })
})
