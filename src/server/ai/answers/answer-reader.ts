import {setImmediate as turn} from 'node:timers/promises'
import {sql, type SQLWrapper} from 'drizzle-orm'
import {toHttpFailure} from '../../http/boundary.ts'
import type {Database} from '../../store/database.ts'
import {answerChunks, answers} from '../../store/schema/chat.ts'
import {interruptedEnd} from './answer-failure.ts'
import {endOf, type AnswerRow} from './answer-store.ts'
import type {AnswerEnd} from './live-answer.ts'

/** Stored batches of one answer in one read, so that a follower who comes when much is stored gets them in parts. */
const batchesAtOnce = 50
/** Bytes after which an answer gives no further batch in one read, and a statement none of any answer. */
const [bytesOfAnswer, bytesAtOnce] = [256 * 1024, 4 * 1024 * 1024]
/** Followers in one statement. */
const followersAtOnce = 1_000
/** Timeouts of one look: a database that is slow to all says so after 5 s each time, and others wait for their look. */
const mostTimeouts = 3
const answeredAtOnce = 50

/** The position of one follower of an answer: after delta `seq`. */
type ReadPosition = {answerId: string; userId: string; seq: number}
export type NumberedText = {seq: number; text: string}
/** The deltas stored after a position, in order. `isCut`: there are more. The end is known with the last delta. */
export type StoredPart = {deltas: readonly NumberedText[]; isCut: boolean; end: AnswerEnd | undefined}

export type AnswerReader = {
  /** An answer that is gone, or is another user's, is an interrupted one. */
  read: (position: ReadPosition) => Promise<StoredPart>
}

type PartRequest = {position: ReadPosition; resolve: (part: StoredPart) => void; reject: (error: unknown) => void}
type Look = {timeouts: number}
type FoundRow = {
  index: number
  state: AnswerRow['state'] | null
  outcome: AnswerRow['outcome']
  error: AnswerRow['error']
  seq: number | null
  /** Nothing of a batch that is left for the next read. */
  deltas: string[] | null
}

/**
 * The one reader of a process of what other processes store: all of its followers that a notice woke are answered by
 * one statement, and those that ask meanwhile by the next (docs/decisions/0095).
 */
export function createAnswerReader({database}: {database: Database}): AnswerReader {
  let waiting: PartRequest[] = []
  let isBusy = false

  /** Never throws. What is wrong with one of them is found by halves, so that it cuts no other one's client. */
  const answerAll = async (questions: readonly PartRequest[], look: Look): Promise<void> => {
    let parts: readonly StoredPart[]
    try {
      parts = await readTogether(
        database,
        questions.map(({position}) => position),
      )
    } catch (error) {
      if (questions.length === 1 || !helpsHalves(error, look)) return questions.forEach(({reject}) => reject(error))
      const half = Math.ceil(questions.length / 2)
      await answerAll(questions.slice(0, half), look)
      return answerAll(questions.slice(half), look)
    }
    for (const [index, {resolve}] of questions.entries()) {
      resolve(parts[index] ?? missingPart)
      // each of them writes to its client: the process reads its sockets in between
      if (index % answeredAtOnce === answeredAtOnce - 1) await turn()
    }
  }

  const readAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, followersAtOnce)
      waiting = waiting.slice(followersAtOnce)
      await answerAll(batch, {timeouts: 0})
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

/** Not for a database that is away. */
function helpsHalves(error: unknown, look: Look): boolean {
  const {code} = toHttpFailure(error)
  if (code === 'timeout') look.timeouts += 1
  return code !== 'busy' && look.timeouts < mostTimeouts
}

const missingPart: StoredPart = {deltas: [], isCut: false, end: interruptedEnd}

/**
 * State and deltas are of one moment: after a stored end no delta can follow. As the installation, for followers of
 * many users; whose answer it is is asked again in the statement. `bigint`, since clients name any number.
 */
async function readTogether(database: Database, positions: readonly ReadPosition[]): Promise<StoredPart[]> {
  const positionRows = positions.map(({answerId, userId, seq}, index) => ({
    index,
    id: answerId,
    owner: userId,
    after: seq,
  }))
  const {rows} = await database.asSystemOnce((statement) =>
    statement.execute<FoundRow>(sql`
      select index, state, outcome, error, seq,
        case
          when is_near and sum(bytes) filter (where is_near) over (order by index, seq) - bytes < ${bytesAtOnce}
          then deltas
        end as deltas
      from (
        select *, sum(bytes) over (partition by index order by seq) - bytes < ${bytesOfAnswer} as is_near
        from (
          select index, state, outcome, error, stored.seq, stored.deltas, stored.bytes
          from jsonb_to_recordset(${JSON.stringify(positionRows)}::jsonb)
            as given (index integer, id uuid, owner uuid, after bigint)
          join ${answers} on ${answers.id} = given.id and ${answers.userId} = given.owner
          left join lateral (
            select ${answerChunks.seq}, ${answerChunks.deltas}, ${bytesOf(answerChunks.deltas)} as bytes
            from ${answerChunks}
            where ${answerChunks.answerId} = given.id and ${answerChunks.seq} > given.after
            order by ${answerChunks.seq} limit ${batchesAtOnce}
          ) as stored on true
        ) as found
      ) as measured
      order by index, seq`),
  )
  const rowsByPosition = positions.map((): FoundRow[] => [])
  for (const row of rows) rowsByPosition[row.index]?.push(row)
  return positions.map(({seq}, index) => partOf(rowsByPosition[index] ?? [], seq))
}

/** As they are sent: what is stored compressed may be a hundred times as long. */
const bytesOf = (deltas: SQLWrapper) => sql`case
  when pg_column_compression(${deltas}) is null then pg_column_size(${deltas})
  else octet_length(${deltas}::text)
end`

function partOf(rows: readonly FoundRow[], after: number): StoredPart {
  const [first] = rows
  if (first?.state == null) return missingPart
  const deltas = rows
    .flatMap(({seq, deltas}) => (seq === null || deltas === null ? [] : numbered(seq, deltas)))
    .filter(({seq}) => seq > after)
  const isCut = rows.length === batchesAtOnce || rows.some(({seq, deltas}) => seq !== null && deltas === null)
  const {state, outcome, error} = first
  return {deltas, isCut, end: isCut ? undefined : endOf({state, outcome, error})}
}

/** The deltas of a batch, the last of which has number `last`. */
const numbered = (last: number, deltas: readonly string[]): NumberedText[] =>
  deltas.map((text, index) => ({seq: last - deltas.length + 1 + index, text}))
