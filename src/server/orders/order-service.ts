import type {MediaTool} from '#contract/media/media-tool.ts'
import type {ServerDeps} from '../deps.ts'
import {createPayments, type Payments} from '../payments/payments.ts'
import {createSandboxPayments} from '../payments/sandbox-payments.ts'
import {createStripePayments, type StripePayments} from '../payments/stripe-payments.ts'
import {realTimers} from '../providers/timers.ts'
import {createPeriodicJobs} from '../work/periodic-jobs.ts'
import type {CreateOrderParts} from './create-order.ts'
import {createPackageCatalogue} from './package-catalogue.ts'

const sweepMilliseconds = 30_000

export type OrderService = CreateOrderParts & {
  payments: Payments
  stripe: StripePayments | undefined
  /** Begins to look after orders that nobody asks about. */
  start: () => void
  stop: () => Promise<void>
}

/** The installation's packages, orders and payments. Throws `StartFailure` when packages name a missing service. */
export function createOrderService(deps: ServerDeps, {tools}: {tools: readonly MediaTool[]}): OrderService {
  const {config, log} = deps
  const stripe = config.payments.stripe && createStripePayments(config.payments.stripe)
  const sandbox = config.payments.sandbox ? createSandboxPayments(deps) : undefined
  const providers = [stripe, sandbox].filter((provider) => provider !== undefined)
  const payments = createPayments(deps, providers)
  const jobs = createPeriodicJobs({timers: realTimers, log})
  return {
    deps,
    packages: createPackageCatalogue(config.payments.packages, tools),
    payments,
    stripe,
    start: () => jobs.every(sweepMilliseconds, 'looking after orders', payments.sweep),
    stop: jobs.stop,
  }
}
