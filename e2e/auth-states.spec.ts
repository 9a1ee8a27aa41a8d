import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {authMachine, type AuthSnapshot} from '#machines/auth/auth.machine.ts'
import type {AuthInput, LoginFlow} from '#machines/auth/auth.types.ts'
import {composer, enter, expect, newUser, test} from './fixtures.ts'
import {
  graphOf,
  leavesOf,
  restingStates,
  sender,
  takeWay,
  waysToAll,
  wholeWays,
  type Chart,
  type LeafOf,
} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {Installation} from './support/installation.ts'
import {loginFrame, registerInFrame} from './support/login-frame.ts'
import {parseKept} from './support/private-data.ts'
import {blankTab, storedState} from './support/signed-in.ts'
import type {SignedIn} from './support/users.ts'

/* The page shows each resting state of its sign-in, in both flows: one test for each way through it, generated from the machine. */

/** What takes the code reads this tab's storage and settles in the turn it begins in: no page rests in it. */
type Passing = 'claiming'
/** Those that `always` leads on from. */
type Transient = 'resuming' | 'expired' | 'signedIn.deciding'
/** What a user can tell apart, and `no page` before one is opened. */
type Shown =
  | Exclude<LeafOf<typeof authMachine>, Passing | Transient>
  | 'no page'
  | 'identifying a token that lasts'
  | 'signedOut after a failure'
  | 'redirecting.starting after signing out'
  | 'popup.open after a failure'

type Sign = AuthSnapshot | undefined
type Effect = (snapshot: Sign) => Sign

const send = sender(authMachine)
const refused = {actorId: '', error: {status: 401, code: 'unauthorized', detail: 'foo'}}
const failed = {actorId: '', error: {status: 404, code: 'not_found', detail: 'foo'}}
const user = {id: 'u'}
const tokenOf = (access: string) => ({access, refresh: 'r', expiration: 900, receivedAt: 1, refreshAt: 1, userId: 'u'})
const {refresh: _, ...lasting} = tokenOf('a')

const begin = (flow: LoginFlow, restored: AuthInput['restored'] = {}) => {
  // as: nobody hears the facts of the machine here, and the browser is not asked
  const input = {environment: {}, parentRef: {send: () => undefined}, flow, epoch: 0, canRefresh: true, restored}
  return initialTransition(authMachine, input as unknown as AuthInput)[0]
}

function shownBy(snapshot: Sign): Shown {
  if (snapshot === undefined) return 'no page'
  const {token, reason, failure} = snapshot.context
  if (snapshot.matches('identifying') && token?.refresh === undefined) return 'identifying a token that lasts'
  if (snapshot.matches('signedOut') && failure !== undefined) return 'signedOut after a failure'
  if (snapshot.matches({redirecting: 'starting'}) && reason === 'logout')
    return 'redirecting.starting after signing out'
  if (snapshot.matches({popup: 'open'}) && failure !== undefined) return 'popup.open after a failure'
  return leavesOf(snapshot.value)[0] as Shown // as: the other leaves are shown under their name
}

const where =
  (shown: readonly Shown[], then: (snapshot: AuthSnapshot) => AuthSnapshot): Effect =>
  (snapshot) =>
    snapshot !== undefined && shown.includes(shownBy(snapshot)) ? then(snapshot) : undefined
const open =
  (then: () => AuthSnapshot): Effect =>
  (snapshot) =>
    snapshot === undefined ? then() : undefined

/** Start-up asks for the login where nobody is signed in. */
const askForLogin = (snapshot: AuthSnapshot) =>
  snapshot.matches('signedOut') ? send(snapshot, {type: 'login.request'}) : snapshot

const fetching = ['identifying', 'identifying a token that lasts', 'confirming', 'popup.identifying'] as const
/** The end of the actor that reads the user, whichever state asked. */
const readUser = (snapshot: AuthSnapshot, end: {output: typeof user} | typeof failed) => {
  const id = snapshot.matches('popup') ? 'fetchPopupUser' : 'fetchUser'
  return 'output' in end
    ? send(snapshot, {type: `xstate.done.actor.${id}`, actorId: '', ...end})
    : send(snapshot, {type: `xstate.error.actor.${id}`, ...end})
}

