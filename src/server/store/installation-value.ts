import {eq} from 'drizzle-orm'
import type {Database} from './database.ts'
import {installation} from './schema/installation.ts'

/** The value of this name in `installation`: that of the process which was first to enter one. */
export const settledValue = ({asSystem}: Database, name: string, ownValue: string): Promise<string> =>
  asSystem(async (transaction) => {
    await transaction.insert(installation).values({name, value: ownValue}).onConflictDoNothing()
    const [row] = await transaction.select().from(installation).where(eq(installation.name, name))
    if (row === undefined) throw new Error(`The value ${name} of the installation was not kept`)
    return row.value
  })
