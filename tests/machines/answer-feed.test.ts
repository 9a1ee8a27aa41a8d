import {merge, of, Subject} from 'rxjs'
import type {FeedEvent} from '#domain/answer.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, SimulatedClock} from 'xstate'
import type {FollowFrame} from '#contract/answer-frames.ts'
import {toPieces} from '#domain/frame-pieces.ts'
import {lostContact} from '#domain/failure.ts'
import {answerFeedMachine} from '#machines/answer-feed/answer-feed.machine.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import type {AnswerFeedEmitted, AnswerFeedEvent, PeerEvent, PeersFact} from '#machines/answer-feed/answer-feed.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const name = {id: 'c', message: 'm', attempt: 1}
const answer = {...name, lastSeq: 0}
const unauthorized = {status: 401, code: 'invalid_token', detail: 'foo'}
const begun: FollowFrame = {...name, seq: 0, provider: 'sandbox'}
const said = (seq: number, text: string): FollowFrame => ({...name, seq, delta_answer: text})
const over = (seq: number): FollowFrame => ({...name, seq, state: 'finished'})

const events = {
  'answer.follow': [{type: 'answer.follow', follower: 'f', answer}],
  'answer.leave': [{type: 'answer.leave', follower: 'f'}],
  'connection.restored': [{type: 'connection.restored'}],
  'leader.won': [{type: 'leader.won'}],
  'leader.lost': [{type: 'leader.lost'}],
  'feed.connected': [{type: 'feed.connected'}],
  'feed.pinged': [{type: 'feed.pinged'}],
  'feed.received': [
    {type: 'feed.received', pieces: toPieces([begun, said(1, 'a')])},
    {type: 'feed.received', pieces: toPieces([over(1)])},
  ],
  'peers.ready': [{type: 'peers.ready'}],
  'peer.opened': [{type: 'peer.opened'}],
  'peer.disconnected': [{type: 'peer.disconnected'}],
  'peer.asked': [{type: 'peer.asked', answers: [answer]}],
  'peer.reported': [
    {type: 'peer.reported', pieces: [{...name, from: 1, texts: ['a']}]},
    {type: 'peer.reported', pieces: [{...name, from: 9, texts: ['gap']}]},
  ],
} satisfies EventFixtures<AnswerFeedEvent>

describe('the feed of running answers', () => {
  const {edges, states, coverage} = describeRules(answerFeedMachine, {
    input: {userId: 'u-1', environment: startEnvironment()},
    inputs: [{userId: 'u-1', environment: startEnvironment({isOnline: false})}],
    events: Object.values(events).flat(),
    outputs: {leadership: [undefined], peers: [undefined], followStream: [undefined]},
    errors: [lostContact('foo'), unauthorized],
    endless: ['leadership', 'peers', 'followStream', 'environmentChanges'],
    // more followers and failures than these change nothing
    stop: ({context}) => context.follows.length > 2 || context.failures > 2,
    key: ({context: {follows, carried, failures, environment}}) => [
      follows.map(({lastSeq}) => lastSeq),
      carried.map(({texts, end}) => [texts.length, end?.state]),
      failures,
      selectIsOnline(environment.getSnapshot()),
    ],
  })

  test('every transition is taken', () => expect(coverage.missing(answerFeedMachine)).toEqual([]))

  test('no request and no turn in the queue while nothing is followed', () => {
    const idle = states.filter(({context}) => context.follows.length === 0 && context.carried.length === 0)
    expect(idle.every((snapshot) => snapshot.matches('idle'))).toBe(true)
  })

  test('only the leader keeps what the stream brought', () => {
    const others = states.filter((snapshot) => !snapshot.hasTag('leading') && snapshot.context.carried.length > 0)
    expect(others).toEqual([])
  })

  test('nobody goes back in an answer', () => {
    const back = edges.filter(({state, nextState}) =>
      nextState.context.follows.some(({lastSeq}, index) => lastSeq < (state.context.follows[index]?.lastSeq ?? 0)),
    )
    expect(back).toEqual([])
  })
})

