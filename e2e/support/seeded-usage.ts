import {chatServiceId} from '#contract/chat.ts'
import {identity as flux} from '#contract/media/flux.ts'
import {identity as kling} from '#contract/media/kling.ts'
import {chatApi, apiIdOf} from '#server/platform/service-apis.ts'
import {inDatabase} from './in-database.ts'
import type {Installation} from './installation.ts'
import type {SignedIn} from './users.ts'

export const usageApis = {
  video: {id: apiIdOf('kling/videos'), title: 'Kling videos', serviceId: kling.serviceId},
  image: {id: apiIdOf('flux/images'), title: 'Flux images', serviceId: flux.serviceId},
  chat: {id: apiIdOf(chatApi), title: 'AI Chat', serviceId: chatServiceId},
}

type Seed = {
  count: number
  /** Seconds between two calls; the newest is one such time ago. */
  seconds: number
}

/**
 * Calls of a user straight into the database of an installation: video, image and chat in turn, three of five succeed,
 * each costs another amount of six decimals.
 */
export async function seedUsage(installation: Installation, {state}: SignedIn, {count, seconds}: Seed): Promise<void> {
  const {user, chat} = JSON.parse(state)
  const apis = Object.values(usageApis)
  await inDatabase(installation, (client) =>
    client.query(
      `insert into usages (user_id, application_id, api_id, service_id, status_code, trace_id, deducted_amount,
         remaining_amount, used_amount, metadata, created_at)
       select $1, $2, ($3::uuid[])[1 + n % 3], ($4::uuid[])[1 + n % 3], (array[200, 200, 200, 429, 500])[1 + (n * 7) % 5],
         'trace-' || n, ((n * 7919) % 1000003) / 1000000.0, 100, 5,
         jsonb_build_object('model', 'model-' || n % 4, 'seconds', 5),
         now() - make_interval(secs => n * $6::float8)
       from generate_series(1, $5::int) as n`,
      [user.id, chat.application.id, apis.map(({id}) => id), apis.map(({serviceId}) => serviceId), count, seconds],
    ),
  )
}
