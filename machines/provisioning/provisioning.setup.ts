import {assign, enqueueActions, or, raise, setup, stateIn} from 'xstate'
import type {Application, Credential, Service} from '#contract/management.ts'
import {
  chooseApplication,
  credentialFor,
  hasGeneralApplication,
  isExpired,
  isUsable,
  creditsLeft,
  suppliedApplication,
} from '#domain/application-choice.ts'
import {isRefusal, toFailure} from '#domain/failure.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import type {
  ApplicationsInput,
  ApplicationsOutput,
  ProvisionFact,
  ProvisioningContext,
  ProvisioningEvent,
  ProvisioningInput,
  ProvisioningTag,
  Supply,
} from './provisioning.types.ts'

/** Between the regions of the chart; never sent from outside. */
type Internal =
  | {type: 'service.settled'}
  | {type: 'applications.loaded'}
  | {type: 'applications.failed'}
  | {type: 'application.selected'}
  | {type: 'application.missing'}

/** A credential that was renewed is not renewed again before it has proved itself. */
const mostRenewals = 1

/** The bought application first; else the rule of contract/platform §3. */
function chosenApplication({applications, application, supply, now}: ProvisioningContext): Application | undefined {
  const ownApplication = applications.find(({id}) => id === supply?.applicationId)
  return ownApplication && isUsable(ownApplication, now)
    ? ownApplication
    : chooseApplication(applications, application, now)
}

