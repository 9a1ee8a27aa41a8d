import {randomUUID} from 'node:crypto'
import {inDatabase} from './in-database.ts'
import type {Installation} from './installation.ts'
import type {SignedIn} from './users.ts'

type SeededConversation = {id: string; messages: string[]}

/**
 * A conversation of a user straight into the database: questions and answers in turn. Returns its id and those of its
 * messages.
 */
export async function seedConversation(
  installation: Installation,
  {state}: SignedIn,
  texts: readonly string[],
): Promise<SeededConversation> {
  // as: the shape of what the app keeps is asserted by tests/browser
  const {user} = JSON.parse(state) as {user: {id: string}}
  const id = randomUUID()
  const messages = texts.map(() => randomUUID())
  await inDatabase(installation, async (client) => {
    // a page that reads it in between would keep it without its messages: no revision tells of them
    await client.query('begin')
    await client.query(
      `insert into conversations (id, user_id, model, title, created_at, updated_at)
       values ($1, $2, 'gpt-5-all', 'seeded', now(), now())`,
      [id, user.id],
    )
    await client.query(
      `insert into messages (id, user_id, conversation_id, position, role, content, model)
       select message, $2, $1, n - 1, case when n % 2 = 1 then 'user' else 'assistant' end, to_jsonb(content),
         case when n % 2 = 1 then null else 'gpt-5-all' end
       from unnest($3::uuid[], $4::text[]) with ordinality as t (message, content, n)`,
      [id, user.id, messages, [...texts]],
    )
    await client.query('commit')
  })
  return {id, messages}
}

/** Questions and answers in turn, numbered from 0; answers are some lines long. */
export const numberedTexts = (count: number, lines = 3): string[] =>
  Array.from({length: count}, (_, index) =>
    index % 2 === 0
      ? `question ${index}`
      : `answer ${index}\n\n${Array.from({length: lines}, (_, line) => `line ${line} of ${index}`).join('\n\n')}`,
  )
