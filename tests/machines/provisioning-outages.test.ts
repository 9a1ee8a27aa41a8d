import {expect, test} from 'vitest'
import {createActor, fromPromise, setup, SimulatedClock, waitFor, type AnyEventObject} from 'xstate'
import type {Application, Credential, ServedModel, Service} from '#contract/management.ts'
import {provisioningMachine} from '#machines/provisioning/provisioning.machine.ts'
import type {ApplicationsInput, ApplicationsOutput} from '#machines/provisioning/provisioning.types.ts'
import {selectServedModels, selectService} from '#machines/provisioning/provisioning.selectors.ts'
import {startEnvironment} from './environment-fixture.ts'
import {start as startParts} from './start-provisioning.ts'
import {eventually} from '../eventually.ts'

const environment = startEnvironment()
const host = 'https://foo.test'
const credential: Credential = {id: 'c-1', host, token: 'foo', application_id: 'a-1'}
const rich: Application = {id: 'a-1', scope: 'Global', type: 'Usage', credentials: [credential], remaining_amount: 100}

/** A list that fails until it is mended. */
function start(failure: unknown) {
  const facts: AnyEventObject[] = []
  const server = {reads: 0, isAway: true}
  const machine = provisioningMachine.provide({
    actors: {
      getService: fromPromise<Service, {serviceId: string}>(async () => ({id: 's-1'})),
      getApplications: fromPromise<ApplicationsOutput, ApplicationsInput>(async () => {
        server.reads += 1
        if (server.isAway) throw failure
        return {applications: [rich], now: 61_500}
      }),
    },
  })
  const parent = setup({actors: {child: machine}}).createMachine({
    invoke: {
      id: 'child',
      src: 'child',
      input: ({self}) => ({parentRef: self, serviceId: 's-1', userId: 'u-1', host, environment}),
    },
    on: {'*': {actions: ({event}) => void facts.push(event)}},
  })
  const clock = new SimulatedClock()
  const actor = createActor(parent, {clock}).start().getSnapshot().children.child
  if (actor === undefined) throw new Error('The child did not start')
  return {actor, clock, facts, server, failed: () => waitFor(actor, (now) => now.matches({applications: 'error'}))}
}

test('after an outage the list is read again by itself, ever more rarely, and what came goes on', async () => {
  const {actor, clock, facts, server, failed} = start(new Error('foo'))
  await failed()
  actor.send({type: 'credits.bought', applicationId: 'a-1', at: 60})
  for (const rest of [60_000, 120_000, 240_000, 300_000, 300_000]) {
    await failed()
    const before = server.reads
    clock.increment(rest - 1)
    expect(server.reads).toBe(before)
    clock.increment(1)
    await eventually(() => expect(server.reads).toBe(before + 1))
  }
  server.isAway = false
  await failed()
  clock.increment(300_000)
  const {context} = await waitFor(actor, (now) => now.hasTag('ready'))
  expect([context.outages, context.application?.remaining_amount]).toEqual([0, 100])
  expect(facts.at(-1)).toEqual({type: 'credits.added', at: 60, left: 100})
})

test('a list that the server refuses is not read again by itself', async () => {
  const {actor, clock, server, failed} = start({status: 403, code: 'no_permission', detail: 'foo'})
  await failed()
  clock.increment(3_600_000)
  expect([server.reads, actor.getSnapshot().matches({applications: 'error'})]).toEqual([1, true])
})

const models: ServedModel[] = [{name: 'foo', group: 'deepseek', label: 'Foo', provider: 'bar'}]

test.each([
  {failure: new TypeError('Failed to fetch'), kept: models},
  {failure: {status: 503, code: 'unavailable', detail: 'foo'}, kept: models},
  {failure: {status: 404, code: 'not_found', detail: 'foo'}, kept: []},
])(
  'models that were read before stay unless the server refuses the service: $failure',
  async ({failure, kept}: {failure: unknown; kept: ServedModel[]}) => {
    const restored = {service: {id: 's-1', metadata: {models}}}
    const fails = async () => {
      throw failure
    }
    const {actor} = startParts({service: fails}, {restored})
    const snapshot = await waitFor(actor, (now) => now.matches({service: 'error'}))
    expect([selectService(snapshot), selectServedModels(snapshot)]).toEqual([undefined, kept])
  },
)
