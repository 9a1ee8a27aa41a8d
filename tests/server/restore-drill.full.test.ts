import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {appendFileSync, existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {root} from '#tools/paths.mjs'
import {makeFolder} from '../cluster/postgres.ts'
import {headOf, textOf} from './ai.harness.ts'
import {builtServer} from './built-server.ts'
import {administer, migrateTemplate, withDatabase, type TestDatabase} from './database.setup.ts'
import {freePort} from './free-port.ts'
import {textFor} from './kill-loop.provider.ts'
import {Nodes, stream, upload, type Node} from './nodes.harness.ts'
import {called, createAccount, signIn, type Tokens} from './nodes-session.ts'
import {DebianPostgres, postgresFolder, runAsPostgres} from './replicated-postgres.ts'

/*
 * The backup of docs/deploying.md and the way back, by the commands that stand there: a database at work is lost, and a
 * moment before the accident comes back.
 */

const page = readFileSync(join(root, 'docs/deploying.md'), 'utf8')
/** The block of the page that begins with this comment. */
function block(beginning: string): string {
  const found = [...page.matchAll(/^```(?:sh|ini)\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  const text = found.find((each) => each.startsWith(`# ${beginning}`))
  if (text === undefined) throw new Error(`docs/deploying.md has no block "${beginning}"`)
  return text
}
const replaced = (text: string, changes: Readonly<Record<string, string>>) =>
  Object.entries(changes).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`docs/deploying.md does not name ${from}`)
    return changed.replaceAll(from, to)
  }, text)

let folder: string
let postgres: DebianPostgres
let nodes: Nodes
beforeAll(async () => {
  builtServer()
  folder = postgresFolder()
  makeFolder(join(folder, 'archive'))
  postgres = await DebianPostgres.make('database', folder)
  const conf = join(postgres.data, 'postgresql.conf')
  appendFileSync(conf, replaced(block('postgresql.conf'), {'/srv/archive': join(folder, 'archive')}))
  // a restored one reads them too
  appendFileSync(conf, "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 150\n")
  await postgres.start()
  nodes = await Nodes.open({cluster: await prepared()})
}, 600_000)
afterAll(async () => {
  await nodes.close().catch(() => undefined) // its database was lost
  const restored = join(folder, 'restored')
  if (existsSync(join(restored, 'postmaster.pid')))
    runAsPostgres(['pg_ctl', 'stop', '--mode=immediate', `--pgdata=${restored}`])
  rmSync(folder, {recursive: true, force: true})
})

async function prepared(): Promise<TestDatabase> {
  const [administrator, owner] = ['postgres', 'atrium'].map((role) => ({connectionString: postgres.url(role)}))
  if (administrator === undefined || owner === undefined) throw new Error('There are two roles')
  await administer(administrator, 'create role atrium login createrole')
  await administer(administrator, `create database atrium_template owner atrium encoding 'UTF8' template template0`)
  await migrateTemplate(withDatabase(owner, 'atrium_template'))
  return {administrator, owner, ownerRole: 'atrium', template: 'atrium_template'}
}

const remove = async ({address}: Node, {access_token: token}: Tokens, path: string) =>
  fetch(address + path.replace(/\/[^/]+$/, ''), {
    method: 'DELETE',
    headers: {authorization: `Bearer ${token}`, origin: address},
  })
const statusOf = async (node: Node, path: string) => (await fetch(node.address + path)).status
const idIn = (path: string) => path.split('/').at(-2) ?? ''

