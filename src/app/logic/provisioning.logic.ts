import {fromPromise} from 'xstate'
import type {Application, Credential, Service} from '#contract/management.ts'
import {allApplicationsQuery, globalApplicationsQuery} from '#domain/application-queries.ts'
import {provisioningMachine} from '#machines/provisioning/provisioning.machine.ts'
import type {ApplicationsInput, ApplicationsOutput} from '#machines/provisioning/provisioning.types.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'

/** Fills the ports of one tool's set-up, of the chat as of any media tool. */
export function createProvisioningLogic({config, timers, log}: RootDeps, {management}: Services) {
  const sellsPlans = config.capabilities.includes('general-plans')
  return provisioningMachine.provide({
    actors: {
      getService: fromPromise<Service, {serviceId: string}>(({input, signal}) =>
        management.services.get(input.serviceId, signal),
      ),
      getApplications: fromPromise<ApplicationsOutput, ApplicationsInput>(async ({input, signal}) => {
        const {userId, serviceId, paidBy} = input
        if (sellsPlans) {
          const {items} = await management.applications.list(allApplicationsQuery(userId), signal)
          const paying = items.filter(({scope, service_id}) => scope === 'Global' || service_id === serviceId)
          return {applications: paying, now: timers.now()}
        }
        const [general, individual] = await Promise.all([
          management.applications.list(globalApplicationsQuery(userId), signal),
          management.applications.list({user_id: userId, service_id: serviceId}, signal),
        ])
        const own = individual.items.filter(({id}) => general.items.every((other) => other.id !== id))
        const applications = [...general.items, ...own]
        // the calls of the specification list no plan for all services
        if (paidBy !== undefined && applications.every(({id}) => id !== paidBy)) {
          // one that is gone pays for nothing
          const plan = await management.applications.get(paidBy, signal).catch(() => undefined)
          if (plan?.scope === 'Global') applications.unshift(plan)
        }
        return {applications, now: timers.now()}
      }),
      applyForApplication: fromPromise<Application, {userId: string}>(({input, signal}) =>
        management.applications.create({type: 'Usage', scope: 'Global', user_id: input.userId}, signal),
      ),
      createCredential: fromPromise<Credential, {applicationId: string; host: string}>(({input, signal}) =>
        management.credentials.create({application_id: input.applicationId, host: input.host}, signal),
      ),
    },
    actions: {logMissingApplication: () => log('Application not found')},
  })
}
