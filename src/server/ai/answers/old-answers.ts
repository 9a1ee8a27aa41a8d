import {isNull, sql} from 'drizzle-orm'
import {deleteSomeKeys, keptKeyMilliseconds} from '../../runs/idempotency.ts'
import type {Transaction} from '../../store/database.ts'
import {answerChunks, answers} from '../../store/schema/chat.ts'
import {idempotencyKeys} from '../../store/schema/submits.ts'

const answersAtOnce = 200
const batchesAtOnce = 2_000

const lastUse = (now: Date) => new Date(now.getTime() - keptKeyMilliseconds)

/** Deletes some old keys of answers, orders and uploads. Returns whether there may be more. */
export const deleteOldKeys = (transaction: Transaction, now: Date): Promise<boolean> =>
  deleteSomeKeys(transaction, lastUse(now), isNull(idempotencyKeys.taskId))

/** The end of the last answer that has lost its deltas, to the microsecond, and its id. */
type Mark = {ended: string; id: string}
const markName = 'answers_cleaned_until'
const beginning: Mark = {ended: '-infinity', id: '00000000-0000-0000-0000-000000000000'}

/**
 * Deletes some numbered deltas of answers that ended long ago, which a resume would replay; their text stays. It goes
 * on behind the answer at which the last call ended, so that those that have lost theirs are not looked at again.
 * Returns whether there may be more.
 */
export async function deleteOldDeltas(transaction: Transaction, now: Date): Promise<boolean> {
  const mark = await readMark(transaction)
  const {rows} = await transaction.execute<Mark & {answers: number; batches: number}>(sql`
    with old as (
      select ${answers.id} as id, ${answers.finishedAt} as ended from ${answers}
      where (${answers.finishedAt}, ${answers.id}) > (${mark.ended}::timestamptz, ${mark.id}::uuid)
        and ${answers.finishedAt} < ${lastUse(now).toISOString()}::timestamptz
      order by ${answers.finishedAt}, ${answers.id} limit ${answersAtOnce}
    ), gone as (
      delete from ${answerChunks} where ctid = any(array(
        select chunk.ctid from old join ${answerChunks} chunk on chunk.answer_id = old.id limit ${batchesAtOnce}
      )) returning 1
    )
    select ended::text, id, (select count(*)::int from old) as answers, (select count(*)::int from gone) as batches
    from old order by old.ended desc, old.id desc limit 1`)
  const [last] = rows
  if (last === undefined) return false
  if (last.batches === batchesAtOnce) return true
  await writeMark(transaction, last)
  return last.answers === answersAtOnce
}

/** Two processes that clean at the same time take turns. */
async function readMark(transaction: Transaction): Promise<Mark> {
  // without a row there is nothing to lock
  await transaction.execute(sql`
    insert into installation (name, value) values (${markName}, ${JSON.stringify(beginning)})
    on conflict (name) do nothing`)
  const {rows} = await transaction.execute<Mark>(sql`
    select value::json->>'ended' as ended, value::json->>'id' as id from installation where name = ${markName} for update`)
  return rows[0] ?? beginning
}

const writeMark = (transaction: Transaction, {ended, id}: Mark) =>
  transaction.execute(sql`update installation set value = ${JSON.stringify({ended, id})} where name = ${markName}`)
