import {describe, expect, test} from 'vitest'
import {lostContact} from '#domain/failure.ts'
import {pollRules} from '#domain/poll-rules.ts'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import type {PollOutput, TaskPollEvent} from '#machines/task-poll/task-poll.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {record} from './media-fixtures.ts'
import {describeRules} from './rules.ts'
import {input, report, start} from './task-poll-fixture.ts'

const unauthorized = {status: 401, code: 'invalid_token', detail: 'foo'}

const events = {
  'tasks.watch': [
    {type: 'tasks.watch', ids: ['a']},
    {type: 'tasks.watch', ids: ['a', 'b']},
    {type: 'tasks.watch', ids: []},
  ],
  'tasks.check': [{type: 'tasks.check'}],
  'leader.won': [{type: 'leader.won'}],
  'leader.lost': [{type: 'leader.lost'}],
  'peer.polled': [
    {type: 'peer.polled', ...report, isHidden: false},
    {type: 'peer.polled', ...report, isHidden: true},
    {type: 'peer.polled', ...report, watched: [], isHidden: false},
  ],
  'page.hidden': [{type: 'page.hidden'}],
  'page.shown': [{type: 'page.shown'}],
  'connection.lost': [{type: 'connection.lost'}],
  'connection.restored': [{type: 'connection.restored'}],
} satisfies EventFixtures<TaskPollEvent>

describe('task poll', () => {
  const {edges, states, coverage} = describeRules(taskPollMachine, {
    user: ['tasks.check'],
    // nothing runs; another tab asks, and its silence or a check claims the lead anew without leaving the state
    lasting: ['idle', {active: {turn: 'outOfTurn', work: 'following'}}],
    input,
    inputs: [
      {...input, environment: startEnvironment({isOnline: false})},
      {...input, environment: startEnvironment({isVisible: false})},
    ],
    events: Object.values(events).flat(),
    outputs: {
      leadership: [undefined],
      pollTasks: [
        {records: [record('a')], missing: [], age: 1},
        {records: [], missing: ['a'], age: 1},
      ],
    },
    errors: [lostContact('foo'), unauthorized],
    endless: ['leadership', 'environmentChanges'],
    key: ({context: {environment, watched, failures, misses, peerWatched}}) => [
      environment.getSnapshot().value,
      peerWatched?.join(),
      watched,
      Math.min(failures, pollRules.breaker),
      misses,
    ],
    // more failures than open the breaker are the same as that many
    stop: ({context: {failures, misses}}) => failures > pollRules.breaker || Math.max(0, ...Object.values(misses)) > 2,
  })
  test('every transition is taken', () => {
    expect(coverage.missing(taskPollMachine)).toEqual([])
  })
  test('nothing runs: nothing is asked', () => {
    expect(states.filter((state) => state.context.watched.length === 0 && state.value !== 'idle')).toEqual([])
  })
  test('only the leading tab asks, and never twice at once', () => {
    expect(states.filter((state) => state.hasTag('asking') && !state.hasTag('leading'))).toEqual([])
    const nagging = edges.filter(({state, event}) => state.hasTag('asking') && event.type === 'tasks.check')
    expect(nagging.length).toBeGreaterThan(0)
    expect(nagging.filter(({state, nextState}) => state.children.pollTasks !== nextState.children.pollTasks)).toEqual(
      [],
    )
  })
  test('lost contact asks again by itself', () => {
    const lost = edges.filter(({state}) => state.hasTag('lost'))
    expect(lost.some(({event, nextState}) => event.type.includes('pollBackoff') && nextState.hasTag('asking'))).toBe(
      true,
    )
  })
  test('contact that was lost is back with an answer alone, as long as this tab leads', () => {
    const left = edges.filter(
      ({state, nextState}) => state.hasTag('lost') && !nextState.hasTag('lost') && nextState.hasTag('leading'),
    )
    expect(new Set(left.map(({event}) => event.type))).toEqual(new Set(['xstate.done.actor.pollTasks']))
  })
})

