import type {Observable} from 'rxjs'
import type {LoginMessage} from '#contract/login-message.ts'
import type {ToolScreen} from '#contract/media/media-screen.ts'
import type {MediaTool, ToolIdentity} from '#contract/media/media-tool.ts'
import type {AnswerChannel} from '#browser/answer-channel.ts'
import type {BulkStorage} from '#browser/bulk-storage.ts'
import type {StoredText} from '#browser/stored-text.ts'
import type {CookieJar} from '#browser/cookies.ts'
import type {TabLock} from '#browser/locks.ts'
import type {Leadership} from '#browser/leadership.ts'
import type {LoginTransactions} from '#browser/login-transactions.ts'
import type {LoginReturn} from '#domain/login-return.ts'
import type {ClientConfig} from '#browser/page-config.ts'
import type {Page} from '#browser/page.ts'
import type {StateStorage} from '#browser/storage.ts'
import type {Tabs} from '#browser/tabs.ts'
import type {TaskChannel} from '#browser/task-channel.ts'
import type {Log} from '#domain/log.ts'
import type {PersistedState} from '#domain/persisted-state.ts'
import type {playerMachine, PlayerActor} from '#machines/player/player.machine.ts'

/** The media tools of this build, and rules and screen of one; undefined for a tool nobody knows. */
export type ToolManifest = {
  identities: readonly ToolIdentity[]
  loadTool: (id: string) => Promise<{tool: MediaTool; screen: ToolScreen} | undefined>
}

/** The browser's parts for media tools. */
export type MediaDeps = {
  channel: TaskChannel
  /** In [0, 1): the jitter of polls. */
  random: () => number
}

/** The chart of the player with its ports filled, and what keeps its state in the storage. */
export type LazyPlayer = {
  logic: typeof playerMachine
  follow: (deps: Pick<RootDeps, 'state'>, player: PlayerActor) => void
}

/** Everything the actors reach of the world outside. The browser's own in `browser-deps.ts`; fakes in tests. */
export type RootDeps = {
  config: ClientConfig
  fetch: typeof fetch
  createRequest: () => XMLHttpRequest
  /** The deltas of an answer that are read together are one event; otherwise every delta is. */
  joinsDeltas?: boolean
  state: StateStorage<PersistedState>
  bulk: BulkStorage
  /** Drafts that a page changed as it went. */
  leftDrafts: StoredText
  /** The flows that the pages before this one noted in its tab. */
  leftFlow: StoredText
  /** Mark of the user whose page the tab shows. */
  tabUser: StoredText
  cookies: CookieJar
  tabs: Tabs
  lock: TabLock
  leadership: Leadership
  /** By locks alone, which the browser takes from a tab that closes, and from none that sleeps; undefined without. */
  lockLeadership: Leadership | undefined
  /** Loaded with the first answer that is followed. */
  openAnswerChannel: () => Promise<AnswerChannel>
  /** The login attempts of this browser, loaded with the first. */
  transactions: () => Promise<LoginTransactions>
  page: Page
  /** The answer of the login page in the address; taken out before anything else ran (security R11). */
  loginReturn: LoginReturn | undefined
  /** Messages of the embedded login page; `state` is that of the attempt shown at that moment. */
  loginMessages$: (state: () => string | undefined) => Observable<LoginMessage>
  /** The page's address as it is now. */
  address: () => URL
  /** Browser's language and user agent. */
  language: string
  userAgent: string
  navigate: (url: string) => void
  reload: () => void
  loadLanguage: (locale: string) => Promise<void>
  timers: {
    now: () => number
    setTimeout: (callback: () => void, milliseconds: number) => ReturnType<typeof setTimeout>
    clearTimeout: (handle: ReturnType<typeof setTimeout>) => void
  }
  /** The media tools of this build, as far as the first screen names them. */
  tools: readonly Pick<ToolIdentity, 'id' | 'name'>[]
  loadTools: () => Promise<ToolManifest>
  /** Loads the browser's parts for media tools, when a tool is used. */
  openMedia: () => Promise<MediaDeps>
  /** The chart of the player with the sound of the browser; loaded with the first song. */
  openPlayer: () => Promise<LazyPlayer>
  createUuid: () => string
  createSecret: () => string
  createChallenge: (verifier: string) => Promise<string>
  log: Log
}