/** Ports, guards, delays and actions of the provisioning chart. */
export const provisioningSetup = setup({
  types: {
    input: {} as ProvisioningInput,
    context: {} as ProvisioningContext,
    events: {} as ProvisioningEvent | Internal,
    tags: {} as ProvisioningTag,
  },
  actors: {
    environmentChanges,
    getService: promisePort<Service, {serviceId: string}>('getService'),
    getApplications: promisePort<ApplicationsOutput, ApplicationsInput>('getApplications'),
    applyForApplication: promisePort<Application, {userId: string}>('applyForApplication'),
    createCredential: promisePort<Credential, {applicationId: string; host: string}>('createCredential'),
  },
  delays: {
    callDeadline: 20_000,
    proving: 60_000,
    /** From half a minute to five. */
    applicationsRest: ({context: {outages}}) => Math.min(15_000 * 2 ** outages, 300_000),
  },
  guards: {
    /** A refusal comes again; a server that was away comes back. */
    mayRecover: ({context: {failures}}) => failures.applications !== undefined && !isRefusal(failures.applications),
    hasFailed: or([stateIn({service: 'error'}), stateIn({applications: 'error'}), stateIn({credential: 'error'})]),
    hasService: ({context}) => context.service !== undefined,
    hasCredential: ({context}) => Boolean(context.credential?.token),
    hasApplication: ({context}) => context.application !== undefined,
    hasChoice: ({context}) => chosenApplication(context) !== undefined,
    lacksGeneral: ({context}) => !hasGeneralApplication(context.applications),
    keepsCredential: ({context: {application, credential, host, now}}) =>
      credential !== undefined &&
      Boolean(credential.token) &&
      credential.application_id === application?.id &&
      credential.host === host &&
      !isExpired(credential, now),
    findsCredential: ({context: {application, host, now}}) =>
      application !== undefined && credentialFor(application, host, now) !== undefined,
    isAccepted: (_, {termsAccepted}: {termsAccepted: boolean}) => termsAccepted,
    isDuplication: (_, {error}: {error: unknown}) => toFailure(error).code === 'duplication',
    isCurrentToken: ({context}, {token}: {token: string}) => context.credential?.token === token,
    lacksApplication: ({context}, {token}: {token: string}) =>
      context.credential?.token === token && context.application === undefined,
    mayReplace: ({context: {credential, renewals, application}}, {token}: {token: string}) =>
      credential?.token === token && renewals < mostRenewals && application !== undefined,
  },
  actions: {
    tell: enqueueActions(({enqueue, context}, fact: ProvisionFact) => {
      enqueue.sendTo(context.parentRef, fact)
    }),
    storeSupply: assign((_, {applicationId, at}: Supply) => ({supply: {applicationId, at}})),
    /**
     * Finds the application that gained credits since `baseline`; runs before the new list is stored. Credits of
     * another tool's application do not count.
     */
    findSupply: assign(({context}, {output: {applications, now}}: {output: ApplicationsOutput}) => {
      const isListed = applications.some(({id}) => id === context.supply?.applicationId)
      const ownApplication = suppliedApplication({...context, applications: context.baseline}, applications, now)
      const newSupply = ownApplication && {applicationId: ownApplication.id, at: Math.floor(now / 1_000)}
      return {supply: isListed ? context.supply : newSupply}
    }),
    tellCredits: enqueueActions(
      ({enqueue, context: {supply, application, applications, baseline, reported, now, parentRef}}) => {
        // a stored credential is ready before any list was read
        if (application === undefined || now === 0) return
        const credits = {at: supply?.at ?? Math.floor(now / 1_000), left: creditsLeft(application)}
        if (supply === undefined && credits.left === reported) return
        enqueue.assign({supply: undefined, reported: credits.left, baseline: supply ? applications : baseline})
        enqueue.sendTo(parentRef, {type: supply ? 'credits.added' : 'credits.listed', ...credits})
      },
    ),
    storeService: assign(({context}, {output}: {output: Service}) => ({
      service: output,
      lastService: output,
      failures: {...context.failures, service: undefined},
    })),
    clearService: assign(({context}, {error}: {error: unknown}) => {
      const failure = toFailure(error)
      return {
        service: undefined,
        lastService: isRefusal(failure) ? undefined : context.lastService,
        failures: {...context.failures, service: failure},
      }
    }),
    storeApplications: assign(({context}, {output}: {output: ApplicationsOutput}) => ({
      applications: output.applications,
      baseline: context.supply ? context.baseline : output.applications,
      now: output.now,
      outages: 0,
      failures: {...context.failures, applications: undefined},
    })),
    clearApplications: assign(({context}, {error}: {error: unknown}) => ({
      applications: [],
      application: undefined,
      reported: undefined,
      outages: context.outages + 1,
      failures: {...context.failures, applications: toFailure(error)},
    })),
    selectApplication: assign(({context}) => ({
      application: chosenApplication(context),
      failures: {...context.failures, application: undefined},
    })),
    storeChoice: assign(({context}, {application, now}: {application: Application; now: number}) => ({
      application,
      now,
      failures: {...context.failures, application: undefined, credential: undefined},
    })),
    clearApplication: assign({application: undefined, credential: undefined}),
    storeApplyFailure: assign(({context}, {error}: {error: unknown}) => ({
      failures: {...context.failures, application: toFailure(error)},
    })),
    takeCredential: assign(({context}) => ({
      credential: context.application && credentialFor(context.application, context.host, context.now),
      failures: {...context.failures, credential: undefined},
    })),
    storeCredential: assign(({context}, {output}: {output: Credential}) => ({
      credential: {
        ...output,
        host: output.host ?? context.host,
        application_id: output.application_id ?? context.application?.id,
      },
      application: context.application && {
        ...context.application,
        credentials: [
          ...(context.application.credentials ?? []).filter(({host}) => host !== context.host),
          {...output, host: output.host ?? context.host},
        ],
      },
      failures: {...context.failures, credential: undefined},
    })),
    clearCredential: assign({credential: undefined}),
    storeCredentialFailure: assign(({context}, {error}: {error: unknown}) => ({
      credential: undefined,
      failures: {...context.failures, credential: toFailure(error)},
    })),
    countRenewal: assign(({context}) => ({renewals: context.renewals + 1})),
    clearRenewals: assign({renewals: 0}),
    askAgain: raise({type: 'provision.refresh'}),
    /** Port: 'Application not found' (spec §5). */
    logMissingApplication: (_) => unfilledAction('logMissingApplication'),
  },
})