// ---- by navigation -----------------------------------------------------------------------------------------------

type Action =
  | 'open while cookies are forbidden'
  | 'open with a session'
  | 'open with a token that lasts'
  | 'open with nothing'
  | 'retry'
  | 'user comes'
  | 'user is refused'
  | 'user does not come'
  | 'token comes'
  | 'token is refused'
  | 'token does not come'
  | 'time to refresh comes'
  | 'wait ends'
  | 'another tab signs out'
  | 'sign out'
  | 'sign-out ends'
  | 'way to the login comes'
  | 'way to the login comes once too often'
  | 'way to the login does not come'
  | 'ask again'
  | 'sign in'

const starting = ['redirecting.starting', 'redirecting.starting after signing out'] as const
const renewals = {renewing: 'renewToken', 'signedIn.refreshing': 'refreshToken', exchanging: 'exchangeCode'} as const
const renewing = ['renewing', 'signedIn.refreshing', 'exchanging'] as const
const endToken = (snapshot: AuthSnapshot, end: {output: ReturnType<typeof tokenOf>} | typeof failed) => {
  const id = renewals[shownBy(snapshot) as keyof typeof renewals] // as: one of `renewing`
  return 'output' in end
    ? send(snapshot, {type: `xstate.done.actor.${id}`, actorId: '', ...end})
    : send(snapshot, {type: `xstate.error.actor.${id}`, ...end})
}
const toSignIn = (kind: 'leaving' | 'loop') => (snapshot: AuthSnapshot) =>
  send(snapshot, {
    type: `xstate.done.actor.${snapshot.matches({redirecting: 'forcing'}) ? 'forceLogin' : 'startLogin'}`,
    actorId: '',
    output: {kind},
  })

const redirect: Chart<Sign, Action, Shown> = {
  start: () => undefined,
  shownBy,
  effects: {
    'open while cookies are forbidden': open(() => begin('redirect', {token: tokenOf('a')})),
    'open with a session': open(() => send(begin('redirect', {token: tokenOf('a')}), {type: 'session.resume'})),
    'open with a token that lasts': open(() => send(begin('redirect', {token: lasting}), {type: 'session.resume'})),
    'open with nothing': open(() => askForLogin(send(begin('redirect'), {type: 'session.resume'}))),
    retry: where(['undecided', 'unreachable'], (snapshot) => send(snapshot, {type: 'session.resume'})),
    'user comes': where(fetching, (snapshot) => readUser(snapshot, {output: user})),
    'user is refused': where(['identifying', 'confirming'], (snapshot) => askForLogin(readUser(snapshot, refused))),
    'user does not come': where(['identifying', 'confirming'], (snapshot) => readUser(snapshot, failed)),
    'token comes': where(renewing, (snapshot) => endToken(snapshot, {output: tokenOf('b')})),
    'token is refused': where(renewing, (snapshot) => {
      const next = endToken(snapshot, refused)
      // a code that was spent in vain is told; nothing is asked for in its place
      return next.context.failure === undefined ? askForLogin(next) : next
    }),
    'token does not come': where(['renewing', 'signedIn.refreshing'], (snapshot) => endToken(snapshot, failed)),
    'time to refresh comes': where(['signedIn.fresh'], (snapshot) =>
      send(snapshot, {type: 'xstate.done.actor.sleepUntil', actorId: ''}),
    ),
    'wait ends': where(['signedIn.waiting'], (snapshot) =>
      send(snapshot, {type: 'xstate.after.refreshDelay.auth.signedIn.waiting'}),
    ),
    'another tab signs out': where(['signedIn.fresh'], (snapshot) => send(snapshot, {type: 'session.ended', epoch: 1})),
    'sign out': where(['signedIn.fresh'], (snapshot) => send(snapshot, {type: 'logout.request'})),
    'sign-out ends': where(['signingOut'], (snapshot) =>
      send(snapshot, {type: 'xstate.done.actor.endSession', actorId: '', output: {epoch: 1}}),
    ),
    'way to the login comes': where([...starting, 'redirecting.forcing'], toSignIn('leaving')),
    'way to the login comes once too often': where(['redirecting.starting'], toSignIn('loop')),
    'way to the login does not come': where(['redirecting.starting after signing out'], (snapshot) =>
      send(snapshot, {type: 'xstate.after.callDeadline.auth.redirecting.starting'}),
    ),
    'ask again': where(['redirecting.failed', 'redirecting.looping'], (snapshot) => {
      const next = send(snapshot, {type: 'login.request'})
      // what leads there has come already
      return snapshot.matches({redirecting: 'looping'}) ? toSignIn('leaving')(next) : next
    }),
    'sign in': where(['redirecting.leaving'], () =>
      send(
        begin('redirect'),
        {type: 'code.received', code: 'c', state: 's'},
        {type: 'xstate.done.actor.claimCode', actorId: '', output: {code: 'c', isOurs: true}},
      ),
    ),
  },
}

