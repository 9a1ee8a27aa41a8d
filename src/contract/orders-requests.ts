import {orderStates, payWays} from './orders.ts'
import {oneOrMany, pageQuery, uuid} from './request-schema.ts'
import {identifier, z} from './schema.ts'

/* Bodies and queries of orders, validated strictly by the server. */

const description = z.optional(z.string().check(z.maxLength(200)))
const ids = z.array(uuid).check(z.minLength(1), z.maxLength(10))

/** Credits for one application: a package, or any whole number of credits at the price of the packages. */
const topUp = z.strictObject({
  application_id: uuid,
  /** In credits. Beside a package it must be the package's own. */
  amount: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
  package_id: z.optional(uuid),
  description,
})

/** Packages by the applications they are offered to. A `Period` package makes the application if need be. */
const subscription = z.strictObject({application_ids: ids, package_ids: ids, description})

/** POST /orders/. No price: the server's counts. */
export const orderCreate = z.union([topUp, subscription])

export const orderQuery = z.strictObject({
  ...pageQuery,
  user_id: z.optional(identifier),
  state: z.optional(oneOrMany(z.enum(orderStates))),
  application_id: z.optional(identifier),
  package_id: z.optional(identifier),
})

/** POST /orders/{id}/pay/. `redirect` is a path of the site to lead to after the payment; any other is a 400. */
export const orderPay = z.strictObject({
  pay_way: z.enum(payWays),
  redirect: z.optional(z.string().check(z.maxLength(2048))),
})