/** One tab of a browser: word to the others goes where the test wires it. */
function openTab() {
  const line = new Subject<LeadershipFact>()
  const peers = new Subject<PeerEvent>()
  const streams: Subject<FeedEvent>[] = []
  const reports: PeerEvent[] = []
  const others: {peers: Subject<PeerEvent>}[] = []
  const clock = new SimulatedClock()
  const environment = startEnvironment()
  const feed = createActor(
    answerFeedMachine.provide({
      actors: {
        leadership: fromEventObservable<LeadershipFact, {userId: string}>(() => line),
        peers: fromEventObservable<PeersFact | PeerEvent, {userId: string}>(() =>
          merge(peers, of({type: 'peers.ready'} as const)),
        ),
        followStream: fromEventObservable<FeedEvent, undefined>(() => {
          const stream = new Subject<FeedEvent>()
          streams.push(stream)
          return stream
        }),
      },
      actions: {
        sendToPeers: (_, word) => {
          if (!peers.observed) return
          reports.push(word)
          for (const other of others) other.peers.next(word)
        },
      },
    }),
    {input: {userId: 'u-1', environment}, clock},
  ).start()
  const heard: string[] = []
  const opened: string[] = []
  feed.on('feed.opened', () => opened.push('opened'))
  feed.on('feed.disconnected', () => opened.push('disconnected'))
  feed.on('feed.delivered', ({follower, piece}: Extract<AnswerFeedEmitted, {type: 'feed.delivered'}>) =>
    heard.push(`${follower} ${piece.from} ${piece.texts.join('')}${piece.end ? '.' : ''}`),
  )
  return {
    environment,
    feed,
    line,
    peers,
    streams,
    reports,
    others,
    heard,
    opened,
    clock,
    stream: () => streams.at(-1),
    receive: (...frames: FollowFrame[]) => streams.at(-1)?.next({type: 'feed.received', pieces: toPieces(frames)}),
  }
}

function openTwo() {
  const [first, second] = [openTab(), openTab()]
  first.others.push(second)
  second.others.push(first)
  first.feed.send({type: 'answer.follow', follower: 'f', answer})
  second.feed.send({type: 'answer.follow', follower: 's', answer})
  first.line.next({type: 'leader.won'})
  first.stream()?.next({type: 'feed.connected'})
  return [first, second] as const
}

