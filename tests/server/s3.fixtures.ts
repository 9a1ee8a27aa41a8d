import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {createServer, request as httpRequest, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo, Socket} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {FilesConfig} from '#server/config-files.ts'
import {root} from '#tools/paths.mjs'
import {freePort} from './free-port.ts'

/* A real S3 server in a process of its own, and a proxy in front of it that can be slow, gone or full. */

const bucketName = 'files'
const program = join(root, 'src/tools/s3-server.mjs')

export type Fault =
  | 'none'
  /** Takes the connection and says nothing. */
  | 'silent'
  /** Ends every connection. */
  | 'gone'
  /** Has no room for what is written. */
  | 'full'
  /** Its owner may have no more there. */
  | 'quota'
  /** Lets its caller read and nothing else. */
  | 'read only'
  /** Wants to be asked less often. */
  | 'slow down'
  /** Ends each answer after some bytes of its body. */
  | 'breaking'
  /** Lists three names a page. */
  | 'short pages'

export type S3 = {
  /** Settings that name a part of the bucket, behind the proxy. */
  config: (prefix: string, other?: Partial<FilesConfig>) => FilesConfig
  endpoint: string
  setFault: (fault: Fault) => void
  /** Requests that came since, by method. */
  requests: string[]
  kill: () => Promise<void>
  start: () => Promise<void>
  close: () => Promise<void>
}

const breakAfter = 100_000

/** Close it in `afterAll`. */
export async function createS3(): Promise<S3> {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-s3-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn(process.execPath, ['--openssl-legacy-provider', program], {
      env: {PATH: process.env['PATH'], ORDER: JSON.stringify({port, directory, bucket: bucketName})},
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit').then(() => {
      throw new Error('The S3 server ended before it was ready')
    })
    ended.catch(() => undefined) // later it is killed
    if (child.stdout) await Promise.race([once(child.stdout, 'data'), ended])
  }
  const kill = async () => {
    if (child === undefined || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()

  let fault: Fault = 'none'
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer((incoming, outgoing) => {
    requests.push(incoming.method ?? '')
    // the other end may leave at any moment, as the faults do
    for (const each of [incoming, outgoing]) each.on('error', () => undefined)
    if (fault === 'silent') return
    if (fault === 'gone') return void incoming.socket.destroy()
    const isWrite = incoming.method === 'PUT' || incoming.method === 'POST'
    if (fault === 'full' && isWrite) return refuse(incoming, outgoing, 507, 'InsufficientStorage')
    if (fault === 'quota' && isWrite) return refuse(incoming, outgoing, 403, 'QuotaExceeded')
    if (fault === 'read only' && (isWrite || incoming.method === 'DELETE'))
      return refuse(incoming, outgoing, 403, 'AccessDenied')
    if (fault === 'slow down') return refuse(incoming, outgoing, 503, 'SlowDown')
    if (fault === 'short pages' && incoming.url?.includes('list-type=2')) {
      incoming.url += '&max-keys=3'
      // it signs the address; without it the server asks nothing
      delete incoming.headers.authorization
    }
    forward(incoming, outgoing, port, () => fault === 'breaking')
  })
  proxy.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` // it listens on a port

  return {
    endpoint,
    requests,
    setFault: (next) => {
      fault = next
      if (next === 'gone') for (const socket of sockets) socket.destroy()
    },
    start,
    kill,
    config: (prefix, other) => ({
      bucket: {name: `s3://${bucketName}/${prefix}`, bucket: bucketName, prefix: `${prefix}/`, isPathStyle: true},
      former: undefined,
      region: 'us-east-1',
      endpoint,
      credentials: {accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', sessionToken: undefined},
      delivery: 'server',
      linkSeconds: 900,
      ...other,
    }),
    close: async () => {
      proxy.close()
      proxy.closeAllConnections()
      await kill()
      rmSync(directory, {recursive: true, force: true})
    },
  }
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse, status: number, code: string): void {
  incoming.resume()
  incoming.on('end', () => {
    outgoing.writeHead(status, {'content-type': 'application/xml'})
    outgoing.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
  })
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number, isBreaking: () => boolean): void {
  const {method, url, headers} = incoming
  const onward = httpRequest({host: '127.0.0.1', port, method, path: url, headers, agent: false}, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    let sent = 0
    answer.on('data', (bytes: Buffer) => {
      sent += bytes.length
      if (isBreaking() && method === 'GET' && sent > breakAfter) {
        outgoing.destroy()
        answer.destroy()
      } else if (!outgoing.write(bytes)) {
        answer.pause()
        outgoing.once('drain', () => answer.resume())
      }
    })
    answer.on('end', () => outgoing.end())
    answer.on('error', () => outgoing.destroy())
  })
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => onward.destroy())
  incoming.pipe(onward)
}
