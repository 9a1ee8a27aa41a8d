import {afterAll, beforeAll, expect, test} from 'vitest'
import {runAdmin} from '#server/admin/run-admin.ts'
import {silentLog} from '#server/log.ts'
import {readConfig} from '#server/read-config.ts'
import {createSecrets, readMasterSecret} from '#server/secrets.ts'
import {openStore} from '#server/store/open-store.ts'
import {createTestServer, type TestServer} from './harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** Returns the environment that the operator of one node sets. */
function environmentOf(secret: string) {
  const {host, port, user, password, database, connectionString} = server.connection
  const url = new URL(connectionString ?? `postgresql://localhost/${database}`)
  if (connectionString === undefined) {
    url.username = user ?? ''
    url.password = typeof password === 'string' ? password : ''
    url.searchParams.set('host', host ?? '')
    if (port !== undefined) url.searchParams.set('port', String(port))
  }
  return {DATABASE_URL: url.href, SECRET: secret.repeat(32), DATA_DIR: server.deps.config.dataDir}
}

/** The part of a start that opens the database. */
async function start(secret: string): Promise<void> {
  const config = readConfig(environmentOf(secret))
  const store = await openStore(config, silentLog, createSecrets(readMasterSecret(config.secret, config.dataDir)))
  await store.close()
}

const admin = async (secret: string, ...parameters: string[]) => {
  let output = ''
  await runAdmin(parameters, {environment: environmentOf(secret), write: (text) => (output += text)})
  return output
}

test('a node with another secret than the others is refused, and so are commands, until the operator accepts it', async () => {
  await start('a')
  await start('a')
  const refusal = /^SECRET is not the one that this database was used with.*npm run admin -- secret accept$/
  await expect(start('b')).rejects.toThrow(refusal)
  await expect(admin('b', 'make-account', 'foo@example.com')).rejects.toThrow(refusal)
  await start('a')
  expect(await admin('b', 'secret', 'accept')).toBe(
    'SECRET is that of the installation now. Everybody signs in again.\n',
  )
  await start('b')
  await expect(start('a')).rejects.toThrow(refusal)
})
