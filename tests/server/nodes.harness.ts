import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {once} from 'node:events'
import {request, type IncomingMessage} from 'node:http'
import {connect, createServer, type Server, type Socket} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {socketName} from '#server/store/cluster-processes.ts'
import {MediaUpstream} from '../../e2e/support/media-upstream.ts'
import {createAsker, openStream, type Asker} from './ai.harness.ts'
import {builtServer, ServerProcess} from './built-server.ts'
import {freePort} from './free-port.ts'
import {createTestServer, type TestServer, type TestServerOptions} from './harness.ts'
import {startSlowProvider, type SlowProvider} from './kill-loop.provider.ts'
import {createS3, type S3} from './s3.fixtures.ts'

/*
 * Several nodes as operators run them: built server processes on one database, each with a line of its own to it, which
 * a test can cut, and with one store of files.
 */

/** The way of one node to the database. A cut line is silent: nothing comes through, and nobody says so. */
export class DatabaseLine {
  private readonly sockets = new Set<Socket>()
  private readonly server: Server
  private isCut = false

  private constructor(target: () => Socket) {
    this.server = createServer((near) => {
      const far = target()
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(socket)
        socket.on('error', () => other.destroy())
        socket.on('close', () => {
          this.sockets.delete(socket)
          other.destroy()
        })
        socket.on('data', (bytes) => void other.write(bytes))
        if (this.isCut) socket.pause()
      }
    })
  }

  static async open({connection}: TestServer): Promise<DatabaseLine> {
    const {host, port, connectionString} = connection
    const url = connectionString === undefined ? undefined : new URL(connectionString)
    const line = new DatabaseLine(() =>
      url === undefined
        ? connect(join(host ?? '', port === undefined ? socketName : `.s.PGSQL.${port}`))
        : connect(Number(url.port || 5432), url.hostname),
    )
    line.server.listen(0, '127.0.0.1')
    await once(line.server, 'listening')
    return line
  }

  get port(): number {
    const address = this.server.address()
    if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
    return address.port
  }

  cut(): void {
    this.isCut = true
    for (const socket of this.sockets) socket.pause()
  }

  mend(): void {
    this.isCut = false
    for (const socket of this.sockets) socket.resume()
  }

  /** Ends all connections, as a restart of the database does; new ones come through. */
  break(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  close(): void {
    this.server.close()
    this.break()
  }
}

export type Node = {address: string; line: DatabaseLine; process: ServerProcess}

export class Nodes {
  private readonly nodes: Node[] = []
  private constructor(
    readonly server: TestServer,
    readonly provider: SlowProvider,
    readonly upstream: MediaUpstream,
    readonly store: S3,
    private readonly folder: string,
  ) {}

  static async open(options: TestServerOptions = {}): Promise<Nodes> {
    builtServer() // a build would take the time of the first test
    const provider = await startSlowProvider()
    const upstream = await MediaUpstream.start()
    const folder = mkdtempSync(join(tmpdir(), 'atrium-nodes-'))
    const common = {apiKey: 'sk-test', local: false}
    const providers = [
      {...common, name: 'slow', baseUrl: provider.baseUrl, media: {flux: 'foo-picture'}},
      {...common, name: 'jobs', kind: 'acedata', baseUrl: upstream.url, groups: [], media: {kling: 'kling'}},
    ]
    writeFileSync(join(folder, 'config.json'), JSON.stringify({providers}))
    return new Nodes(await createTestServer(options), provider, upstream, await createS3(), folder)
  }

  /** @param entry of another build than that of these sources */
  async start(environment: Record<string, string> = {}, entry = builtServer()): Promise<Node> {
    const line = await DatabaseLine.open(this.server)
    const {user, database, password, connectionString} = this.server.connection
    const url = new URL(connectionString ?? 'postgresql://localhost')
    if (connectionString === undefined) {
      url.username = user ?? ''
      url.password = typeof password === 'string' ? password : ''
      url.pathname = `/${database}`
    }
    url.hostname = '127.0.0.1'
    url.port = String(line.port)
    const port = String(await freePort())
    const process = new ServerProcess(entry, {
      PORT: port,
      // what one node has on its disk is no other's
      DATA_DIR: join(this.folder, `data-${this.nodes.length}`),
      CONFIG_FILE: join(this.folder, 'config.json'),
      SECRET: 'x'.repeat(64),
      FILES_URL: 's3://files/nodes',
      AWS_ENDPOINT_URL_S3: this.store.endpoint,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      ...(environment['DATABASE_URL'] === undefined ? {DATABASE_URL: url.href} : {DATABASE_DIRECT_URL: url.href}),
      NAME_CONVERSATIONS: 'false',
      ...environment,
    })
    const node = {address: `http://127.0.0.1:${port}`, line, process}
    this.nodes.push(node)
    await process.ready()
    return node
  }

  asker(): Promise<Asker> {
    return createAsker(this, '100')
  }

  query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await this.server.deps.database.pool.query<Record<string, unknown>>(text, values)).rows

  /** Milliseconds by the database's clock. */
  now = async (): Promise<number> =>
    Number((await this.query(`select extract(epoch from clock_timestamp()) * 1000 as now`))[0]?.['now'])

  async close(): Promise<void> {
    for (const {process, line} of this.nodes) {
      await process.signal('SIGKILL')
      line.close()
    }
    await this.provider.close()
    await this.upstream.dispose()
    await this.store.close()
    await this.server.close()
    rmSync(this.folder, {recursive: true, force: true})
  }
}

export const call = (
  {address}: Node,
  {token}: Asker,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${address}/services/api${path}`, {
    method: 'POST',
    headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers},
    body: JSON.stringify(body),
  })

/** A question or a command of a conversation, answered as a stream. */
export const stream = async (node: Node, asker: Asker, body: object) =>
  openStream(await call(node, asker, '/aichat/conversations', body, {accept: 'text/event-stream'}))

export const healthOf = async ({address}: Node): Promise<[number, unknown]> => {
  const response = await fetch(`${address}/healthz`)
  return [response.status, await response.json()]
}

const filesPath = '/services/platform/api/v1/files/'

/** Gives the path of the file, or the status of the refusal. */
export async function upload({address}: Node, accessToken: string, text: string): Promise<string | number> {
  const form = new FormData()
  form.set('file', new File([text], 'foo.txt', {type: 'text/plain'}))
  const headers = {authorization: `Bearer ${accessToken}`, origin: address}
  const response = await fetch(address + filesPath, {method: 'POST', headers, body: form})
  if (response.status !== 201) return response.status
  const {id, name} = (await response.json()) as {id: string; name: string}
  return `${filesPath}${id}/${name}`
}

/** A file of which half is sent. `finish` sends the rest and gives the status. */
export async function beginUpload({address}: Node, accessToken: string): Promise<{finish: () => Promise<number>}> {
  const boundary = 'foo'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="foo.txt"\r\nContent-Type: text/plain\r\n\r\n`
  const {hostname, port} = new URL(address)
  const outgoing = request({
    hostname,
    port,
    path: filesPath,
    method: 'POST',
    headers: {
      authorization: `Bearer ${accessToken}`,
      origin: address,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      expect: '100-continue',
    },
  })
  const answer = once(outgoing, 'response')
  answer.catch(() => undefined) // thrown where it is awaited
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  outgoing.write(head + 'half of it')
  return {
    finish: async () => {
      outgoing.end(` and the rest\r\n--${boundary}--\r\n`)
      const [incoming] = (await answer) as [IncomingMessage] // what Node's `response` has
      incoming.resume()
      return incoming.statusCode ?? 0
    },
  }
}
