import type {BrowserContext, Page} from '@playwright/test'
import {initialTransition, transition} from 'xstate'
import type {AnswerPiece} from '#domain/answer-pieces.ts'
import {answerFeedMachine} from '#machines/answer-feed/answer-feed.machine.ts'
import type {AnswerFeedEmitted, AnswerFeedEvent, PeerEvent} from '#machines/answer-feed/answer-feed.types.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {ask, composer, expect, test} from './fixtures.ts'
import type {Cable} from './support/cable.ts'
import {conversationId, lastMessage} from './support/chat-page.ts'
import {graphOf, restingStates, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {isCommand} from './support/export-dialog.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {goOn, HeldRoute, letOnce} from './support/held-route.ts'
import type {ModelServer} from './support/model-server.ts'

/*
 * A running answer in one tab or two, which share one stream, over every edge of the graph generated from the machine of that stream. A
 * stream is opened, broken and silent when the walk says so, and what the tabs would look up meanwhile is held: what they show
 * comes through the stream. A browser that says it has no network is not believed for ever: after a minute the stream opens, or not.
 */

type Action =
  | 'open'
  | 'connect'
  | 'refuse'
  | 'words'
  | 'break'
  | 'fall silent'
  | 'the pause passes'
  | 'the network goes'
  | 'a minute passes'
  | 'the network is back'
  | 'end'
  | 'open another tab'
  | 'close the other tab'
  | 'close the leading tab'
type Way =
  | 'idle'
  | 'opening'
  | 'streaming'
  | 'backing off'
  | 'offline'
  | 'opening again'
  | `${'opening' | 'streaming'} all the same`
type Shown = `${Way}: ${'one tab' | 'two tabs'}`
type Feed = ReturnType<typeof initialTransition<typeof answerFeedMachine>>[0]
/** A tab, as far as its user can tell: the words that it shows, and whether contact is lost. */
type Tab = {feed: Feed; words: number; isLost: boolean}
/** `written`: words of the answer so far; `isOpen`: the stream is. */
type Snapshot = {leader: Tab; other?: Tab | undefined; written: number; isOpen: boolean}
type Role = 'leader' | 'other'
type Given = AnswerFeedEvent | {type: `xstate.${string}`; error?: unknown}

const [online, offline] = [startEnvironment(), startEnvironment({isOnline: false})]
const answer = {id: 'c', message: 'm', attempt: 1}
const machine = answerFeedMachine.provide({actions: {sendToPeers: () => undefined}})
const newTab = (words = 0): Tab => ({
  feed: initialTransition(machine, {userId: 'u', environment: online})[0],
  words,
  isLost: false,
})
const otherOf = (role: Role): Role => (role === 'leader' ? 'other' : 'leader')

const shownAfter = (tab: Tab, fact: AnswerFeedEmitted): Tab => {
  if (fact.type === 'feed.opened') return {...tab, isLost: false}
  if (fact.type === 'feed.disconnected') return {...tab, isLost: true}
  return {...tab, words: tab.words + fact.piece.texts.length}
}

/** Returns the tabs after an event of one of them; the other tab hears the messages that it posts. */
function sent(snapshot: Snapshot, role: Role, event: Given): Snapshot {
  const tab = snapshot[role]
  if (tab === undefined) return snapshot
  // as: the machine's own type leaves out the events of the interpreter
  const [feed, actions] = transition(machine, tab.feed, event as AnswerFeedEvent)
  return actions.reduce<Snapshot>(
    (current, {type, params}) => {
      const own = current[role]
      // as: the type of the actions lacks what a machine emits
      if ((type as string) === 'xstate.emit' && own !== undefined)
        return {...current, [role]: shownAfter(own, (params as {event: AnswerFeedEmitted}).event)}
      // as: its parameter
      return type === 'sendToPeers' ? sent(current, otherOf(role), params as PeerEvent) : current
    },
    {...snapshot, [role]: {...tab, feed}},
  )
}

const follow = (words: number): Given => ({type: 'answer.follow', follower: 'f', answer: {...answer, lastSeq: words}})
const pieces = (from: number, to: number): AnswerPiece[] => [
  {...answer, from, texts: Array.from({length: to - from + 1}, () => 'foo')},
]
const leads = (state: 'streaming' | 'backingOff' | 'offline') => (snapshot: Snapshot) =>
  snapshot.leader.feed.matches({active: {leading: state}})
const isStreaming = (snapshot: Snapshot) => leads('streaming')(snapshot) && snapshot.isOpen
const isOpening = (snapshot: Snapshot) => leads('streaming')(snapshot) && !snapshot.isOpen
/** The browser says that it has no network. */
const isOut = ({leader}: Snapshot) => leader.feed.context.environment === offline
const isStreamingOnline = (snapshot: Snapshot) => isStreaming(snapshot) && !isOut(snapshot)
const isAlone = ({other}: Snapshot) => other === undefined
const inNetwork = (snapshot: Snapshot, environment: typeof online): Snapshot => {
  const moved = (tab: Tab): Tab => ({
    ...tab,
    feed: {...tab.feed, context: {...tab.feed.context, environment}},
  })
  return {...snapshot, leader: moved(snapshot.leader), other: snapshot.other && moved(snapshot.other)}
}
const broken = (snapshot: Snapshot): Snapshot =>
  sent({...snapshot, isOpen: false}, 'leader', {
    type: 'xstate.error.actor.followStream',
    error: {code: 'unknown', detail: 'foo', lost: true},
  })
const received = (snapshot: Snapshot, from: number): Snapshot =>
  from > snapshot.written
    ? snapshot
    : sent(snapshot, 'leader', {type: 'feed.received', pieces: pieces(from, snapshot.written)})
const leave = (snapshot: Snapshot, role: Role) => sent(snapshot, role, {type: 'answer.leave', follower: 'f'})
const at = (name: string) => `xstate.after.${name}` as const

const openingOf = (snapshot: Snapshot): Way =>
  isOut(snapshot) ? 'opening all the same' : snapshot.leader.isLost ? 'opening again' : 'opening'

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({leader: newTab(), written: 0, isOpen: false}),
  effects: {
    open: where(
      ({leader, other}) => leader.feed.matches('idle') && other === undefined,
      () =>
        sent(sent({leader: newTab(), written: 0, isOpen: false}, 'leader', follow(0)), 'leader', {type: 'leader.won'}),
    ),
    connect: where(isOpening, (snapshot) =>
      received(sent({...snapshot, isOpen: true}, 'leader', {type: 'feed.connected'}), 1),
    ),
    refuse: where(isOpening, broken),
    words: where(
      (snapshot) => leads('streaming')(snapshot) && (snapshot.isOpen || snapshot.leader.isLost),
      (snapshot) => {
        const next = {...snapshot, written: snapshot.written + 1}
        return snapshot.isOpen ? received(next, next.written) : next
      },
    ),
    break: where(isStreaming, broken),
    'fall silent': where(isStreaming, (snapshot) =>
      sent({...snapshot, isOpen: false}, 'leader', {
        type: at('silence.answerFeed.active.leading.streaming.listening'),
      }),
    ),
    'the pause passes': where(leads('backingOff'), (snapshot) =>
      sent(snapshot, 'leader', {type: at('feedBackoff.answerFeed.active.leading.backingOff')}),
    ),
    'the network goes': where(isStreamingOnline, (snapshot) => broken(inNetwork(snapshot, offline))),
    'a minute passes': where(leads('offline'), (snapshot) =>
      sent(snapshot, 'leader', {type: at('offlineDeadline.answerFeed.active.leading.offline')}),
    ),
    'the network is back': where(isOut, (snapshot) =>
      sent(inNetwork(snapshot, online), 'leader', {type: 'connection.restored'}),
    ),
    end: where(isStreamingOnline, (snapshot) => {
      const over = sent(snapshot, 'leader', {
        type: 'feed.received',
        pieces: [{...answer, from: snapshot.written + 1, texts: [], end: {state: 'finished'}}],
      })
      return {...leave(leave(over, 'other'), 'leader'), isOpen: false}
    }),
    'open another tab': where(
      (snapshot) => isAlone(snapshot) && leads('streaming')(snapshot) && !snapshot.leader.isLost && !isOut(snapshot),
      (snapshot) => {
        const opened = {...snapshot, other: newTab(snapshot.written)}
        return sent(sent(opened, 'other', follow(snapshot.written)), 'other', {type: 'peers.ready'})
      },
    ),
    'close the other tab': where(
      (snapshot) => !isAlone(snapshot),
      (snapshot) => ({...snapshot, other: undefined}),
    ),
    'close the leading tab': where(
      (snapshot) =>
        !isAlone(snapshot) && !isOut(snapshot) && (leads('streaming')(snapshot) || leads('backingOff')(snapshot)),
      ({other = newTab(), written}) => sent({leader: other, written, isOpen: false}, 'leader', {type: 'leader.won'}),
    ),
  },
  shownBy: (snapshot) => {
    const tabs = isAlone(snapshot) ? 'one tab' : 'two tabs'
    if (isStreaming(snapshot)) return `${isOut(snapshot) ? 'streaming all the same' : 'streaming'}: ${tabs}`
    if (leads('backingOff')(snapshot)) return `backing off: ${tabs}`
    if (leads('offline')(snapshot)) return `offline: ${tabs}`
    if (isOpening(snapshot)) return `${openingOf(snapshot)}: ${tabs}`
    return `idle: ${tabs}`
  },
}

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
