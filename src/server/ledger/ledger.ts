import {and, eq, sql} from 'drizzle-orm'
import {HttpFailure, notFound} from '../http/failure.ts'
import type {Transaction} from '../store/database.ts'
import {ledgerEntries} from '../store/schema/credits.ts'
import {applications} from '../store/schema/platform.ts'

/** Credits as text: up to fourteen digits, up to six decimals, never negative. */
const decimal = /^\d{1,14}(\.\d{1,6})?$/

function requireExact(amount: string): void {
  if (!decimal.test(amount)) throw new Error(`Not an amount of credits: ${JSON.stringify(amount)}`)
}

type Hold = {applicationId: string; userId: string; amount: string}
type Entry = Hold & {reference: string}

/*
 * Credits of applications: hold → settle (the rest goes back) or refund (all goes back). Amounts are exact decimals as
 * text with at most six decimals; every function is idempotent per `reference` and runs in the caller's transaction.
 * Local and sandbox models cost 0 and hold nothing.
 *
 * All arithmetic happens in SQL `numeric`, never in JavaScript numbers. Each function first locks the application's
 * row, so that whatever touches one balance takes turns; then it looks whether its reference was already booked. The
 * lock is one of no key: a row that was just written for the application holds its key, and two such submits would wait
 * for each other forever. Per application, always (the rule the tests check):
 *
 *     remaining_amount = Σ grant − Σ hold + Σ refund      used_amount = Σ settle
 *
 * and for a closed reference hold = settle + refund. A reference is closed once, by whichever of settle and refund
 * comes first; the other then changes nothing. An amount of 0 is not booked.
 */

/** Sets `amount` aside. Throws `HttpFailure(403, 'used_up')` when balance − amount < 0. */
export async function holdCredits(transaction: Transaction, {reference, ...held}: Entry): Promise<void> {
  const {applicationId, amount} = held
  const application = await lockApplication(transaction, held)
  if ((await entryAmount(transaction, reference, 'hold')) !== undefined) return
  if (!application.covers) {
    const {needed, available} = application
    throw new HttpFailure(403, 'used_up', 'creditsUsedUp', {applicationId, credits: {needed, available}})
  }
  if (application.isZero) return
  await book(transaction, held, 'hold', reference)
  await transaction
    .update(applications)
    .set({remainingAmount: sql`${applications.remainingAmount} - ${amount}::numeric`})
    .where(eq(applications.id, applicationId))
}

/** Charges `amount`, at most the hold of `reference`, and releases the rest. Returns the charged amount. */
export async function settleCredits(
  transaction: Transaction,
  {reference, amount}: Pick<Entry, 'reference' | 'amount'>,
): Promise<string> {
  requireExact(amount)
  const heldEntry = await lockHeld(transaction, reference)
  if (!heldEntry) return '0'
  const settledAmount = await entryAmount(transaction, reference, 'settle')
  if (settledAmount !== undefined) return settledAmount
  if ((await entryAmount(transaction, reference, 'refund')) !== undefined) return '0'
  const charge = await split(transaction, heldEntry.amount, amount)
  await book(transaction, {...heldEntry, amount: charge.charged}, 'settle', reference)
  if (charge.hasRest) await book(transaction, {...heldEntry, amount: charge.rest}, 'refund', reference)
  await transaction
    .update(applications)
    .set({
      remainingAmount: sql`${applications.remainingAmount} + ${charge.rest}::numeric`,
      usedAmount: sql`${applications.usedAmount} + ${charge.charged}::numeric`,
    })
    .where(eq(applications.id, heldEntry.applicationId))
  return charge.charged
}

/** Gives all that was held under `reference` back. */
export async function refundCredits(transaction: Transaction, reference: string): Promise<void> {
  const heldEntry = await lockHeld(transaction, reference)
  if (!heldEntry) return
  if ((await entryAmount(transaction, reference, 'settle')) !== undefined) return
  if ((await entryAmount(transaction, reference, 'refund')) !== undefined) return
  await book(transaction, heldEntry, 'refund', reference)
  await giveTo(transaction, heldEntry)
}

/** Puts credits in. */
export async function grantCredits(transaction: Transaction, {reference, ...granted}: Entry): Promise<void> {
  const application = await lockApplication(transaction, granted)
  if (application.isZero || (await entryAmount(transaction, reference, 'grant')) !== undefined) return
  await book(transaction, granted, 'grant', reference)
  await giveTo(transaction, granted)
}

/** Locks the user's application and says, by SQL, whether its balance covers `amount`. Foreign or missing: 404. */
async function lockApplication(transaction: Transaction, {applicationId, userId, amount}: Hold) {
  requireExact(amount)
  const [row] = await transaction
    .select({
      covers: sql<boolean>`${applications.remainingAmount} - ${amount}::numeric >= 0`,
      isZero: sql<boolean>`${amount}::numeric = 0`,
      needed: sql<string>`${amount}::numeric(20, 6)::text`,
      available: applications.remainingAmount,
    })
    .from(applications)
    .where(and(eq(applications.id, applicationId), eq(applications.userId, userId)))
    .for('no key update')
  if (!row) throw notFound()
  return row
}

/** The hold under `reference`, with its application locked. A hold never changes, so it may be read before the lock. */
async function lockHeld(transaction: Transaction, reference: string): Promise<Hold | undefined> {
  const [heldEntry] = await transaction
    .select({
      applicationId: ledgerEntries.applicationId,
      userId: ledgerEntries.userId,
      amount: ledgerEntries.amount,
    })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.reference, reference), eq(ledgerEntries.kind, 'hold')))
  if (!heldEntry) return undefined
  await transaction
    .select({id: applications.id})
    .from(applications)
    .where(eq(applications.id, heldEntry.applicationId))
    .for('no key update')
  return heldEntry
}

type Kind = (typeof ledgerEntries.$inferSelect)['kind']

async function entryAmount(transaction: Transaction, reference: string, kind: Kind): Promise<string | undefined> {
  const [entry] = await transaction
    .select({amount: ledgerEntries.amount})
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.reference, reference), eq(ledgerEntries.kind, kind)))
  return entry?.amount
}

const book = (transaction: Transaction, heldEntry: Hold, kind: Kind, reference: string) =>
  transaction.insert(ledgerEntries).values({...heldEntry, kind, reference})

const giveTo = (transaction: Transaction, {applicationId, amount}: Hold) =>
  transaction
    .update(applications)
    .set({remainingAmount: sql`${applications.remainingAmount} + ${amount}::numeric`})
    .where(eq(applications.id, applicationId))

/** Splits a hold: at most `amount` is charged, the rest goes back. */
async function split(transaction: Transaction, heldAmount: string, amount: string) {
  const {rows} = await transaction.execute<{charged: string; rest: string; hasRest: boolean}>(sql`
    select
      least(${heldAmount}::numeric, ${amount}::numeric)::numeric(20, 6)::text as charged,
      (${heldAmount}::numeric - least(${heldAmount}::numeric, ${amount}::numeric))::numeric(20, 6)::text as rest,
      ${heldAmount}::numeric > ${amount}::numeric as "hasRest"`)
  const [charge] = rows
  if (!charge) throw new Error('The database answered a select of constants with no row')
  return charge
}
