import {initialTransition} from 'xstate'
import {followUpsMachine, selectItems, type FollowUpsSnapshot} from '#machines/follow-ups/follow-ups.machine.ts'
import type {FollowUpsEvent} from '#machines/follow-ups/follow-ups.types.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {sender, where, type Chart} from './chart-walk.ts'

/*
 * A question that waits in two tabs, as a user sees it: the first tab asks, and the other one hears of the question
 * before it has read of the answer that runs. One machine stands for each tab; one question waits at most.
 */

/** `alone`: the first tab is away. */
export type Shown =
  | 'both rest'
  | 'told'
  | 'left'
  | 'left, ended'
  | 'left, back'
  | 'told to hold'
  | 'both hold'
  | 'both answer, one waits'
  | 'both answer'
  | 'alone answers, one waits'
  | 'alone answers'
  | 'alone rests'
export type Action =
  | 'ask twice'
  | 'hear'
  | 'end'
  | 'fail'
  | 'stop'
  | 'go on here'
  | 'go on there'
  | 'leave'
  | 'come back'
  | 'three seconds pass'
/** `here`: undefined while that tab is away; `asked`: what went out, each once and in order. */
export type Snapshot = {
  here: FollowUpsSnapshot | undefined
  there: FollowUpsSnapshot
  isRunning: boolean
  asked: readonly string[]
  count: number
}
type Tab = 'here' | 'there'

const send = sender(followUpsMachine)
const otherThan = {here: 'there', there: 'here'} as const
const begin = (items: FollowUpsSnapshot['context']['items']) =>
  initialTransition(followUpsMachine, {items, parentRef: nobody})[0]
const afterEvents = (snapshot: Snapshot, tab: Tab, ...events: Parameters<typeof send>[1][]): Snapshot => {
  const queue = snapshot[tab]
  return queue === undefined ? snapshot : {...snapshot, [tab]: send(queue, ...events)}
}
/** The other tab hears of the list of this one. */
const withNews = (snapshot: Snapshot, by: Tab, isHeld?: boolean): Snapshot => {
  const items = [...itemsIn(snapshot, by)]
  return afterEvents(snapshot, otherThan[by], {type: 'followUps.heard', items, isHeld})
}
export const itemsIn = (snapshot: Snapshot, tab: Tab) => {
  const queue = snapshot[tab]
  return queue === undefined ? [] : selectItems(queue)
}
const begins: FollowUpsEvent = {type: 'turn.began'}
const ends = (isAnswered: boolean): FollowUpsEvent => ({type: 'turn.ended', isAnswered})
const stateOf = ({there}: Snapshot) => ({
  isWatching: there.matches({turn: {free: {told: 'watching'}}}),
  isLeft: there.matches({turn: {free: {told: 'left'}}}),
  isHeld: there.matches({turn: 'held'}),
})
/** The other tab waits for a turn that it has not read of. */
const isUnread = (snapshot: Snapshot) => stateOf(snapshot).isWatching || stateOf(snapshot).isLeft

/** A tab that may claims the question and sends it; the other one reads of that. */
function afterSend(snapshot: Snapshot, by: Tab): Snapshot {
  const [first] = itemsIn(snapshot, by)
  if (first === undefined) return snapshot
  const claim = {type: 'xstate.done.actor.claimFollowUp', output: {key: first.key, isOurs: true}} as const
  const after = withNews(afterEvents(snapshot, by, claim, begins), by)
  return {...afterEvents(after, otherThan[by], begins), isRunning: true, asked: [...after.asked, first.question]}
}
/** The turn ends well: the first tab sends what waits, else the one that is left. */
function afterEnd(snapshot: Snapshot): Snapshot {
  const over = {...snapshot, isRunning: false}
  if (isUnread(snapshot)) return afterSend(afterEvents(over, 'here', ends(true)), 'here')
  const both = afterEvents(afterEvents(over, 'here', ends(true)), 'there', ends(true))
  return afterSend(both, both.here === undefined ? 'there' : 'here')
}
function afterFailure(snapshot: Snapshot): Snapshot {
  const here = afterEvents({...snapshot, isRunning: false}, 'here', ends(false))
  return isUnread(snapshot) ? withNews(here, 'here', true) : afterEvents(here, 'there', ends(false))
}
const fails = where<Snapshot>((snapshot) => snapshot.isRunning && itemsIn(snapshot, 'here').length > 0, afterFailure)
const goesOn = (tab: Tab) =>
  where<Snapshot>(
    (snapshot) => stateOf(snapshot).isHeld,
    (snapshot) => afterSend(afterEvents(snapshot, tab, {type: 'followUps.sendOn'}), tab),
  )

