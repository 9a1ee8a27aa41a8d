import type {Page} from '@playwright/test'
import {expect, newUser, test} from './fixtures.ts'
import {takeWay, waysToAll, wholeWays} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {Installation} from './support/installation.ts'
import {loginFrame, registerInFrame} from './support/login-frame.ts'
import {type Shown, type DialogAction, dialogFlow, dialogGraph} from './support/sign-in-chart.ts'
import {type PageReport, listenTo, isLeft} from './support/sign-in-page.ts'

/* The page shows each resting state of a sign-in by a dialog, generated from the machine. */

type DialogHands = {
  page: Page
  report: PageReport
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
const leaves = async (report: PageReport, next: HeldRoute) => {
  await expect.poll(() => next.held).toBe(1)
  await isLeft(report)
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
    'popup.reloading': ({report, reload}) => leaves(report, reload),
    'popup.openingSite': ({report, settings}) => leaves(report, settings),
  }

for (const [shown, way] of wholeWays(waysToAll(dialogGraph, 'no page'))) {
  test(`the page shows each state of a sign-in in its dialog on its way to ${shown}`, long, async ({page, watch}) => {
    // its first user makes the site
    const popup = await Installation.start({LOGIN_FLOW: 'popup'})
    watch.allow(popup.url)
    try {
      const hands: DialogHands = {
        page,
        report: await listenTo(page),
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
