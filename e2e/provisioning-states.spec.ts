import type {Page, Route} from '@playwright/test'
import type {Application} from '#contract/management.ts'
import {provisioningMachine, type ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import {composer, expect, test} from './fixtures.ts'
import {act, graphOf, leavesOf, restingStates, walkOverAllEdges} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {blankTab} from './support/signed-in.ts'
import {chatServiceId} from './support/users.ts'
import {type Action, type Leaf, type Owned, owned, chartOf} from './support/provisioning-chart.ts'

/* The chat shows each resting state of its set-up: one walk over every edge of the actions below, on one page. */

type Hands = {
  page: Page
  owned: Owned
  service: HeldRoute
  /** A reading asks once, for all applications. */
  lists: HeldRoute
  applying: HeldRoute
  keys: HeldRoute
  open: () => Promise<void>
}

const sendLists = ({general, individual}: {general?: Application; individual?: Application}) => {
  const items = [general, individual].filter((application) => application !== undefined)
  return (route: Route) => route.fulfill({json: {items, count: items.length}})
}
const dialog = (page: Page) => page.getByRole('dialog')
const startButton = (page: Page) => dialog(page).getByRole('button', {name: 'Agree and start'})
// an open dialog hides the page from the tree of roles, but not from the eye
const pill = (page: Page) => page.locator('button').filter({hasText: 'Credits and applications'})
const preparing = (page: Page) => page.getByLabel('Getting your key')
const kept = (page: Page): Promise<{service: boolean; credential: boolean}> =>
  page.evaluate(() => {
    const {chat} = JSON.parse(localStorage.getItem('vuex') ?? '{}')
    return {service: chat?.service !== undefined, credential: chat?.credential !== undefined}
  })

/** A reading may be taken up anew while it runs: every request of it gets the same answer, and the next one waits. */
const beginReading = (lists: HeldRoute) => lists.hold()

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'service comes': ({service, lists}) => {
    beginReading(lists)
    return letOnce(service, goOn)
  },
  'service fails': ({service, lists}) => {
    beginReading(lists)
    return letOnce(service, refuseWith(404, 'not_found'))
  },
  'general application comes': ({lists, owned: {general}}) => lists.let(sendLists({general})),
  'application of this tool comes': ({lists, owned: {individual}}) => lists.let(sendLists({individual})),
  'no application comes': ({lists}) => lists.let(sendLists({})),
  'applications fail': ({lists}) => lists.let(refuseWith(404, 'not_found')),
  retry: async ({page, lists}) => {
    lists.asked = 0
    await pill(page).click()
    await page.getByRole('alert').getByRole('button', {name: 'Retry'}).click()
    await page.keyboard.press('Escape')
  },
  start: ({page}) => startButton(page).click(),
  'start is accepted': ({applying, lists, owned: {general}}) => {
    beginReading(lists)
    return letOnce(applying, (route) => route.fulfill({status: 201, json: general}))
  },
  'start is refused': ({applying}) => letOnce(applying, refuseWith(404, 'not_found')),
  'key comes': ({keys}) => letOnce(keys, goOn),
  'key fails': ({keys}) => letOnce(keys, refuseWith(404, 'not_found')),
  'open again': ({open}) => open(),
}

