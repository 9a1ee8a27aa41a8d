import {asc, eq} from 'drizzle-orm'
import {expect} from 'vitest'
import type {WriterEvents} from '#server/ai/answers/answer-backlog.ts'
import {batchMilliseconds, createAnswerWriters} from '#server/ai/answers/answer-writer.ts'
import {silentLog} from '#server/log.ts'
import type {Database} from '#server/store/database.ts'
import {answerChunks} from '#server/store/schema/chat.ts'
import type {AiServer} from './ai.harness.ts'
import {createRuns} from './answers.fixtures.ts'
import {manualTimers} from './providers.fixtures.ts'

/** One answer of the user that runs here, as a row alone. */
export async function createRun(on: AiServer, userId: string) {
  const [run] = await createRuns(on, 1, userId)
  if (run === undefined) throw new Error('No run was made')
  return run
}

/** The stored text of an answer. */
export const storedOf = async (on: AiServer, answerId: string) => {
  const rows = await on.server.deps.database.asSystem((transaction) =>
    transaction.select().from(answerChunks).where(eq(answerChunks.answerId, answerId)).orderBy(asc(answerChunks.seq)),
  )
  return {
    last: rows.at(-1)?.seq,
    deltas: rows.flatMap((row) => row.deltas),
    owners: [...new Set(rows.map(({userId}) => userId))],
  }
}

export type Fault = 'before' | 'after'

/** A database whose next statements fail before they begin, or after they were committed. */
export function failing({server}: AiServer, faults: Fault[], fault = () => new Error('connection lost')): Database {
  const {database} = server.deps
  return {
    ...database,
    asSystemOnce: async (work) => {
      const next = faults.shift()
      if (next === 'before') throw fault()
      const result = await database.asSystemOnce(work)
      if (next === 'after') throw fault()
      return result
    },
  }
}

/** Waits without a clock. */
export const turn = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
}

/** For answers to which nothing is to happen. */
export const unexpected: WriterEvents = {
  lost: () => expect.fail('lost'),
  stopRequested: () => expect.fail('stop'),
  broken: () => expect.fail('broken'),
}

/** The writers of a process, with a clock of the test's. */
export function createWriters({server}: AiServer, database: Database = server.deps.database) {
  const clock = manualTimers()
  const time = {now: 0}
  const writers = createAnswerWriters({database, timers: clock.timers, log: silentLog, clock: () => time.now})
  return {
    ...writers,
    time,
    fire: () => clock.fire(batchMilliseconds),
    /** Lets time pass until it is so. */
    until: async (isTrue: () => boolean | Promise<boolean>) => {
      while (!(await isTrue())) {
        for (const milliseconds of clock.waiting()) clock.fire(milliseconds)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}
