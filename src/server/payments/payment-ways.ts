import type {PayWay} from '#contract/orders.ts'
import type {PaymentProvider} from './payment-provider.ts'

export type PayWays = ReturnType<typeof createPayWays>

/** The payment providers and the ways to pay that each takes. */
export function createPayWays(providers: readonly PaymentProvider[]) {
  const providerOf = (way: PayWay): PaymentProvider | undefined => providers.find((provider) => provider.way === way)

  /** Ways in which this many cents can be paid. */
  const waysFor = (price: number): PayWay[] =>
    price === 0 ? [] : providers.filter(({leastAmount}) => price >= leastAmount).map(({way}) => way)

  /** The least cents that can be paid, where that is more than this price. */
  const leastFor = (price: number): number | undefined => {
    if (price === 0 || providers.length === 0 || waysFor(price).length > 0) return undefined
    return Math.min(...providers.map(({leastAmount}) => leastAmount))
  }

  return {providerOf, waysFor, leastFor}
}
