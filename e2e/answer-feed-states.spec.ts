import type {BrowserContext, Page} from '@playwright/test'
import {answerFeedMachine} from '#machines/answer-feed/answer-feed.machine.ts'
import {ask, composer, expect, test} from './fixtures.ts'
import type {Cable} from './support/cable.ts'
import {conversationId, lastMessage} from './support/chat-page.ts'
import {graphOf, restingStates, statesPassed, walkPage} from './support/chart-walk.ts'
import {isCommand} from './support/export-dialog.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {goOn, HeldRoute, letOnce} from './support/held-route.ts'
import type {ModelServer} from './support/model-server.ts'
import {type Action, type Shown, type Snapshot, leads, chart} from './support/answer-feed-chart.ts'

/*
 * A running answer in one tab or two, which share one stream, over every edge of the graph generated from the machine
 * of that stream. A stream is opened, broken and silent when the walk says so, and what the tabs would look up
 * meanwhile is held: what they show comes through the stream. A browser that says it has no network is not believed for
 * ever: after a minute the stream opens, or not.
 */

class Held {
  private constructor(
    readonly page: Page,
    readonly streams: HeldRoute,
    readonly copies: HeldRoute,
  ) {}
  static async on(page: Page): Promise<Held> {
    const address = '**/aichat/conversations'
    const streams = await HeldRoute.on(page, address, isCommand('follow'))
    const held = new Held(page, streams, await HeldRoute.on(page, address, isCommand('retrieve')))
    await held.copies.let(goOn)
    await holdDelays(page)
    return held
  }
}
/** The tabs change their roles. */
type Hands = {
  leader: Held
  other?: Held | undefined
  context: BrowserContext
  cable: Cable
  modelServer: ModelServer
}
const tabsOf = ({leader, other}: Hands) => (other === undefined ? [leader] : [leader, other])
const wordOf = (number: number) => `word-${number}.`
const words = Array.from({length: 400}, (_, index) => wordOf(index + 1))

/** Holds the copies of ended answers: they are looked up again only when the walk says so. */
const holdCopies = (hands: Hands) => tabsOf(hands).forEach(({copies}) => copies.hold())
const giveCopies = (hands: Hands) => Promise.all(tabsOf(hands).map(({copies}) => copies.let(goOn)))
const cut = (hands: Hands) => {
  holdCopies(hands)
  hands.cable.cut()
}
const fail = (hands: Hands) => {
  holdCopies(hands)
  return letOnce(hands.leader.streams, (route) => route.abort('connectionfailed'))
}

/** Reports the network as the browser does: it may say "offline" while requests still arrive. */
const sayOnline = (hands: Hands, isOnline: boolean) =>
  Promise.all(
    tabsOf(hands).map(({page}) =>
      page.evaluate((value) => {
        Object.defineProperty(navigator, 'onLine', {value, configurable: true})
        window.dispatchEvent(new Event(value ? 'online' : 'offline'))
      }, isOnline),
    ),
  )

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  open: async (hands) => {
    const {page} = hands.leader
    await giveCopies(hands)
    hands.modelServer.hold(...words.keys())
    await ask(page, 'What is it?')
    await conversationId(page)
    await expect.poll(() => hands.modelServer.heldAnswers).toBe(1)
    await page.reload()
    await composer(page).waitFor()
  },
  connect: async (hands) => {
    hands.cable.mend()
    await letOnce(hands.leader.streams, goOn)
    await giveCopies(hands)
  },
  refuse: fail,
  words: async ({modelServer}) => modelServer.proceed(),
  break: async (hands) => {
    cut(hands)
    hands.cable.mend()
  },
  'fall silent': async (hands) => {
    holdCopies(hands)
    expect(await endDelays(hands.leader.page, 20_000)).toBeGreaterThan(0)
  },
  'the pause passes': ({leader}) => leader.streams.waitForOne(),
  'the network goes': async (hands) => {
    await sayOnline(hands, false)
    cut(hands)
  },
  // the browser is wrong: without the server not even the code of the stream is asked for
  'a minute passes': async ({leader, cable}) => {
    cable.mend()
    expect(await endDelays(leader.page, 60_000)).toBeGreaterThan(0)
  },
  'the network is back': async (hands) => {
    hands.cable.mend()
    await sayOnline(hands, true)
  },
  end: async ({modelServer}) => modelServer.release(),
  'open another tab': async (hands) => {
    const page = await hands.context.newPage()
    hands.other = await Held.on(page)
    await page.goto(hands.leader.page.url())
    await composer(page).waitFor()
  },
  'close the other tab': async (hands) => {
    await hands.other?.page.close()
    hands.other = undefined
  },
  'close the leading tab': async (hands) => {
    const {leader, other = leader} = hands
    await leader.page.close()
    Object.assign(hands, {leader: other, other: undefined})
  },
}

async function expectShown(hands: Hands, snapshot: Snapshot) {
  const {leader, other} = snapshot
  const [isLeading, isIdle] = [leads('streaming')(snapshot), leader.feed.matches('idle')]
  for (const [tab, held] of [[leader, hands.leader] as const, [other, hands.other] as const]) {
    if (tab === undefined || held === undefined) continue
    const {page} = held
    await expect(page.getByText('Connection lost.')).toHaveCount(tab.isLost ? 1 : 0)
    await expect(page.getByRole('button', {name: 'Stop'})).toHaveCount(isIdle ? 0 : 1)
    if (isIdle) continue
    if (tab.words > 0) await expect(lastMessage(page)).toContainText(wordOf(tab.words))
    await expect(lastMessage(page)).not.toContainText(wordOf(tab.words + 1))
  }
  // one stream for both, which only the leading tab opens; a pause passes by the clock
  if (!leads('backingOff')(snapshot))
    await expect.poll(() => hands.leader.streams.held).toBe(isLeading && !snapshot.isOpen ? 1 : 0)
  expect(hands.other?.streams.held ?? 0).toBe(0)
}

test('the walk passes every resting state of the machine', () => {
  const leaves = statesPassed(chart, ({leader, other}) => ({leader: leader.feed.value, other: other?.feed.value}))
  const passed = new Set(leaves.map((leaf) => leaf.replace(/^(leader|other)\./, '')))
  expect([...passed].sort()).toEqual(restingStates(answerFeedMachine))
})

test(
  'tabs show the answer of the shared stream as its machine says, over every edge',
  long,
  async ({wired: {page, cable}, context, modelServer}) => {
    modelServer.answer(words.join(' '))
    const leader = await Held.on(page)
    // as: every name has it
    const expected = Object.fromEntries([...graphOf(chart).keys()].map((shown) => [shown, expectShown])) as {
      [Name in Shown]: typeof expectShown
    }
    await walkPage(chart, {leader, context, cable, modelServer}, {done, expected})
  },
)
