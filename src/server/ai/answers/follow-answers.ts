import {and, eq, or, sql} from 'drizzle-orm'
import {answers} from '../../store/schema/chat.ts'
import {createFunnel} from '../../work/funnel.ts'
import {rowMoves} from '../../runs/row-moves.ts'
import {isOurId} from '../conversations.ts'
import {isOpen} from '../../runs/run-store.ts'
import {answerRuns, isForgotten, type AnswerRow} from './answer-store.ts'
import {followAnswer, type FollowParts, type FollowStep} from './follow-answer.ts'

/** How often a follower looks for answers that began, should the signal for one be lost. */
export const newAnswersMilliseconds = 10_000

/** The last delta of an answer that a client has. The ids are unchecked: of any user, or of nothing. */
export type FollowPosition = {id: string; message: string; attempt: number; last_seq: number}

export type FollowedStep =
  /** `lastSeq` is that of the last delta so far, those of this step included. */
  | {answer: AnswerRow; lastSeq: number; step: 'begin' | FollowStep}
  /** The user has no such answer, or its numbered deltas were deleted. */
  | {gone: FollowPosition}

/**
 * All running answers of one user in one sequence: the named ones from where the client stands (also when they have
 * ended meanwhile), the others from their start, and each one that begins later. Ends only when `signal` aborts.
 */
export async function* followAnswers(
  parts: FollowParts,
  {userId, named}: {userId: string; named: readonly FollowPosition[]},
  signal: AbortSignal,
): AsyncGenerator<FollowedStep> {
  const funnel = createFunnel<FollowedStep>()
  const begunIds = new Set<string>()

  const follow = async (answer: AnswerRow, lastSeq: number): Promise<void> => {
    await funnel.put({answer, lastSeq, step: 'begin'})
    let seq = lastSeq
    for await (const step of followAnswer(parts, {answerId: answer.id, userId, lastSeq}, signal)) {
      if ('deltas' in step) seq = step.deltas.at(-1)?.seq ?? seq
      await funnel.put({answer, lastSeq: seq, step})
    }
  }
  const begin = (answer: AnswerRow, lastSeq: number): void => {
    if (begunIds.has(answer.id)) return
    begunIds.add(answer.id)
    follow(answer, lastSeq).catch(funnel.fail)
  }
  const beginNamed = async (): Promise<void> => {
    for (const target of named) {
      const answer = await findNamed(parts, userId, target)
      if (answer === undefined) await funnel.put({gone: target})
      else begin(answer, target.last_seq)
    }
  }
  const beginRunning = async (): Promise<void> => {
    const since = await databaseTime(parts, userId)
    await beginNamed()
    for await (const _move of rowMoves(parts, userId, signal, newAnswersMilliseconds))
      for (const answer of await findNew(parts, userId, since)) begin(answer, 0)
  }

  beginRunning().catch(funnel.fail)
  for (;;) {
    const step = await funnel.take(signal)
    if (step === undefined) return
    yield step
  }
}

/** The clock that dates the answers. */
const databaseTime = ({database}: FollowParts, userId: string): Promise<string> =>
  database.asUser(userId, async (transaction) => {
    const {rows} = await transaction.execute<{now: string}>(sql`select now()::text as now`)
    return rows[0]?.now ?? 'infinity'
  })

/**
 * The running answers, and those that began since the stream did, for a short one may end between two looks. Looks are
 * `newAnswersMilliseconds` apart at most, so what began before the last two of them was found.
 */
const findNew = ({database}: FollowParts, userId: string, since: string): Promise<AnswerRow[]> =>
  database.asUser(userId, (transaction) => {
    const recent = sql`greatest(${since}::timestamptz, now() - ${2 * newAnswersMilliseconds} * interval '1 millisecond')`
    return transaction
      .select()
      .from(answers)
      .where(and(eq(answers.userId, userId), or(isOpen(answerRuns), sql`${answers.createdAt} >= ${recent}`)))
  })

async function findNamed(
  {database}: FollowParts,
  userId: string,
  {id, message, attempt, last_seq: lastSeq}: FollowPosition,
): Promise<AnswerRow | undefined> {
  if (!isOurId(id) || !isOurId(message)) return undefined
  return database.asUser(userId, async (transaction) => {
    const [answer] = await transaction
      .select()
      .from(answers)
      .where(
        and(
          eq(answers.userId, userId),
          eq(answers.conversationId, id),
          eq(answers.messageId, message),
          eq(answers.attempt, attempt),
        ),
      )
    if (answer === undefined || (await isForgotten(transaction, answer, lastSeq))) return undefined
    return answer
  })
}
