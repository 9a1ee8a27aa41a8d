import {and, arrayContains} from 'drizzle-orm'
import {orderCreate, orderPay, orderQuery} from '#contract/orders-requests.ts'
import type {z} from '#contract/schema.ts'
import {safeReturnPath} from '#domain/safe-return-path.ts'
import type {Identity} from '../auth/identity.ts'
import {visibleOrigin} from '../auth/origins.ts'
import {badRequest, HttpFailure} from '../http/failure.ts'
import {languageOf, loadLanguage} from '../http/language.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {owesMoney} from '../payments/payment-store.ts'
import {orderPaid, paymentProcessing} from '../payments/payment-failures.ts'
import {idOf, isUuid} from '../platform/fields.ts'
import {pageOf, readPage} from '../platform/paging.ts'
import {checkKey} from '../runs/idempotency.ts'
import type {Transaction} from '../store/database.ts'
import {orders} from '../store/schema/orders.ts'
import {createOrder} from './create-order.ts'
import type {OrderService} from './order-service.ts'
import {findOrder, hasState, lockOrder, ownOrders, updateOrder, type OrderRow} from './order-store.ts'
import {orderViews} from './order-view.ts'

const sortColumns = {created_at: orders.createdAt, updated_at: orders.updatedAt, price: orders.price}
const path = '/orders/'

/** Orders of the caller at the caller's site (contract/platform §3, `/orders`). */
export function orderRoutes(service: OrderService): Route[] {
  const {deps, payments} = service

  const find = (identity: Identity, id: string): Promise<OrderRow> =>
    deps.database.asUser(identity.userId, (transaction) => findOrder(deps, transaction, identity, id))

  const answer = (identity: Identity, id: string, status = 200): Promise<Response> =>
    deps.database.asUser(identity.userId, async (transaction) => {
      const row = await findOrder(deps, transaction, identity, id)
      const [view] = await orderViews(transaction, [row], {...payments, now: deps.now()})
      return Response.json(view, {status})
    })

  return [
    managementRoute('GET', path, 'user', {
      query: orderQuery,
      handle: async ({identity, query}) => Response.json(await listOrders(service, identity, query)),
    }),
    managementRoute('GET', `${path}:id`, 'user', {
      handle: ({identity, params}) => answer(identity, idOf(params)),
    }),
    managementRoute('POST', path, 'user', {
      limit: 'pay',
      body: orderCreate,
      handle: async ({identity, body, context}) => {
        const key = checkKey(context.req.header('idempotency-key'))
        const order = await createOrder(service, identity, {body, key})
        if (order.price === 0) await payments.finishFree(order.id)
        return answer(identity, order.id, 201)
      },
    }),
    managementRoute('POST', `${path}:id/refresh/`, 'user', {
      handle: async ({identity, params}) => {
        const order = await find(identity, idOf(params))
        await payments.refresh(order)
        return answer(identity, order.id)
      },
    }),
    managementRoute('POST', `${path}:id/pay/`, 'user', {
      limit: 'pay',
      body: orderPay,
      handle: async ({identity, params, body, context}) => {
        const order = await find(identity, idOf(params))
        await beginPayment(service, order, {body, request: context.req.raw})
        return answer(identity, order.id)
      },
    }),
    managementRoute('DELETE', `${path}:id`, 'user', {
      handle: async ({identity, params}) => {
        const order = await find(identity, idOf(params))
        await payments.abandon(order.id)
        await deps.database.asSystem((transaction) => removeOrder(transaction, order.id, deps.now))
        return new Response(null, {status: 204})
      },
    }),
  ]
}

/** One page of the caller's orders at the caller's site. */
async function listOrders({deps, payments}: OrderService, identity: Identity, query: z.infer<typeof orderQuery>) {
  const page = pageOf(query, sortColumns, orders.id)
  if (query.user_id !== undefined && query.user_id !== identity.userId) return {count: 0, items: []}
  const ids = [query.application_id, query.package_id].filter((id) => id !== undefined)
  if (!ids.every(isUuid)) return {count: 0, items: []}
  const now = deps.now()
  return deps.database.asUser(identity.userId, async (transaction) => {
    const filter = and(
      await ownOrders(deps, transaction, identity),
      query.state && hasState(query.state, now),
      query.application_id === undefined ? undefined : arrayContains(orders.applicationIds, [query.application_id]),
      query.package_id === undefined ? undefined : arrayContains(orders.packageIds, [query.package_id]),
    )
    const {rows, count} = await readPage(transaction, orders, filter, page)
    return {count, items: await orderViews(transaction, rows, {...payments, now})}
  })
}

/** Opens a page to pay the order on, in the payer's language; a free order is paid at once. */
async function beginPayment(
  {deps, payments}: OrderService,
  order: OrderRow,
  {body, request}: {body: z.infer<typeof orderPay>; request: Request},
): Promise<void> {
  if (order.price === 0 && order.state === 'Pending') return payments.finishFree(order.id)
  const visibleHub = await visibleOrigin(deps, request)
  const locale = languageOf(request)
  const intl = await loadLanguage(locale)
  await payments.begin(order.id, order.price, {
    way: body.pay_way,
    title: order.description ?? intl.formatMessage({id: 'order.sandboxOrder'}, {id: order.id.slice(0, 8)}),
    returnUrl: returnUrlOf(order, body.redirect),
    locale,
    baseUrl: visibleHub + new URL(request.url).pathname.replace(/\/api\/v1\/.*$/, ''),
  })
}

/** Takes an order from its owner's list: one that was paid, or whose money moves, stays. */
async function removeOrder(transaction: Transaction, orderId: string, now: () => Date): Promise<void> {
  const {state, processingAt} = await lockOrder(transaction, orderId)
  if (state === 'Paid' || state === 'Finished') throw orderPaid()
  if (processingAt !== null) throw paymentProcessing()
  if (await owesMoney(transaction, orderId)) throw new HttpFailure(409, 'conflict', 'paymentGoesBack')
  const at = now()
  await updateOrder(transaction, orderId, {deletedAt: at, updatedAt: at})
}

/** The order's page of its site; `redirect` is where that page leads when it is paid, never another site. */
function returnUrlOf({id, origin}: OrderRow, redirect: string | undefined): string {
  const url = new URL(`/console/orders/${id}`, origin)
  if (redirect === undefined) return url.href
  const target = safeReturnPath(redirect, origin)
  if (target === undefined) throw badRequest('redirectNotOwn', 'redirect')
  url.searchParams.set('redirect', target)
  return url.href
}
