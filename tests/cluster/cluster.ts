import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {freePort} from '../server/free-port.ts'
import {startSlowProvider, type SlowProvider} from '../server/kill-loop.provider.ts'
import {Line} from './lines.ts'
import {ClusterNode, startProxy, type Role} from './nodes.ts'
import {endAll, until} from './own-process.ts'
import {makeFolder, Pooler, Postgres} from './postgres.ts'
import {smallStore, swiftStore, type Store} from './store.ts'

export type Layout = {
  /** Temporary; it is taken away at the end. */
  folder: string
  logs: string
  /** `dist/server/main.js`. */
  entry: string
  roles: readonly Role[]
  store: 'swift' | 's3rver'
}

export type Cluster = {
  postgres: Postgres
  pooler: Pooler
  store: Store
  nodes: readonly ClusterNode[]
  provider: SlowProvider
  /** The port of the proxy, through which users come in. */
  port: number
  close: () => Promise<void>
}

/** PostgreSQL, PgBouncer, an S3 server, the nodes and HAProxy before them, all on loopback. */
export async function startCluster({folder, logs, entry, roles, store: kind}: Layout): Promise<Cluster> {
  mkdirSync(logs, {recursive: true})
  makeFolder(folder)
  const provider = await startSlowProvider()
  const postgres = await Postgres.create(join(folder, 'postgres'), logs)
  const pooler = await Pooler.create(join(folder, 'pooler'), logs, postgres.port)
  const store = kind === 'swift' ? await swiftStore(join(folder, 'store'), logs) : await smallStore()

  const common = {apiKey: 'sk-test', local: false}
  const providers = [{...common, name: 'slow', baseUrl: provider.baseUrl, media: {flux: 'foo-picture'}}]
  const configFile = join(folder, 'config.json')
  writeFileSync(configFile, JSON.stringify({providers}))
  const port = await freePort()
  const environment = {
    CONFIG_FILE: configFile,
    SECRET: 'x'.repeat(64),
    PUBLIC_ORIGINS: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: '127.0.0.1',
    REGISTRATION: 'open',
    NAME_CONVERSATIONS: 'false',
    DETECT_LOCAL: 'false',
    SANDBOX_PAYMENTS: 'true',
  }
  const nodes: ClusterNode[] = []
  for (const [index, role] of roles.entries()) {
    const name = `node-${index + 1}`
    const database = await Line.lay(`${name}-database`, folder, logs, [pooler.port, postgres.port])
    const toStore = await Line.lay(`${name}-store`, folder, logs, [store.port])
    const own = {
      ...environment,
      DATA_DIR: join(folder, name),
      DATABASE_URL: postgres.url(database.portTo(pooler.port)),
      DATABASE_DIRECT_URL: postgres.url(database.portTo(postgres.port)),
      ...store.settings(toStore.portTo(store.port)),
    }
    nodes.push(await ClusterNode.create({name, role, entry, logs, environment: own, database, store: toStore}, folder))
  }
  for (const node of nodes) node.start()
  await Promise.all(nodes.map((node) => node.ready()))
  await startProxy(folder, logs, nodes, port)
  await until('the proxy leads to a node', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`)
    return response.ok
  })
  return {
    postgres,
    pooler,
    store,
    nodes,
    provider,
    port,
    close: async () => {
      await endAll()
      await store.close()
      await provider.close()
      rmSync(folder, {recursive: true, force: true})
    },
  }
}
