import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, setup, SimulatedClock, waitFor, type AnyEventObject} from 'xstate'
import type {Application, Credential, Service} from '#contract/management.ts'
import {provisioningMachine} from '#machines/provisioning/provisioning.machine.ts'
import {selectCredentialStatus} from '#machines/provisioning/provisioning.selectors.ts'
import type {
  ApplicationsInput,
  ApplicationsOutput,
  ProvisioningInput,
} from '#machines/provisioning/provisioning.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import {
  bare,
  credential,
  type environment,
  equipped,
  host,
  individual,
  input,
  service,
} from './provisioning-fixtures.ts'

type Fakes = {
  applications?: () => Promise<ApplicationsOutput>
  apply?: () => Promise<Application>
  create?: () => Promise<Credential>
  service?: () => Promise<Service>
}

/** Runs below a parent that collects its facts, as `session` does. */
function start(fakes: Fakes, more: Partial<ProvisioningInput> = {}) {
  const facts: AnyEventObject[] = []
  const created: unknown[] = []
  const logged: string[] = []
  const machine = provisioningMachine.provide({
    actors: {
      getService: fromPromise<Service, {serviceId: string}>(fakes.service ?? (async () => service)),
      getApplications: fromPromise<ApplicationsOutput, ApplicationsInput>(
        fakes.applications ?? (async () => ({applications: [bare], now: 0})),
      ),
      applyForApplication: fromPromise<Application, {userId: string}>(fakes.apply ?? (async () => bare)),
      createCredential: fromPromise<Credential, {applicationId: string; host: string}>(({input: asked}) => {
        created.push(asked)
        return (fakes.create ?? (async () => credential))()
      }),
    },
    actions: {logMissingApplication: () => void logged.push('Application not found')},
  })
  const clock = new SimulatedClock()
  const parent = setup({actors: {child: machine}}).createMachine({
    invoke: {id: 'child', src: 'child', input: ({self}) => ({...input, ...more, parentRef: self})},
    on: {'*': {actions: ({event}) => void facts.push(event)}},
  })
  const root = createActor(parent, {clock}).start()
  const actor = root.getSnapshot().children.child
  if (actor === undefined) throw new Error('The child did not start')
  return {actor, facts, created, logged, clock}
}

const types = (facts: AnyEventObject[]) => facts.map(({type}) => type)

describe('provisioning journeys', () => {
  const poor = {...equipped, remaining_amount: 0}
  const rich = {...equipped, remaining_amount: 100}
  const plan: Application = {...bare, id: 'a-3', type: 'Period'}
  const creditFacts = (facts: AnyEventObject[]) => facts.filter(({type}) => type.startsWith('credits.'))

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

  test('credits that were added since are told, once; fewer are not', async () => {
    let amount = 5
    const {actor, facts} = start({
      applications: async () => ({applications: [{...equipped, remaining_amount: amount}], now: 61_500}),
    })
    const read = async (remaining: number) => {
      amount = remaining
      actor.send({type: 'applications.refresh'})
      await waitFor(actor, ({context}) => context.application?.remaining_amount === remaining)
    }
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    await read(4)
    expect(types(facts)).not.toContain('credits.added')
    await read(20)
    await read(19)
    expect(facts.filter(({type}) => type === 'credits.added')).toEqual([{type: 'credits.added', at: 61, left: 20}])
  })

  test('what an order brought is chosen, and told once calls are paid by it', async () => {
    let listed: Application[] = [{...equipped, remaining_amount: 0}]
    const {actor, facts, created} = start({
      applications: async () => ({applications: listed, now: 61_500}),
      create: async () => ({id: 'c-3', host, token: 'bar'}),
    })
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    listed = [plan, ...listed]
    facts.length = 0
    actor.send({type: 'credits.bought', applicationId: 'a-3', at: 60})
    await waitFor(actor, ({context}) => context.credential?.token === 'bar')
    expect(created).toEqual([{applicationId: 'a-3', host}])
    expect(facts).toEqual([
      {type: 'provision.ready', serviceId: 's-1'},
      {type: 'credits.added', at: 60, left: Number.MAX_VALUE},
    ])
  })

  test.each([
    ['of this page', [[poor], undefined, [rich]], undefined],
    ['of the page before', [undefined, [rich]], {service, applications: [poor], application: poor, credential}],
  ])('a failed reading hides no credits from the list %s', async (_, answers, restored) => {
    const {actor, facts} = start(
      {
        applications: async () => {
          const applications = answers.shift()
          if (applications === undefined) throw new Error('x')
          return {applications, now: 61_500}
        },
      },
      {restored},
    )
    const read = async (status: 'success' | 'error') => {
      const found = await waitFor(actor, (snapshot) => snapshot.matches({applications: status}))
      actor.send({type: 'applications.refresh'})
      return found.context
    }
    if (restored === undefined) await read('success')
    expect(await read('error')).toMatchObject({applications: [], baseline: [poor]})
    await waitFor(actor, ({context}) => context.application?.remaining_amount === 100)
    expect(creditFacts(facts).at(-1)).toEqual({type: 'credits.added', at: 61, left: 100})
  })

  test('a page that is left between the list and the credential leaves the credits to the next one', async () => {
    const applications = async () => ({applications: [plan, poor], now: 61_500})
    const restored = {service, applications: [poor], application: poor, credential}
    const left = start({applications, create: () => new Promise<Credential>(() => undefined)}, {restored})
    const {context} = await waitFor(left.actor, (snapshot) => snapshot.matches({credential: 'request'}))
    expect([creditFacts(left.facts), context.baseline]).toEqual([[], [poor]])
    const next = start(
      {applications, create: async () => ({id: 'c-3', host, token: 'bar'})},
      {restored: {service, applications: context.baseline, application: context.application}},
    )
    const after = await waitFor(next.actor, (snapshot) => snapshot.hasTag('ready'))
    expect(creditFacts(next.facts)).toEqual([{type: 'credits.added', at: 61, left: Number.MAX_VALUE}])
    expect(after.context.baseline).toEqual([plan, poor])
  })

  test('a list that holds no more than the last page knew is told all the same, once: who waits may not know it', async () => {
    const {actor, facts} = start(
      {applications: async () => ({applications: [rich], now: 61_500})},
      {restored: {service, applications: [rich], application: rich, credential}},
    )
    await waitFor(actor, (snapshot) => snapshot.matches({application: 'selected'}))
    actor.send({type: 'applications.refresh'})
    await waitFor(actor, (snapshot) => snapshot.matches({applications: 'success'}))
    expect(creditFacts(facts)).toEqual([{type: 'credits.listed', at: 61, left: 100}])
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
    expect(ready.value).toMatchObject({service: 'error', credential: 'success'})
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
    expect(failed.context.failures.application).toMatchObject({detail: 'x'})
  })

  test('nobody has an application: set-up stops with the list, and nothing is made', async () => {
    const {actor, created, facts} = start(
      {applications: async () => ({applications: [], now: 0})},
      {restored: {service, applications: [equipped], application: equipped, credential}},
    )
    const stopped = await waitFor(actor, (snapshot) => snapshot.matches({application: 'needed'}))
    expect(stopped.value).toMatchObject({applications: 'success', credential: 'none'})
    expect(stopped.context).toMatchObject({application: undefined, credential: undefined})
    expect(types(facts).at(-1)).toBe('provision.missing')
    expect(created).toEqual([])
  })
})