/** Sentence of the page over all others, and how many frames there are. */
type Told = {sentence: string; frames: number}

/** What the page tells of itself at each change: the browser answers no question while the test holds a navigation. */
async function listenTo(page: Page): Promise<Told> {
  const told: Told = {sentence: '', frames: 0}
  await page.exposeFunction('tell', (now: Told) => Object.assign(told, now))
  await page.addInitScript(() => {
    if (window !== window.top) return
    // as: exposed above
    const {tell} = window as unknown as {tell: (now: Told) => void}
    new MutationObserver(() => {
      const sentence = document.querySelector('section [role=status]')?.textContent ?? ''
      tell({sentence, frames: document.querySelectorAll('iframe').length})
    }).observe(document, {childList: true, subtree: true, characterData: true})
  })
  return told
}
const isLeft = (told: Told) => expect.poll(() => told).toEqual({sentence: 'Taking you to sign in…', frames: 0})

type Hands = {
  page: Page
  told: Told
  url: string
  signedIn: SignedIn
  /** Reads the user of a token. */
  me: HeldRoute
  /** Gives tokens for a code or a refresh token. */
  tokens: HeldRoute
  revoke: HeldRoute
  /** The script that knows the way to the login page. */
  part: HeldRoute
  /** Navigations to pages of the auth service. */
  pages: HeldRoute
  /** Opens the chat in a browser that kept this. */
  openWith: (state: object) => Promise<void>
}

/** What stands over the page; the page of the callback may say the same below it. */
const gate = (page: Page, role: 'status' | 'alert', title: string) =>
  page.getByRole(role).filter({hasText: title}).last()
const kept = async (page: Page) => parseKept(await storedState(page))
const forbidden = 'cookies are forbidden'
const jump = (page: Page, milliseconds: number) => page.clock.fastForward(milliseconds)

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'open while cookies are forbidden': async ({page, signedIn, openWith}) => {
    await page.addInitScript((name) => {
      const {get, set} = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') ?? {}
      Object.defineProperty(Document.prototype, 'cookie', {
        configurable: true,
        get,
        set(text: string) {
          if (sessionStorage.getItem(name) !== null) throw new DOMException('forbidden', 'SecurityError')
          set?.call(this, text)
        },
      })
    }, forbidden)
    await page.evaluate((name) => sessionStorage.setItem(name, ''), forbidden)
    await openWith({token: parseKept(signedIn.state).token})
  },
  'open with a session': ({signedIn, openWith}) => openWith({token: parseKept(signedIn.state).token}),
  'open with a token that lasts': ({signedIn, openWith}) => {
    const {refresh: _refresh, ...token} = parseKept(signedIn.state).token
    return openWith({token})
  },
  'open with nothing': ({openWith}) => openWith({}),
  retry: async ({page}) => {
    await page.evaluate((name) => sessionStorage.removeItem(name), forbidden)
    await page.getByRole('button', {name: 'Retry'}).click()
  },
  'user comes': ({me}) => letOnce(me, goOn),
  'user is refused': ({me}) => letOnce(me, refuseWith(401, 'unauthorized')),
  'user does not come': ({me}) => letOnce(me, refuseWith(404, 'not_found')),
  'token comes': ({tokens}) => letOnce(tokens, goOn),
  'token is refused': ({tokens}) => letOnce(tokens, refuseWith(401, 'invalid_grant')),
  'token does not come': async ({page, tokens}) => {
    // the wait that may follow is shorter than a look at it
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
    await letOnce(tokens, refuseWith(404, 'not_found'))
  },
  'time to refresh comes': ({page, tokens}) => {
    tokens.asked = 0
    // four fifths of the 15 minutes that a token lives
    return jump(page, 13 * 60_000)
  },
  'wait ends': ({page}) => jump(page, 1_000),
  'another tab signs out': async ({page, url}) => {
    const other = await page.context().newPage()
    await other.goto(`${url}/chatgpt/conversations`)
    await signOut(other)
    await other.getByRole('button', {name: 'Sign in'}).waitFor()
    await other.close()
  },
  'sign out': ({page}) => signOut(page),
  'sign-out ends': ({revoke}) => letOnce(revoke, goOn),
  'way to the login comes': ({part}) => letOnce(part, goOn),
  'way to the login comes once too often': async ({page, part}) => {
    await page.evaluate(() => {
      const now = Date.now()
      sessionStorage.setItem('atrium.login-redirects', JSON.stringify([now - 3, now - 2, now - 1]))
    })
    await letOnce(part, goOn)
  },
  'way to the login does not come': ({page}) => jump(page, 16_000),
  'ask again': ({page}) => page.getByRole('button', {name: /^(Go to sign in|Retry)$/}).click(),
  'sign in': async ({page, pages, signedIn}) => {
    await letOnce(pages, goOn)
    await pages.let(goOn)
    await enter(page, signedIn.user)
  },
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Account', exact: true}).click()
  await page.getByRole('menuitem', {name: 'Log out'}).click()
}

