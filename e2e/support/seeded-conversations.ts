import {inDatabase} from './in-database.ts'
import type {Installation} from './installation.ts'
import type {SignedIn} from './users.ts'

export type SeededConversation = {
  title: string
  model?: string
  texts: readonly string[]
  minutesAgo?: number
  labels?: readonly string[]
  archived?: boolean
}

/** Conversations of a user straight into the database: questions and answers in turn. */
export async function seedConversations(
  installation: Installation,
  {state}: Pick<SignedIn, 'state'>,
  conversations: readonly SeededConversation[],
): Promise<void> {
  // as: the state that the fixture made
  const {user} = JSON.parse(state) as {user: {id: string}}
  await inDatabase(installation, async (client) => {
    await client.query(
      `with given as (
         select gen_random_uuid() as id, each.value as conversation
         from jsonb_array_elements($2::jsonb) as each
       ), made as (
         insert into conversations (id, user_id, model, title, labels, is_archived, updated_at)
         select id, $1, coalesce(conversation->>'model', 'gpt-5-all'), conversation->>'title',
           array(select jsonb_array_elements_text(coalesce(conversation->'labels', '[]'))),
           coalesce((conversation->>'archived')::boolean, false),
           now() - make_interval(mins => coalesce((conversation->>'minutesAgo')::int, 0))
         from given
       )
       insert into messages (user_id, conversation_id, position, role, content)
       select $1, id, place - 1, case when place % 2 = 1 then 'user' else 'assistant' end, text
       from given, jsonb_array_elements(conversation->'texts') with ordinality as said(text, place)`,
      [user.id, JSON.stringify(conversations)],
    )
  })
}
