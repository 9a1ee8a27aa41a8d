import {and, assign, enqueueActions, raise, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {Application, Credential, Service} from '#contract/management.ts'
import {chooseApplication, credentialFor, hasGeneralApplication, isExpired} from '#domain/application-choice.ts'
import {toFailure} from '#domain/failure.ts'
import {capabilitiesOf} from '#domain/service-capabilities.ts'
import {promisePort} from '#machines/lib/ports.ts'
import type {
  ApplicationsInput,
  ApplicationsOutput,
  ProvisionFact,
  ProvisioningContext,
  ProvisioningEvent,
  ProvisioningInput,
  ProvisioningTag,
} from './provisioning.types.ts'

/** Between the regions of the chart; never sent from outside. */
type Internal =
  | {type: 'service.settled'}
  | {type: 'applications.loaded'}
  | {type: 'application.selected'}
  | {type: 'application.missing'}

const provisioningSetup = setup({
  types: {
    input: {} as ProvisioningInput,
    context: {} as ProvisioningContext,
    events: {} as ProvisioningEvent | Internal,
    tags: {} as ProvisioningTag,
  },
  actors: {
    getService: promisePort<Service, {serviceId: string}>('getService'),
    getApplications: promisePort<ApplicationsOutput, ApplicationsInput>('getApplications'),
    applyForApplication: promisePort<Application, {userId: string}>('applyForApplication'),
    createCredential: promisePort<Credential, {applicationId: string; host: string}>('createCredential'),
  },
  delays: {callDeadline: 20_000, proving: 60_000},
  guards: {
    hasCredential: ({context}) => Boolean(context.credential?.token),
    hasApplication: ({context}) => context.application !== undefined,
    hasChoice: ({context}) => chooseApplication(context.applications, context.application, context.now) !== undefined,
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
    isNull: (_, {application}: {application: Application | null}) => application === null,
    isCurrentToken: ({context}, {token}: {token: string}) => context.credential?.token === token,
    isFirstRejection: ({context}, {token}: {token: string}) =>
      context.credential?.token === token && !context.renewed && context.application !== undefined,
  },
  actions: {
    tell: enqueueActions(({enqueue, self}, fact: ProvisionFact) => {
      if (self._parent !== undefined) enqueue.sendTo(self._parent, fact)
    }),
    storeService: assign(({context}, {output}: {output: Service}) => ({
      service: output,
      failures: {...context.failures, service: undefined},
    })),
    clearService: assign(({context}, {error}: {error: unknown}) => ({
      service: undefined,
      failures: {...context.failures, service: toFailure(error)},
    })),
    storeApplications: assign(({context}, {output}: {output: ApplicationsOutput}) => ({
      applications: output.applications,
      now: output.now,
      failures: {...context.failures, applications: undefined},
    })),
    clearApplications: assign(({context}, {error}: {error: unknown}) => ({
      applications: [],
      application: undefined,
      failures: {...context.failures, applications: toFailure(error)},
    })),
    selectApplication: assign(({context}) => ({
      application: chooseApplication(context.applications, context.application, context.now),
      failures: {...context.failures, application: undefined},
    })),
    storeChoice: assign(({context}, {application, now}: {application: Application | null; now: number}) => ({
      application: application ?? undefined,
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
    markRenewed: assign({renewed: true}),
    markProved: assign({renewed: false}),
    resetAll: assign({
      service: undefined,
      applications: [],
      application: undefined,
      credential: undefined,
      failures: {},
      renewed: false,
    }),
    /** Port: 'Application not found' (spec §5). */
    logMissingApplication: (_) => {},
  },
})

type Told = {context: ProvisioningContext}
const tellReady = {
  type: 'tell',
  params: ({context: {serviceId}}: Told): ProvisionFact => ({type: 'provision.ready', serviceId}),
} as const
const tellMissing = {
  type: 'tell',
  params: ({context: {serviceId}}: Told): ProvisionFact => ({type: 'provision.missing', serviceId}),
} as const
const tellService = {
  type: 'tell',
  params: ({context: {serviceId, service}}: Told): ProvisionFact => ({
    type: 'provision.serviceRead',
    serviceId,
    capabilities: capabilitiesOf(service),
  }),
} as const

const timeout = {error: {name: 'TimeoutError', message: 'The server did not answer in time.'}}

const service = provisioningSetup.createStateConfig({
  initial: 'request',
  on: {'provision.refresh': {target: '.request'}, 'service.refresh': {target: '.request'}},
  states: {
    none: {},
    request: {
      invoke: {
        id: 'getService',
        src: 'getService',
        input: ({context: {serviceId}}) => ({serviceId}),
        onDone: {
          target: 'success',
          actions: [{type: 'storeService', params: ({event}) => event}, tellService, raise({type: 'service.settled'})],
        },
        onError: {
          target: 'error',
          actions: [{type: 'clearService', params: ({event}) => event}, raise({type: 'service.settled'})],
        },
      },
      after: {
        callDeadline: {
          target: 'error',
          actions: [{type: 'clearService', params: timeout}, raise({type: 'service.settled'})],
        },
      },
      on: {'provision.reset': {target: 'none'}},
    },
    success: {on: {'provision.reset': {target: 'none'}}},
    error: {on: {'provision.reset': {target: 'none'}}},
  },
})

const applications = provisioningSetup.createStateConfig({
  initial: 'none',
  on: {'applications.refresh': {target: '.request'}},
  states: {
    none: {
      on: {'service.settled': {target: 'request'}},
    },
    request: {
      tags: ['settling'],
      invoke: {
        id: 'getApplications',
        src: 'getApplications',
        input: ({context: {userId, serviceId}}) => ({userId, serviceId}),
        onDone: {
          target: 'success',
          actions: [{type: 'storeApplications', params: ({event}) => event}, raise({type: 'applications.loaded'})],
        },
        onError: {target: 'error', actions: [{type: 'clearApplications', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'error', actions: [{type: 'clearApplications', params: timeout}]}},
      on: {'provision.reset': {target: 'none'}},
    },
    success: {on: {'provision.refresh': {target: 'none'}, 'provision.reset': {target: 'none'}}},
    error: {on: {'provision.refresh': {target: 'none'}, 'provision.reset': {target: 'none'}}},
  },
})

const application = provisioningSetup.createStateConfig({
  initial: 'none',
  on: {
    'application.choose': [
      {
        guard: {type: 'isNull', params: ({event}) => event},
        target: '.none',
        actions: ['clearApplication', tellMissing],
      },
      {
        target: '.selected',
        actions: [{type: 'storeChoice', params: ({event}) => event}, raise({type: 'application.selected'})],
      },
    ],
    'applications.loaded': {target: '.choosing'},
    'provision.reset': {target: '.none'},
  },
  states: {
    none: {},
    choosing: {
      always: [
        {
          guard: and(['hasChoice', 'lacksGeneral']),
          target: 'individual',
          actions: ['selectApplication', raise({type: 'application.selected'})],
        },
        {
          guard: 'hasChoice',
          target: 'selected',
          actions: ['selectApplication', raise({type: 'application.selected'})],
        },
        {target: 'needed', actions: ['clearApplication', tellMissing, raise({type: 'application.missing'})]},
      ],
    },
    selected: {},
    individual: {
      tags: ['needsApplication'],
      description: 'Works through an application of this one tool; the general one has not been applied for.',
      on: {'application.apply': {guard: {type: 'isAccepted', params: ({event}) => event}, target: 'applying'}},
    },
    needed: {
      tags: ['needsApplication'],
      on: {'application.apply': {guard: {type: 'isAccepted', params: ({event}) => event}, target: 'applying'}},
    },
    applying: {
      tags: ['needsApplication', 'applying'],
      invoke: {
        id: 'applyForApplication',
        src: 'applyForApplication',
        input: ({context: {userId}}) => ({userId}),
        onDone: {
          target: 'none',
          actions: [{type: 'tell', params: {type: 'application.applied'}}, raise({type: 'applications.refresh'})],
        },
        onError: [
          {
            guard: {type: 'isDuplication', params: ({event}) => event},
            target: 'none',
            actions: [{type: 'tell', params: {type: 'application.present'}}, raise({type: 'applications.refresh'})],
          },
          {target: 'needed', actions: [{type: 'storeApplyFailure', params: ({event}) => event}]},
        ],
      },
      after: {callDeadline: {target: 'needed', actions: [{type: 'storeApplyFailure', params: timeout}]}},
    },
  },
})

const credential = provisioningSetup.createStateConfig({
  initial: 'restoring',
  on: {
    'application.selected': {target: '.finding'},
    'application.missing': {target: '.none'},
    'application.choose': {
      guard: {type: 'isNull', params: ({event}) => event},
      target: '.none',
    },
    'provision.reset': {target: '.none', actions: ['resetAll']},
    'credential.create': [{guard: 'hasApplication', target: '.request'}, {actions: ['logMissingApplication']}],
  },
  states: {
    restoring: {
      always: [{guard: 'hasCredential', target: 'success', actions: [tellService, tellReady]}, {target: 'none'}],
    },
    none: {},
    finding: {
      always: [
        {guard: 'keepsCredential', target: 'success'},
        {guard: 'findsCredential', target: 'success', actions: ['takeCredential', tellReady]},
        {target: 'request', actions: ['clearCredential']},
      ],
    },
    request: {
      tags: ['settling'],
      invoke: {
        id: 'createCredential',
        src: 'createCredential',
        input: ({context: {application, host}}) => ({applicationId: application?.id ?? '', host}),
        onDone: {target: 'success', actions: [{type: 'storeCredential', params: ({event}) => event}, tellReady]},
        onError: {target: 'error', actions: [{type: 'storeCredentialFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'error', actions: [{type: 'storeCredentialFailure', params: timeout}]}},
    },
    success: {
      tags: ['ready'],
      after: {proving: {actions: ['markProved']}},
      on: {
        'credential.rejected': [
          {
            guard: {type: 'isFirstRejection', params: ({event}) => event},
            target: 'request',
            actions: ['markRenewed', 'clearCredential'],
          },
          {
            guard: {type: 'isCurrentToken', params: ({event}) => event},
            target: 'error',
            actions: [
              {
                type: 'storeCredentialFailure',
                params: {error: {status: 401, code: 'not_applied', detail: 'The credential was refused.'}},
              },
            ],
          },
        ],
      },
    },
    error: {entry: [tellMissing, 'markProved']},
  },
})

/**
 * What one tool works through, for one person: service → applications → application → credential (spec §4).
 *
 * Four regions, each a request status of the specification (none, request, success, error). Applications are read
 * after the service has settled, whether it loaded or not. The choice follows contract/platform §3, the credential
 * is the application's one for this origin, else it is created. An application set to null stops set-up early.
 * A 401 of the AI host replaces the credential once a minute. Owned by `session`; ends with it.
 */
export const provisioningMachine = provisioningSetup.createMachine({
  id: 'provisioning',
  context: ({input: {restored, ...input}}) => ({
    applications: [],
    ...restored,
    ...input,
    failures: {},
    now: 0,
    renewed: false,
  }),
  type: 'parallel',
  states: {service, applications, application, credential},
})

export type ProvisioningActor = ActorRefFrom<typeof provisioningMachine>
export type ProvisioningSnapshot = SnapshotFrom<typeof provisioningMachine>
