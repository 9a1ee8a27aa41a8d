import type {OfferedPackage} from './package-catalogue.ts'

/**
 * Cents for any whole number of credits: the rate of the best package that is not larger, the smallest package's below
 * that, and never more than a larger package costs. Fractions of a cent are rounded up. `undefined` where no credits
 * are sold; packages that are given away set no rate.
 */
export function priceOfCredits(amount: number, offers: readonly OfferedPackage[]): number | undefined {
  const paidOffers = offers.filter(({type, price}) => type === 'Usage' && price > 0)
  const smallest = Math.min(...paidOffers.map((offer) => offer.amount))
  const candidates = paidOffers.flatMap((offer) => {
    if (offer.amount >= amount) return offer.amount === smallest ? [offer.price, rateOf(offer, amount)] : [offer.price]
    return [rateOf(offer, amount)]
  })
  return candidates.length === 0 ? undefined : Math.min(...candidates)
}

/** In whole numbers: cents and credits both stay below 10^9, so that their product would not fit a float exactly. */
const rateOf = (offer: OfferedPackage, amount: number): number =>
  Number((BigInt(amount) * BigInt(offer.price) + BigInt(offer.amount) - 1n) / BigInt(offer.amount))
