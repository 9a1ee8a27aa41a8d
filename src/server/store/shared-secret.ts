import type pg from 'pg'
import type {Secrets} from '../secrets.ts'
import {StartFailure} from '../start-failure.ts'
import {withClient} from './client.ts'

/** In `installation`: a value that all nodes with the same secret compute alike. It does not reveal the secret. */
const rowName = 'secret_mark'
const markOf = (secrets: Secrets) => secrets.sign('installation', 'mark')

/**
 * Whether this process has the secret of the other nodes; the first one settles it.
 *
 * @throws StartFailure when it has another: its tokens would be refused by them, and theirs by it
 */
export const checkSecret = (connection: pg.ClientConfig, secrets: Secrets): Promise<void> =>
  withClient(connection, async (client) => {
    await client.query('insert into installation (name, value) values ($1, $2) on conflict (name) do nothing', [
      rowName,
      markOf(secrets),
    ])
    const {rows} = await client.query<{value: string}>('select value from installation where name = $1', [rowName])
    if (rows[0]?.value === markOf(secrets)) return
    throw new StartFailure(
      'SECRET is not the one that this database was used with: give all nodes the same. If it is changed on purpose, which ends all sign-ins, stop all nodes and run: npm run admin -- secret accept',
    )
  })

/** Stores the secret of this process as that of the installation. */
export const acceptSecret = (connection: pg.ClientConfig, secrets: Secrets): Promise<void> =>
  withClient(connection, async (client) => {
    await client.query(
      'insert into installation (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      [rowName, markOf(secrets)],
    )
  })