const isStarting = async ({page, part, pages}: Hands) => {
  await expect(gate(page, 'status', 'Taking you to sign in…')).toBeVisible()
  await expect.poll(() => part.held).toBe(1)
  expect(pages.asked).toBe(0)
}
const isUnderWay = async ({page, pages}: Hands) => {
  await expect(composer(page)).toBeEnabled()
  expect(pages.asked).toBe(pages.held)
}
const identifies = async ({page, me, tokens}: Hands) => {
  await expect.poll(() => me.held).toBe(1)
  expect(tokens.held).toBe(0)
  await expect(gate(page, 'status', 'Taking you to sign in…')).toHaveCount(0)
}

const expectedByNavigation: {[Name in Exclude<Shown, `popup.${string}`>]: (hands: Hands) => Promise<unknown>} = {
  'no page': async ({me}) => expect(me.asked).toBe(0),
  undecided: async ({page, me, tokens}) => {
    await expect(gate(page, 'alert', "Atrium couldn't start.")).toBeVisible()
    expect([me.asked, tokens.asked]).toEqual([0, 0])
  },
  identifying: identifies,
  'identifying a token that lasts': identifies,
  renewing: async ({me, tokens}) => {
    await expect.poll(() => tokens.held).toBe(1)
    expect(me.held).toBe(0)
  },
  confirming: async (hands) => {
    await identifies(hands)
    const {access} = parseKept(hands.signedIn.state).token
    expect((await kept(hands.page)).token.access).not.toBe(access)
  },
  exchanging: async ({page, me, tokens}) => {
    await expect.poll(() => tokens.held).toBe(1)
    expect(me.held).toBe(0)
    // the code and what it was asked for with are spent
    expect(page.url()).not.toMatch(/[?&](code|state)=/)
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => /\.login\./.test(key)))).toEqual([])
  },
  unreachable: async ({page}) => {
    await expect(gate(page, 'alert', "Atrium couldn't start.")).toBeVisible()
    expect((await kept(page)).token.refresh).toBeDefined()
  },
  signedOut: async ({page}) => {
    await expect(gate(page, 'status', 'Sign in again to continue.')).toBeVisible()
    expect((await kept(page)).token).toBeUndefined()
  },
  'signedOut after a failure': async ({page}) => {
    await expect(gate(page, 'alert', "Sign-in didn't finish.")).toBeVisible()
    expect((await kept(page)).token).toBeUndefined()
  },
  'signedIn.fresh': async (hands) => {
    await isUnderWay(hands)
    expect(hands.tokens.held).toBe(0)
    expect((await kept(hands.page)).token.refresh).toBeDefined()
  },
  'signedIn.lasting': async (hands) => {
    await isUnderWay(hands)
    expect((await kept(hands.page)).token.refresh).toBeUndefined()
  },
  'signedIn.refreshing': async (hands) => {
    await expect.poll(() => hands.tokens.held).toBe(1)
    await isUnderWay(hands)
  },
  'signedIn.waiting': async (hands) => {
    await isUnderWay(hands)
    expect([hands.tokens.asked, hands.tokens.held]).toEqual([1, 0])
    expect((await kept(hands.page)).token.refresh).toBeDefined()
  },
  signingOut: async ({page, revoke}) => {
    await expect(gate(page, 'status', 'Taking you to sign in…')).toBeVisible()
    await expect.poll(() => revoke.asked).toBe(1)
    expect((await kept(page)).token).toBeUndefined()
  },
  'redirecting.starting': isStarting,
  'redirecting.starting after signing out': isStarting,
  'redirecting.forcing': isStarting,
  'redirecting.leaving': async ({told, pages}) => {
    await expect.poll(() => pages.held).toBe(1)
    await isLeft(told)
  },
  'redirecting.looping': async ({page, pages}) => {
    await expect(gate(page, 'alert', 'Sign-in keeps coming back here.')).toBeVisible()
    expect(pages.asked).toBe(0)
  },
  'redirecting.failed': async ({page, pages}) => {
    await expect(gate(page, 'alert', "Sign-in didn't finish.")).toBeVisible()
    expect(pages.asked).toBe(0)
  },
}

