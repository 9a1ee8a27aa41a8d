import {sql} from 'drizzle-orm'
import {favouriteModels as presses} from '#contract/favourite-models.ts'
import {mergeMarks} from '#domain/merge-favourites.ts'
import type {ServerDeps} from '../deps.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {favouriteModels} from '../store/schema/prompts.ts'

/** The models that the token's subject marked (ours). */
export const favouriteModelRoutes = ({database, now}: ServerDeps): Route[] => [
  managementRoute('GET', '/favourite-models', 'user', {
    handle: ({identity: {userId}}) =>
      database.asUser(userId, async (transaction) => {
        const [row] = await transaction.select().from(favouriteModels)
        return Response.json({marks: row?.marks ?? {}})
      }),
  }),
  // Adds presses to those that are kept, the later one of each model; answers with all.
  managementRoute('PUT', '/favourite-models', 'user', {
    body: presses,
    handle: ({identity: {userId}, body}) =>
      database.asUser(userId, async (transaction) => {
        // two devices that save at once lose no press of each other
        await transaction.execute(sql`select pg_advisory_xact_lock(hashtext('favourite_models'), hashtext(${userId}))`)
        const [row] = await transaction.select().from(favouriteModels)
        const marks = mergeMarks(row?.marks ?? {}, body.marks)
        const changes = {marks, updatedAt: now()}
        if (marks !== row?.marks)
          await transaction
            .insert(favouriteModels)
            .values({userId, ...changes})
            .onConflictDoUpdate({target: favouriteModels.userId, set: changes})
        return Response.json({marks})
      }),
  }),
]
