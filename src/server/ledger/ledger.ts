import type {Transaction} from '../store/database.ts'

/**
 * Credits of applications: hold → settle (the rest goes back) or refund (all goes back). Amounts are exact decimals as
 * text with at most six places; every function is idempotent per `reference` and runs in the caller's transaction under
 * a row lock on the application. Local and sandbox models cost 0 and hold nothing.
 */
export type Ledger = {
  /** Sets `amount` aside. Throws `HttpFailure(403, 'used_up')` when balance − amount < 0. */
  hold: (
    transaction: Transaction,
    entry: {applicationId: string; userId: string; amount: string; reference: string},
  ) => Promise<void>
  /** Charges `amount`, at most the hold of `reference`, and releases the rest. Returns the charged amount. */
  settle: (transaction: Transaction, entry: {reference: string; amount: string}) => Promise<string>
  /** Gives all that was held under `reference` back. */
  refund: (transaction: Transaction, entry: {reference: string}) => Promise<void>
  grant: (
    transaction: Transaction,
    entry: {applicationId: string; userId: string; amount: string; reference: string},
  ) => Promise<void>
}
