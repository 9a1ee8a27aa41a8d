import type {Page, Request, Route} from '@playwright/test'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import {ask, composer, expect, test} from './fixtures.ts'
import type {Cable} from './support/cable.ts'
import {answers, conversationId, ended, lastMessage, storedAnswer} from './support/chat-page.ts'
import {restingStates, statesPassed, walkPage} from './support/chart-walk.ts'
import {chartOf, question, type Action, type Leaf, type Service} from './support/conversation-faults.ts'
import {visitsChart} from './support/conversation-visits.ts'
import {conversationChart} from './support/conversation-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import type {ModelServer} from './support/model-server.ts'
import {takeSlots} from './support/stream-slots.ts'

/*
 * The states of a conversation that the walk of model-based.spec.ts does not pass, or leaves in the same step: each
 * call waits until the test says what becomes of it. Over every edge of the graph generated from the machine, at our
 * service and at one that offers nothing.
 */

const services: readonly Service[] = ['ours', 'another']
const charts = services.map((service) => [service, chartOf(service)] as const)

type Calls = {
  asks: HeldRoute
  resumes: HeldRoute
  reads: HeldRoute
  stops: HeldRoute
  cuts: HeldRoute
  follows: HeldRoute
}
type Hands = Calls & {page: Page; cable: Cable; modelServer: ModelServer; otherTab: Page | undefined}

const actionOf = (request: Request): string => {
  // as: the API tests check what the app sends here
  const {action = '', messages} = (request.postDataJSON() ?? {}) as {action?: string; messages?: unknown}
  return action === 'update' && messages !== undefined ? 'cut' : action
}

/** Pauses of a reconnect, a stop and a question that waits for its turn, in milliseconds. */
const pauses = [250, 500, 1_000, 2_000]
/** Says nothing about the answer; a call without any answer would be sent again. */
const answerUnreadably = (route: Route) => route.fulfill({contentType: 'application/json', body: 'foo'})
const loseNetwork = async ({page}: Hands) => page.context().setOffline(true)

/** Ends the pauses until the page calls. */
const endPauses = ({page, reads, stops, resumes}: Hands) =>
  expect
    .poll(async () => {
      await Promise.all(pauses.map((pause) => endDelays(page, pause)))
      return reads.held + stops.held + resumes.held
    }, 'calls after a pause')
    .toBe(1)

/** The call that waits, wherever one may fail. */
const waiting = ({reads, stops}: Hands) => (stops.held > 0 ? stops : reads)

async function hasEnded({page, modelServer}: Hands): Promise<void> {
  modelServer.release()
  const id = await conversationId(page)
  await expect.poll(async () => (await storedAnswer(page, id)).state).toBe('finished')
}

