import pg from 'pg'
import {brokenRules} from '../server/ledger-rules.ts'

/* The rows of the database when all is quiet. */

export type StoredQuestion = {user_id: string; conversation_id: string; content: string}
export type StoredAnswer = {
  message_id: string
  conversation_id: string
  user_id: string
  state: string
  outcome: string | null
  text: string | null
  /** Its numbered deltas in order, and the message that people see. */
  deltas: string | null
  shown: string | null
  question: string | null
  /** Moments are milliseconds, as all processes of one machine count them. */
  ended: number | null
}
export type StoredTask = {id: string; user_id: string; state: string; prompt: string | null; ended: number | null}
export type StoredFile = {id: string; user_id: string; name: string; size: number}
/** A row that was written later than the end of what it belongs to. */
export type TrailingRow = {what: string; of: string; seconds: number}
/** Any file, as its store knows it. */
export type StoredBytes = {name: string; size: number}
export type StoredOrder = {
  id: string
  user_id: string
  state: string
  description: string | null
  /** Credits that were ordered, and credits that were booked for it; payments that were paid. */
  amount: string
  granted: string | null
  payments: number
}
export type StoredUser = {id: string; email: string}

export type Stored = {
  users: StoredUser[]
  questions: StoredQuestion[]
  answers: StoredAnswer[]
  tasks: StoredTask[]
  /** Uploads. */
  files: StoredFile[]
  /** The bytes of uploads and results. */
  bytes: StoredBytes[]
  orders: StoredOrder[]
  trailingRows: TrailingRow[]
  /** Rows that break a rule of the books, by rule. */
  broken: Record<string, Record<string, unknown>[]>
  /** Jobs that nobody tries any more. Those of answers and tasks have one try: their rows are looked after instead. */
  deadJobs: {task: string; error: string}[]
}

const ended = (moment: string) => `(extract(epoch from ${moment}) * 1000)::float8 as ended`

/** Rows that were written after the last change of their owner, which is its end. The end itself is one transaction. */
const writtenAfterEnd = (what: string, owner: string, rows: string, isTheirs: string) => `
  select '${what}' as what, owner.id::text as of, extract(epoch from pg_xact_commit_timestamp(part.xmin)
    - pg_xact_commit_timestamp(owner.xmin))::float8 as seconds
  from ${owner} as owner join ${rows} as part on ${isTheirs}
  where owner.finished_at is not null and pg_xact_commit_timestamp(part.xmin) > pg_xact_commit_timestamp(owner.xmin)`

const queries = {
  users: 'select id, email from users',
  questions: `
    select user_id, conversation_id, content #>> '{}' as content from messages where role = 'user'`,
  answers: `
    select answers.message_id, answers.conversation_id, answers.user_id, answers.state, answers.outcome, answers.text, ${ended('answers.finished_at')},
      answer.content #>> '{}' as shown, asked.content #>> '{}' as question,
      (select string_agg(delta, '' order by seq, place) from answer_chunks,
        jsonb_array_elements_text(deltas) with ordinality as each(delta, place)
        where answer_id = answers.id) as deltas
    from answers join messages as answer on answer.id = answers.message_id
    left join messages as asked on asked.id = answer.parent_id`,
  tasks: `select id, user_id, state, request ->> 'prompt' as prompt, ${ended('finished_at')} from tasks`,
  files: `
    select id, user_id, name, size from files
    where id not in (select file_id from task_artifacts where file_id is not null)`,
  bytes: 'select stored_as as name, size from files',
  trailingRows: [
    writtenAfterEnd('delta', 'answers', 'answer_chunks', 'part.answer_id = owner.id'),
    writtenAfterEnd('credits', 'answers', 'ledger_entries', `part.reference = 'answer:' || owner.id`),
    writtenAfterEnd('result', 'tasks', 'task_artifacts', 'part.task_id = owner.id'),
    writtenAfterEnd('credits', 'tasks', 'ledger_entries', `part.reference = 'task:' || owner.id`),
    writtenAfterEnd('credits', 'orders', 'ledger_entries', `part.reference like 'order:' || owner.id || '%'`),
  ].join(' union all '),
  orders: `
    select id, user_id, state, description,
      (select sum((item ->> 'amount')::int) from jsonb_array_elements(items) as item)::text as amount,
      (select sum(entry.amount)::text from ledger_entries as entry
        where entry.kind = 'grant' and entry.reference like 'order:' || orders.id || '%') as granted,
      (select count(*)::int from payments where order_id = orders.id and payments.state in ('paid', 'surplus')) as payments
    from orders`,
  jobs: `
    select task_identifier as task, last_error as error from graphile_worker.jobs
    where attempts >= max_attempts and task_identifier not in ('answer', 'task')`,
}

const openWork = `
  select (select count(*) from answers where state in ('pending', 'answering'))
    + (select count(*) from tasks where state in ('queued', 'running')) as count`

/** Looks into the database past the pooler. */
export async function lookInto<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({connectionString: url})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Answers and tasks that have not ended. */
export const countOpen = (url: string): Promise<number> =>
  lookInto(url, async (client) => Number((await client.query<{count: string}>(openWork)).rows[0]?.count))

export const readStored = (url: string): Promise<Stored> =>
  lookInto(url, async (client) => {
    const rows = async <Row extends pg.QueryResultRow>(query: string) => (await client.query<Row>(query)).rows
    return {
      users: await rows<StoredUser>(queries.users),
      questions: await rows<StoredQuestion>(queries.questions),
      answers: await rows<StoredAnswer>(queries.answers),
      tasks: await rows<StoredTask>(queries.tasks),
      files: await rows<StoredFile>(queries.files),
      bytes: await rows<StoredBytes>(queries.bytes),
      orders: await rows<StoredOrder>(queries.orders),
      trailingRows: await rows<TrailingRow>(queries.trailingRows),
      broken: await brokenRules(client),
      deadJobs: await rows<{task: string; error: string}>(queries.jobs),
    }
  })
