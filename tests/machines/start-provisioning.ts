import {createActor, fromPromise, setup, SimulatedClock, type AnyEventObject} from 'xstate'
import type {Application, Credential, Service} from '#contract/management.ts'
import {provisioningMachine} from '#machines/provisioning/provisioning.machine.ts'
import type {
  ApplicationsInput,
  ApplicationsOutput,
  ProvisioningInput,
} from '#machines/provisioning/provisioning.types.ts'
import {bare, credential, input, service} from './provisioning-fixtures.ts'

type Fakes = {
  applications?: () => Promise<ApplicationsOutput>
  apply?: () => Promise<Application>
  create?: () => Promise<Credential>
  service?: () => Promise<Service>
}

/** Runs below a parent that collects its facts, as `session` does. */
export function start(fakes: Fakes, more: Partial<ProvisioningInput> = {}) {
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

export const types = (facts: AnyEventObject[]) => facts.map(({type}) => type)
