import {NEVER, of, Subject} from 'rxjs'
import {onTestFinished} from 'vitest'
import type {LoginMessage} from '#contract/login-message.ts'
import {createBulkStorage} from '#browser/bulk-storage.ts'
import {createLoginTransactions} from '#browser/login-transactions.ts'
import {createStateStorage} from '#browser/storage.ts'
import type {CookieValues} from '#browser/cookies.ts'
import type {TabFact} from '#browser/tabs.ts'
import {boundState, foreignParts, isOfBrowser, shrinkState, validateState} from '#domain/persisted-state.ts'
import {createRoot} from '#app/logic/root.ts'
import type {RootDeps} from '#app/logic/root-deps.ts'
import {createFakeStorage} from '../browser/fake-storage.ts'

export const hub = 'https://hub.test'
export const state = 'state-of-at-least-128-bits'
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {status, headers: {'content-type': 'application/json'}})

type StoredApplication = {id: string; scope: string; type: string; credentials: unknown[]; remaining_amount?: number}
const general = (): StoredApplication => ({id: 'app', scope: 'Global', type: 'Usage', credentials: []})

/** A back end in a few lines: one user, one application, answers that the test writes. */
export function createBackend() {
  const calls: string[] = []
  const server = {
    /** Access tokens it knows. */
    tokens: new Set(['access-1']),
    applications: [general()],
    conversations: [] as {id: string; revision?: string; [field: string]: unknown}[],
    siteOrigin: hub as string | undefined,
    capabilities: ['resume', 'stop', 'idempotency'],
    answers: 0,
    /** Text of the event stream of the next answer, whose message `m-1` gets the number of the answer. */
    answer:
      'data: {"id":"c-1","message":"m-1","attempt":1,"delta_answer":""}\n\nid: 1\ndata: {"id":"c-1","delta_answer":"bar"}\n\ndata: [DONE]\n\n',
    /** Credential tokens it refuses. */
    refusedCredentials: new Set<string>(),
    credentials: 0,
    /** The application `plan`, which is in no list. */
    plan: undefined as Record<string, unknown> | undefined,
    /** Service and applications are refused. */
    user: {id: 'u-1', nickname: 'Foo'},
    refusesSetUp: false,
  }
  const isKnown = (headers: Headers) => server.tokens.has(headers.get('authorization')?.replace('Bearer ', '') ?? '')

  const manage = (method: string, path: string): Response => {
    if (server.refusesSetUp && /^\/(services|applications)\//.test(path)) return json({code: 'forbidden'}, 403)
    switch (`${method} ${path}`) {
      case 'GET /users/me':
        return json(server.user)
      case 'GET /applications/':
        return json({count: server.applications.length, items: server.applications})
      case 'GET /applications/plan':
        return server.plan === undefined ? json({code: 'not_found'}, 404) : json(server.plan)
      case 'POST /applications/':
        server.applications = [general()]
        return json(server.applications[0])
      case 'POST /credentials/':
        server.credentials += 1
        return json({
          id: `k-${server.credentials}`,
          token: `key-${server.credentials}`,
          host: hub,
          application_id: 'app',
        })
      case 'POST /sites/initialize/':
        return json({id: 's', origin: hub, title: 'Foo'})
      case 'POST /exchange-rate':
        return json({rate: 0.9})
      default:
        return path.startsWith('/services/')
          ? json({id: 'service', metadata: {capabilities: server.capabilities}})
          : json({code: 'not_found'}, 404)
    }
  }
  const chat = (body: {action?: string; id?: string; ids?: string[]}, credential: string): Response => {
    if (server.refusedCredentials.has(credential)) return json({error: {code: 'invalid_token', message: 'no'}}, 401)
    if (body.action === 'retrieve_batch') {
      const items = server.conversations.filter(({id}) => body.ids?.includes(id) ?? true)
      return json({count: items.length, items})
    }
    if (body.action === 'revisions')
      return json({revisions: Object.fromEntries(server.conversations.map(({id, revision}) => [id, revision]))})
    if (body.action === 'retrieve') return json({id: body.id, messages: []})
    if (body.action !== undefined) return json({})
    server.answers += 1
    const text = server.answer.replaceAll('"m-1"', `"m-${server.answers}"`)
    return new Response(text, {headers: {'content-type': 'text/event-stream'}})
  }
  const fetch: typeof globalThis.fetch = async (address, init = {}) => {
    const url = new URL(address instanceof Request ? address.url : address)
    const method = init.method?.toUpperCase() ?? 'GET'
    const headers = new Headers(init.headers)
    // as: this app sends JSON text only
    const body = (init.body ? JSON.parse(init.body as string) : {}) as {
      action?: string
      id?: string
      ids?: string[]
      grant_type?: string
    }
    calls.push(`${method} ${url.pathname}${body.action ? ` ${body.action}` : ''}`)
    init.signal?.throwIfAborted()
    if (url.pathname === '/oauth2/v1/token') {
      const access = body.grant_type === 'refresh_token' ? 'access-2' : 'access-1'
      server.tokens.add(access)
      return json({access_token: access, refresh_token: `refresh-${access}`, expires_in: 900})
    }
    if (url.pathname === '/oauth2/v1/revoke') return json({})
    if (url.pathname === '/aichat/conversations')
      return chat(body, headers.get('authorization')?.replace('Bearer ', '') ?? '')
    const path = url.pathname.replace('/api/v1', '')
    if (method === 'GET' && path === '/sites/')
      return json({count: 1, items: [{id: 's', title: 'Foo', ...(server.siteOrigin && {origin: server.siteOrigin})}]})
    return path === '/exchange-rate' || isKnown(headers) ? manage(method, path) : json({code: 'unauthorized'}, 401)
  }
  return {fetch, calls, server}
}

type Options = {
  backend?: ReturnType<typeof createBackend>
  stored?: Record<string, unknown>
  href?: string
  loginReturn?: RootDeps['loginReturn']
  /** A login this tab began. */
  begun?: boolean
  capabilities?: string[]
  loginFlow?: 'redirect' | 'popup'
  /** The items that an earlier page left in the bulk storage. */
  bulkItems?: Map<string, unknown>
  /** The network state of the browser when the page opens. */
  isOnline?: boolean
  isVisible?: boolean
  /** Unix milliseconds. */
  now?: number
  /** Media tools of this build, and what they need of the browser. */
  media?: Pick<RootDeps, 'tools' | 'loadTools' | 'openMedia' | 'openPlayer'>
  /** The hook of a test that runs beside others: Vitest does not know by itself whose end it is. */
  onTestFinished?: typeof onTestFinished
}

const withoutMedia: NonNullable<Options['media']> = {
  tools: [],
  loadTools: async () => ({identities: [], loadTool: async () => undefined}),
  openMedia: () => Promise.reject(new Error('No media tool is used here')),
  openPlayer: () => Promise.reject(new Error('No song is played here')),
}

/** Timers of the browser, which end together: what a stopped root still wants to do later happens in no other test. */
function createTimers(now: number) {
  const running = new Set<ReturnType<typeof setTimeout>>()
  const timers: RootDeps['timers'] = {
    now: () => now,
    setTimeout: (run, milliseconds) => {
      const timer = setTimeout(run, milliseconds)
      running.add(timer)
      return timer
    },
    clearTimeout,
  }
  return {timers, stop: () => running.forEach((timer) => clearTimeout(timer))}
}

/** The whole root on fake ports: storage, tabs, page and network of one tab. Time stands still. Ends with its test. */
export function createWorld(options: Options = {}) {
  const {backend = createBackend(), href = `${hub}/chatgpt?foo=bar`, capabilities = ['pkce', 'refresh']} = options
  const {now = 1_000_000} = options
  const local = createFakeStorage()
  if (options.stored) local.items.set('vuex', JSON.stringify(options.stored))
  const session = createFakeStorage()
  const transactions = createLoginTransactions(session.storage)
  if (options.begun) {
    transactions.begin({
      state,
      verifier: 'v'.repeat(43),
      returnPath: '/chatgpt',
      redirectUri: `${hub}/auth/callback`,
      createdAt: now - 1_000,
    })
  }
  const view = Object.assign(new EventTarget(), {
    document: Object.assign(new EventTarget(), {visibilityState: 'visible'}),
  })
  const navigations: string[] = []
  const reports: TabFact[] = []
  const logged: string[] = []
  const cookies: CookieValues = {}
  const bulkItems = options.bulkItems ?? new Map<string, unknown>()
  const events = {
    tabs: new Subject<TabFact>(),
    online: new Subject<boolean>(),
    leaving: new Subject<void>(),
    restored: new Subject<void>(),
    visible: new Subject<boolean>(),
    login: new Subject<LoginMessage>(),
  }
  const pageTimers = createTimers(now)
  let ids = 0
  const deps: RootDeps = {
    config: {
      mode: 'production',
      hub,
      platform: 'https://platform.test',
      auth: 'https://auth.test',
      api: 'https://api.test',
      loginFlow: options.loginFlow ?? 'redirect',
      capabilities,
    },
    fetch: backend.fetch,
    createRequest: () => {
      throw new Error('Nothing is uploaded here')
    },
    state: createStateStorage({
      storage: local.storage,
      // as: the storage listens to two events of a window and its document, and these are
      view: view as unknown as Window,
      rules: {validate: validateState, bound: boundState, shrink: shrinkState, foreign: foreignParts, isOfBrowser},
      now: () => now,
      log: (message) => logged.push(message),
    }),
    leftDrafts: {read: () => undefined, write: () => undefined},
    leftFlow: {read: () => undefined, write: () => undefined},
    tabUser: {read: () => undefined, write: () => undefined},
    bulk: createBulkStorage(
      async () => ({
        getItem: async (key) => bulkItems.get(key) ?? null,
        setItem: async (key, value) => bulkItems.set(key, value),
        removeItem: async (key) => void bulkItems.delete(key),
        keys: async () => [...bulkItems.keys()],
      }),
      (message) => logged.push(message),
    ),
    cookies: {
      read: () => ({...cookies}),
      writeInviter: (id) => void (cookies.inviterId = id),
      writeTheme: (theme) => void (cookies.theme = theme),
      writeLocale: (locale) => void (cookies.locale = locale),
    },
    tabs: {tell: (fact) => reports.push(fact), facts$: events.tabs, close: () => {}},
    lock: (_, work) => work(),
    leadership: () => of({type: 'leader.won' as const}),
    lockLeadership: undefined,
    openAnswerChannel: async () => ({tell: () => undefined, words$: () => NEVER}),
    transactions: async () => transactions,
    page: {
      setSite: () => {},
      setTheme: () => {},
      isOnline: () => options.isOnline ?? true,
      online$: events.online,
      systemTheme: () => 'dark',
      systemTheme$: NEVER,
      leaving$: events.leaving,
      restored$: events.restored,
      isVisible: () => options.isVisible ?? true,
      visible$: events.visible,
    },
    loginReturn: options.loginReturn,
    loginMessages$: () => events.login,
    address: () => new URL(href),
    language: 'en-US',
    userAgent: 'test',
    navigate: (url) => navigations.push(url),
    reload: () => navigations.push('reload'),
    loadLanguage: async () => {},
    timers: pageTimers.timers,
    ...(options.media ?? withoutMedia),
    createUuid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    createSecret: () => `secret-${String((ids += 1)).padStart(40, '0')}`,
    createChallenge: async (verifier) => `challenge-of-${verifier}`,
    log: (message) => logged.push(message),
  }
  const root = createRoot(deps)
  const onEnd = options.onTestFinished ?? onTestFinished
  onEnd(async () => {
    root.stop()
    pageTimers.stop()
    deps.state.close()
    await deps.bulk.flush()
  })
  const stored = () => {
    deps.state.flush()
    return JSON.parse(local.items.get('vuex') ?? '{}') as Record<string, unknown>
  }
  /** Another tab writes the store: it is there first and then told, as browsers do. */
  const storeElsewhere = (next: Record<string, unknown>) => {
    const [oldValue, newValue] = [local.items.get('vuex') ?? null, JSON.stringify(next)]
    local.items.set('vuex', newValue)
    const event = {key: 'vuex', oldValue, newValue, storageArea: local.storage}
    view.dispatchEvent(Object.assign(new Event('storage'), event))
  }
  return {root, deps, backend, navigations, reports, logged, cookies, events, bulkItems, stored, storeElsewhere}
}
