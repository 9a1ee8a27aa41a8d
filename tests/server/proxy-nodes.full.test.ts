import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest'
import {withHealth, type Health} from '#server/http/health.ts'
import {listen, type Listener} from '#server/http/listen.ts'
import {until, type OwnProcess} from '../cluster/own-process.ts'
import {freePort} from './free-port.ts'
import {createTestServer, type TestServer} from './harness.ts'
import {startShippedProxy} from './shipped-proxy.ts'

/* Debian's HAProxy with deploy/haproxy.cfg acts on what two nodes carry, by their own reports. */

type Node = {name: string; port: number; health: Health; isFrozen: boolean; looks: number; listener: Listener}

let server: TestServer
let folder: string
let proxy: OwnProcess
let address: string
let nodes: Node[]
beforeAll(async () => {
  server = await createTestServer({})
})
afterAll(() => server.close())

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-proxy-'))
  nodes = [await startNode('api-1'), await startNode('api-2')]
  const port = await freePort()
  address = `http://127.0.0.1:${port}`
  proxy = startShippedProxy(
    folder,
    new Map([
      ['bind :8080', `bind 127.0.0.1:${port}`],
      ['bind 127.0.0.1:5432', `bind 127.0.0.1:${await freePort()}`],
      ...nodes.map((node, index): [string, string] => [`127.0.0.1:${4001 + index}`, `127.0.0.1:${node.port}`]),
      // no answer hangs on it, however long a node takes
      ['timeout client 60s', 'timeout client 1s'],
    ]),
  )
  await until('the proxy leads to both', async () => new Set([await whoAnswers(), await whoAnswers()]).size === 2)
})
afterEach(async () => {
  await proxy.signal('SIGKILL')
  await Promise.all(nodes.map(({listener}) => listener.drain(0, 0)))
  rmSync(folder, {recursive: true})
})

/** `/` says which node answers; `/slow` says it at once, and once more when `finish` is called; `/late` only then. */
let finish: () => void = () => undefined
async function startNode(name: string): Promise<Node> {
  const node = {name, port: await freePort(), health: 'ready' as Health, isFrozen: false, looks: 0}
  const handle = withHealth(
    server.deps,
    () => node.health,
    async (request) => {
      const {pathname} = new URL(request.url)
      if (pathname === '/') return new Response(name)
      const finished = new Promise<void>((resolve) => (finish = resolve))
      if (pathname === '/late') return finished.then(() => new Response(name))
      const body = new ReadableStream<Uint8Array>({
        start: async (controller) => {
          controller.enqueue(Buffer.from(name))
          await finished
          controller.enqueue(Buffer.from(name))
          controller.close()
        },
      })
      return new Response(body)
    },
  )
  const config = {...server.deps.config, port: node.port}
  const listener = await listen({...server.deps, config}, (request, peer) => {
    if (new URL(request.url).pathname === '/healthz') node.looks += 1
    return node.isFrozen ? new Promise<Response>(() => undefined) : handle(request, peer)
  })
  return Object.assign(node, {listener})
}

const whoAnswers = async () => {
  const response = await fetch(address, {headers: {connection: 'close'}})
  return response.ok ? response.text() : String(response.status)
}

/** An answer under way at one node, and what it is in the end. */
async function underWay() {
  const response = await fetch(`${address}/slow`)
  const reader = response.body!.getReader() // an answer has one
  const first = Buffer.from((await reader.read()).value ?? []).toString()
  const rest = reader.read().then(
    ({value}) => Buffer.from(value ?? []).toString(),
    () => 'cut',
  )
  const node = nodes.find(({name}) => name === first)
  const other = nodes.find(({name}) => name !== first)
  if (node === undefined || other === undefined) throw new Error(`${first} answered`)
  return {node, other, rest}
}

const ledTo = ({name}: Node) =>
  until(`all are led to ${name}`, async () =>
    (await Promise.all(Array.from({length: 4}, whoAnswers))).every((answer) => answer === name),
  )
/** Two are enough to find a node down. */
async function severalLooks(node: Node): Promise<void> {
  const before = node.looks
  await until(`${node.name} was looked at`, async () => node.looks >= before + 4)
}

test('a node that is cut off from its database is led nobody new, and goes on with what it has', async () => {
  const {node, other, rest} = await underWay()
  node.health = 'no_database'
  await ledTo(other)
  other.health = 'no_database'
  await until('nobody is led anywhere', async () => (await whoAnswers()) === '503')
  await severalLooks(node)
  for (const each of nodes) each.health = 'ready'
  await until('both serve again', async () => new Set([await whoAnswers(), await whoAnswers()]).size === 2)
  finish()
  expect(await rest).toBe(node.name)
})

test('a node that ends is led nobody new, and finishes what it has', async () => {
  const {node, other, rest} = await underWay()
  node.health = 'draining'
  const drained = node.listener.drain(60_000, 0)
  await ledTo(other)
  await severalLooks(node)
  finish()
  expect(await rest).toBe(node.name)
  await drained
  await ledTo(other)
})

test('a node that says nothing for longer than a client may, and is well, is waited for', async () => {
  const slowAnswer = fetch(`${address}/late`)
  await Promise.all(nodes.map(severalLooks))
  finish()
  expect([(await slowAnswer).status, nodes.map(({name}) => name)]).toEqual([
    200,
    expect.arrayContaining([await (await slowAnswer).text()]),
  ])
})

test('a node that stands still loses what it has, so that its clients go on elsewhere', async () => {
  const {node, other, rest} = await underWay()
  node.isFrozen = true
  expect(await rest).toBe('cut')
  await ledTo(other)
})
