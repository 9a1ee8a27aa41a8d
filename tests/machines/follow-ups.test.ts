import {Observable} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromCallback, fromEventObservable, fromPromise, SimulatedClock, waitFor} from 'xstate'
import type {Ask} from '#domain/conversation.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import {followUpsMachine, selectIsGoing, selectItems} from '#machines/follow-ups/follow-ups.machine.ts'
import {selectEditing, selectIsHeld} from '#machines/follow-ups/follow-ups.selectors.ts'
import type {Claim, FollowUpDue, FollowUpsEvent, FollowUpsNoted} from '#machines/follow-ups/follow-ups.types.ts'
import type {EventFixtures} from './graph.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'

const ask = (key: string, question = `question ${key}`): Ask => ({question, references: [], key})
const [a, b, c] = [ask('a'), ask('b'), ask('c')]

const events = {
  'followUp.add': [
    {type: 'followUp.add', ask: b},
    {type: 'followUp.add', ask: a, at: 0},
  ],
  'followUp.promise': [{type: 'followUp.promise', ask: c}],
  'followUp.edit': [{type: 'followUp.edit', key: 'a'}],
  'followUp.save': [
    {type: 'followUp.save', key: 'a', question: ' bar '},
    {type: 'followUp.save', key: 'a', question: ' '},
  ],
  'followUp.keep': [
    {type: 'followUp.keep', key: 'a', question: 'bar', references: ['https://foo.example/a.pdf']},
    {type: 'followUp.keep', key: 'a', question: ' '},
  ],
  'followUp.cancel': [{type: 'followUp.cancel', key: 'a'}],
  'followUp.move': [{type: 'followUp.move', key: 'b', to: 0}],
  'followUp.remove': [{type: 'followUp.remove', key: 'a'}],
  'followUp.sendNow': [{type: 'followUp.sendNow', key: 'b'}],
  'followUps.sendOn': [{type: 'followUps.sendOn'}],
  'followUps.heard': [
    {type: 'followUps.heard', items: [b]},
    {type: 'followUps.heard', items: [b], isHeld: true},
  ],
  'leader.won': [{type: 'leader.won'}],
  'leader.lost': [{type: 'leader.lost'}],
  'turn.began': [{type: 'turn.began'}],
  'turn.ended': [
    {type: 'turn.ended', isAnswered: true},
    {type: 'turn.ended', isAnswered: false},
  ],
} satisfies EventFixtures<FollowUpsEvent>

const claims: Claim[] = ['a', 'b', 'c'].flatMap((key) => [
  {key, isOurs: true},
  {key, isOurs: false},
])

describe('followUps', () => {
  const {edges, coverage} = describeRules(followUpsMachine, {
    input: {items: [], parentRef: nobody},
    inputs: [{items: [a, b], parentRef: nobody}],
    events: Object.values(events).flat(),
    outputs: {claimFollowUp: claims},
    errors: [new Error('foo')],
    endless: ['holdFollowUp', 'holdTurn', 'turnHolder'],
    limit: 50_000,
    key: ({context: {items, edited}}) => [items.map(({key, question}) => `${key}${question}`), edited],
  })

  test('every transition is taken', () => {
    expect(coverage.missing(followUpsMachine)).toEqual([])
  })

  test('only a claim of this tab hands a question over, or a claim that failed', () => {
    const handing = edges.filter(
      ({state, nextState}) => !state.matches({turn: {free: 'handed'}}) && nextState.matches({turn: {free: 'handed'}}),
    )
    expect(handing.length).toBeGreaterThan(0)
    for (const {event, state} of handing) {
      expect(event.type).toMatch(/actor\.claimFollowUp$/)
      // as: the end of an invoked actor has its output
      const {output} = event as {output?: Claim}
      if (output !== undefined) expect(output).toEqual({key: state.context.items[0]?.key, isOurs: true})
    }
  })

  test('nothing is handed over while a text is edited', () => {
    const handing = edges.filter(
      ({nextState, state}) => nextState.matches({turn: {free: 'handed'}}) && !state.matches({turn: {free: 'handed'}}),
    )
    expect(handing.length).toBeGreaterThan(0)
    expect(handing.filter(({state}) => selectEditing(state) !== undefined)).toEqual([])
  })

  test('a turn that failed or was stopped holds them; only the user or an answer lets them go', () => {
    const released = edges.filter(
      ({state, nextState}) => state.matches({turn: 'held'}) && nextState.matches({turn: 'free'}),
    )
    const types = new Set(released.map(({event}) => event.type))
    expect([...types].sort()).toEqual(['followUp.sendNow', 'followUps.sendOn', 'turn.ended'])
    const failed = edges.filter(
      ({state, event, nextState}) =>
        JSON.stringify(event) === '{"type":"turn.ended","isAnswered":false}' &&
        !state.matches({turn: {busy: 'promised'}}) &&
        !nextState.matches({turn: 'held'}),
    )
    expect(failed).toEqual([])
  })

  test('none is lost: it is removed, handed over, or another tab took it', () => {
    const lost = edges.filter(({state, event, nextState}) => {
      const kept = nextState.context.items.map(({key}) => key)
      const gone = state.context.items.filter(({key}) => !kept.includes(key))
      return (
        gone.length > 0 &&
        !['followUp.remove', 'followUps.heard'].includes(event.type) &&
        !nextState.matches({turn: {free: 'handed'}})
      )
    })
    expect(lost).toEqual([])
  })
})

