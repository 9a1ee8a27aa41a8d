import {and, asc, eq, inArray, isNull, lt, notInArray, sql} from 'drizzle-orm'
import {answerChunks, answers} from '../../store/schema/chat.ts'
import {workers} from '../../store/schema/installation.ts'
import {idempotencyKeys} from '../../store/schema/submits.ts'
import {keptKeyMilliseconds} from '../../runs/idempotency.ts'
import type {AnswerRunner} from './answer-runner.ts'
import {takeOver, type TakeOverParts} from './take-over.ts'

/** The numbered deltas that a resume replays are kept as long as the keys of answers. */
const keptMilliseconds = keptKeyMilliseconds
/** A worker writes its row before it takes an answer; this is only for rows that were deleted by hand. */
const unknownWorkerMilliseconds = 60_000
const atOnce = 100

export type AnswerSweep = {
  /** Answers of workers that ended without a word become interrupted, with their stored text. */
  workersDied: (workerIds: readonly string[]) => Promise<void>
  /** Starts answers that wait with nobody to start them, and ends those that nobody runs. */
  turn: () => Promise<void>
  /** Deletes what is older than its use. */
  clean: () => Promise<void>
}

export function createAnswerSweep(
  parts: TakeOverParts & {runner: AnswerRunner; workerId: () => string; runsAnswers: boolean},
): AnswerSweep {
  const {database, now, runner} = parts
  const isOpen = inArray(answers.state, ['pending', 'answering'])

  /** Taken or waiting here, but not running: this process failed to start or to end it. */
  const lostHere = async (): Promise<void> => {
    const rows = await database.asSystem((transaction) =>
      transaction
        .select()
        .from(answers)
        .where(and(isOpen, eq(answers.workerId, parts.workerId()))),
    )
    for (const row of rows) if (!runner.isHere(row.id)) await takeOver(parts, row)
  }

  const withoutWorker = async (): Promise<void> => {
    const since = new Date(now().getTime() - unknownWorkerMilliseconds)
    const rows = await database.asSystem((transaction) =>
      transaction
        .select()
        .from(answers)
        .where(
          and(
            isOpen,
            lt(answers.startedAt, since),
            notInArray(answers.workerId, transaction.select({id: workers.id}).from(workers)),
          ),
        )
        .limit(atOnce),
    )
    for (const row of rows) await takeOver(parts, row)
  }

  const waiting = async (): Promise<void> => {
    if (!parts.runsAnswers) return
    const rows = await database.asSystem((transaction) =>
      transaction
        .select({id: answers.id})
        .from(answers)
        .where(and(eq(answers.state, 'pending'), isNull(answers.workerId)))
        .orderBy(asc(answers.createdAt))
        .limit(atOnce),
    )
    for (const {id} of rows) await runner.claim(id)
  }

  return {
    workersDied: async (workerIds) => {
      const rows = await database.asSystem((transaction) =>
        transaction
          .select()
          .from(answers)
          .where(and(isOpen, inArray(answers.workerId, [...workerIds]))),
      )
      for (const row of rows) await takeOver(parts, row)
    },
    turn: async () => {
      await lostHere()
      await withoutWorker()
      await waiting()
    },
    clean: async () => {
      const old = new Date(now().getTime() - keptMilliseconds)
      await database.asSystem(async (transaction) => {
        await transaction
          .delete(idempotencyKeys)
          .where(and(lt(idempotencyKeys.createdAt, old), isNull(idempotencyKeys.taskId)))
        await transaction.execute(
          sql`delete from ${answerChunks} using ${answers}
              where ${answers.id} = ${answerChunks.answerId} and ${answers.finishedAt} < ${old.toISOString()}`,
        )
      })
    },
  }
}