describe('task poll journeys', () => {
  test('a network that goes while a failed question waits for the next one is lost contact at once', async () => {
    const fail = () => Promise.reject(Object.assign(new Error('foo'), lostContact('foo')))
    const {environment, facts, asked, lead, turn} = start({poll: fail}, ['a'])
    await lead()
    environment.send({type: 'connection.lost'})
    expect([asked.length, facts]).toEqual([1, [{type: 'contact.lost'}]])
    environment.send({type: 'connection.restored'})
    await turn()
    expect(asked.length).toBe(2)
  })

  test('asks at once for what runs, then after each answer, and stops with the last task', async () => {
    const {poll, clock, asked, lead, turn} = start()
    clock.increment(100_000)
    expect(asked).toEqual([])
    poll.send({type: 'tasks.watch', ids: ['a', 'b']})
    await lead()
    expect(asked).toEqual([['a', 'b']])
    clock.increment(pollRules.visible)
    await turn()
    expect(asked).toHaveLength(2)
    poll.send({type: 'tasks.watch', ids: ['b']})
    clock.increment(pollRules.visible)
    await turn()
    expect(asked.at(-1)).toEqual(['b'])
    poll.send({type: 'tasks.watch', ids: []})
    clock.increment(1_000_000)
    await turn()
    expect(asked).toHaveLength(3)
  })

  test('the next question waits for the answer to the last one', async () => {
    let answer: (output: PollOutput) => void = () => undefined
    const {clock, asked, lead, turn} = start({poll: () => new Promise((resolve) => (answer = resolve))}, ['a'])
    await lead()
    clock.increment(20_000)
    expect(asked).toHaveLength(1)
    answer({records: [], missing: [], age: 1})
    await turn()
    clock.increment(pollRules.visible - 1)
    expect(asked).toHaveLength(1)
    clock.increment(1)
    expect(asked).toHaveLength(2)
  })

  test('a page nobody looks at asks once a minute', async () => {
    const {environment, clock, asked, lead, turn, peerMessages} = start({}, ['a'])
    await lead()
    environment.send({type: 'page.hidden'})
    expect(peerMessages.at(-1)?.report).toEqual({
      records: [],
      watched: ['a'],
      gone: [],
      isHidden: true,
      isLost: false,
      nextIn: pollRules.hidden,
    })
    clock.increment(pollRules.hidden - 1)
    expect(asked).toHaveLength(1)
    clock.increment(1)
    await turn()
    expect(asked).toHaveLength(2)
    environment.send({type: 'page.shown'})
    expect(asked).toHaveLength(3)
  })

  test('tasks that run for too long are asked for slowly, until a new one is sent', async () => {
    const {poll, clock, asked, lead} = start(
      {poll: async () => ({records: [record('a')], missing: [], age: pollRules.stalledAfter + 1})},
      ['a'],
    )
    await lead()
    clock.increment(pollRules.visible)
    expect(asked).toHaveLength(1)
    poll.send({type: 'tasks.watch', ids: ['a', 'b']})
    clock.increment(pollRules.visible)
    expect(asked).toHaveLength(2)
  })

  test('a storm of failures backs off, is lost contact after five, and is over with the first answer', async () => {
    let isUp = false
    const {poll, clock, facts, asked, lead, turn} = start(
      {
        poll: async () => {
          if (!isUp) throw Object.assign(new Error('foo'), {status: 500, code: 'busy', detail: 'foo'})
          return {records: [record('a')], missing: [], age: 1}
        },
      },
      ['a'],
    )
    await lead()
    for (let round = 1; round < pollRules.breaker; round += 1) {
      clock.increment(pollRules.rest)
      await turn()
    }
    expect(asked).toHaveLength(pollRules.breaker)
    expect(facts).toEqual([{type: 'contact.lost'}])
    clock.increment(pollRules.rest / 2)
    await turn()
    expect(asked).toHaveLength(pollRules.breaker)
    isUp = true
    poll.send({type: 'tasks.check'})
    await turn()
    expect(facts.slice(1)).toEqual([{type: 'tasks.polled', records: [record('a')]}])
  })

  test('a full server that says when is not asked before', async () => {
    const {clock, asked, lead, turn} = start(
      {
        poll: async (_, call) => {
          if (call > 1) return {records: [record('a')], missing: [], age: 1}
          throw Object.assign(new Error('foo'), {status: 429, code: 'busy', detail: 'foo', retryAfterSeconds: 120})
        },
      },
      ['a'],
    )
    await lead()
    clock.increment(119_999)
    await turn()
    expect(asked).toHaveLength(1)
    clock.increment(1)
    await turn()
    expect(asked).toHaveLength(2)
    clock.increment(pollRules.visible)
    await turn()
    expect(asked).toHaveLength(3)
  })

  test('a task the server denies twice is gone', async () => {
    const {clock, facts, lead, turn} = start({poll: async () => ({records: [], missing: ['a'], age: 1})}, ['a'])
    await lead()
    expect(facts.map(({type}) => type)).toEqual(['tasks.polled'])
    clock.increment(pollRules.visible)
    await turn()
    expect(facts.at(-1)).toEqual({type: 'tasks.gone', ids: ['a']})
  })

  test('without network nothing is asked, and contact counts as lost until it is back', async () => {
    const {environment, clock, facts, asked, lead, turn} = start({}, ['a'], {isOnline: false})
    await lead()
    clock.increment(20_000)
    expect([asked, facts]).toEqual([[], [{type: 'contact.lost'}]])
    environment.send({type: 'connection.restored'})
    await turn()
    expect(facts.map(({type}) => type)).toEqual(['contact.lost', 'tasks.polled'])
  })

  test('a browser that is wrong about its network is asked again after each answer', async () => {
    const {poll, clock, facts, asked, lead, turn} = start({}, ['a'], {isOnline: false})
    await lead()
    poll.send({type: 'tasks.check'})
    await turn()
    clock.increment(pollRules.visible)
    await turn()
    expect(asked).toHaveLength(2)
    expect(facts.map(({type}) => type)).toEqual(['contact.lost', 'tasks.polled', 'tasks.polled'])
  })

  test('a network that goes between two questions is lost contact, and is waited for', async () => {
    const {environment, clock, facts, asked, lead, turn} = start({}, ['a'])
    await lead()
    environment.send({type: 'connection.lost'})
    clock.increment(pollRules.visible * 3)
    await turn()
    expect([asked.length, facts.at(-1)]).toEqual([1, {type: 'contact.lost'}])
    environment.send({type: 'connection.restored'})
    await turn()
    expect([asked.length, facts.at(-1)?.type]).toEqual([2, 'tasks.polled'])
  })
})
