import {initialTransition} from 'xstate'
import {followUpsMachine, selectItems, type FollowUpsSnapshot} from '#machines/follow-ups/follow-ups.machine.ts'
import {selectEditing} from '#machines/follow-ups/follow-ups.selectors.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {sender, where, type Chart} from './chart-walk.ts'

/*
 * The questions that wait in a conversation, as a user sees them. The machine hears of the conversation when a turn
 * begins and ends; at most two questions wait.
 */

/** `free`: nothing runs, and what waits is being edited. */
export type Turn = 'answering' | 'promised' | 'held' | 'free' | 'free after a stop'
export type Queue = 'none' | 'one' | 'two' | 'one edited' | 'one of two edited'
type Shown = `${Turn}, ${Queue}`
export type Action =
  | 'ask'
  | 'end'
  | 'fail'
  | 'stop'
  | 'stop and ask'
  | 'confirm the stop'
  | 'edit'
  | 'save'
  | 'cancel'
  | 'move'
  | 'remove'
  | 'remove and undo'
  | 'go on'
  | 'send now'
  | 'reload'
/** `asked`: what went out, each once and in order; `count`: questions so far. */
export type Snapshot = {queue: FollowUpsSnapshot; asked: readonly string[]; count: number; wasAnswered: boolean}

type Events = Parameters<typeof send>[1][]
const send = sender(followUpsMachine)
export const items = ({queue}: Snapshot) => selectItems(queue)
export const editing = ({queue}: Snapshot) => selectEditing(queue)
const is =
  (...turns: Turn[]) =>
  (snapshot: Snapshot) =>
    turns.includes(turnOf(snapshot))
/** Something waits, and none of it is being edited. */
const rests = (snapshot: Snapshot) => items(snapshot).length > 0 && editing(snapshot) === undefined
export const nextQuestion = ({count}: Snapshot) => `Question ${count + 1}`
export const edited = (question: string) => `${question} again`
/** The item that can be removed beside an editor. */
export const removable = (snapshot: Snapshot) => items(snapshot).findLast(({key}) => key !== editing(snapshot))

function turnOf({queue, wasAnswered}: Snapshot): Turn {
  if (queue.matches({turn: {busy: 'promised'}})) return 'promised'
  if (queue.matches({turn: 'busy'})) return 'answering'
  return queue.matches({turn: 'held'}) ? 'held' : wasAnswered ? 'free' : 'free after a stop'
}
function queueOf(snapshot: Snapshot): Queue {
  const {length} = items(snapshot)
  if (editing(snapshot) !== undefined) return length === 1 ? 'one edited' : 'one of two edited'
  return length === 0 ? 'none' : length === 1 ? 'one' : 'two'
}

/** The first goes out as soon as it may: this tab is the only one. */
function sent(snapshot: Snapshot, ...events: Events): Snapshot {
  const queue = send(snapshot.queue, ...events)
  const [first] = selectItems(queue)
  if (first === undefined || !queue.matches({turn: {free: 'claiming'}})) return {...snapshot, queue}
  const claim = {type: 'xstate.done.actor.claimFollowUp', output: {key: first.key, isOurs: true}} as const
  return {...snapshot, queue: send(queue, claim, {type: 'turn.began'}), asked: [...snapshot.asked, first.question]}
}
const ends = (snapshot: Snapshot, isAnswered: boolean) =>
  sent({...snapshot, wasAnswered: isAnswered}, {type: 'turn.ended', isAnswered})
const added = (snapshot: Snapshot, type: 'followUp.add' | 'followUp.promise') =>
  sent(
    {...snapshot, count: snapshot.count + 1},
    {type, ask: {question: nextQuestion(snapshot), references: [], key: `k${snapshot.count}`}},
  )
const begin = (list: FollowUpsSnapshot['context']['items']) =>
  initialTransition(followUpsMachine, {items: list, parentRef: nobody})[0]
export const firstOf = (snapshot: Snapshot) => items(snapshot)[0] ?? {key: '', question: ''}

/** The list of waiting questions as a user sees it. */
export const followUpsChart: Chart<Snapshot, Action, Shown> = {
  start: () => ends({queue: begin([]), asked: [], count: 0, wasAnswered: true}, true),
  effects: {
    ask: where(
      (snapshot) => items(snapshot).length < 2 && turnOf(snapshot) !== 'promised',
      (snapshot) =>
        is('held')(snapshot) || (items(snapshot).length === 0 && !is('answering')(snapshot))
          ? {
              ...snapshot,
              queue: send(snapshot.queue, {type: 'turn.began'}),
              asked: [...snapshot.asked, nextQuestion(snapshot)],
              count: snapshot.count + 1,
            }
          : added(snapshot, 'followUp.add'),
    ),
    end: where(is('answering'), (snapshot) => ends(snapshot, true)),
    fail: where(is('answering'), (snapshot) => ends(snapshot, false)),
    stop: where(is('answering'), (snapshot) => ends(snapshot, false)),
    'stop and ask': where(
      (snapshot) => is('answering')(snapshot) && items(snapshot).length < 2,
      (snapshot) => added(snapshot, 'followUp.promise'),
    ),
    'confirm the stop': where(is('promised'), (snapshot) => ends(snapshot, false)),
    edit: where(rests, (snapshot) => sent(snapshot, {type: 'followUp.edit', key: firstOf(snapshot).key})),
    save: where(
      (snapshot) => editing(snapshot) !== undefined,
      (snapshot) => {
        const key = editing(snapshot) ?? ''
        const question = edited(items(snapshot).find((item) => item.key === key)?.question ?? '')
        return sent(snapshot, {type: 'followUp.save', key, question})
      },
    ),
    cancel: where(
      (snapshot) => editing(snapshot) !== undefined,
      (snapshot) => sent(snapshot, {type: 'followUp.cancel', key: editing(snapshot) ?? ''}),
    ),
    move: where(
      (snapshot) => rests(snapshot) && items(snapshot).length === 2,
      (snapshot) => sent(snapshot, {type: 'followUp.move', key: firstOf(snapshot).key, to: 1}),
    ),
    remove: where(
      (snapshot) => removable(snapshot) !== undefined,
      (snapshot) => sent(snapshot, {type: 'followUp.remove', key: removable(snapshot)?.key ?? ''}),
    ),
    'remove and undo': where(rests, (snapshot) => {
      const ask = firstOf(snapshot)
      const back = {question: ask.question, references: [], key: ask.key}
      return sent(snapshot, {type: 'followUp.remove', key: ask.key}, {type: 'followUp.add', ask: back, at: 0})
    }),
    'go on': where(
      (snapshot) => is('held')(snapshot) && items(snapshot).length > 0,
      (snapshot) => sent(snapshot, {type: 'followUps.sendOn'}),
    ),
    'send now': where(
      (snapshot) => is('held')(snapshot) && rests(snapshot),
      (snapshot) => sent(snapshot, {type: 'followUp.sendNow', key: items(snapshot).at(-1)?.key ?? ''}),
    ),
    // the order to stop would be lost with the page, and nothing is to be seen without a list
    reload: where(
      (snapshot) => !is('promised')(snapshot) && items(snapshot).length > 0,
      (snapshot) => {
        const again = {...snapshot, queue: begin([...items(snapshot)])}
        return is('answering')(snapshot) ? again : ends(again, snapshot.wasAnswered)
      },
    ),
  },
  shownBy: (snapshot) => `${turnOf(snapshot)}, ${queueOf(snapshot)}`,
}
