import {inDatabase} from './in-database.ts'
import type {Installation} from './installation.ts'

type Seed = {
  userId: string
  count: number
  /** When the newest was made; the others a minute before each other. Unix seconds. */
  newest: number
  /** The address of the image that all of them have. */
  imageUrl: string
  /** Every so many-th failed. */
  failedEvery: number
  /** Beside what the user has, not instead of it. */
  isMore?: boolean
}

/**
 * Images of Flux straight into the database of an installation, instead of what the user has unless `isMore`:
 * `picture 1` is the newest.
 */
export async function seedImages(installation: Installation, seed: Seed): Promise<void> {
  await inDatabase(installation, async (client) => {
    if (seed.isMore !== true) await client.query('delete from tasks where user_id = $1', [seed.userId])
    await client.query(
      `insert into tasks (user_id, service, operation, type, state, outcome, error, provider, request, response, trace_id,
         settled, created_at, started_at, finished_at)
       select $1, 'flux', 'images', 'images',
         case when fails then 'failed' else 'succeeded' end,
         case when fails then 'refused' end,
         case when fails then '{"code": "bad_request", "message": "Not this one."}'::jsonb end,
         'sandbox',
         jsonb_build_object('action', 'generate', 'model', 'flux-dev', 'count', 1, 'prompt', 'picture ' || place),
         case when not fails
           then jsonb_build_object('data', jsonb_build_array(jsonb_build_object('image_url', $4::text))) end,
         gen_random_uuid(), 0, made, made, made
       from generate_series(1, $2::int) place,
         lateral (select place % $5::int = 0 as fails, to_timestamp($3::float8 - (place - 1) * 60) as made) each`,
      [seed.userId, seed.count, seed.newest, seed.imageUrl, seed.failedEvery],
    )
  })
}

/** Makes `count` of the one task that there is of a service: copies of it, each a minute before the next. */
export async function copyTasks(installation: Installation, {service, count}: {service: string; count: number}) {
  await inDatabase(installation, async (client) => {
    const {rowCount} = await client.query(
      `insert into tasks (user_id, service, operation, type, application_id, state, provider, request, response, progress,
         settled, trace_id, created_at, started_at, finished_at)
       select user_id, service, operation, type, application_id, state, provider, request, response, progress,
         settled, gen_random_uuid(), created_at - gap, started_at - gap, finished_at - gap
       from tasks, generate_series(1, $2::int) place, lateral (select place * interval '1 minute' as gap) each
       where service = $1`,
      [service, count - 1],
    )
    if (rowCount !== count - 1)
      throw new Error(`There is not exactly one task of ${service} to copy: ${rowCount} were made.`)
  })
}

/** Grants credits as if they had been bought: for the one application of the user. */
export async function grantCredits(installation: Installation, {email, amount}: {email: string; amount: number}) {
  await inDatabase(installation, async (client) => {
    const {rowCount} = await client.query(
      `with application as (
         update applications set remaining_amount = remaining_amount + $2
         where user_id = (select id from users where email = $1) returning id, user_id)
       insert into ledger_entries (application_id, user_id, kind, amount, reference)
       select id, user_id, 'grant', $2, 'grant:test:' || gen_random_uuid() from application`,
      [email, amount],
    )
    if (rowCount !== 1) throw new Error(`${email} has ${rowCount} applications instead of one.`)
  })
}