const done: {
  [Name in Action]: (hands: Hands, before: {matches: (state: 'reconciling') => boolean}) => Promise<unknown>
} = {
  ask: ({page}) => ask(page, question),
  'ask while other tabs have all streams': async (hands) => {
    const {page} = hands
    hands.otherTab = await page.context().newPage()
    await hands.otherTab.goto(new URL('/robots.txt', page.url()).href)
    await takeSlots(hands.otherTab)
    await ask(page, question)
  },
  'a stream ends': async ({otherTab}) => otherTab?.close(),
  'ask without an application': async ({page}) => {
    await page.addInitScript(() => {
      const {chat, ...kept} = JSON.parse(localStorage.getItem('vuex') ?? '{}')
      localStorage.setItem('vuex', JSON.stringify({...kept, chat: {service: chat?.service}}))
    })
    const count = await answers(page).count()
    const lists = await HeldRoute.on(page, /\/api\/v1\/applications\//)
    await page.reload()
    await expect(composer(page)).toBeEnabled()
    await ask(page, question)
    await expect(answers(page)).toHaveCount(count + 2)
    await lists.let((route) => route.fulfill({json: {items: [], count: 0}}))
  },
  'answer again': ({page}) => lastMessage(page).getByRole('button', {name: 'Answer again'}).click(),
  // another service takes any history; ours takes the beginning of its own
  'the history is cut': ({cuts}) => letOnce(cuts, (route) => route.fulfill({json: {}})),
  'words come': ({asks, modelServer}) => {
    modelServer.hold(2)
    return letOnce(asks, goOn)
  },
  'credits are used up': ({asks}) => letOnce(asks, refuseWith(403, 'used_up')),
  'another question is being answered': ({asks}) => letOnce(asks, refuseWith(409, 'duplication')),
  stop: ({page, asks}) => {
    // the page gives up the one that waits
    asks.hold()
    return page.getByRole('button', {name: 'Stop'}).click()
  },
  'the name comes': ({asks}) => letOnce(asks, goOn),
  'the stop is confirmed': ({stops}) => letOnce(stops, goOn),
  'the answer is cut off': async ({modelServer}) => modelServer.cutNow(),
  reload: async ({page, follows}) => {
    follows.hold()
    await conversationId(page)
    await page.reload()
  },
  'the copy comes': async (hands, before) => {
    if (before.matches('reconciling')) await hasEnded(hands)
    await letOnce(hands.reads, goOn)
  },
  'the rest is heard': async ({page, follows, modelServer}) => {
    const heard = page.waitForResponse((response) => actionOf(response.request()) === 'follow')
    await follows.let(goOn)
    await heard
    modelServer.release()
  },
  'the stream is lost': async ({cable}) => {
    cable.cut()
    cable.mend()
  },
  'resuming is refused': async (hands) => {
    await endPauses(hands)
    await letOnce(hands.resumes, refuseWith(404, 'not_found'))
  },
  'the answer is not there': async (hands) => {
    // the server answers no other question before
    await hasEnded(hands)
    await letOnce(hands.reads, refuseWith(404, 'not_found'))
  },
  'the call fails': (hands) => letOnce(waiting(hands), answerUnreadably),
  'the call fails and the network is lost': async (hands) => {
    await loseNetwork(hands)
    await letOnce(waiting(hands), answerUnreadably)
  },
  'the network is back': async ({page}) => {
    // one that was not lost is lost first
    await page.context().setOffline(true)
    await page.context().setOffline(false)
  },
  retry: ({page}) => lastMessage(page).getByRole('button', {name: 'Retry'}).click(),
  'the pause ends': endPauses,
}

/** How many calls of each kind wait for the test: where none is named, none may. */
async function expectCalls({asks, reads, stops, cuts}: Hands, wanted: Partial<Record<keyof Calls, number>>) {
  const {asks: ofAsks = 0, reads: ofReads = 0, stops: ofStops = 0, cuts: ofCuts = 0} = wanted
  await expect
    .poll(() => [asks.held, reads.held, stops.held, cuts.held], 'questions, readings, stops, cuts that wait')
    .toEqual([ofAsks, ofReads, ofStops, ofCuts])
}

const words = 'first second'
type Look = (hands: Hands) => Promise<unknown>
const waits =
  (calls: Partial<Record<keyof Calls, number>> = {}): Look =>
  async (hands) => {
    const {page} = hands
    await expect(lastMessage(page).getByRole('img', {name: 'Waiting for the answer'})).toBeVisible()
    await expect(answers(page).nth(-2)).toContainText(/What is it\?|First/)
    await expect(page.getByRole('button', {name: 'Stop'})).toBeEnabled()
    await expectCalls(hands, calls)
  }
const writes =
  (calls: Partial<Record<keyof Calls, number>> = {}): Look =>
  async (hands) => {
    const {page} = hands
    await expect(lastMessage(page)).toContainText(words)
    await expectCalls(hands, calls)
    await expect(lastMessage(page)).toHaveAttribute('aria-busy', 'true')
    await expect(lastMessage(page)).not.toContainText('Connection lost')
    await expect(lastMessage(page).getByRole('alert')).toHaveCount(0)
    await expect(page.getByRole('button', {name: 'Stop'})).toBeEnabled()
  }
const reconnects =
  (calls: Partial<Record<keyof Calls, number>> = {}): Look =>
  async (hands) => {
    const {page} = hands
    await expect(lastMessage(page)).toContainText('Connection lost. Getting the answer back…')
    await expect(lastMessage(page)).toContainText(words)
    await expectCalls(hands, calls)
    await expect(page.getByRole('button', {name: 'Stop'})).toBeEnabled()
  }
const stops =
  (calls: Partial<Record<keyof Calls, number>> = {}): Look =>
  async (hands) => {
    await expect(lastMessage(hands.page)).toContainText('Stopping…')
    await expectCalls(hands, calls)
  }
const fails =
  (sentence: string): Look =>
  async (hands) => {
    await expect(lastMessage(hands.page).getByRole('alert')).toContainText(sentence)
    await expectCalls(hands, {})
    await ended(hands.page)
  }
const interrupted = 'The connection was lost before the answer was complete. What arrived is kept.'

/** Written by hand, on purpose. */
const expected: Record<Leaf, Look> = {
  finished: async (hands) => {
    await expect(lastMessage(hands.page).getByRole('button', {name: 'Answer again'})).toBeVisible()
    await expectCalls(hands, {})
  },
  'asking.pending.connecting': waits({asks: 1}),
  'asking.pending.queued': waits(),
  'asking.answering': writes(),
  truncating: waits({cuts: 1}),
  adopting: writes({reads: 1}),
  'yielding.waiting': waits(),
  'yielding.retrieving': waits({reads: 1}),
  'following.retrieving': writes({reads: 1}),
  'following.waiting': writes(),
  'following.disconnected.offline': reconnects(),
  'following.disconnected.retrieving': reconnects({reads: 1}),
  'reconciling.waiting': reconnects(),
  'reconciling.retrieving': reconnects({reads: 1}),
  'reconciling.rereading': reconnects({reads: 1}),
  'reconciling.unresumed.retrieving': reconnects({reads: 1}),
  'reconciling.unresumed.waiting': reconnects(),
  'reconciling.unresumed.offline': reconnects(),
  'stopping.naming': stops({asks: 1}),
  'stopping.commanding': stops({stops: 1}),
  'stopping.waiting': stops(),
  'stopping.offline': stops(),
  'failed.stopped': async (hands) => {
    await expect(lastMessage(hands.page)).toContainText('Stopped.')
    await expectCalls(hands, {})
  },
  'failed.interrupted.ended': fails(interrupted),
  'failed.interrupted.lost': fails(interrupted),
  'failed.unpaid': fails("You're out of credits for this tool."),
  'failed.unapplied': fails('Turn on this tool to begin.'),
}

test('the walks together pass every resting state of the machine', () => {
  const passed = charts.flatMap(([, chart]) => statesPassed(chart, ({value}) => value))
  passed.push(...statesPassed(conversationChart, ({value}) => value))
  passed.push(...statesPassed(visitsChart, ({value}) => value))
  expect([...new Set(passed)].sort()).toEqual(restingStates(conversationMachine))
})

/** The service of the page says from the next load on that it offers nothing. */
const offerNothing = async (page: Page): Promise<void> => {
  await page.route(/\/api\/v1\/services\/[^/]+$/, async (route) => {
    const response = await route.fetch()
    // as: the contract tests check this answer
    const service = (await response.json()) as {metadata: object}
    await route.fulfill({response, json: {...service, metadata: {...service.metadata, capabilities: []}}})
  })
  // the page keeps what its service said before
  await page.addInitScript(() => {
    const {chat, ...kept} = JSON.parse(localStorage.getItem('vuex') ?? '{}')
    if (chat?.service?.metadata !== undefined) chat.service.metadata.capabilities = []
    localStorage.setItem('vuex', JSON.stringify({...kept, chat}))
  })
}

async function holdCalls(page: Page): Promise<Calls> {
  const on = (name: string) =>
    HeldRoute.on(page, '**/services/api/aichat/conversations', (request) => actionOf(request) === name)
  return {
    asks: await on(''),
    resumes: await on('resume'),
    reads: await on('retrieve'),
    stops: await on('stop'),
    cuts: await on('cut'),
    follows: await on('follow'),
  }
}

for (const [service, chart] of charts) {
  test(
    `the page shows what a conversation of ${service === 'ours' ? 'our service' : 'another service'} says while calls wait or fail, over every edge`,
    long,
    async ({wired: {page, cable}, modelServer}) => {
      await ask(page, 'First')
      await ended(page)
      modelServer.answer(`${words} third`)
      await conversationId(page)
      await holdDelays(page, pauses)
      const calls = await holdCalls(page)
      if (service === 'another') await offerNothing(page)
      await page.reload()
      await walkPage(chart, {page, cable, modelServer, otherTab: undefined, ...calls}, {done, expected})
    },
  )
}
