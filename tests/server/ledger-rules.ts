import type pg from 'pg'

/* These rules hold for the books at every moment. */

/** Balances that are not what the entries say. */
const wrongBalances = `
  select application.id from applications as application
  left join lateral (
    select coalesce(sum(amount) filter (where kind = 'grant'), 0) - coalesce(sum(amount) filter (where kind = 'hold'), 0)
        + coalesce(sum(amount) filter (where kind = 'refund'), 0) as remaining,
      coalesce(sum(amount) filter (where kind = 'settle'), 0) as used
    from ledger_entries where application_id = application.id
  ) as entries on true
  where application.remaining_amount <> entries.remaining or application.used_amount <> entries.used
    or application.remaining_amount < 0`

/** Holds that nobody will close, and such as were closed with another sum. */
const wrongHolds = `
  select reference from ledger_entries
  left join answers on reference = 'answer:' || answers.id
  left join tasks on reference = 'task:' || tasks.id
  where kind <> 'grant'
  group by reference, answers.state, tasks.state
  having case when bool_or(kind in ('settle', 'refund'))
    then sum(case when kind = 'hold' then amount else -amount end) <> 0
      or coalesce(answers.state, tasks.state) in ('pending', 'answering', 'queued', 'running')
    else coalesce(answers.state in ('pending', 'answering'), tasks.state in ('queued', 'running')) is not true end`

/** Finds answers and tasks whose cost differs from what was booked for them. */
const wrongCharges = `
  select reference from (
    select 'answer:' || id as reference, settled from answers
    union all select 'task:' || id, settled from tasks
  ) as work
  left join ledger_entries as entry using (reference)
  group by reference, settled
  having coalesce(settled, 0) <> coalesce(sum(entry.amount) filter (where entry.kind = 'settle'), 0)
    or count(*) filter (where entry.kind = 'settle') > 1`

/** Rows that break a rule of the books, by rule. */
export async function brokenRules(client: Pick<pg.Client, 'query'>) {
  const rows = async (query: string) => (await client.query<Record<string, unknown>>(query)).rows
  return {balances: await rows(wrongBalances), holds: await rows(wrongHolds), charges: await rows(wrongCharges)}
}
