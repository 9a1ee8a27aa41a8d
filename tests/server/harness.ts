import {randomBytes, randomUUID} from 'node:crypto'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {eq} from 'drizzle-orm'
import type pg from 'pg'
import {inject} from 'vitest'
import {createAuthenticate} from '#server/auth/authenticate.ts'
import {issueTokens, type IssuedTokens} from '#server/auth/tokens.ts'
import {createUser, type NewUser, type UserRow} from '#server/auth/users.ts'
import type {Config} from '#server/config.ts'
import type {ServerDeps} from '#server/deps.ts'
import {createRouter, type Handle, type RouterOptions} from '#server/http/router.ts'
import type {Route} from '#server/http/route.ts'
import {openFileStores} from '#server/files/file-stores.ts'
import {silentLog} from '#server/log.ts'
import {createSecrets} from '#server/secrets.ts'
import {prepareRequestLogin} from '#server/store/request-login.ts'
import {openDatabase} from '#server/store/database.ts'
import {users} from '#server/store/schema/people.ts'
import {cheapHash} from './cheap-hash.ts'
import {administer, withDatabase, type TestDatabase} from './database.setup.ts'

/** The address of a test server's page: the Origin that its requests carry. */
export const testOrigin = 'http://127.0.0.1:4000'

export const testConfig = (dataDir: string, overrides: Partial<Config> = {}): Config => ({
  port: 4000,
  host: '127.0.0.1',
  publicOrigins: [],
  serviceOrigins: {},
  dataDir,
  databaseUrl: undefined,
  databaseDirectUrl: undefined,
  requestDatabaseUrl: undefined,
  drainSeconds: 4,
  role: 'all',
  healthPort: undefined,
  mode: 'test',
  loginFlow: 'redirect',
  registration: 'open',
  secret: 'test',
  trustedProxies: [],
  fileQuotaBytes: 1_000_000_000,
  files: {
    bucket: undefined,
    former: undefined,
    region: 'us-east-1',
    endpoint: undefined,
    credentials: undefined,
    delivery: 'server',
    linkSeconds: 900,
  },
  freeCredits: '10',
  distributionLevels: [
    {threshold: '0', percentage: 10},
    {threshold: '100', percentage: 15},
  ],
  // Limits are not what most tests are about; those that are set it to 1.
  limitFactor: 10_000,
  exchangeRatesFile: undefined,
  callbackOrigins: [],
  providers: {
    sandbox: true,
    providers: [],
    prices: {},
    defaultPrice: {prompt: '0.01', completion: '0.03', answerCap: 1024},
    detectLocal: false,
    namesConversations: false,
  },
  payments: {packages: {general: [], service: [], services: {}}, orderMinutes: 60, sandbox: true, stripe: undefined},
  ...overrides,
})

type CallOptions = {
  token?: string
  body?: unknown
  /** `null` states none, as programs do. Default: the server's own page. */
  origin?: string | null
  headers?: Record<string, string>
  signal?: AbortSignal
}

export type TestUser = {user: UserRow; accessToken: string; tokens: IssuedTokens; familyId: string}

export type TestServer = {
  deps: ServerDeps
  handle: Handle
  /** A request as the page sends it. `path` is absolute, such as `/services/platform/api/v1/users/me`. */
  call: (method: string, path: string, options?: CallOptions) => Promise<Response>
  /** A user who is signed in. The first of a server is its operator, as in a real installation. */
  createUser: (options?: Partial<NewUser>) => Promise<TestUser>
  /** Moves the server's clock. The database's own `now()` stays. */
  advance: (milliseconds: number) => void
  /**
   * Lets the server's clock move by `advance` alone until the result is called: for tests that count seconds while a
   * busy machine spends real ones.
   */
  holdClock: () => () => void
  /** The connection of the owner; for a second process, and for tests of the database itself. */
  connection: pg.PoolConfig
  /** The connection of requests. */
  requests: pg.PoolConfig
  /** Lines that were logged. */
  logged: {level: string; message: string; fields: Record<string, unknown> | undefined}[]
  close: () => Promise<void>
}

