import {exchangeRequest} from '#contract/management.ts'
import type {ServerDeps} from '../deps.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {exchangeRateOf, readExchangeRates} from './exchange-rates.ts'

/** POST /exchange-rate (spec §7): asked at start, also before anybody signed in. `date` says how old the figure is. */
export function exchangeRateRoutes({config}: ServerDeps): Route[] {
  const rates = readExchangeRates(config.exchangeRatesFile)
  return [
    managementRoute('POST', '/exchange-rate', 'public', {
      body: exchangeRequest,
      handle: ({body: {source, target}}) =>
        Response.json({source, target, rate: exchangeRateOf(rates, source, target), date: rates.date}),
    }),
  ]
}
