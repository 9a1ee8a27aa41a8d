import type {Page, Request} from '@playwright/test'
import {authMachine} from '#machines/auth/auth.machine.ts'
import {composer, enter, expect, test} from './fixtures.ts'
import {restingStates, takeWay, waysToAll, wholeWays} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {parseKept} from './support/private-data.ts'
import {blankTab, storedState} from './support/signed-in.ts'
import type {SignedIn} from './support/users.ts'
import {type Passing, type Shown, type Action, redirect, redirectGraph, dialogGraph} from './support/sign-in-chart.ts'
import {type PageReport, listenTo, isLeft} from './support/sign-in-page.ts'

/*
 * The page shows each resting state of its sign-in, in both flows: one test for each way through it, generated from the
 * machine.
 */

type Hands = {
  page: Page
  report: PageReport
  url: string
  signedIn: SignedIn
  /** Reads the user of a token. */
  me: HeldRoute
  /** Gives tokens for a code or a refresh token. */
  tokens: HeldRoute
  revoke: HeldRoute
  /** The way to the login page. */
  way: HeldRoute
  /** Navigations to pages of the auth service. */
  pages: HeldRoute
  /** Opens the chat in a browser that kept this. */
  openWith: (state: object) => Promise<void>
}

/**
 * Holds the way to the login page: its script, or on the callback, which needs that script for its own work, the
 * challenge that the way is made with.
 */
async function holdWayToLogin(page: Page): Promise<HeldRoute> {
  await page.addInitScript(() => {
    if (location.pathname !== '/auth/callback') return
    const {digest} = SubtleCrypto.prototype
    SubtleCrypto.prototype.digest = async function (...given) {
      await fetch('/held-challenge')
      return digest.apply(this, given)
    }
  })
  const isOfCallback = (request: Request) => new URL(request.frame().url()).pathname === '/auth/callback'
  return HeldRoute.on(
    page,
    /\/assets\/login-(?!help-)[^/]+\.js$|\/held-challenge$/,
    (request) => request.url().endsWith('/held-challenge') || !isOfCallback(request),
  )
}

/** Finds the gate over the page: the page of the callback may say the same below it. */
const gate = (page: Page, role: 'status' | 'alert', title: string) =>
  page.getByRole(role).filter({hasText: title}).last()
const kept = async (page: Page) => parseKept(await storedState(page))
const forbidden = 'cookies are forbidden'
/** A refresh token of this server: its family, its generation and a signature. */
const refreshToken = /^[0-9a-f-]{36}\.\d+\.[\w-]{43}$/
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
  'way to the login comes': ({way}) => letOnce(way, goOn),
  'way to the login comes once too often': async ({page, way}) => {
    await page.evaluate(() => {
      const now = Date.now()
      sessionStorage.setItem('atrium.login-redirects', JSON.stringify([now - 3, now - 2, now - 1]))
    })
    await letOnce(way, goOn)
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

const isStarting = async ({page, way, pages}: Hands) => {
  await expect(gate(page, 'status', 'Taking you to sign in…')).toBeVisible()
  await expect.poll(() => way.held).toBe(1)
  expect(pages.asked).toBe(0)
}
const isUnderWay = async ({page, pages, signedIn}: Hands) => {
  await expect(composer(page)).toBeEnabled()
  // the field is there before the user is known
  await expect.poll(async () => (await kept(page)).user?.id).toBe(parseKept(signedIn.state).user.id)
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
  unreachable: async ({page, signedIn}) => {
    await expect(gate(page, 'alert', "Atrium couldn't start.")).toBeVisible()
    expect((await kept(page)).token.refresh).toBe(parseKept(signedIn.state).token.refresh)
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
    expect((await kept(hands.page)).token.refresh).toMatch(refreshToken)
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
    expect((await kept(hands.page)).token.refresh).toMatch(refreshToken)
  },
  signingOut: async ({page, revoke}) => {
    await expect(gate(page, 'status', 'Taking you to sign in…')).toBeVisible()
    await expect.poll(() => revoke.asked).toBe(1)
    expect((await kept(page)).token).toBeUndefined()
  },
  'redirecting.starting': isStarting,
  'redirecting.starting after signing out': isStarting,
  'redirecting.forcing': isStarting,
  'redirecting.leaving': async ({report, pages}) => {
    await expect.poll(() => pages.held).toBe(1)
    await isLeft(report)
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
        report: await listenTo(page),
        url,
        signedIn,
        me: await HeldRoute.on(page, '**/api/v1/users/me'),
        tokens: await HeldRoute.on(page, '**/oauth2/v1/token'),
        revoke: await HeldRoute.on(page, '**/oauth2/v1/revoke'),
        way: await holdWayToLogin(page),
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

test('every resting state of the sign-in is reached', () => {
  const passing: Passing = 'claiming'
  const reached = [...redirectGraph.keys(), ...dialogGraph.keys()]
    .filter((shown) => shown !== 'no page')
    .map((shown) => shown.replace(/ .*/, ''))
  expect([...new Set([...reached, passing])].sort()).toEqual(restingStates(authMachine))
})