/** A queue below an owner that writes down what it is told. `held`: what other tabs cannot send. */
function start(items: Ask[], claim: (key: string) => Promise<Claim> = async (key) => ({key, isOurs: true})) {
  const facts: (FollowUpDue | FollowUpsNoted)[] = []
  const owner = createActor(
    fromCallback<FollowUpDue | FollowUpsNoted>(({receive}) => receive((fact) => facts.push(fact))),
  ).start()
  const clock = new SimulatedClock()
  const held: string[] = []
  const queue = createActor(
    followUpsMachine.provide({
      actors: {
        claimFollowUp: fromPromise<Claim, {key: string}>(({input}) => claim(input.key)),
        holdFollowUp: fromEventObservable<LeadershipFact, {key: string}>(
          ({input: {key}}) =>
            new Observable(() => {
              held.push(key)
              return () => held.splice(held.indexOf(key), 1)
            }),
        ),
      },
    }),
    // as: the facts are those that the owner above takes
    {input: {items, parentRef: owner}, clock},
  ).start()
  const due = () => facts.flatMap((fact) => (fact.type === 'followUp.due' ? [fact.ask.key] : []))
  return {queue, facts, clock, due, held}
}
const answered = {type: 'turn.ended', isAnswered: true} as const
const failed = {type: 'turn.ended', isAnswered: false} as const

describe('follow-ups go out', () => {
  test('one for each answer, in the order that the user gave them', async () => {
    const {queue, due} = start([])
    for (const item of [a, b, c]) queue.send({type: 'followUp.add', ask: item})
    queue.send({type: 'followUp.move', key: 'c', to: 0})
    expect(due()).toEqual([])
    for (const sent of [['c'], ['c', 'a'], ['c', 'a', 'b']]) {
      queue.send(answered)
      await expect.poll(due).toEqual(sent)
      queue.send({type: 'turn.began'})
    }
    expect(selectItems(queue.getSnapshot())).toEqual([])
  })

  test('with the time at which their turn began', async () => {
    const {queue, facts} = start([a], async (key) => ({key, isOurs: true, at: 7}))
    queue.send(answered)
    await expect.poll(() => facts).toContainEqual({type: 'followUp.due', ask: a, at: 7})
  })

  test('not after a failure, until the user says so', async () => {
    const {queue, due} = start([a, b])
    queue.send(failed)
    expect(selectIsHeld(queue.getSnapshot())).toBe(true)
    expect(selectIsGoing(queue.getSnapshot())).toBe(false)
    queue.send({type: 'followUp.sendNow', key: 'b'})
    await expect.poll(due).toEqual(['b'])
    expect(selectItems(queue.getSnapshot())).toEqual([a])
  })

  test('what was asked after Stop goes out when the answer has ended', async () => {
    const {queue, due} = start([a])
    queue.send({type: 'followUp.promise', ask: b})
    queue.send(failed)
    await expect.poll(due).toEqual(['b'])
  })

  test('after the edit of a text that was open when the answer ended, with the new text', async () => {
    const {queue, facts} = start([a])
    queue.send({type: 'followUp.edit', key: 'a'})
    queue.send(answered)
    await Promise.resolve()
    expect(selectEditing(queue.getSnapshot())).toBe('a')
    queue.send({type: 'followUp.save', key: 'a', question: 'other'})
    await waitFor(queue, (snapshot) => snapshot.matches({turn: {free: 'handed'}}))
    expect(facts).toContainEqual({type: 'followUp.due', ask: {...a, question: 'other'}})
  })

  test('not in another tab while its text is edited, whatever runs meanwhile', () => {
    const {queue, held} = start([a, b, c])
    queue.send({type: 'followUp.edit', key: 'a'})
    queue.send(answered)
    queue.send({type: 'turn.began'})
    queue.send({type: 'followUps.heard', items: [a, b]})
    expect(held).toEqual(['a'])
    queue.send({type: 'followUp.edit', key: 'b'})
    expect(held).toEqual(['b'])
    queue.send({type: 'followUp.save', key: 'b', question: ' '})
    expect(held).toEqual(['b'])
    queue.send({type: 'followUp.save', key: 'b', question: 'other'})
    expect(held).toEqual([])
    for (const end of [
      {type: 'followUp.cancel', key: 'a'},
      {type: 'followUp.remove', key: 'a'},
    ] as const) {
      queue.send({type: 'followUp.edit', key: 'a'})
      expect(held).toEqual(['a'])
      queue.send(end)
      expect(held).toEqual([])
    }
  })

  test('in one tab alone: the other waits for its word, and claims again where none comes', async () => {
    let isFree = false
    const {queue, due, clock} = start([a], async (key) => ({key, isOurs: isFree}))
    queue.send(answered)
    await waitFor(queue, (snapshot) => snapshot.matches({turn: {free: 'elsewhere'}}))
    clock.increment(4_000)
    expect(due()).toEqual([])
    isFree = true
    clock.increment(2_000)
    await expect.poll(due).toEqual(['a'])
  })

  test('not at all where the other tab has sent it', async () => {
    const {queue, due, clock} = start([a], async (key) => ({key, isOurs: false}))
    queue.send(answered)
    await waitFor(queue, (snapshot) => snapshot.matches({turn: {free: 'elsewhere'}}))
    queue.send({type: 'followUps.heard', items: []})
    clock.increment(10_000)
    expect(due()).toEqual([])
    expect(queue.getSnapshot().matches({turn: {free: 'waiting'}})).toBe(true)
  })
})
