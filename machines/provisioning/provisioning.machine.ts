import {and, raise, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {capabilitiesOf} from '#domain/service-capabilities.ts'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {provisioningSetup} from './provisioning.setup.ts'
import type {ProvisioningContext, ProvisionFact} from './provisioning.types.ts'

type Subject = {context: ProvisioningContext}
const tellReady = {
  type: 'tell',
  params: ({context: {serviceId}}: Subject): ProvisionFact => ({type: 'provision.ready', serviceId}),
} as const
const tellMissing = {
  type: 'tell',
  params: ({context: {serviceId}}: Subject): ProvisionFact => ({type: 'provision.missing', serviceId}),
} as const
const tellService = {
  type: 'tell',
  params: ({context: {serviceId, service}}: Subject): ProvisionFact => ({
    type: 'provision.serviceRead',
    serviceId,
    capabilities: capabilitiesOf(service),
  }),
} as const

const asksAgain = {guard: 'hasFailed', actions: ['askAgain']} as const

const refusedCredential = {error: {status: 401, code: 'not_applied', detail: 'The credential was refused.'}}

const service = provisioningSetup.createStateConfig({
  initial: 'request',
  on: {'provision.refresh': {target: '.request'}},
  states: {
    request: {
      tags: ['settling'],
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
    },
    success: {},
    error: {},
  },
})

const applications = provisioningSetup.createStateConfig({
  initial: 'none',
  on: {
    'applications.refresh': {target: '.request'},
    'credits.bought': {target: '.request', actions: [{type: 'storeSupply', params: ({event}) => event}]},
  },
  states: {
    none: {
      on: {'service.settled': {target: 'request'}},
    },
    request: {
      tags: ['settling'],
      invoke: {
        id: 'getApplications',
        src: 'getApplications',
        input: ({context: {userId, serviceId, supply, application}}) => ({
          userId,
          serviceId,
          paidBy: supply?.applicationId ?? (application?.type === 'Period' ? application.id : undefined),
        }),
        onDone: {
          target: 'success',
          actions: [
            {type: 'findSupply', params: ({event}) => event},
            {type: 'storeApplications', params: ({event}) => event},
            raise({type: 'applications.loaded'}),
          ],
        },
        onError: {
          target: 'error',
          actions: [{type: 'clearApplications', params: ({event}) => event}, raise({type: 'applications.failed'})],
        },
      },
      after: {
        callDeadline: {
          target: 'error',
          actions: [{type: 'clearApplications', params: timeout}, raise({type: 'applications.failed'})],
        },
      },
    },
    success: {on: {'provision.refresh': {target: 'none'}}},
    // read again without the user: requests that wait for credits must not wait for a click
    error: {
      on: {'provision.refresh': {target: 'none'}},
      after: {applicationsRest: {guard: 'mayRecover', target: 'request'}},
    },
  },
})

const application = provisioningSetup.createStateConfig({
  initial: 'none',
  on: {
    'application.choose': {
      target: '.selected',
      actions: [{type: 'storeChoice', params: ({event}) => event}, raise({type: 'application.selected'})],
    },
    'applications.loaded': {target: '.choosing'},
    'applications.failed': {target: '.none'},
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
      // the general one has not been applied for
      on: {'application.apply': {guard: {type: 'isAccepted', params: ({event}) => event}, target: 'applying'}},
    },
    needed: {
      tags: ['needsApplication', 'missing'],
      on: {'application.apply': {guard: {type: 'isAccepted', params: ({event}) => event}, target: 'applying'}},
    },
    applying: {
      tags: ['needsApplication', 'applying', 'settling', 'missing'],
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
          {
            guard: 'hasApplication',
            target: 'individual',
            actions: [{type: 'storeApplyFailure', params: ({event}) => event}],
          },
          {target: 'needed', actions: [{type: 'storeApplyFailure', params: ({event}) => event}]},
        ],
      },
      after: {
        callDeadline: [
          {guard: 'hasApplication', target: 'individual', actions: [{type: 'storeApplyFailure', params: timeout}]},
          {target: 'needed', actions: [{type: 'storeApplyFailure', params: timeout}]},
        ],
      },
      // the next list has the new application
      on: {'applications.failed': {}},
    },
  },
})

const credential = provisioningSetup.createStateConfig({
  initial: 'restoring',
  on: {
    'application.selected': {target: '.finding'},
    'application.missing': {target: '.none'},
  },
  states: {
    restoring: {
      always: [
        {guard: 'hasCredential', target: 'success', actions: [tellService, tellReady]},
        // questions wait for a credential, but what the service offers is known
        {guard: 'hasService', target: 'none', actions: [tellService]},
        {target: 'none'},
      ],
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
      // after the report of a new credential, which the refused requests resume with
      entry: ['tellCredits'],
      after: {proving: {actions: ['clearRenewals']}},
      on: {
        'credential.rejected': [
          {
            guard: {type: 'mayReplace', params: ({event}) => event},
            target: 'request',
            actions: ['countRenewal', 'clearCredential'],
          },
          {
            // the list could not be read: there is nothing to make a credential for (spec §5)
            guard: {type: 'lacksApplication', params: ({event}) => event},
            target: 'error',
            actions: ['logMissingApplication', {type: 'storeCredentialFailure', params: refusedCredential}],
          },
          // the renewed one is refused too: calls say so themselves, and a calm minute begins anew
          {guard: {type: 'isCurrentToken', params: ({event}) => event}, target: 'success', reenter: true},
        ],
      },
    },
    error: {tags: ['missing'], entry: [tellMissing, 'clearRenewals']},
  },
})

/**
 * The steps of one tool for one user: service → applications → application → credential (spec §4).
 *
 * Four regions, each a request status of the specification (none, request, success, error). Applications are read after
 * the service has settled, whether it loaded or not. The choice follows contract/platform §3, the credential is the
 * application's one for this origin, else it is created. An application that got something to pay with is chosen, and
 * told once calls are paid by it; until then the list from before is what the next page compares with. Without an
 * application (none in the list, or no list) set-up stops early: the specification's application set to null. A 401 of
 * the AI host replaces the credential once a minute. What failed is asked again with a network, and with a new token.
 * Owned by `session`; ends with it, which is how a sign-out resets every service.
 */
export const provisioningMachine = provisioningSetup.createMachine({
  id: 'provisioning',
  context: ({input: {restored, ...input}}) => ({
    applications: [],
    ...restored,
    lastService: restored?.service,
    baseline: restored?.applications ?? [],
    // one that was made for another origin is never sent
    credential: restored?.credential?.host === input.host ? restored.credential : undefined,
    ...input,
    failures: {},
    now: 0,
    renewals: 0,
    outages: 0,
  }),
  type: 'parallel',
  invoke: environmentInvoke,
  on: {'connection.restored': asksAgain, 'token.renewed': asksAgain},
  states: {service, applications, application, credential},
})

export type ProvisioningActor = ActorRefFrom<typeof provisioningMachine>
export type ProvisioningSnapshot = SnapshotFrom<typeof provisioningMachine>
