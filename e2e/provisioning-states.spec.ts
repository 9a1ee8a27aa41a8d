import type {Page, Route} from '@playwright/test'
import {initialTransition} from 'xstate'
import type {Application} from '#contract/management.ts'
import {provisioningMachine, type ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import type {ProvisioningInput} from '#machines/provisioning/provisioning.types.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {composer, expect, test} from './fixtures.ts'
import {
  act,
  graphOf,
  leavesOf,
  restingStates,
  sender,
  walkOverAllEdges,
  type Chart,
  type LeafOf,
} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {blankTab} from './support/signed-in.ts'
import {chatServiceId} from './support/users.ts'

/* The chat shows each resting state of its set-up: one walk over every edge of the actions below, on one page. */

type Action =
  | 'service comes'
  | 'service fails'
  | 'general application comes'
  | 'application of this tool comes'
  | 'no application comes'
  | 'applications fail'
  | 'retry'
  | 'start'
  | 'start is accepted'
  | 'start is refused'
  | 'key comes'
  | 'key fails'
  | 'open again'
/** The states of the four regions, joined. */
type Shown = string
/** Those that a user can find the set-up in. */
type Leaf = Exclude<
  LeafOf<typeof provisioningMachine>,
  'application.choosing' | 'credential.restoring' | 'credential.finding'
>

/**
 * The applications of one user: the general one and one of this tool. The server knows both by one id, so the second
 * one that is read has fewer credits: more would be news, after which the list is read anew.
 */
type Owned = {host: string; general: Application; individual: Application}

const owned = (id: string, host: string): Owned => ({
  host,
  general: {id, type: 'Usage', scope: 'Global', remaining_amount: 7, credentials: []},
  individual: {
    id,
    type: 'Usage',
    scope: 'Individual',
    service_id: chatServiceId,
    remaining_amount: 12.5,
    credentials: [],
  },
})

const send = sender(provisioningMachine)
const refusal = {actorId: '', error: {status: 404, code: 'not_found', detail: 'foo'}}

type Value = ProvisioningSnapshot['value']
const where =
  (isHere: (value: Value) => boolean, then: (snapshot: ProvisioningSnapshot) => ProvisioningSnapshot) =>
  (snapshot: ProvisioningSnapshot) =>
    isHere(snapshot.value) ? then(snapshot) : undefined

/** Only the service fails, and after it the list; all other faults happen where the service is there. */
function chartOf({host, general, individual}: Owned): Chart<ProvisioningSnapshot, Action, Shown> {
  // as: nobody hears the facts of the machine here
  const parentRef = {send: () => undefined} as unknown as ProvisioningInput['parentRef']
  const start = () =>
    initialTransition(provisioningMachine, {
      parentRef,
      environment: startEnvironment(),
      serviceId: chatServiceId,
      userId: 'u',
      host,
    })[0]
  const read = (applications: Application[]) => (snapshot: ProvisioningSnapshot) =>
    send(snapshot, {type: 'xstate.done.actor.getApplications', actorId: '', output: {applications, now: 0}})
  const asksForList = ({service, applications}: Value) => applications === 'request' && service === 'success'
  const mayStart = ({application, credential}: Value) =>
    (application === 'needed' || application === 'individual') && credential !== 'request'
  const isApplying = ({application}: Value) => application === 'applying'
  const asksForKey = ({credential}: Value) => credential === 'request'

  return {
    start,
    shownBy: ({value, context: {application}}) => [...leavesOf(value), application?.scope ?? 'nothing'].join(' '),
    effects: {
      'service comes': where(
        ({service}) => service === 'request',
        (snapshot) => send(snapshot, {type: 'xstate.done.actor.getService', actorId: '', output: {id: chatServiceId}}),
      ),
      'service fails': where(
        ({service}) => service === 'request',
        (snapshot) => send(snapshot, {type: 'xstate.error.actor.getService', ...refusal}),
      ),
      'general application comes': where(asksForList, read([general])),
      'application of this tool comes': where(asksForList, read([individual])),
      'no application comes': where(asksForList, read([])),
      'applications fail': where(
        ({service, applications}) => applications === 'request' && service === 'error',
        (snapshot) => send(snapshot, {type: 'xstate.error.actor.getApplications', ...refusal}),
      ),
      retry: where(
        ({applications}) => applications === 'error',
        (snapshot) => send(snapshot, {type: 'provision.refresh'}),
      ),
      start: where(mayStart, (snapshot) => send(snapshot, {type: 'application.apply', termsAccepted: true})),
      'start is accepted': where(isApplying, (snapshot) =>
        send(snapshot, {type: 'xstate.done.actor.applyForApplication', actorId: '', output: general}),
      ),
      'start is refused': where(isApplying, (snapshot) =>
        send(snapshot, {type: 'xstate.error.actor.applyForApplication', ...refusal}),
      ),
      'key comes': where(asksForKey, (snapshot) =>
        send(snapshot, {
          type: 'xstate.done.actor.createCredential',
          actorId: '',
          output: {id: 'k', token: 'foo', host, application_id: general.id},
        }),
      ),
      'key fails': where(asksForKey, (snapshot) =>
        send(snapshot, {type: 'xstate.error.actor.createCredential', ...refusal}),
      ),
      'open again': where(
        ({application, credential}) =>
          application === 'selected' && (credential === 'success' || credential === 'error'),
        start,
      ),
    },
  }
}

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
