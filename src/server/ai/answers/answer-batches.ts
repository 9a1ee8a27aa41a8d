import {sql} from 'drizzle-orm'
import type {Transaction} from '../../store/database.ts'
import {answerChunks, answers} from '../../store/schema/chat.ts'
import {idsOfNotice} from '../../runs/row-signals.ts'
import {isOpen} from '../../runs/run-store.ts'
import {answerRuns, type AnswerRun} from './answer-store.ts'

/** What one answer has to store: deltas after those that are stored already. */
type RunBatch = {run: AnswerRun; storedSeq: number; deltas: readonly string[]}

export type BatchOutcome =
  | {state: 'stored'; stopRequested: boolean}
  /** Something else holds the row for the moment, or an earlier batch was stored without our hearing of it. */
  | {state: 'waits'; lastSeq: number}
  /** The run was taken away: its answer has ended or is gone. */
  | {state: 'lost'}

type OutcomeRow = {id: string; lastSeq: number | null; stored: boolean; stopRequested: boolean}

/**
 * Stores the deltas of many answers in one statement, and tells other processes. Each row has its own fence and must not
 * be further than its worker knows; a row that is refused or held elsewhere holds up no other one. The user of the deltas
 * is that of the row.
 */
export async function storeBatches(
  transaction: Transaction,
  batches: readonly RunBatch[],
): Promise<Map<string, BatchOutcome>> {
  const given = batches.map(({run: {id, fence}, storedSeq, deltas}) => ({id, fence, stored: storedSeq, deltas}))
  const {rows} = await transaction.execute<OutcomeRow>(sql`
    with batch as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given (id uuid, fence bigint, stored integer, deltas jsonb)
    ), ours as (
      select ${answers.id}, ${answers.lastSeq} from ${answers} join batch using (id, fence)
      where ${isOpen(answerRuns)}
    ), held as (
      select batch.* from ${answers} join batch using (id, fence)
      where ${isOpen(answerRuns)} and ${answers.lastSeq} <= batch.stored
      for no key update of ${answers} skip locked
    ), moved as (
      update ${answers} set last_seq = held.stored + jsonb_array_length(held.deltas)
      from held where ${answers.id} = held.id
      returning ${answers.id}, ${answers.userId}, ${answers.lastSeq}, ${answers.stopRequestedAt}, held.deltas
    ), kept as (
      insert into ${answerChunks} (answer_id, user_id, seq, deltas) select id, user_id, last_seq, deltas from moved
    ), told as (
      select count(*) from (
        select pg_notify(${answerRuns.name}, string_agg(id::text, ' '))
        from (select id, row_number() over () / ${idsOfNotice} as notice from moved) as numbered group by notice
      ) as notices
    )
    select batch.id, ours.last_seq as "lastSeq", moved.id is not null as stored,
      moved.stop_requested_at is not null as "stopRequested"
    from batch left join ours using (id) left join moved using (id) cross join told`)
  return new Map(rows.map((row) => [row.id, outcomeOf(row)]))
}

const outcomeOf = ({lastSeq, stored, stopRequested}: OutcomeRow): BatchOutcome => {
  if (stored) return {state: 'stored', stopRequested}
  return lastSeq === null ? {state: 'lost'} : {state: 'waits', lastSeq}
}