export type TestServerOptions = {
  config?: Partial<Config>
  /** The routes under test; default: none. */
  routes?: (deps: ServerDeps) => readonly Route[]
  authenticate?: RouterOptions['authenticate']
  servePage?: RouterOptions['servePage']
  /** Builds the handler in another way, such as with `createApplication` of the whole server. */
  handler?: (deps: ServerDeps) => Handle | Promise<Handle>
  /** Another PostgreSQL than that of all tests. */
  cluster?: TestDatabase | undefined
  /** Settings of the connections for requests. */
  requests?: pg.PoolConfig | undefined
  /** A second process on the same database and data folder. */
  sharing?: TestServer
  deps?: Partial<ServerDeps>
  /** Fills a database that has nothing yet, instead of a copy of the migrated one. */
  restore?: (connection: pg.PoolConfig) => Promise<void>
}

/** A whole server without a port, on a fresh database. Close it in `afterAll`. */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const {administrator, owner, ownerRole, template} = options.cluster ?? inject('database')
  const name = `test_${randomBytes(8).toString('hex')}`
  if (!options.sharing)
    await administer(
      administrator,
      // the files of the template are copied: page by page through the log costs twice to four times as much
      `create database ${name} template ${options.restore ? 'template0' : template} strategy file_copy${ownerRole === undefined ? '' : ` owner ${ownerRole}`}`,
    )
  const connection = options.sharing?.connection ?? withDatabase(owner, name)
  await options.restore?.(connection)
  const dataDir = options.sharing?.deps.config.dataDir ?? mkdtempSync(join(tmpdir(), 'atrium-server-'))

  let offset = 0
  let heldAt: number | undefined
  const logged: TestServer['logged'] = []
  const at = (level: string) => (message: string, fields?: Record<string, unknown>) => {
    logged.push({level, message, fields})
  }
  const secrets = createSecrets(Buffer.from('test'))
  const requests = await prepareRequestLogin(connection, secrets)
  const config = testConfig(dataDir, options.config)
  const deps: ServerDeps = {
    config,
    database: openDatabase({...connection, max: 10}, {...requests, max: 10, ...options.requests}, silentLog),
    fileStores: await openFileStores(config),
    now: () => new Date((heldAt ?? Date.now()) + offset),
    log: {info: at('info'), warn: at('warn'), error: at('error')},
    secrets,
    ...options.deps,
  }
  const handle =
    (await options.handler?.(deps)) ??
    createRouter(deps, {
      routes: options.routes?.(deps) ?? [],
      authenticate: options.authenticate ?? createAuthenticate(deps),
      servePage: options.servePage,
    })

  return {
    deps,
    handle,
    connection,
    requests,
    logged,
    call: (method, path, callOptions) => handle(makeRequest(method, path, callOptions)),
    createUser: async ({password, ...facts} = {}) => {
      const user = await createUser(deps, {email: `${randomUUID()}@example.com`, nickname: 'foo', ...facts})
      if (user === undefined) throw new Error(`${facts.email} has an account already`)
      if (password !== undefined) {
        const passwordHash = cheapHash(password)
        await deps.database.asSystem((transaction) =>
          transaction.update(users).set({passwordHash}).where(eq(users.id, user.id)),
        )
      }
      const {tokens, familyId} = await issueTokens(deps, {userId: user.id, client: testOrigin})
      return {user, tokens, familyId, accessToken: tokens.access_token}
    },
    advance: (milliseconds) => {
      offset += milliseconds
    },
    holdClock: () => {
      heldAt = Date.now()
      return () => (heldAt = undefined)
    },
    close: async () => {
      await deps.database.close()
      if (options.sharing) return
      await administer(administrator, `drop database if exists ${name} with (force)`)
      rmSync(dataDir, {recursive: true, force: true})
    },
  }
}

function makeRequest(
  method: string,
  path: string,
  {token, body, origin = testOrigin, headers, signal}: CallOptions = {},
): Request {
  const isRaw =
    typeof body === 'string' ||
    body instanceof FormData ||
    body instanceof URLSearchParams ||
    body instanceof Uint8Array
  return new Request(new URL(path, testOrigin), {
    method,
    signal,
    headers: {
      ...(token === undefined ? {} : {authorization: `Bearer ${token}`}),
      ...(origin === null ? {} : {origin}),
      ...(body === undefined || isRaw ? {} : {'content-type': 'application/json'}),
      ...headers,
    },
    body: isRaw ? (body as BodyInit) : JSON.stringify(body), // checked in the line above
  })
}
