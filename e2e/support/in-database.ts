import pg from 'pg'
import {findRunningPostgres} from '#server/store/cluster-processes.ts'
import type {Installation} from './installation.ts'

/** Works in the database of an installation that runs. */
export async function inDatabase(
  installation: Installation,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const running = findRunningPostgres(installation.dataDir)
  if (running === undefined) throw new Error('The database of the installation does not run.')
  const client = new pg.Client({...running, database: 'atrium'})
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
