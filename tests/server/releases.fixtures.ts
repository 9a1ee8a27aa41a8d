import {cpSync, readFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import pg from 'pg'
import {createApplication, type Backend} from '#server/handler.ts'
import {silentLog} from '#server/log.ts'
import {readConfig} from '#server/read-config.ts'
import {createSecrets} from '#server/secrets.ts'
import {migrate} from '#server/store/migrate.ts'
import type {Exchange} from '../releases/recording-proxy.ts'
import {createTestServer, type TestServer} from './harness.ts'

/** The folder that tests/releases/record.ts made of the last release. */
const folder = resolve(import.meta.dirname, '../fixtures/releases/0.1.0')
const readText = (name: string) => readFileSync(join(folder, name), 'utf8')

type Facts = {
  url: string
  siteOrigin: string
  secret: string
  token: {access: string; refresh: string}
  chatKey: string
  mediaKey: string
}
// as: written by the recording
export const facts = JSON.parse(readText('facts.json')) as Facts
/** Reads the exchanges; the recording wrote them with this type. */
export const readExchanges = (): Exchange[] =>
  readText('client.ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Exchange)

const hour = 3_600_000

/** The dump as if the release had been killed ten seconds ago. Sums of usage stand at whole hours, and stay there. */
function recentDump(): string {
  const text = readText('dump.sql')
  const seen = /INSERT INTO public\.workers VALUES\s+\('[^']+', '([^']+)'/.exec(text)?.[1]
  if (seen === undefined) throw new Error('The dump has no worker')
  const age = Date.now() - 10_000 - Date.parse(seen)
  // what takes twenty seconds so that it could be killed in the midst of it need not take them again
  const statements = text
    .replaceAll('"/slow"', '"A buoy"')
    .split(/^(?=INSERT INTO )/m)
    .map((statement) => {
      const shift = /^INSERT INTO public\.usage/.test(statement) ? Math.floor(age / hour) * hour : age
      return statement.replace(/'(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?)\+00'/g, (_, time: string) => {
        const moved = new Date(Date.parse(`${time.replace(' ', 'T')}Z`) + shift)
        return `'${moved.toISOString()}'`
      })
    })
  return `set check_function_bodies = false;\n${statements.join('')}`
}

async function restoreDump(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(recentDump())
  } finally {
    await client.end()
  }
  await migrate(connection, silentLog)
}

export type ReleaseServer = {server: TestServer; close: () => Promise<void>}

/** This server, with or without what a user of the release left behind. */
export async function openReleaseServer({isRestored}: {isRestored: boolean}): Promise<ReleaseServer> {
  const {payments} = readConfig({})
  const application: {current?: Backend} = {}
  const server = await createTestServer({
    config: {payments: {...payments, sandbox: true}, publicOrigins: [facts.url], freeCredits: '10'},
    deps: {secrets: createSecrets(Buffer.from(facts.secret))},
    ...(isRestored ? {restore: restoreDump} : {}),
    handler: (deps) => {
      cpSync(join(folder, 'files'), join(deps.config.dataDir, 'files'), {recursive: true})
      application.current = createApplication(deps)
      return application.current.handle
    },
  })
  await application.current?.start()
  const close = async () => {
    await application.current?.stop()
    await server.close()
  }
  return {server, close}
}
