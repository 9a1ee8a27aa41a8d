import pg from 'pg'
import {expect} from 'vitest'
import {findRunningPostgres} from '#server/store/cluster-processes.ts'
import {brokenRules} from './ledger-rules.ts'

/* These rules hold for the database at every moment, whichever process was killed before (security R63, R78). */

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
  expect(await brokenRules(client)).toEqual({balances: [], holds: [], charges: []})
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
