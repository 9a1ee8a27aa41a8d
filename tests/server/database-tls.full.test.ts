import {randomUUID} from 'node:crypto'
import {sql} from 'drizzle-orm'
import pg from 'pg'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {silentLog} from '#server/log.ts'
import {readConfig} from '#server/read-config.ts'
import {createSecrets} from '#server/secrets.ts'
import {openStore} from '#server/store/open-store.ts'
import {administer, withDatabase} from './database.setup.ts'
import {OwnPostgres} from './own-postgres.ts'

/*
 * A PostgreSQL that takes encrypted connections alone, with a certificate of an authority of its own: as managed ones
 * do.
 */

let postgres: OwnPostgres
let address: URL
beforeAll(async () => {
  postgres = await OwnPostgres.start({isEncrypted: true})
  const {administrator, owner} = postgres.database
  await administer(administrator, `create database foo owner atrium encoding 'UTF8' template template0`)
  address = new URL(withDatabase(owner, 'foo').connectionString ?? '')
}, 120_000)
afterAll(() => postgres.close())

const open = (query: Record<string, string>) => {
  const url = new URL(address)
  url.search = String(new URLSearchParams(query))
  const config = readConfig({DATABASE_URL: url.href, DATABASE_DIRECT_URL: url.href, SECRET: 'x'.repeat(64)})
  return openStore(config, silentLog, createSecrets(Buffer.from('test')))
}

test(
  'every connection of a node is encrypted: work, requests, listeners and signs of life',
  {timeout: 120_000},
  async () => {
    const {database, close} = await open({
      sslmode: 'verify-full',
      sslrootcert: address.searchParams.get('sslrootcert') ?? '',
    })
    let isHeard: (word: string) => void = () => undefined
    const heard = new Promise<string>((resolve) => (isHeard = resolve))
    const stopListening = await database.listen('foo', isHeard)
    await database.asUser(randomUUID(), (transaction) => transaction.execute(sql`select 1`))
    await database.leases.query('select 1')
    const administrator = new pg.Client(withDatabase(postgres.database.administrator, 'foo'))
    await administrator.connect()
    const {rows} = await administrator.query(
      `select distinct usename, ssl from pg_stat_activity left join pg_stat_ssl using (pid)
     where datname = 'foo' and usename like 'atrium%' order by 1`,
    )
    await administrator.end()
    expect(rows).toEqual([
      {usename: 'atrium', ssl: true},
      {usename: expect.stringMatching(/^atrium_app_/), ssl: true},
    ])
    await database.pool.query(`notify foo, 'bar'`)
    expect(await heard).toBe('bar')
    await stopListening()
    await close()
  },
)

test.each([
  ['nothing of it', {}, 'no rule (pg_hba.conf) for this address and user without encryption'],
  ['an authority that nobody knows', {sslmode: 'verify-full'}, 'the certificate of the server is not trusted'],
])('a start whose address says %s is refused with a sentence', async (_what, query, sentence) => {
  await expect(open(query)).rejects.toThrow(sentence)
})
