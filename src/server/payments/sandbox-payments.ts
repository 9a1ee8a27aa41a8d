import type {ServerDeps} from '../deps.ts'
import {isUuid} from '../platform/fields.ts'
import {isSameSecret} from '../secrets.ts'
import type {PaymentProvider} from './payment-provider.ts'

type Deps = Pick<ServerDeps, 'secrets'>

/** The handle of a simulated payment's page: only whom it was given can open it, as with any pay page. */
const handleOf = ({secrets}: Deps, paymentId: string): string => `${paymentId}.${secrets.sign('payment', paymentId)}`

/** The payment a handle stands for, if we made it. */
export function paymentOfHandle(deps: Deps, handle: string): string | undefined {
  const paymentId = handle.slice(0, 36)
  if (!isUuid(paymentId)) return undefined
  return isSameSecret(handleOf(deps, paymentId), handle) ? paymentId : undefined
}

/**
 * The payment without money: the payer chooses on a page of our own what a provider would report. The page reports at
 * once, so there is never anything to ask for.
 */
export const createSandboxPayments = (deps: Deps): PaymentProvider => ({
  way: 'Sandbox',
  leastAmount: 1,
  open: async ({id, baseUrl}) => ({reference: id, url: `${baseUrl}/payments/sandbox/${handleOf(deps, id)}`}),
  check: async () => ({state: 'open'}),
  close: async () => ({state: 'closed'}),
  refund: async () => undefined,
  checkRefund: async () => 'arrived',
})