/** How the page shows each state, whatever the other regions are in. */
const expected: {[Name in Leaf]: (hands: Hands) => Promise<unknown>} = {
  'service.request': async ({page, service}) => {
    await expect.poll(() => service.held).toBe(1)
    await expect(composer(page)).toBeAttached()
  },
  'service.success': ({page}) => expect.poll(async () => (await kept(page)).service).toBe(true),
  'service.error': async ({page, service}) => {
    await expect.poll(async () => (await kept(page)).service).toBe(false)
    expect(service.held).toBe(0)
  },
  'applications.none': ({lists}) => expect.poll(() => lists.asked).toBe(0),
  'applications.request': ({lists}) => expect.poll(() => lists.held).toBeGreaterThanOrEqual(1),
  'applications.success': async ({page, lists}) => {
    await expect(page.getByText('Balance unavailable')).toHaveCount(0)
    await expect.poll(() => lists.held).toBe(0)
  },
  'applications.error': ({page}) => expect(pill(page)).toContainText('Balance unavailable'),
  'application.none': ({page}) => expect(dialog(page).filter({has: startButton(page)})).toHaveCount(0),
  'application.selected': async ({page}) => {
    await expect(pill(page)).toContainText('7.00 credits')
    await expect(dialog(page)).toHaveCount(0)
  },
  'application.individual': async ({page}) => {
    await expect(startButton(page)).toBeEnabled()
    await expect(pill(page)).toContainText('12.50 credits')
  },
  'application.needed': async ({page}) => {
    await expect(startButton(page)).toBeEnabled()
    await expect(page.getByText(/\d credits/)).toHaveCount(0)
  },
  'application.applying': async ({page, applying}) => {
    await expect(startButton(page)).toHaveAttribute('aria-disabled', 'true')
    await expect.poll(() => applying.held).toBe(1)
  },
  'credential.none': async ({page, keys}) => {
    await expect.poll(async () => (await kept(page)).credential).toBe(false)
    expect(keys.held).toBe(0)
  },
  'credential.request': async ({page, keys}) => {
    await expect(preparing(page)).toBeVisible()
    await expect.poll(() => keys.held).toBe(1)
  },
  'credential.success': async ({page}) => {
    await expect.poll(async () => (await kept(page)).credential).toBe(true)
    await expect(preparing(page)).toHaveCount(0)
  },
  'credential.error': async ({page}) => {
    await expect(preparing(page)).toHaveCount(0)
    await expect.poll(async () => (await kept(page)).credential).toBe(false)
  },
}

test(
  'the page shows every resting state of its set-up',
  long,
  async ({context, installation, signedIn, modelServer}) => {
    modelServer.reset()
    const {chat, ...state} = JSON.parse(signedIn.state)
    const blank = {state: JSON.stringify(state)}
    const page = await blankTab(context, installation.url, blank)
    const api = '**/services/platform/api/v1'
    const hands: Hands = {
      page,
      owned: owned(chat.application.id, installation.url),
      service: await HeldRoute.on(page, `${api}/services/${chatServiceId}*`),
      lists: await HeldRoute.on(page, `${api}/applications/*`, 'GET'),
      applying: await HeldRoute.on(page, `${api}/applications/*`, 'POST'),
      keys: await HeldRoute.on(page, `${api}/credentials/*`, 'POST'),
      open: async () => {
        await page.goto(`${installation.url}/robots.txt`)
        await page.evaluate((text) => localStorage.setItem('vuex', text), blank.state)
        hands.lists.asked = 0
        await page.goto(`${installation.url}/chatgpt/conversations`)
      },
    }
    const chart = chartOf(hands.owned)
    const expectShown = async (snapshot: ProvisioningSnapshot) => {
      // as: the states that a user cannot find it in are not in the graph
      for (const leaf of leavesOf(snapshot.value) as Leaf[]) await expected[leaf](hands)
    }
    await hands.open()
    let snapshot = chart.start()
    await expectShown(snapshot)
    for (const action of walkOverAllEdges(graphOf(chart), chart.shownBy(snapshot))) {
      const next = act(chart, snapshot, action)
      await test.step(`${chart.shownBy(snapshot)} → ${action} → ${chart.shownBy(next)}`, async () => {
        await done[action](hands)
        await expectShown(next)
      })
      snapshot = next
    }
  },
)

test('the walk reaches every resting state of set-up', () => {
  const shown = [...graphOf(chartOf(owned('a', 'https://foo.test'))).keys()]
  const leaves = new Set(shown.flatMap((joined) => joined.split(' ').filter((word) => word.includes('.'))))
  expect([...leaves].sort()).toEqual(restingStates(provisioningMachine))
})