const redirectGraph = graphOf(redirect)

for (const [shown, way] of wholeWays(waysToAll(redirectGraph, 'no page'))) {
  test(
    `the page shows each state of a sign-in on its way to ${shown}`,
    long,
    async ({context, installation, signedIn}) => {
      const {url} = installation
      const page = await blankTab(context, url, {state: '{}'})
      await page.clock.install()
      const hands: Hands = {
        page,
        told: await listenTo(page),
        url,
        signedIn,
        me: await HeldRoute.on(page, '**/api/v1/users/me'),
        tokens: await HeldRoute.on(page, '**/oauth2/v1/token'),
        revoke: await HeldRoute.on(page, '**/oauth2/v1/revoke'),
        part: await HeldRoute.on(page, '**/leave-to-login-*.js'),
        pages: await HeldRoute.on(page, '**/services/auth/auth/*'),
        openWith: async (state) => {
          await page.evaluate((text) => localStorage.setItem('vuex', text), JSON.stringify({...state, _meta: meta}))
          await page.goto(`${url}/chatgpt/conversations`)
        },
      }
      const {_meta: meta} = JSON.parse(signedIn.state)
      // as: this flow shows no dialog
      const expected = expectedByNavigation as {[Name in Shown]: (hands: Hands) => Promise<unknown>}
      await takeWay(redirect, way, hands, {done, expected})
    },
  )
}

// ---- by a dialog -------------------------------------------------------------------------------------------------

type DialogAction = 'open' | 'sign in' | 'user comes' | 'user does not come' | 'site is made' | 'site is refused'

const endSite = (snapshot: AuthSnapshot, output: {hadOrigin: boolean; failure?: {code: string; detail: string}}) =>
  send(snapshot, {type: 'xstate.done.actor.siteOrigin', actorId: '', output})

const dialogFlow: Chart<Sign, DialogAction, Shown> = {
  start: () => undefined,
  shownBy,
  effects: {
    open: open(() => askForLogin(send(begin('popup'), {type: 'session.resume'}))),
    'sign in': where(['popup.open', 'popup.open after a failure'], (snapshot) =>
      send(snapshot, {type: 'login.received', token: tokenOf('a')}),
    ),
    'user comes': where(['popup.identifying'], (snapshot) => readUser(snapshot, {output: user})),
    'user does not come': where(['popup.identifying'], (snapshot) => readUser(snapshot, failed)),
    'site is made': where(['popup.initializing'], (snapshot) => endSite(snapshot, {hadOrigin: false})),
    'site is refused': where(['popup.initializing'], (snapshot) =>
      endSite(snapshot, {hadOrigin: false, failure: failed.error}),
    ),
  },
}

