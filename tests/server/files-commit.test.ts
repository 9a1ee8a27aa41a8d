import {once} from 'node:events'
import {connect, createServer, type AddressInfo, type Socket} from 'node:net'
import {join} from 'node:path'
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest'
import type {FileStore} from '#server/files/file-store.ts'
import {silentLog} from '#server/log.ts'
import {socketName} from '#server/store/cluster-processes.ts'
import {openDatabase} from '#server/store/database.ts'
import {files} from '#server/store/schema/files.ts'
import type {TestServer, TestUser} from './harness.ts'
import {base, createPlatform} from './platform.fixtures.ts'
import {eventually} from '../eventually.ts'

/*
 * A file is kept, and the connection breaks while its entry is being committed: bytes without an entry are swept, an
 * entry without bytes is a lost file.
 */

type Cut =
  /** The commit does not get there. */
  | 'before'
  /** It gets there, and its answer does not come back. */
  | 'after'
  /** It is on its way when the connection breaks, and gets there later. */
  | 'late'

const commit = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')

/** Stands before the database, and cuts the next transaction that has a file at its commit. */
class CommitRelay {
  cut: Cut | undefined
  /** Lets a late commit through. */
  release: () => void = () => undefined
  private readonly sockets = new Set<Socket>()
  private readonly server = createServer((near) => this.join(near))

  constructor(private readonly target: () => Socket) {}

  async open(): Promise<number> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    return (this.server.address() as AddressInfo).port // it listens on a port
  }

  close(): void {
    this.server.close()
    for (const socket of this.sockets) socket.destroy()
  }

  private join(near: Socket): void {
    const far = this.target()
    for (const socket of [near, far]) {
      this.sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => this.sockets.delete(socket))
    }
    let hasFile = false
    let isDelayed = false
    let isMute = false
    near.on('close', () => isDelayed || far.destroy())
    far.on('close', () => near.destroy())
    far.on('data', (bytes) => {
      if (isMute) near.destroy()
      else near.write(bytes)
    })
    near.on('data', (bytes) => {
      hasFile ||= bytes.includes('insert into "files"')
      const cut = hasFile && bytes.equals(commit) ? this.cut : undefined
      if (cut === undefined) return void far.write(bytes)
      this.cut = undefined
      if (cut === 'before') return void near.destroy()
      if (cut === 'after') {
        isMute = true
        far.write(bytes)
      } else {
        isDelayed = true
        this.release = () => far.write(bytes)
        near.destroy()
      }
    })
  }
}

let server: TestServer
let relayed: TestServer
let relay: CommitRelay
let user: TestUser
beforeAll(async () => {
  server = await createPlatform()
  const {host, port, connectionString} = server.connection
  const url = connectionString === undefined ? undefined : new URL(connectionString)
  relay = new CommitRelay(() =>
    url === undefined
      ? connect(join(host ?? '', port === undefined ? socketName : `.s.PGSQL.${port}`))
      : connect(Number(url.port || 5432), url.hostname),
  )
  const to = {host: '127.0.0.1', port: await relay.open()}
  const through = (connection: TestServer['connection']) => {
    if (connection.connectionString === undefined) return {...connection, ...to}
    const address = new URL(connection.connectionString)
    address.host = `${to.host}:${to.port}`
    return {...connection, connectionString: address.href}
  }
  const database = openDatabase(through(server.connection), through(server.requests), silentLog, {isShared: true})
  relayed = await createPlatform({sharing: server, deps: {database}})
})
afterAll(async () => {
  await relayed.close()
  relay.close()
  await server.close()
})
beforeEach(async () => {
  user = await server.createUser()
})
afterEach(() => (relay.cut = undefined))

function upload(): Promise<Response> {
  const form = new FormData()
  form.set('file', new File(['foo'], 'foo.txt'))
  return relayed.call('POST', `${base}/files/`, {token: user.accessToken, body: form})
}
const rows = () => server.deps.database.asUser(user.user.id, (transaction) => transaction.select().from(files))
const store = (): FileStore => server.deps.fileStores.current
const names = async () => {
  const found: string[] = []
  for await (const {name} of store().list()) found.push(name)
  return found
}

test('the commit does not get there: refused, and neither entry nor bytes are left', async () => {
  const before = await names()
  relay.cut = 'before'
  expect((await upload()).status).toBeGreaterThanOrEqual(500)
  expect(await rows()).toEqual([])
  expect(await names()).toEqual(before)
})

test('its answer does not come back: the file is kept, and its user is told so', async () => {
  relay.cut = 'after'
  const response = await upload()
  expect(response.status).toBe(201)
  expect((await rows()).map(({id}) => id)).toEqual([(await response.json()).id])
  expect(await names()).toContain((await rows())[0]?.storedAs)
})

test('it gets there after the connection broke: the file keeps its bytes', async () => {
  relay.cut = 'late'
  const uploading = upload()
  // the server asks whether it is there, and waits for it
  let isAnswered = false
  void uploading.finally(() => (isAnswered = true))
  await eventually(async () => {
    const {rowCount} = await server.deps.database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
    )
    expect(isAnswered || rowCount === 1).toBe(true)
  })
  relay.release()
  const response = await uploading
  await eventually(async () => expect(await rows()).toHaveLength(1))
  expect(await store().sizeOf((await rows())[0]?.storedAs ?? '')).toBe(3)
  expect(response.status).toBe(201)
})

test('it never gets there, and the database ends its transaction: refused, and nothing is left', async () => {
  const before = await names()
  relay.cut = 'late'
  expect((await upload()).status).toBeGreaterThanOrEqual(500)
  expect(await rows()).toEqual([])
  expect(await names()).toEqual(before)
})
