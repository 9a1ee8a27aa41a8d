import {packageDurations} from '#contract/packages.ts'
import {z} from '#contract/schema.ts'
import {readBaseUrl, readSwitch, readWhole, type Source} from './config-values.ts'
import {StartFailure} from './start-failure.ts'

const amount = z.int().check(z.minimum(1), z.maximum(1_000_000))
/** US dollars as text, so that the cents are exact and no float is involved. */
const price = z.string().check(z.regex(/^\d{1,6}(\.\d{1,2})?$/))
const creditPackage = z.strictObject({amount, price})
const periodPackage = z.strictObject({amount, price, recommended: z.optional(z.boolean())})
const offers = z.strictObject({
  credits: z._default(z.array(creditPackage).check(z.maxLength(20)), []),
  periods: z._default(
    z.strictObject({
      week: z.optional(periodPackage),
      month: z.optional(periodPackage),
      year: z.optional(periodPackage),
    }),
    {},
  ),
})

/** `packages` of CONFIG_FILE: of the general application, of every service, and of single services by name or id. */
export const packagesSchema = z.strictObject({
  general: z.optional(offers),
  service: z.optional(offers),
  services: z.optional(z.record(z.string(), offers)),
})
type FilePackages = z.infer<typeof packagesSchema>
type FileOffers = z.infer<typeof offers>

/** `price` in cents, `amount` in whole credits, `duration` in seconds. */
export type PackageOffer = {
  type: 'Usage' | 'Period'
  amount: number
  price: number
  duration: number | undefined
  recommended: boolean
}
export type PackagesConfig = {
  general: readonly PackageOffer[]
  service: readonly PackageOffer[]
  services: Readonly<Record<string, readonly PackageOffer[]>>
}

export type StripeConfig = {secretKey: string; webhookSecret: string | undefined; baseUrl: string}
export type PaymentsConfig = {
  packages: PackagesConfig
  /** How long an order can be paid. */
  orderMinutes: number
  /** Whether the simulated payment is offered, which gives credits for nothing. */
  sandbox: boolean
  stripe: StripeConfig | undefined
}

const defaultOffers: FileOffers = {
  credits: [
    {amount: 100, price: '9.90'},
    {amount: 500, price: '45.00'},
    {amount: 2000, price: '160.00'},
  ],
  periods: {
    week: {amount: 120, price: '9.90'},
    month: {amount: 600, price: '39.00'},
    year: {amount: 8000, price: '390.00', recommended: true},
  },
}

const toCents = (dollars: string): number => {
  const [whole = '0', fraction = ''] = dollars.split('.')
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
}

function readOffers({credits, periods}: FileOffers): PackageOffer[] {
  const usage = credits.map(({amount, price}) => ({amount, price: toCents(price)}))
  const lengths = ['week', 'month', 'year'] as const
  return [
    ...usage
      .toSorted((one, other) => one.amount - other.amount)
      .map((offer) => ({...offer, type: 'Usage' as const, duration: undefined, recommended: false})),
    ...lengths.flatMap((length) => {
      const offer = periods[length]
      if (offer === undefined) return []
      return [
        {
          type: 'Period' as const,
          amount: offer.amount,
          price: toCents(offer.price),
          duration: packageDurations[length],
          recommended: offer.recommended === true,
        },
      ]
    }),
  ]
}

function readPackages(file: FilePackages | undefined): PackagesConfig {
  const service = readOffers(file?.service ?? defaultOffers)
  return {
    general: readOffers(file?.general ?? defaultOffers),
    service,
    services: Object.fromEntries(Object.entries(file?.services ?? {}).map(([name, own]) => [name, readOffers(own)])),
  }
}

const stripeAddress = 'https://api.stripe.com'

function readStripe(text: (name: string) => string | undefined): StripeConfig | undefined {
  const secretKey = text('STRIPE_SECRET_KEY')
  const webhookSecret = text('STRIPE_WEBHOOK_SECRET')
  const baseUrl = text('STRIPE_BASE_URL')
  if (secretKey === undefined) {
    const lonely = webhookSecret === undefined ? baseUrl && 'STRIPE_BASE_URL' : 'STRIPE_WEBHOOK_SECRET'
    if (lonely) throw new StartFailure(`${lonely} needs STRIPE_SECRET_KEY beside it.`)
    return undefined
  }
  if (!/^[sr]k_[\w]{8,}$/.test(secretKey))
    throw new StartFailure('STRIPE_SECRET_KEY must be a secret or restricted key of Stripe: it begins with sk_ or rk_.')
  if (webhookSecret !== undefined && !/^whsec_\S{8,}$/.test(webhookSecret))
    throw new StartFailure(
      'STRIPE_WEBHOOK_SECRET must be the signing secret of a Stripe webhook: it begins with whsec_.',
    )
  return {secretKey, webhookSecret, baseUrl: readBaseUrl('STRIPE_BASE_URL', baseUrl ?? stripeAddress)}
}

/**
 * Packages and payment providers. The simulation is offered unless it gives away something of value: without Stripe,
 * and while no configured provider charges the operator (`charges`); SANDBOX_PAYMENTS overrides this.
 */
export function readPayments(
  source: (name: string) => Source,
  packages: FilePackages | undefined,
  charges: boolean,
): PaymentsConfig {
  const stripe = readStripe((name) => source(name).text)
  return {
    packages: readPackages(packages),
    orderMinutes: readWhole(source('ORDER_MINUTES'), 60, 1, 1440),
    sandbox: readSwitch(source('SANDBOX_PAYMENTS'), stripe === undefined && !charges),
    stripe,
  }
}
