import {and, asc, eq, gt, sql} from 'drizzle-orm'
import {chatServiceId, failureOutcomes} from '#contract/chat.ts'
import {chatApi} from '../../platform/service-apis.ts'
import type {Transaction} from '../../store/database.ts'
import {answerChunks, answers, conversations, messages} from '../../store/schema/chat.ts'
import {settleRun, type Run, type RunKind} from '../../runs/run-store.ts'
import type {AnswerEnd} from './live-answer.ts'

export type AnswerRow = typeof answers.$inferSelect

export const answerRuns: RunKind<AnswerRow> = {
  name: 'answer',
  table: answers,
  waiting: 'pending',
  running: 'answering',
  stateChanged: (transaction, {messageId, state}) =>
    transaction.update(messages).set({state}).where(eq(messages.id, messageId)),
}

export type AnswerRun = Run & {userId: string}
/** Deltas in order, the last of which has number `lastSeq`. */
export type Batch = {lastSeq: number; deltas: readonly string[]}

const insertBatch = (transaction: Transaction, {id, userId}: AnswerRun, {lastSeq, deltas}: Batch) =>
  transaction.insert(answerChunks).values({answerId: id, userId, seq: lastSeq, deltas: [...deltas]})

export type Settlement = {
  end: AnswerEnd
  /** All of its deltas, those of `batch` included. */
  text: string
  /** How long its reasoning took. */
  thoughtMs: number | undefined
  batch: Batch | undefined
  promptTokens: number
  completionTokens: number
  tokensEstimated: boolean
  /** Credits to charge from the hold; `undefined` refunds all of it. */
  charge: string | undefined
  /** Whether a provider was asked: then there is a usage row, with this status. */
  status: number | undefined
  now: Date
}

/**
 * Ends an answer in one transaction that only the holder of the fence can make: last deltas, text, message, credits,
 * usage row. Returns `false` when it has ended otherwise.
 */
export async function endAnswer(transaction: Transaction, run: AnswerRow, settlement: Settlement): Promise<boolean> {
  const {end, text, thoughtMs, batch, charge, status, promptTokens, completionTokens, tokensEstimated, now} = settlement
  await lockConversation(transaction, run.id)
  const verdict = {
    state: end.state,
    outcome: end.outcome ?? null,
    error: end.state === 'failed' ? end.error : null,
  }
  const row = await settleRun(transaction, answerRuns, run, {
    facts: {
      ...verdict,
      text,
      ...(batch === undefined ? {} : {lastSeq: batch.lastSeq}),
      promptTokens,
      completionTokens,
      tokensEstimated,
    },
    charge,
    usage:
      status === undefined
        ? undefined
        : {statusCode: status, serviceId: chatServiceId, api: chatApi, metadata: metadataOf(run, settlement)},
    now,
  })
  if (row === undefined) return false
  if (batch !== undefined && batch.deltas.length > 0) await insertBatch(transaction, run, batch)
  await transaction
    .update(messages)
    .set({content: text, thoughtMs: thoughtMs ?? null, ...verdict})
    .where(eq(messages.id, row.messageId))
  await transaction.update(conversations).set({updatedAt: now}).where(eq(conversations.id, row.conversationId))
  return true
}

/** A change of messages or credits takes the lock of the conversation first: two changes never wait for each other. */
const lockConversation = (transaction: Transaction, answerId: string) =>
  transaction.execute(
    sql`select 1 from ${conversations} where ${conversations.id} =
        (select ${answers.conversationId} from ${answers} where ${answers.id} = ${answerId}) for update`,
  )

const metadataOf = ({model, provider}: AnswerRow, settlement: Settlement) => ({
  model,
  provider,
  prompt_tokens: settlement.promptTokens,
  completion_tokens: settlement.completionTokens,
  estimated: settlement.tokensEstimated ? 1 : 0,
})

/** The text of an answer as far as it is stored. */
export async function storedText(transaction: Transaction, answerId: string): Promise<string> {
  const rows = await transaction
    .select({deltas: answerChunks.deltas})
    .from(answerChunks)
    .where(eq(answerChunks.answerId, answerId))
    .orderBy(asc(answerChunks.seq))
  return rows.map(({deltas}) => deltas.join('')).join('')
}

/** The numbered deltas of an answer are deleted after two days; its text stays. */
export async function isForgotten(transaction: Transaction, answer: AnswerRow, lastSeq: number): Promise<boolean> {
  if (answer.finishedAt === null || answer.lastSeq <= lastSeq) return false
  const rows = await transaction
    .select({seq: answerChunks.seq})
    .from(answerChunks)
    .where(and(eq(answerChunks.answerId, answer.id), gt(answerChunks.seq, lastSeq)))
    .limit(1)
  return rows.length === 0
}

export const endOf = (row: Pick<AnswerRow, 'state' | 'outcome' | 'error'>): AnswerEnd | undefined => {
  if (row.state === 'finished')
    return row.outcome === 'truncated' ? {state: 'finished', outcome: row.outcome} : {state: 'finished'}
  if (row.state !== 'failed') return undefined
  const {code = 'unknown', message = 'The answer failed.'} = row.error ?? {}
  return {
    state: 'failed',
    outcome: failureOutcomes.find((each) => each === row.outcome) ?? 'interrupted',
    error: {code, message},
  }
}
