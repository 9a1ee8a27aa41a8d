import {application} from './management.ts'
import {packages} from './packages.ts'
import {amount, identifier, lenient, optional, paged, z} from './schema.ts'

/*
 * Orders of the management API (`contract/platform` §3). Answers are parsed tolerantly. Requests: `orders-requests.ts`.
 */

/**
 * `Pending` and `Failed` can be paid; `Paid` waits for its credits, which `Finished` has; `Expired` can no longer be
 * paid. An order never moves back; only `Expired` becomes `Paid` when its payment arrives after all.
 */
export const orderStates = ['Pending', 'Paid', 'Expired', 'Failed', 'Finished'] as const
export type OrderState = (typeof orderStates)[number]

/** Ways of payment on the wire. Our server has `Stripe` and the extension `Sandbox`, foreign ones the first three. */
export const payWays = ['WechatPay', 'AliPay', 'Stripe', 'Sandbox'] as const
export type PayWay = (typeof payWays)[number]

export const order = z.object({
  id: identifier,
  description: optional(z.string()),
  /** `Refunded` is known to newer foreign servers; an unknown state counts as absent. */
  state: lenient(z.enum([...orderStates, 'Refunded'])),
  /** In US dollars, fixed when the order is made. 0: nothing is paid. */
  price: optional(amount),
  /** Credits of all packages together. */
  amount: optional(amount),
  user_id: optional(identifier),
  application: optional(application),
  application_id: optional(identifier),
  application_ids: optional(z.array(identifier)),
  package_ids: optional(z.array(identifier)),
  /** The way of the last payment that was begun. */
  pay_way: lenient(z.enum(payWays)),
  pay_id: optional(z.string()),
  /** The page of the payment. Our server sends it exactly while it can be paid there. */
  pay_url: optional(z.string()),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
  /** Our extension: the ways this order can be paid now. Absent: a foreign server, which takes the first three. */
  pay_ways: lenient(z.array(z.enum(payWays))),
  /** Our extension: the least payable US dollars, where the order is cheaper and has no `pay_ways` therefore. */
  least_price: optional(amount),
  /** Our extension: what is bought, as it was offered when the order was made. */
  packages,
  /**
   * Our extensions: when an order that can be paid expires, when the page of its open payment was made (of an `Expired`
   * one too, as long as nobody could say that it was not paid), when a payment was last declined, when it was paid and
   * when its credits came.
   */
  expired_at: optional(z.string()),
  opened_at: optional(z.string()),
  failed_at: optional(z.string()),
  paid_at: optional(z.string()),
  finished_at: optional(z.string()),
  /**
   * Our extension: since when the payer's bank works on the payment. Until it has paid or declined, which may take
   * days, the order can neither expire nor be paid in another way: no `pay_url`, no `pay_ways`, no `expired_at`.
   */
  processing_at: optional(z.string()),
  /** Our extension: the page on which the payer has to confirm such a payment, while the bank waits for that. */
  confirm_url: optional(z.string()),
  /** Our extension: the payment arrived after the order had expired, and was credited. */
  overdue: lenient(z.boolean()),
  /**
   * Our extensions: how many payments came that are not credited, how many of them go back because they were not of the
   * order's price, and how many could not be given back the way they came, whatever their reason. The others came
   * beside the one that paid the order, and go back.
   */
  surplus_payments: lenient(z.number()),
  mismatched_payments: lenient(z.number()),
  failed_refunds: lenient(z.number()),
  /** Our extension: how many came back to the payer by the operator's hand; they are among none of the three above. */
  settled_refunds: lenient(z.number()),
  /** Our extension: how many payments were closed of which nobody knows whether they were paid. */
  unknown_payments: lenient(z.number()),
})
export type Order = z.infer<typeof order>
export const orderPage = paged(order)
