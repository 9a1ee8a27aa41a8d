import {initialTransition, transition} from 'xstate'
import type {AnswerPiece} from '#domain/answer-pieces.ts'
import {answerFeedMachine} from '#machines/answer-feed/answer-feed.machine.ts'
import type {AnswerFeedEmitted, AnswerFeedEvent, PeerEvent} from '#machines/answer-feed/answer-feed.types.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {where, type Chart} from './chart-walk.ts'

/* The tabs that share a stream, and their user's actions, over the machine of that stream. */

export type Action =
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
export type Shown = `${Way}: ${'one tab' | 'two tabs'}`
type Feed = ReturnType<typeof initialTransition<typeof answerFeedMachine>>[0]
/** A tab, as far as its user can tell: the words that it shows, and whether contact is lost. */
type Tab = {feed: Feed; words: number; isLost: boolean}
/** `written`: words of the answer so far; `isOpen`: the stream is. */
export type Snapshot = {leader: Tab; other?: Tab | undefined; written: number; isOpen: boolean}
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
export const leads = (state: 'streaming' | 'backingOff' | 'offline') => (snapshot: Snapshot) =>
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

export const chart: Chart<Snapshot, Action, Shown> = {
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
