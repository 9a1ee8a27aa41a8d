import pg from 'pg'
import {expect} from 'vitest'
import {findRunningPostgres} from '#server/store/cluster-processes.ts'

/* What must be true of the database at every moment, whoever was killed before (security R63, R78). */

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

/** What answers and tasks say they cost, against what was booked for them. */
const wrongCharges = `
  select reference from (
    select 'answer:' || id as reference, settled from answers
    union all select 'task:' || id, settled from tasks
  ) as work
  left join ledger_entries as entry using (reference)
  group by reference, settled
  having coalesce(settled, 0) <> coalesce(sum(entry.amount) filter (where entry.kind = 'settle'), 0)
    or count(*) filter (where entry.kind = 'settle') > 1`

export type StoredAnswer = {
  id: string
  message_id: string
  state: string
  outcome: string | null
  text: string | null
  question: string
}
export type StoredTask = {id: string; state: string; prompt: string}

const answersQuery = `
  select answers.id, answers.message_id, answers.state, answers.outcome, answers.text, asked.content #>> '{}' as question
  from answers join messages as answer on answer.id = answers.message_id
  join messages as asked on asked.conversation_id = answer.conversation_id and asked.position = answer.position - 1`

/** Looks at the embedded database of a server, beside it. */
export async function lookInto<T>(folder: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const running = findRunningPostgres(folder)
  if (running === undefined) throw new Error('The database does not run.')
  const client = new pg.Client({...running, database: 'atrium'})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Throws where balances, holds and charges are not what the entries of the ledger say. */
export async function expectBalanced(client: Pick<pg.Client, 'query'>): Promise<void> {
  const broken = async (query: string) => (await client.query(query)).rows
  expect({
    balances: await broken(wrongBalances),
    holds: await broken(wrongHolds),
    charges: await broken(wrongCharges),
  }).toEqual({balances: [], holds: [], charges: []})
}

/** Throws where a rule is broken; gives all there is. */
export async function expectSound(
  client: pg.Client,
  fullText: (question: string) => string,
): Promise<{answers: StoredAnswer[]; tasks: StoredTask[]}> {
  await expectBalanced(client)
  const {rows: answers} = await client.query<StoredAnswer>(answersQuery)
  for (const {state, text, question} of answers) {
    if (state === 'finished') expect(text).toBe(fullText(question))
    if (state === 'failed') expect(fullText(question).startsWith(text ?? '')).toBe(true)
  }
  const {rows: tasks} = await client.query<StoredTask>(`select id, state, request ->> 'prompt' as prompt from tasks`)
  return {answers, tasks}
}