test('a moment before the accident comes back, and the files are compared with it', {timeout: 300_000}, async () => {
  const url = nodes.server.connection.connectionString ?? ''
  const node = await nodes.start({DATABASE_URL: url, DATABASE_DIRECT_URL: ''})
  const email = await createAccount(nodes)
  const session = await signIn([node, node], email)
  const early = String(await upload(node, session.access_token, 'early'))
  runAsPostgres([
    ...['sh', '-ec'],
    replaced(block('a base backup'), {
      '--port=5432': `--port=${postgres.port}`,
      '/srv/base': join(folder, 'base'),
    }),
  ])

  // after the base backup: only the archive has it
  const kept = String(await upload(node, session.access_token, 'kept'))
  const asker = await nodes.asker()
  const question = await stream(node, asker, {question: 'foo 3', model: 'foo-model', stateful: true})
  const head = await headOf(question)
  await question.rest()
  const [{moment} = {}] = await nodes.query('select clock_timestamp()::text as moment')
  await pause(1_000)

  // the accident, and what came after that moment
  expect((await remove(node, session, kept)).status).toBe(204)
  const lostFile = String(await upload(node, session.access_token, 'late'))
  await nodes.query('delete from messages')
  await nodes.query('delete from conversations')
  await postgres.ask('select pg_switch_wal()')
  await expect
    .poll(async () => {
      const [row] = await postgres.ask(
        `select (select last_archived_wal from pg_stat_archiver) >= pg_walfile_name(pg_current_wal_lsn() - 1) as "isDone"`,
      )
      return row?.['isDone']
    })
    .toBe(true)
  await node.process.signal('SIGKILL')
  await postgres.kill()

  const restoredPort = await freePort()
  runAsPostgres([
    ...['sh', '-ec'],
    replaced(block('getting a moment back'), {
      '/srv/base': join(folder, 'base'),
      '/srv/archive': join(folder, 'archive'),
      '/srv/restored': join(folder, 'restored'),
      '2026-11-25 14:30:00+00': String(moment),
      '-p 5433': `-p ${restoredPort}`,
    }),
  ])
  const restored = new URL(url)
  restored.port = String(restoredPort)
  const back = new DebianPostgres('restored', join(folder, 'restored'), restoredPort, folder)
  await expect
    .poll(async () => (await back.ask('select pg_is_in_recovery() as "isStandby"'))[0]?.['isStandby'])
    .toBe(false)

  nodes.store.setFault('read only')
  const {output, code} = await check(restored.href)
  expect(code).toBe(1)
  expect(output).toContain(`2 files, 0.0 MB\nwithout their bytes: 1\n  ${idIn(kept)}\n`)
  expect(output).toContain('younger than a week: 1, 0.0 MB')

  const drill = await nodes.start({DATABASE_URL: restored.href, DATABASE_DIRECT_URL: '', ROLE: 'api'})
  const again = await signIn([drill, drill], email)
  const me = await called(drill).call('GET', '/services/platform/api/v1/users/me', {token: again.access_token})
  expect(await me.json()).toEqual({
    email,
    id: expect.any(String),
    username: expect.any(String),
    nickname: 'foo',
    date_joined: expect.any(String),
    is_verified: false,
  })
  expect([await statusOf(drill, early), await statusOf(drill, kept), await statusOf(drill, lostFile)]).toEqual([
    200, 404, 404,
  ])
  const resumed = await stream(drill, asker, {action: 'resume', ...head, last_seq: 0})
  await headOf(resumed)
  expect(textOf(await resumed.rest())).toBe(textFor('foo 3'))
  expect(await drill.process.signal('SIGTERM')).toBe(0)
})

/** The last block of the page, with the settings of the nodes. */
async function check(url: string): Promise<{output: string; code: number | null}> {
  const dataDir = join(folder, 'operator')
  mkdirSync(dataDir)
  const script = replaced(block('what the files have to say'), {
    'postgres://atrium@127.0.0.1:5433/atrium': `'${url}'`,
  })
  // not waited for as a whole: the store of files answers in this process
  const child = spawn('sh', ['-ec', script], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: dataDir,
      SECRET: 'x'.repeat(64),
      FILES_URL: 's3://files/nodes',
      AWS_ENDPOINT_URL_S3: nodes.store.endpoint,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()))
  await once(child, 'close')
  return {output, code: child.exitCode}
}