describe('tabs', () => {
  test('one holds the stream, both hear each delta once', () => {
    const [first, second] = openTwo()
    first.receive(begun, said(1, 'a'), said(2, 'b'))
    first.receive(said(3, 'c'), over(3))
    expect(first.heard).toEqual(['f 1 ab', 'f 3 c.'])
    expect(second.heard).toEqual(['s 1 ab', 's 3 c.'])
    expect(second.streams).toEqual([])
  })

  test('a follower that comes late gets what was said before, from its own position', () => {
    const [first, second] = openTwo()
    first.receive(begun, said(1, 'a'), said(2, 'b'))
    second.feed.send({type: 'answer.follow', follower: 'late', answer: {...answer, lastSeq: 1}})
    first.feed.send({type: 'answer.follow', follower: 'here', answer})
    expect(second.heard).toEqual(['s 1 ab', 'late 2 b'])
    expect(first.heard).toEqual(['f 1 ab', 'here 1 ab'])
  })

  test('a tab that opens while another leads gets what was said before', () => {
    const [first, second] = [openTab(), openTab()]
    first.others.push(second)
    second.others.push(first)
    first.feed.send({type: 'answer.follow', follower: 'f', answer})
    first.line.next({type: 'leader.won'})
    first.stream()?.next({type: 'feed.connected'})
    first.receive(begun, said(1, 'a'), said(2, 'b'))
    second.feed.send({type: 'answer.follow', follower: 's', answer})
    expect(second.heard).toEqual(['s 1 ab'])
  })

  test('the leader is closed: the next one begins at the start, and nobody hears anything twice', () => {
    const [first, second] = openTwo()
    first.receive(begun, said(1, 'a'), said(2, 'b'))
    first.feed.stop()
    second.others.length = 0
    second.line.next({type: 'leader.won'})
    second.stream()?.next({type: 'feed.connected'})
    expect(second.opened).toEqual(['opened', 'opened'])
    second.receive(begun, said(1, 'a'))
    second.receive(said(2, 'b'), said(3, 'c'), over(3))
    expect(second.heard).toEqual(['s 1 ab', 's 3 c.'])
  })

  test('followers of one answer at several positions of one tab: each gets its own', () => {
    const [first, second] = openTwo()
    first.others.length = 0
    first.receive(begun, said(1, 'a'), said(2, 'b'), said(3, 'c'))
    first.others.push(second)
    second.feed.send({type: 'answer.follow', follower: 'ahead', answer: {...answer, lastSeq: 2}})
    expect(second.heard).toEqual(['s 1 abc', 'ahead 3 c'])
  })

  test('deltas that got lost between the tabs are asked for again', () => {
    const [first, second] = openTwo()
    first.others.length = 0
    first.receive(begun, said(1, 'a'))
    first.others.push(second)
    first.receive(said(2, 'b'))
    expect(second.heard).toEqual(['s 1 ab'])
    expect(second.reports.at(-1)).toEqual({type: 'peer.asked', answers: [answer]})
  })

  test('a tab that leads goes on for the others until nothing runs', () => {
    const [first, second] = openTwo()
    first.receive(begun, said(1, 'a'))
    first.feed.send({type: 'answer.leave', follower: 'f'})
    expect(first.stream()?.observed).toBe(true)
    first.receive(said(2, 'b'), over(2))
    expect(second.heard).toEqual(['s 1 a', 's 2 b.'])
    expect([first.stream()?.observed, first.line.observed]).toEqual([false, false])
  })

  test('a stream that breaks is opened again, from the start', () => {
    const [first] = openTwo()
    first.receive(begun, said(1, 'a'))
    first.stream()?.error(lostContact('foo'))
    first.clock.increment(60_000)
    expect(first.streams).toHaveLength(2)
    first.receive(begun, said(1, 'a'), said(2, 'b'))
    expect(first.heard).toEqual(['f 1 a', 'f 2 b'])
  })

  test('a stream that breaks is said in every tab, and so is that it was opened again', () => {
    const [first, second] = openTwo()
    first.receive(begun, said(1, 'a'))
    first.stream()?.error(lostContact('foo'))
    first.clock.increment(60_000)
    first.stream()?.next({type: 'feed.connected'})
    for (const {opened} of [first, second]) expect(opened).toEqual(['opened', 'disconnected', 'opened'])
  })

  test('a stream that falls silent is opened again; a ping is no silence', () => {
    const [first] = openTwo()
    first.clock.increment(19_000)
    first.stream()?.next({type: 'feed.pinged'})
    first.clock.increment(19_000)
    expect(first.streams).toHaveLength(1)
    first.clock.increment(1_000)
    first.clock.increment(1_000)
    expect(first.streams).toHaveLength(2)
  })

  test('offline it waits for the network', () => {
    const [first] = openTwo()
    first.environment.send({type: 'connection.lost'})
    first.stream()?.error(lostContact('foo'))
    first.clock.increment(30_000)
    expect(first.streams).toHaveLength(1)
    first.environment.send({type: 'connection.restored'})
    expect(first.streams).toHaveLength(2)
  })

  test('a network that comes back ends the pause before the stream is opened again', () => {
    const [first] = openTwo()
    first.stream()?.error(lostContact('foo'))
    expect(first.streams).toHaveLength(1)
    first.environment.send({type: 'connection.lost'})
    first.environment.send({type: 'connection.restored'})
    expect(first.streams).toHaveLength(2)
  })
})
