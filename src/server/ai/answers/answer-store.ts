import {and, asc, eq, gt, inArray, sql} from 'drizzle-orm'
import {chatServiceId, failureOutcomes} from '#contract/chat.ts'
import type {Ledger} from '../../ledger/ledger.ts'
import type {Transaction} from '../../store/database.ts'
import {answerChunks, answers, conversations, messages} from '../../store/schema/chat.ts'
import {notifyRow} from '../../runs/row-signals.ts'
import {insertUsage} from '../../runs/usage.ts'
import type {AnswerEnd} from './live-answer.ts'

export type AnswerRow = typeof answers.$inferSelect

export const holdReference = (answerId: string): string => `answer:${answerId}`

/** The run of an answer by one worker: only the holder of the newest fence may write (security R66). */
export type Run = {answerId: string; userId: string; fence: number}
export type Batch = {lastSeq: number; deltas: readonly string[]}

/**
 * Stores a batch of deltas and tells other processes. `lost` means that the run was taken away: its answer has ended or
 * is gone.
 */
export async function storeBatch(
  transaction: Transaction,
  run: Run,
  batch: Batch,
): Promise<'stored' | 'stop' | 'lost'> {
  const [row] = await transaction
    .update(answers)
    .set({lastSeq: batch.lastSeq})
    .where(isRunOf(run))
    .returning({stopRequestedAt: answers.stopRequestedAt})
  if (row === undefined) return 'lost'
  await insertBatch(transaction, run, batch)
  await notifyRow(transaction, 'answer', run.answerId)
  return row.stopRequestedAt === null ? 'stored' : 'stop'
}

const isRunOf = ({answerId, fence}: Run) =>
  and(eq(answers.id, answerId), eq(answers.fence, fence), inArray(answers.state, ['pending', 'answering']))

const insertBatch = (transaction: Transaction, {answerId, userId}: Run, {lastSeq, deltas}: Batch) =>
  transaction.insert(answerChunks).values({answerId, userId, seq: lastSeq, deltas: [...deltas]})

export type Settlement = {
  end: AnswerEnd
  /** All of its deltas, those of `batch` included. */
  text: string
  batch: Batch | undefined
  promptTokens: number
  completionTokens: number
  tokensEstimated: boolean
  /** Credits to charge of what was held; `undefined` gives all of it back. */
  charge: string | undefined
  /** Whether a provider was asked: then there is a usage row, with this status. */
  status: number | undefined
  now: Date
}

/**
 * Ends an answer in one transaction that only the holder of the fence can make: last deltas, text, message, credits,
 * usage row. Returns `false` when somebody else has ended it.
 */
export async function endAnswer(
  transaction: Transaction,
  ledger: Ledger,
  run: Run,
  settlement: Settlement,
): Promise<boolean> {
  const {end, text, batch, charge, now} = settlement
  await lockConversation(transaction, run.answerId)
  const failed = end.state === 'failed' ? end : undefined
  const [row] = await transaction
    .update(answers)
    .set({
      state: end.state,
      outcome: end.outcome ?? null,
      error: failed?.error ?? null,
      text,
      ...(batch === undefined ? {} : {lastSeq: batch.lastSeq}),
      promptTokens: settlement.promptTokens,
      completionTokens: settlement.completionTokens,
      tokensEstimated: settlement.tokensEstimated,
      finishedAt: now,
    })
    .where(isRunOf(run))
    .returning()
  if (row === undefined) return false
  if (batch !== undefined && batch.deltas.length > 0) await insertBatch(transaction, run, batch)
  const reference = holdReference(run.answerId)
  let settled = '0'
  if (charge === undefined) await ledger.refund(transaction, {reference})
  else settled = await ledger.settle(transaction, {reference, amount: charge})
  await transaction.update(answers).set({settled}).where(eq(answers.id, run.answerId))
  await transaction
    .update(messages)
    .set({content: text, state: end.state, outcome: end.outcome ?? null, error: failed?.error ?? null})
    .where(eq(messages.id, row.messageId))
  await transaction.update(conversations).set({updatedAt: now}).where(eq(conversations.id, row.conversationId))
  await enterUsage(transaction, row, settled, settlement)
  await notifyRow(transaction, 'answer', run.answerId)
  return true
}

/** Whoever changes messages or credits of a conversation takes its lock first, so that nobody waits in a circle. */
const lockConversation = (transaction: Transaction, answerId: string) =>
  transaction.execute(
    sql`select 1 from ${conversations} where ${conversations.id} =
        (select ${answers.conversationId} from ${answers} where ${answers.id} = ${answerId}) for update`,
  )

async function enterUsage(
  transaction: Transaction,
  row: AnswerRow,
  settled: string,
  settlement: Settlement,
): Promise<void> {
  if (row.applicationId === null || settlement.status === undefined) return
  await insertUsage(transaction, {
    userId: row.userId,
    applicationId: row.applicationId,
    serviceId: chatServiceId,
    credentialId: row.credentialId,
    statusCode: settlement.status,
    traceId: row.traceId,
    deductedAmount: settled,
    metadata: {
      model: row.model,
      provider: row.provider,
      prompt_tokens: settlement.promptTokens,
      completion_tokens: settlement.completionTokens,
      estimated: settlement.tokensEstimated ? 1 : 0,
    },
    createdAt: settlement.now,
  })
}

/** The text of an answer as far as it is stored. */
export async function storedText(transaction: Transaction, answerId: string): Promise<string> {
  const rows = await transaction
    .select({deltas: answerChunks.deltas})
    .from(answerChunks)
    .where(eq(answerChunks.answerId, answerId))
    .orderBy(asc(answerChunks.seq))
  return rows.map(({deltas}) => deltas.join('')).join('')
}

const batchesAtOnce = 50

export type Numbered = {seq: number; text: string}

/** Stored deltas after `lastSeq`, a bounded number of them, in order. */
export async function storedDeltas(transaction: Transaction, answerId: string, lastSeq: number): Promise<Numbered[]> {
  const rows = await transaction
    .select({seq: answerChunks.seq, deltas: answerChunks.deltas})
    .from(answerChunks)
    .where(and(eq(answerChunks.answerId, answerId), gt(answerChunks.seq, lastSeq)))
    .orderBy(asc(answerChunks.seq))
    .limit(batchesAtOnce)
  return rows
    .flatMap(({seq, deltas}) => deltas.map((text, index) => ({seq: seq - deltas.length + 1 + index, text})))
    .filter(({seq}) => seq > lastSeq)
}

/** The numbered deltas of an answer are deleted after two days; its text stays. */
export async function isForgotten(transaction: Transaction, answer: AnswerRow, lastSeq: number): Promise<boolean> {
  if (answer.finishedAt === null || answer.lastSeq <= lastSeq) return false
  return (await storedDeltas(transaction, answer.id, lastSeq)).length === 0
}

export const endOf = (row: Pick<AnswerRow, 'state' | 'outcome' | 'error'>): AnswerEnd | undefined => {
  if (row.state === 'finished')
    return row.outcome === 'truncated' ? {state: 'finished', outcome: row.outcome} : {state: 'finished'}
  if (row.state !== 'failed') return undefined
  const {code = 'unknown', message = 'The answer failed.'} = row.error ?? {}
  return {
    state: 'failed',
    outcome: failureOutcomes.find((known) => known === row.outcome) ?? 'interrupted',
    error: {code, message},
  }
}
