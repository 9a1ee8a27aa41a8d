import {z} from '#contract/schema.ts'
import {HttpFailure, notFound} from '../http/failure.ts'
import {readNamedFile} from '../read-named-file.ts'
import {StartFailure} from '../start-failure.ts'

const rateFile = z.strictObject({
  /** The day the rates are of (ISO). */
  date: z.iso.date(),
  /** Units of a currency for one US dollar. */
  usd: z.record(z.string().check(z.regex(/^[a-z]{3}$/)), z.number().check(z.positive(), z.lte(1e9))),
})
export type ExchangeRates = z.infer<typeof rateFile>

/**
 * Units for one US dollar in all currencies of the specification (§9, gbp among the symbols): round figures for prices
 * on the screen, of the day that stands with them. `EXCHANGE_RATES_FILE` replaces the whole table.
 */
export const bundledRates: ExchangeRates = {
  date: '2026-01-02',
  usd: {
    usd: 1,
    cny: 6.99,
    eur: 0.852,
    gbp: 0.743,
    jpy: 156.8,
    krw: 1444,
    rub: 79.2,
    pln: 3.59,
    sek: 9.22,
    uah: 42.3,
    sar: 3.75,
    rsd: 99.9,
  },
}

/** Reads the operator's table at start. Throws a sentence that names the variable and what is wrong with the file. */
export function readExchangeRates(path: string | undefined): ExchangeRates {
  if (path === undefined) return bundledRates
  const wrong = (why: string, cause?: unknown) => new StartFailure(`EXCHANGE_RATES_FILE (${path}) ${why}`, {cause})
  const text = readNamedFile('EXCHANGE_RATES_FILE', path)
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw wrong('is not JSON.', cause)
  }
  const parsing = rateFile.safeParse(content)
  if (!parsing.success) {
    const [issue] = parsing.error.issues
    throw wrong(
      `must look like {"date": "2026-01-31", "usd": {"eur": 0.85}}: ${issue?.path.join('.') || 'content'} is wrong.`,
    )
  }
  return {date: parsing.data.date, usd: {...parsing.data.usd, usd: 1}}
}

/** Significant digits of a rate: more would pretend to know. */
const precision = 8

/** Units of `target` for one unit of `source`. A currency that is not in the table is a 404, never a silent 1. */
export function exchangeRateOf(rates: ExchangeRates, source: string, target: string): number {
  const from = Object.hasOwn(rates.usd, source) ? rates.usd[source] : undefined
  const to = Object.hasOwn(rates.usd, target) ? rates.usd[target] : undefined
  if (from === undefined) throw unknownCurrency(source, 'source')
  if (to === undefined) throw unknownCurrency(target, 'target')
  return Number((to / from).toPrecision(precision))
}

const unknownCurrency = (currency: string, field: string) =>
  new HttpFailure(404, notFound().code, 'noRate', {field, values: {currency}})
