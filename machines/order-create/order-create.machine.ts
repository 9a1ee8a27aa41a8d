import {and, assign, setup, type SnapshotFrom} from 'xstate'
import type {Application} from '#contract/management.ts'
import type {Order} from '#contract/orders.ts'
import type {Package} from '#contract/packages.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {isOfKind, kindFor, missingFor, type ApplicationKind} from '#domain/order-request.ts'
import {coveringPackage, recommendedPackage, type PackageType} from '#domain/packages.ts'
import {
  environmentChanges,
  environmentInvoke,
  type EnvironmentActor,
} from '#machines/environment/environment.machine.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/**
 * `type`: which packages are offered, credits to spend or a time. `key`: of the order that is made, once for this page.
 * `need`: exact credits of a request that was refused for want of them.
 */
export type OrderCreateInput = {
  applicationId: string
  type: PackageType
  key: string
  need?: string | undefined
  environment: EnvironmentActor
}
/** `description`: the name of the order in the user's words, which the payment provider shows. */
export type OrderCreateEvent =
  | {type: 'offers.load'}
  | {type: 'package.choose'; id: string}
  | {type: 'order.create'; description: string}
  | {type: 'connection.restored'}

/** The request of an order: the package for the application it belongs to. */
export type OrderRequest = {applicationId: string; offer: Package; description: string; key: string}

type Context = OrderCreateInput & {
  application?: Application
  /** Exact credits that the refused request lacks. */
  missing?: string | undefined
  chosen?: string
  /** The name of the order that was last sent: sent again, it is the same request, whatever the language is by then. */
  named?: {packageId: string; description: string}
  /** The application that the order names. */
  targetId?: string
  failure?: Failure | undefined
}

const kindOf = ({applicationId, application, type}: Context): ApplicationKind =>
  kindFor(application ?? {id: applicationId}, type)

function requestOf({application, chosen, named, targetId, key}: Context): OrderRequest {
  const offer = application?.packages?.find(({id}) => id === chosen)
  if (offer === undefined || named === undefined || targetId === undefined)
    throw new Error('An order needs a package, a name and an application')
  return {applicationId: targetId, offer, description: named.description, key: `${key}:${offer.id}`}
}

/** The order's application exists: the order can be made. */
const targetFound = {
  guard: {type: 'isFound', params: ({event}: {event: {output: Application | undefined}}) => event},
  target: '#orderCreate.creating',
  actions: [{type: 'storeTarget', params: ({event}: {event: {output: Application | undefined}}) => event}],
} as const
const onFailure = {
  target: '#orderCreate.choosing',
  actions: [{type: 'storeFailure', params: ({event}: {event: {error: unknown}}) => event}],
} as const

/**
 * Buying for one application: reads its packages, one is chosen, an order is made (contract/screens §5). A package of
 * another type belongs to another application of the same service, which is looked for and, if missing, made first
 * (contract/platform §3, 3). Owned by the page, ends with the order, which has a page of its own. An order without an
 * answer is sent again with the same key and is the same order (security R45).
 */
