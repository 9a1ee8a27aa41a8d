import {order, orderPage, type OrderState} from '#contract/orders.ts'
import type {orderCreate, orderPay} from '#contract/orders-requests.ts'
import type {z} from '#contract/schema.ts'
import {
  base,
  createManagementCalls,
  idPath,
  type ManagementDeps,
  type Many,
  type PageQuery,
} from './management-calls.ts'

export type OrderQuery = PageQuery & {
  user_id?: string
  state?: Many<OrderState>
  application_id?: string
  package_id?: string
}

/**
 * Orders (contract/platform §3), apart from the other calls so that only the screens of the console load them. Packages
 * come with `applications.get` and `services.get`.
 */
export const createOrdersApi = (deps: ManagementDeps) => {
  const {send, get, write, remove} = createManagementCalls(deps)
  return {
    /** The user's orders at this site, newest first with `ordering: '-created_at'`. */
    list: (query: OrderQuery, signal?: AbortSignal) => get(`${base}/orders/`, orderPage, signal, query),
    get: (id: string, signal?: AbortSignal) => get(idPath('orders', id), order, signal),
    /**
     * `key` is made once for the intent of the user (security R45): the same key again gives the same order, also after
     * a lost answer. A free order comes back `Finished`. Rejects with 404 when a package is no longer offered.
     */
    create: (body: z.input<typeof orderCreate>, {key}: {key?: string} = {}, signal?: AbortSignal) =>
      send({
        method: 'post',
        path: `${base}/orders/`,
        body,
        answer: order,
        headers: key === undefined ? {} : {'idempotency-key': key},
        signal,
      }),
    /** Asks the payment's provider for news and answers with the order as it is then. Safe to call again. */
    refresh: (id: string, signal?: AbortSignal) =>
      send({method: 'post', path: `${idPath('orders', id)}/refresh/`, answer: order, isRead: true, signal}),
    /**
     * Begins a payment, or answers with the open one of the same way; the other way's is closed first. `pay_url` is the
     * page to open. Rejects with 409 `conflict` when the order is paid or expired, 400 for a way that is not offered.
     */
    pay: (id: string, body: z.input<typeof orderPay>, signal?: AbortSignal) =>
      write('post', `${idPath('orders', id)}/pay/`, body, order, signal),
    /** Removes an unpaid order from the list. Rejects with 409 `conflict` when it is paid: the accounts keep it. */
    remove: (id: string, signal?: AbortSignal) => remove(idPath('orders', id), signal),
  }
}
