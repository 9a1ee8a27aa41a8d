import {inDatabase} from './in-database.ts'
import type {Installation} from './installation.ts'
import {createUser, type SignedIn} from './users.ts'

/**
 * Orders, rewards and invitees of a user straight into the database: enough for two pages, each with another amount.
 * One reward is negative, as a foreign back end may send it; our server takes none back.
 */
export async function seedLists(installation: Installation, {state}: SignedIn): Promise<void> {
  const {user, chat} = JSON.parse(state)
  const invitees = [await createUser(installation.url), await createUser(installation.url)]
  const ids = invitees.map((invitee) => JSON.parse(invitee.state).user.id)
  await inDatabase(installation, async (client) => {
    await client.query('update users set inviter_id = $1 where id = any($2)', [user.id, ids])
    await client.query(
      `insert into orders (user_id, origin, price, items, application_ids, package_ids, description, expires_at, created_at)
       select $1, $2, 100 * (1 + n * 7 % 23), '[]', array[$3]::uuid[], '{}', 'order ' || n, now() + interval '1 hour',
         now() - make_interval(mins => n)
       from generate_series(1, 20) as n`,
      [user.id, installation.url, chat.application.id],
    )
    await client.query(
      `insert into distribution_rewards (user_id, invitee_id, order_id, price, reward, percentage, created_at)
       select $1, $2, gen_random_uuid(), 1 + n * 7 % 23, (1 + n * 7 % 23) * case when n = 3 then -0.1 else 0.1 end, 10,
         now() - make_interval(mins => n)
       from generate_series(1, 14) as n`,
      [user.id, ids[0]],
    )
  })
}