function shownBy(snapshot: Snapshot): Shown {
  const {here, there, isRunning} = snapshot
  const {isWatching, isLeft, isHeld} = stateOf(snapshot)
  const waits = selectItems(there).length > 0
  if (isWatching) return 'told'
  if (isLeft) return here ? 'left, back' : isRunning ? 'left' : 'left, ended'
  if (isHeld) return there.matches({turn: {held: 'elsewhere'}}) ? 'told to hold' : 'both hold'
  if (here === undefined) return isRunning ? (waits ? 'alone answers, one waits' : 'alone answers') : 'alone rests'
  return isRunning ? (waits ? 'both answer, one waits' : 'both answer') : 'both rest'
}

export const nextQuestions = ({count}: Snapshot) => [`Question ${count + 1}`, `Waiting ${count + 1}`] as const

export const twoTabsChart: Chart<Snapshot, Action, Shown> = {
  start: () => {
    const resting = send(begin([]), ends(true))
    return {here: resting, there: resting, isRunning: false, asked: ['Question 0'], count: 0}
  },
  effects: {
    'ask twice': where(
      (snapshot) => shownBy(snapshot) === 'both rest',
      (snapshot) => {
        const [first, second] = nextQuestions(snapshot)
        const ask = {question: second, references: [], key: `k${snapshot.count}`}
        const asked = [...snapshot.asked, first]
        const asking = {...snapshot, isRunning: true, asked, count: snapshot.count + 1}
        return withNews(afterEvents(asking, 'here', begins, {type: 'followUp.add', ask}), 'here')
      },
    ),
    hear: where(
      (snapshot) => ['told', 'told to hold'].includes(shownBy(snapshot)),
      (snapshot) => afterEvents(snapshot, 'there', snapshot.isRunning ? begins : ends(false)),
    ),
    end: where(({isRunning}) => isRunning, afterEnd),
    fail: fails,
    stop: fails,
    'go on here': goesOn('here'),
    'go on there': goesOn('there'),
    leave: where(
      (snapshot) => snapshot.here !== undefined && isUnread(snapshot),
      // where it had left before, the other tab still waits for that
      (snapshot) => afterEvents({...snapshot, here: undefined}, 'there', {type: 'leader.won'}),
    ),
    'come back': where(
      ({here}) => here === undefined,
      (snapshot) => {
        const back = {...snapshot, here: begin([...selectItems(snapshot.there)])}
        return snapshot.isRunning ? back : afterSend(afterEvents(back, 'here', ends(true)), 'here')
      },
    ),
    'three seconds pass': where(
      (snapshot) => stateOf(snapshot).isLeft,
      (snapshot) => {
        const confirming = afterEvents(snapshot, 'there', {
          type: 'xstate.after.returnDelay.followUps.turn.free.told.left',
        })
        if (!confirming.there.matches({turn: {free: {told: 'confirming'}}})) throw new Error('It does not look again')
        if (confirming.here !== undefined) return afterEvents(confirming, 'there', {type: 'leader.lost'})
        const alone = afterEvents(confirming, 'there', {type: 'leader.won'})
        // the server refuses it while the answer before it runs: it waits on
        return alone.isRunning ? afterEvents(alone, 'there', begins) : afterSend(alone, 'there')
      },
    ),
  },
  shownBy,
}
