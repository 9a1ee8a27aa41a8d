import {setImmediate as turn} from 'node:timers/promises'
import {sql} from 'drizzle-orm'
import type {Database} from '../../store/database.ts'
import {answerChunks, answers} from '../../store/schema/chat.ts'
import {interrupted} from './answer-failure.ts'
import {endOf, type AnswerRow} from './answer-store.ts'
import type {AnswerEnd} from './live-answer.ts'

/** Stored batches of one answer in one read, so that a follower who comes late gets them in parts. */
const batchesAtOnce = 50
/** Followers in one statement. */
const followersAtOnce = 1_000
const answeredAtOnce = 50

/** Where one follower of an answer stands: after delta `seq`. */
type Position = {answerId: string; userId: string; seq: number}
export type Numbered = {seq: number; text: string}
/** What is stored after a position, in order. `isCut`: there is more. The end is known with the last delta. */
export type StoredPart = {deltas: readonly Numbered[]; isCut: boolean; end: AnswerEnd | undefined}

export type AnswerReader = {
  /** An answer that is gone, or is another user's, is an interrupted one. */
  read: (position: Position) => Promise<StoredPart>
}

type Asked = {position: Position; resolve: (part: StoredPart) => void; reject: (error: unknown) => void}
type FoundRow = {
  place: number
  state: AnswerRow['state'] | null
  outcome: AnswerRow['outcome']
  error: AnswerRow['error']
  seq: number | null
  deltas: string[] | null
}

/**
 * The one reader of a process of what other processes store: all of its followers that a notice woke are answered by one
 * statement, and those that ask meanwhile by the next (docs/decisions/0095).
 */
export function createAnswerReader({database}: {database: Database}): AnswerReader {
  let waiting: Asked[] = []
  let isBusy = false

  const answerAll = async (asked: readonly Asked[]): Promise<void> => {
    try {
      const positions = asked.map(({position}) => position)
      const parts = await readTogether(database, positions)
      for (const [place, {resolve}] of asked.entries()) {
        resolve(parts[place] ?? gone)
        // each of them writes to its client: the process reads its sockets in between
        if (place % answeredAtOnce === answeredAtOnce - 1) await turn()
      }
    } catch (error) {
      for (const {reject} of asked) reject(error)
    }
  }

  const readAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const asked = waiting.slice(0, followersAtOnce)
      waiting = waiting.slice(followersAtOnce)
      await answerAll(asked)
    }
    isBusy = false
  }

  return {
    read: (position) =>
      new Promise((resolve, reject) => {
        waiting.push({position, resolve, reject})
        if (isBusy) return
        isBusy = true
        // one notice, or several that came together, wake all of their followers before
        setImmediate(() => void readAll())
      }),
  }
}

const gone: StoredPart = {deltas: [], isCut: false, end: interrupted}

/**
 * State and deltas are of one moment: after a stored end no delta can follow. As the installation, for followers of many
 * users; whose answer it is is asked again in the statement. `bigint`, since clients name any number.
 */
async function readTogether(database: Database, positions: readonly Position[]): Promise<StoredPart[]> {
  const given = positions.map(({answerId, userId, seq}, place) => ({place, id: answerId, owner: userId, after: seq}))
  const {rows} = await database.asSystemOnce((statement) =>
    statement.execute<FoundRow>(sql`
      select place, state, outcome, error, stored.seq, stored.deltas
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given (place integer, id uuid, owner uuid, after bigint)
      join ${answers} on ${answers.id} = given.id and ${answers.userId} = given.owner
      left join lateral (
        select ${answerChunks.seq}, ${answerChunks.deltas} from ${answerChunks}
        where ${answerChunks.answerId} = given.id and ${answerChunks.seq} > given.after
        order by ${answerChunks.seq} limit ${batchesAtOnce}
      ) as stored on true
      order by place, stored.seq`),
  )
  const found = positions.map((): FoundRow[] => [])
  for (const row of rows) found[row.place]?.push(row)
  return positions.map(({seq}, place) => partOf(found[place] ?? [], seq))
}

function partOf(rows: readonly FoundRow[], after: number): StoredPart {
  const [first] = rows
  if (first?.state == null) return gone
  const deltas = rows
    .flatMap(({seq, deltas}) => (seq === null || deltas === null ? [] : numbered(seq, deltas)))
    .filter(({seq}) => seq > after)
  const isCut = rows.length === batchesAtOnce
  const {state, outcome, error} = first
  return {deltas, isCut, end: isCut ? undefined : endOf({state, outcome, error})}
}

/** The deltas of a batch, the last of which has number `last`. */
const numbered = (last: number, deltas: readonly string[]): Numbered[] =>
  deltas.map((text, index) => ({seq: last - deltas.length + 1 + index, text}))