type DialogHands = {
  page: Page
  told: Told
  url: string
  me: HeldRoute
  sites: HeldRoute
  reload: HeldRoute
  settings: HeldRoute
}

const doneInDialog: {[Name in DialogAction]: (hands: DialogHands) => Promise<unknown>} = {
  open: async ({page, url, reload}) => {
    await reload.let(goOn)
    await page.goto(`${url}/chatgpt/conversations`)
    reload.hold()
  },
  'sign in': ({page}) => registerInFrame(page, newUser()),
  'user comes': ({me}) => letOnce(me, goOn),
  'user does not come': ({me}) => letOnce(me, refuseWith(404, 'not_found')),
  'site is made': ({sites}) => letOnce(sites, goOn),
  'site is refused': ({sites}) => letOnce(sites, refuseWith(404, 'not_found')),
}

const dialog = (page: Page) => page.getByRole('dialog').filter({has: page.locator('iframe')})
const leaves = async (told: Told, next: HeldRoute) => {
  await expect.poll(() => next.held).toBe(1)
  await isLeft(told)
}
const dialogShown: {[Name in Extract<Shown, 'no page' | `popup.${string}`>]: (hands: DialogHands) => Promise<unknown>} =
  {
    'no page': async ({me}) => expect(me.asked).toBe(0),
    'popup.open': async ({page, me}) => {
      await expect(loginFrame(page).getByRole('button', {name: 'Sign in'})).toBeVisible()
      await expect(dialog(page).getByRole('alert')).toHaveCount(0)
      expect(me.held).toBe(0)
    },
    'popup.open after a failure': async ({page}) => {
      await expect(loginFrame(page).getByRole('button', {name: 'Sign in'})).toBeVisible()
      await expect(dialog(page).getByRole('alert')).toHaveText("Sign-in didn't finish.")
    },
    'popup.identifying': async ({page, me, sites}) => {
      await expect.poll(() => me.held).toBe(1)
      await expect(dialog(page)).toHaveCount(0)
      expect(sites.asked).toBe(0)
    },
    'popup.initializing': async ({page, sites, reload, settings}) => {
      await expect.poll(() => sites.held).toBe(1)
      await expect(dialog(page)).toHaveCount(0)
      expect([reload.held, settings.held]).toEqual([0, 0])
    },
    'popup.reloading': ({told, reload}) => leaves(told, reload),
    'popup.openingSite': ({told, settings}) => leaves(told, settings),
  }

const dialogGraph = graphOf(dialogFlow)

for (const [shown, way] of wholeWays(waysToAll(dialogGraph, 'no page'))) {
  test(`the page shows each state of a sign-in in its dialog on its way to ${shown}`, long, async ({page, watch}) => {
    // its first user makes the site
    const popup = await Installation.start({LOGIN_FLOW: 'popup'})
    watch.allow(popup.url)
    try {
      const hands: DialogHands = {
        page,
        told: await listenTo(page),
        url: popup.url,
        me: await HeldRoute.on(page, '**/api/v1/users/me'),
        sites: await HeldRoute.on(page, /\/api\/v1\/sites/, 'POST'),
        reload: await HeldRoute.on(page, `${popup.url}/chatgpt/conversations`),
        settings: await HeldRoute.on(page, `${popup.url}/site`),
      }
      // as: this flow leaves for no login page
      const expected = dialogShown as {[Name in Shown]: (hands: DialogHands) => Promise<unknown>}
      await takeWay(dialogFlow, way, hands, {done: doneInDialog, expected})
      await page.close()
    } finally {
      await popup.dispose()
    }
  })
}

test('every resting state of the sign-in is reached', () => {
  const passing: Passing = 'claiming'
  const reached = [...redirectGraph.keys(), ...dialogGraph.keys()]
    .filter((shown) => shown !== 'no page')
    .map((shown) => shown.replace(/ .*/, ''))
  expect([...new Set([...reached, passing])].sort()).toEqual(restingStates(authMachine))
})