export const orderCreateMachine = setup({
  types: {
    input: {} as OrderCreateInput,
    context: {} as Context,
    events: {} as OrderCreateEvent,
    tags: {} as 'open' | 'ordering',
  },
  actors: {
    environmentChanges,
    readApplication: promisePort<Application, {applicationId: string}>('readApplication'),
    findApplication: promisePort<Application | undefined, ApplicationKind>('findApplication'),
    createApplication: promisePort<Application, ApplicationKind>('createApplication'),
    createOrder: promisePort<Order, OrderRequest>('createOrder'),
  },
  delays: {callDeadline: 20_000},
  guards: {
    isOffered: ({context: {application, type}}, {id}: {id: string}) =>
      application?.packages?.some((offer) => offer.id === id && offer.type === type) === true,
    hasChosen: ({context}) => context.chosen !== undefined,
    hasTarget: ({context}) => context.targetId !== undefined,
    isFound: (_, {output}: {output: Application | undefined}) => output !== undefined,
    isTwice: (_, {error}: {error: unknown}) => toFailure(error).code === 'duplication',
  },
  actions: {
    storeApplication: assign(({context: {type, need}}, {output}: {output: Application}) => {
      const missing = missingFor(need, output, type)
      const packages = output.packages ?? []
      const choice =
        missing === undefined ? recommendedPackage(packages, type) : coveringPackage(packages, type, missing)
      return {
        application: output,
        ...(isOfKind(output, kindFor(output, type)) ? {targetId: output.id} : {}),
        missing,
        chosen: choice?.id,
        failure: undefined,
      }
    }),
    nameOrder: assign(({context: {chosen, named}}, {description}: {description: string}) =>
      chosen === undefined || named?.packageId === chosen ? {} : {named: {packageId: chosen, description}},
    ),
    storeTarget: assign((_, {output}: {output: Application | undefined}) =>
      output === undefined ? {} : {targetId: output.id},
    ),
    choose: assign((_, {id}: {id: string}) => ({chosen: id})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    clearFailure: assign({failure: undefined}),
    /** Port: goes to the page of the order. */
    showOrder: (_, _order: {id: string}) => unfilledAction('showOrder'),
  },
}).createMachine({
  id: 'orderCreate',
  context: ({input}) => input,
  invoke: environmentInvoke,
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'readApplication',
        src: 'readApplication',
        input: ({context: {applicationId}}) => ({applicationId}),
        onDone: {target: 'choosing', actions: [{type: 'storeApplication', params: ({event}) => event}]},
        onError: {target: 'unavailable', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'unavailable', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    unavailable: {
      on: {
        'offers.load': {target: 'loading', actions: ['clearFailure']},
        'connection.restored': {target: 'loading', actions: ['clearFailure']},
      },
    },
    choosing: {
      tags: ['open'],
      on: {
        'offers.load': {target: 'loading'},
        'package.choose': {
          guard: {type: 'isOffered', params: ({event}) => event},
          actions: [{type: 'choose', params: ({event}) => event}, 'clearFailure'],
        },
        'order.create': [
          {
            guard: and(['hasChosen', 'hasTarget']),
            target: 'creating',
            actions: ['clearFailure', {type: 'nameOrder', params: ({event}) => event}],
          },
          {
            guard: 'hasChosen',
            target: 'preparing',
            actions: ['clearFailure', {type: 'nameOrder', params: ({event}) => event}],
          },
        ],
      },
    },
    preparing: {
      tags: ['open', 'ordering'],
      after: {callDeadline: {target: 'choosing', actions: [{type: 'storeFailure', params: timeout}]}},
      initial: 'seeking',
      states: {
        seeking: {
          invoke: {
            id: 'findApplication',
            src: 'findApplication',
            input: ({context}) => kindOf(context),
            onDone: [targetFound, {target: 'applying'}],
            onError: onFailure,
          },
        },
        applying: {
          invoke: {
            id: 'createApplication',
            src: 'createApplication',
            input: ({context}) => kindOf(context),
            onDone: {
              target: '#orderCreate.creating',
              actions: [{type: 'storeTarget', params: ({event}) => event}],
            },
            onError: [{guard: {type: 'isTwice', params: ({event}) => event}, target: 'seekingAgain'}, onFailure],
          },
        },
        seekingAgain: {
          description: 'Another tab made the application after this one had looked for it',
          invoke: {
            id: 'findApplicationAgain',
            src: 'findApplication',
            input: ({context}) => kindOf(context),
            onDone: [
              targetFound,
              {
                target: '#orderCreate.choosing',
                actions: [{type: 'storeFailure', params: {error: {code: 'conflict', detail: 'no application'}}}],
              },
            ],
            onError: onFailure,
          },
        },
      },
    },
    creating: {
      tags: ['open', 'ordering'],
      invoke: {
        id: 'createOrder',
        src: 'createOrder',
        input: ({context}) => requestOf(context),
        onDone: {target: 'created', actions: [{type: 'showOrder', params: ({event}) => event.output}]},
        onError: {target: 'choosing', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'choosing', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    created: {type: 'final'},
  },
})

export type OrderCreateSnapshot = SnapshotFrom<typeof orderCreateMachine>
