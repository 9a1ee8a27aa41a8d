import {fromPromise} from 'xstate'
import {createOrdersApi} from '#api/orders.ts'
import type {Application} from '#contract/management.ts'
import type {Order} from '#contract/orders.ts'
import {isOfKind, kindBody, kindQuery, orderBody, type ApplicationKind} from '#domain/order-request.ts'
import {orderCreateMachine, type OrderRequest} from '#machines/order-create/order-create.machine.ts'
import type {Services} from '../logic/services.ts'

/**
 * Fills the ports of buying with the applications and orders of the user. `isRepeatable`: the back end takes our keys
 * of orders; to another one the header is unknown, which its rules for other origins may refuse.
 */
export function createOrderCreateLogic(
  {management, client}: Pick<Services, 'management' | 'client'>,
  {userId, isRepeatable}: {userId: () => string | undefined; isRepeatable: boolean},
) {
  const {applications} = management
  return orderCreateMachine.provide({
    actors: {
      readApplication: fromPromise<Application, {applicationId: string}>(({input, signal}) =>
        applications.get(input.applicationId, signal),
      ),
      findApplication: fromPromise<Application | undefined, ApplicationKind>(async ({input, signal}) => {
        const {items} = await applications.list(kindQuery(input, userId()), signal)
        return items.find((application) => isOfKind(application, input))
      }),
      createApplication: fromPromise<Application, ApplicationKind>(({input, signal}) =>
        applications.create(kindBody(input, userId()), signal),
      ),
      createOrder: fromPromise<Order, OrderRequest>(({input, signal}) =>
        client(createOrdersApi).create(orderBody(input), isRepeatable ? {key: input.key} : {}, signal),
      ),
    },
  })
}
