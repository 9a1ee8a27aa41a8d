import {defer, mergeMap} from 'rxjs'
import {createSecret, createUuid} from '#api/random.ts'
import {sleep} from '#api/deadline.ts'
import {openBulkStore} from '#browser/bulk-database.ts'
import {createBulkJournal} from '#browser/bulk-journal.ts'
import {createBulkStorage} from '#browser/bulk-storage.ts'
import {rememberBulkUsage} from '#browser/bulk-usage.ts'
import {createCookieJar} from '#browser/cookies.ts'
import {createStoredText} from '#browser/stored-text.ts'
import {createTabLock} from '#browser/locks.ts'
import {createLeadership, createLockLeadership} from '#browser/leadership.ts'
import {readPageConfig, type BuildEnvironment} from '#browser/page-config.ts'
import {createPage} from '#browser/page.ts'
import {createStateStorage, openStorage} from '#browser/storage.ts'
import {createTabs} from '#browser/tabs.ts'
import {takeLoginReturn} from '#browser/take-login-return.ts'
import {cookieDomain} from '#domain/cookie-domain.ts'
import {boundState, foreignParts, isOfBrowser, shrinkState, validateState} from '#domain/persisted-state.ts'
import {serviceBases} from '#domain/service-bases.ts'
import {loadPart} from '#ui/load-part.ts'
import type {RootDeps} from './root-deps.ts'

type Options = Pick<RootDeps, 'tools' | 'loadTools'> & {
  /** Sends every call of the app. */
  send: typeof fetch
  loadLanguage: (locale: string) => Promise<void>
  /** Id of the embedded login page's frame. */
  loginFrameId: string
  environment: BuildEnvironment
  log: RootDeps['log']
}

/** The browser this page runs in. Call first of all: it takes a login code out of the address (security R11). */
export function createBrowserDeps({
  send,
  loadLanguage,
  loginFrameId,
  environment,
  log,
  tools,
  loadTools,
}: Options): RootDeps {
  const loginReturn = takeLoginReturn()
  const now = () => Date.now()
  const local = openStorage('localStorage')
  const session = openStorage('sessionStorage')
  const config = readPageConfig({page: document, environment, table: serviceBases(location.origin), log})
  const lease = {storage: local, now, sleep: (milliseconds: number) => sleep(milliseconds), createId: createUuid}
  // as: browsers on plain http have no locks, whatever the DOM types promise
  const locks = navigator.locks as LockManager | undefined
  const withoutLocks = () => loadPart(() => import('#browser/without-locks.ts'))
  const createChannel =
    typeof BroadcastChannel === 'undefined' ? undefined : (name: string) => new BroadcastChannel(name)
  return {
    config,
    fetch: send,
    createRequest: () => new XMLHttpRequest(),
    joinsDeltas: true,
    state: createStateStorage({
      storage: local,
      view: window,
      rules: {validate: validateState, bound: boundState, shrink: shrinkState, foreign: foreignParts, isOfBrowser},
      now,
      log,
    }),
    bulk: createBulkStorage(
      () => openBulkStore(loadPart),
      log,
      rememberBulkUsage(local),
      createBulkJournal(createStoredText(local, 'atrium.journal')),
    ),
    leftDrafts: createStoredText(local, 'atrium.drafts'),
    leftFlow: createStoredText(session, 'atrium.flow'),
    tabUser: createStoredText(session, 'atrium.tab-user'),
    cookies: createCookieJar({
      page: document,
      address: location,
      domain: cookieDomain(location.hostname, config.cookieDomain),
    }),
    tabs: createTabs({
      view: window,
      createChannel,
      storage: local,
      createId: createUuid,
    }),
    lock: createTabLock(locks, lease.sleep, async () => (await withoutLocks()).createLeaseLock(lease)),
    leadership: createLeadership(locks, async () => (await withoutLocks()).createLeaseLeadership(lease)),
    lockLeadership: locks && createLockLeadership(locks),
    openAnswerChannel: async () =>
      (await loadPart(() => import('#browser/answer-channel.ts'))).createAnswerChannel(createChannel),
    transactions: async () => {
      const {createLoginTransactions, createCookieStore} = await loadPart(
        () => import('#browser/login-transactions.ts'),
      )
      return createLoginTransactions(session, createCookieStore())
    },
    page: createPage(),
    loginReturn,
    loginMessages$: (state) =>
      // the frame that speaks is loaded after it
      defer(() => loadPart(() => import('#browser/login-messages.ts'))).pipe(
        mergeMap(({loginMessages$}) =>
          loginMessages$({
            origin: new URL(config.auth).origin,
            source: () => {
              const frame = document.getElementById(loginFrameId)
              return frame instanceof HTMLIFrameElement ? frame.contentWindow : undefined
            },
            get state() {
              return state()
            },
          }),
        ),
      ),
    address: () => new URL(location.href),
    language: navigator.language,
    userAgent: navigator.userAgent,
    navigate: (url) => location.assign(url),
    reload: () => location.reload(),
    loadLanguage,
    timers: {
      now,
      setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
      clearTimeout: (handle) => clearTimeout(handle),
    },
    tools,
    loadTools,
    openMedia: async () => (await loadPart(() => import('./media/browser-media-deps.ts'))).createBrowserMediaDeps(),
    openPlayer: async () => (await loadPart(() => import('./media/browser-player.ts'))).createBrowserPlayer(),
    createUuid,
    createSecret,
    createChallenge: async (verifier) => (await loadPart(() => import('#api/pkce.ts'))).createChallenge(verifier),
    log,
  }
}
