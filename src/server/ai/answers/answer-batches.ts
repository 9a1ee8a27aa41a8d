import {sql} from 'drizzle-orm'
import type {Transaction} from '../../store/database.ts'
import {answerChunks, answers} from '../../store/schema/chat.ts'
import {idsOfNotice} from '../../runs/row-signals.ts'
import {isOpen} from '../../runs/run-store.ts'
import {answerRuns, type AnswerRun} from './answer-store.ts'

/** The deltas of one answer that are to be stored: those after the stored ones. */
type RunBatch = {run: AnswerRun; storedSeq: number; deltas: readonly string[]}

/**
 * How far the row is now. It has not moved where something else holds it for the moment, and is further than was known
 * where an earlier batch was stored without our hearing of it.
 */
export type BatchOutcome = {lastSeq: number; stopRequested: boolean}

/**
 * Stores the deltas of many answers in one statement, and tells other processes. Each row has its own fence and must
 * not be further than its worker knows; a row that is refused or held elsewhere holds up no other one. The user of the
 * deltas is that of the row. A run that is missing in the result was taken away: its answer has ended or is gone.
 */
export async function storeBatches(
  transaction: Transaction,
  batches: readonly RunBatch[],
): Promise<Map<string, BatchOutcome>> {
  // Rows of a batch are never joined with each other: the planner takes them for few and compares each with each.
  const batchRows = batches.map(({run: {id, fence}, storedSeq, deltas}) => ({id, fence, stored: storedSeq, deltas}))
  const {rows} = await transaction.execute<{outcomes: [id: string, lastSeq: number, stopRequested: boolean][]}>(sql`
    with batch as (
      select * from jsonb_to_recordset(${JSON.stringify(batchRows)}::jsonb)
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
    select coalesce(json_agg(json_build_array(id, last_seq, stops)), '[]') as outcomes from (
      select id, last_seq, stop_requested_at is not null as stops from moved cross join told
      union all
      select id, last_seq, false from ours where id not in (select id from moved)
    ) as outcome`)
  // one row: a thousand of them are a thousand messages of the protocol, twelve times a second
  const outcomes = rows[0]?.outcomes ?? []
  return new Map(outcomes.map(([id, lastSeq, stopRequested]) => [id, {lastSeq, stopRequested}]))
}
