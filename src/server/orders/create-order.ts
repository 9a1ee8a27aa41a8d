import {randomUUID} from 'node:crypto'
import {and, arrayOverlaps, eq, inArray, isNull, ne, sql} from 'drizzle-orm'
import type {orderCreate} from '#contract/orders-requests.ts'
import type {z} from '#contract/schema.ts'
import type {Identity} from '../auth/identity.ts'
import type {ServerDeps} from '../deps.ts'
import {badRequest, HttpFailure, notFound} from '../http/failure.ts'
import {findOrCreateApplication, type ApplicationRow} from '../platform/applications.ts'
import {claimKey, requestHashOf, otherRequest} from '../runs/idempotency.ts'
import type {Transaction} from '../store/database.ts'
import {orders, type OrderItem} from '../store/schema/orders.ts'
import {applications} from '../store/schema/platform.ts'
import {findOrder, siteOf, type OrderRow} from './order-store.ts'
import type {OfferedPackage, PackageCatalogue} from './package-catalogue.ts'
import {priceOfCredits} from './prices.ts'

export type CreateOrderParts = {deps: ServerDeps; packages: PackageCatalogue}
type Body = z.infer<typeof orderCreate>

const notOffered = (field: string) => new HttpFailure(404, notFound().code, 'packageNotOffered', {field})

/**
 * POST /orders/: the price is counted here, once, and stays with the order. The same key again gives the same order
 * (security R46).
 *
 * @throws HttpFailure 409 for a free package that the user has had; 404 for an application that is not the caller's and
 * for a package that is not offered (any more)
 */
export async function createOrder(
  parts: CreateOrderParts,
  identity: Identity,
  {body, key}: {body: Body; key: string | undefined},
): Promise<OrderRow> {
  const {deps} = parts
  const {userId} = identity
  return deps.database.asUser(userId, async (transaction) => {
    const id = randomUUID()
    if (key !== undefined) {
      const claim = {userId, key, requestHash: requestHashOf(body), subject: {orderId: id}}
      const earlier = await claimKey(transaction, claim)
      if (earlier !== undefined) {
        if (earlier.orderId === null) throw otherRequest()
        return findOrder(deps, transaction, identity, earlier.orderId)
      }
    }
    const items = await itemsOf(parts, transaction, userId, body)
    await refuseSecondGift(transaction, userId, items)
    const now = deps.now()
    const [row] = await transaction
      .insert(orders)
      .values({
        id,
        userId,
        origin: await siteOf(transaction, identity),
        description: body.description?.trim() || null,
        price: items.reduce((sum, item) => sum + item.price, 0),
        items,
        applicationIds: [...new Set(items.map((item) => item.applicationId))],
        packageIds: items.flatMap((item) => item.packageId ?? []),
        expiresAt: new Date(now.getTime() + deps.config.payments.orderMinutes * 60_000),
        createdAt: now,
        updatedAt: now,
      })
      .returning()
    if (row === undefined) throw new Error('The new order was not returned')
    return row
  })
}

/** A package without a price is given once to a user: orders of it wait for each other. */
async function refuseSecondGift(transaction: Transaction, userId: string, items: readonly OrderItem[]) {
  const gifts = items.flatMap(({price, packageId}) => (price === 0 && packageId !== undefined ? [packageId] : []))
  if (gifts.length === 0) return
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`gifts:${userId}`}, 0))`)
  const [earlierOrder] = await transaction
    .select({id: orders.id})
    .from(orders)
    .where(and(eq(orders.userId, userId), arrayOverlaps(orders.packageIds, gifts), ne(orders.state, 'Expired')))
    .limit(1)
  if (earlierOrder !== undefined || new Set(gifts).size < gifts.length)
    throw new HttpFailure(409, 'duplication', 'packageGivenBefore')
}

async function itemsOf(parts: CreateOrderParts, transaction: Transaction, userId: string, body: Body) {
  if ('application_id' in body) {
    const [application] = await findApplications(transaction, [body.application_id])
    if (application === undefined) throw notFound()
    const offer = creditsOf(parts, application, body)
    return [await itemFor(parts, transaction, userId, application, offer)]
  }
  const chosenApplications = await findApplications(transaction, body.application_ids)
  if (chosenApplications.length !== new Set(body.application_ids).size) throw notFound()
  const items: OrderItem[] = []
  const servedIds = new Set<string>()
  for (const packageId of body.package_ids) {
    const offers = chosenApplications.flatMap((application) =>
      parts.packages.offersOf(application.serviceId).map((offer) => ({application, offer})),
    )
    const match = offers.find(({offer}) => offer.id === packageId)
    if (match === undefined) throw notOffered('package_ids')
    servedIds.add(match.application.id)
    items.push(await itemFor(parts, transaction, userId, match.application, match.offer))
  }
  if (servedIds.size < chosenApplications.length) throw notOffered('application_ids')
  return items
}

type PackageChoice = Omit<OfferedPackage, 'id' | 'recommended'> & {id?: string}
type TopUp = Extract<Body, {application_id: string}>

/** The package of a top-up, or its credits by the piece. */
function creditsOf({packages}: CreateOrderParts, {serviceId}: ApplicationRow, body: TopUp): PackageChoice {
  const offers = packages.offersOf(serviceId)
  if (body.package_id !== undefined) {
    const offer = offers.find(({id}) => id === body.package_id)
    if (offer === undefined) throw notOffered('package_id')
    if (body.amount !== undefined && body.amount !== offer.amount) throw badRequest('packageAmount', 'amount')
    return offer
  }
  if (body.amount === undefined) throw badRequest('amountOrPackage', 'amount')
  const price = priceOfCredits(body.amount, offers)
  if (price === undefined) throw notOffered('amount')
  return {type: 'Usage', amount: body.amount, price, duration: undefined}
}

const findApplications = (transaction: Transaction, ids: readonly string[]): Promise<ApplicationRow[]> =>
  transaction
    .select()
    .from(applications)
    .where(and(inArray(applications.id, [...ids]), isNull(applications.deletedAt)))
    .orderBy(applications.id)

/** The item that an order books: a period belongs to the application of that type, which is made when it is missing. */
async function itemFor(
  {deps}: CreateOrderParts,
  transaction: Transaction,
  userId: string,
  application: ApplicationRow,
  {id, type, amount, price, duration}: PackageChoice,
): Promise<OrderItem> {
  const {scope, serviceId} = application
  const {id: applicationId} =
    application.type === type
      ? application
      : await findOrCreateApplication(deps, transaction, userId, {type, scope, serviceId})
  return {
    applicationId,
    type,
    amount,
    price,
    ...(duration === undefined ? {} : {duration}),
    ...(id === undefined ? {} : {packageId: id}),
  }
}
