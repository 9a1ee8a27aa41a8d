import {randomUUID} from 'node:crypto'
import {eq} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {installation} from '../store/schema/installation.ts'

const rowName = 'placeholder_origin'

/**
 * Site origin of an installation that is used on localhost (spec §9): `http://localhost-<uuid>`, made once per
 * installation and kept. The page configuration gives it to the client as `siteOrigin`.
 */
export async function placeholderOrigin({database}: Pick<ServerDeps, 'database'>): Promise<string> {
  return database.asSystem(async (transaction) => {
    const read = () => transaction.select().from(installation).where(eq(installation.name, rowName))
    const [row] = await read()
    if (row) return row.value
    await transaction
      .insert(installation)
      .values({name: rowName, value: `http://localhost-${randomUUID()}`})
      .onConflictDoNothing()
    const [newOrigin] = await read()
    if (!newOrigin) throw new Error('The placeholder origin was not kept')
    return newOrigin.value
  })
}
