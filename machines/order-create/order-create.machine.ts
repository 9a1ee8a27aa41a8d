import {assign, setup, type SnapshotFrom} from 'xstate'
import type {Application} from '#contract/management.ts'
import type {Order} from '#contract/orders.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {recommendedPackage, type PackageType} from '#domain/packages.ts'
import {
  environmentChanges,
  environmentInvoke,
  type EnvironmentActor,
} from '#machines/environment/environment.machine.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** `type`: which packages are offered, credits to spend or a time. `key`: of the order that is made, once for this page. */
export type OrderCreateInput = {
  applicationId: string
  type: PackageType
  key: string
  environment: EnvironmentActor
}
export type OrderCreateEvent =
  {type: 'offers.load'} | {type: 'package.choose'; id: string} | {type: 'order.create'} | {type: 'connection.restored'}

type Context = OrderCreateInput & {application?: Application; chosen?: string; failure?: Failure | undefined}

/**
 * Buying for one application: its packages are read, one is chosen, an order is made (contract/screens §5). Owned by the
 * page, ends with the order, which has a page of its own. An order whose answer was lost is sent again with the same
 * key and is the same order (security R45).
 */
export const orderCreateMachine = setup({
  types: {input: {} as OrderCreateInput, context: {} as Context, events: {} as OrderCreateEvent, tags: {} as 'open'},
  actors: {
    environmentChanges,
    readApplication: promisePort<Application, {applicationId: string}>('readApplication'),
    createOrder: promisePort<Order, {applicationId: string; type: PackageType; packageId: string; key: string}>(
      'createOrder',
    ),
  },
  delays: {callDeadline: 20_000},
  guards: {
    isOffered: ({context: {application, type}}, {id}: {id: string}) =>
      application?.packages?.some((offer) => offer.id === id && offer.type === type) === true,
    hasChosen: ({context}) => context.chosen !== undefined,
  },
  actions: {
    storeApplication: assign(({context: {type}}, {output}: {output: Application}) => ({
      application: output,
      chosen: recommendedPackage(output.packages ?? [], type)?.id,
      failure: undefined,
    })),
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
        'order.create': {guard: 'hasChosen', target: 'creating', actions: ['clearFailure']},
      },
    },
    creating: {
      tags: ['open'],
      invoke: {
        id: 'createOrder',
        src: 'createOrder',
        // as: `hasChosen` guards the way here
        input: ({context: {applicationId, type, chosen, key}}) => ({
          applicationId,
          type,
          packageId: chosen as string,
          key: `${key}:${chosen}`,
        }),
        onDone: {target: 'created', actions: [{type: 'showOrder', params: ({event}) => event.output}]},
        onError: {target: 'choosing', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'choosing', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    created: {type: 'final'},
  },
})

export type OrderCreateSnapshot = SnapshotFrom<typeof orderCreateMachine>
