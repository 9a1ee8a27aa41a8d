import {describe, expect, test} from 'vitest'
import {detailFacts} from '#app/flow/detail-facts.ts'
import type {FlowEntry} from '#app/flow/flow-log.ts'
import {flowOf} from '#app/flow/flow-report.ts'

const address = 'https://foo.example/services/api/aichat/conversations'

describe('what happened', () => {
  const state = (at: number, name: unknown, subject?: string, actor = 'conversation/foo'): FlowEntry => ({
    at,
    actor,
    state: JSON.stringify(name),
    event: 'bar',
    subject,
  })
  const call = (at: number, path = address): FlowEntry => ({at, method: 'POST', address: path, action: undefined})
  const entries = [
    state(0, 'idle'),
    state(1_000, 'preparing'),
    call(1_010),
    state(1_100, {asking: 'pending'}, 'one'),
    state(1_200, 'idle', undefined, 'conversation/other'),
    state(2_000, 'finished'),
    call(2_500),
    state(3_000, {asking: 'pending'}, 'two'),
    call(3_020, 'https://foo.example/services/api/flux/images'),
    state(4_000, {failed: 'refused'}),
    state(5_000, {posting: {}}, undefined, 'submission/foo'),
    call(5_010, 'https://foo.example/services/api/flux/images'),
    call(60_000, 'https://foo.example/services/api/flux/tasks'),
  ]
  const times = (found: readonly FlowEntry[]) => found.map(({at}) => at)

  test('to an answer is its exchange with the calls meanwhile', () => {
    const answer = (message: string | undefined) =>
      times(flowOf(entries, {kind: 'answer', actor: 'conversation/foo', message}))
    expect(answer('one')).toEqual([1_000, 1_010, 1_100, 2_000])
    expect(answer('two')).toEqual([3_000, 4_000])
    expect(answer(undefined)).toEqual([3_000, 4_000])
    expect(answer('of another page')).toEqual([])
  })

  test('to an answer that is being written is its exchange, though no state was noted since the server named it', () => {
    const running = [...entries.slice(0, 7), state(3_000, {asking: 'pending'})]
    const named = {kind: 'answer', actor: 'conversation/foo', message: 'two'} as const
    expect(times(flowOf(running, {...named, isRunning: true}))).toEqual([3_000])
    expect(flowOf(running, named)).toEqual([])
  })

  test('to an answer has no call of the other columns of a comparison', () => {
    const of = (name: string, at: number) => {
      const about = {key: `key ${name}`, conversation: `id ${name}`}
      const actor = `conversation/${name}`
      return [
        {...state(at, 'preparing', undefined, actor), ...about},
        {...call(at + 1), key: about.key},
        {...state(at + 100, {asking: 'pending'}, `message ${name}`, actor), ...about},
        {...call(at + 200), action: 'stop', message: `message ${name}`, conversation: about.conversation},
        {...call(at + 300), action: 'retrieve', conversation: about.conversation},
        {...state(at + 400, 'finished', `message ${name}`, actor), ...about},
      ]
    }
    const unnamed = call(1_150)
    const both = [...of('one', 1_000), ...of('two', 1_010), unnamed].sort((one, other) => one.at - other.at)
    const messageFlow = (log: readonly FlowEntry[], name: string) =>
      flowOf(log, {kind: 'answer', actor: `conversation/${name}`, message: `message ${name}`})
    expect(messageFlow(both, 'one')).toEqual(of('one', 1_000))
    expect(messageFlow(both, 'two')).toEqual(of('two', 1_010))
    // a call that names nothing was made for the only one that was at work
    expect(messageFlow([...of('one', 1_000), unnamed, ...of('two', 9_000)], 'one')).toContain(unnamed)
  })

  const loaded = (at: number): FlowEntry => ({at, page: 'loaded'})

  test('to an answer goes on over a load of the page, and says so', () => {
    const noted = [
      loaded(500),
      state(1_000, {asking: 'pending'}),
      call(1_010),
      loaded(2_000),
      call(2_500, 'https://foo.example/services/platform/api/v1/users/me'),
      // a page that the answer was not shown on
      loaded(3_000),
      state(3_100, {following: 'calling'}, 'one'),
      state(3_200, 'finished', 'one'),
      loaded(4_000),
      state(4_100, 'idle', 'one'),
      loaded(5_000),
    ]
    const answer = (message: string) => times(flowOf(noted, {kind: 'answer', actor: 'conversation/foo', message}))
    expect(answer('one')).toEqual([1_000, 1_010, 2_000, 3_000, 3_100, 3_200, 4_000])
    expect(answer('of another page')).toEqual([])
  })

  test('to an answer is there under the key of the page that asked, where this page has another', () => {
    const noted = [
      state(1_000, {asking: 'pending'}, 'one', 'conversation/own key'),
      call(1_010),
      state(1_200, 'finished', 'one', 'conversation/own key'),
      loaded(2_000),
      state(2_100, 'finished', 'one', 'conversation/server id'),
    ]
    const found = flowOf(noted, {kind: 'answer', actor: 'conversation/server id', message: 'one'})
    expect(times(found)).toEqual([1_000, 1_010, 1_200, 2_000])
  })

  test('to an answer stays in the order in which it was noted when a clock is set back', () => {
    const noted = [
      state(9_000, {asking: 'pending'}, 'one'),
      loaded(1_000),
      state(1_100, {following: 'calling'}, 'one'),
      state(1_200, 'finished', 'one'),
    ]
    expect(flowOf(noted, {kind: 'answer', actor: 'conversation/foo', message: 'one'})).toEqual(noted)
  })

  test('to an answer has the calls that name nothing, though another was cut off by a load and never came back', () => {
    const noted = [
      {...state(1_000, {asking: 'pending'}, 'other', 'conversation/other'), key: 'other'},
      loaded(2_000),
      state(3_000, {asking: 'pending'}, 'one'),
      call(3_010),
      state(3_100, 'finished', 'one'),
    ]
    const found = flowOf(noted, {kind: 'answer', actor: 'conversation/foo', message: 'one'})
    expect(times(found)).toEqual([3_000, 3_010, 3_100])
  })

  test('to a task has the states of its request, whose key the next page does not know', () => {
    const noted = [
      state(5_000, 'saving', undefined, 'submission/key'),
      call(5_010, 'https://foo.example/services/api/flux/images'),
      state(5_100, 'joined', 'task', 'submission/key'),
      loaded(6_000),
      state(6_100, 'saving', undefined, 'submission/other'),
      call(6_200, 'https://foo.example/services/api/flux/tasks'),
    ]
    const subject = {kind: 'task', actor: 'submission/task', task: 'task', path: '/flux/', from: 5_050} as const
    expect(times(flowOf(noted, {...subject, to: undefined}))).toEqual([5_000, 5_010, 5_100, 6_000, 6_200])
    expect(times(flowOf(noted, {...subject, task: undefined, to: 5_060}))).toEqual([5_010, 6_000, 6_200])
  })

  test('to a task has its calls where the clock of the device is ahead of that of the server', () => {
    const ahead = 600_000
    const noted = [
      state(ahead + 5_000, 'saving', undefined, 'submission/key'),
      call(ahead + 5_010, 'https://foo.example/services/api/flux/images'),
      state(ahead + 5_100, 'joined', 'task', 'submission/key'),
      call(ahead + 8_100, 'https://foo.example/services/api/flux/tasks'),
      call(ahead + 90_000, 'https://foo.example/services/api/flux/tasks'),
    ]
    const subject = {
      kind: 'task',
      actor: 'submission/key',
      task: 'task',
      path: '/flux/',
      from: 5_050,
      to: 8_000,
    } as const
    expect(times(flowOf(noted, subject)).map((at) => at - ahead)).toEqual([5_000, 5_010, 5_100, 8_100])
  })

  test('to a task is its request, and the calls of its tool from its beginning to its end', () => {
    const task = (from: number, to: number | undefined) =>
      times(flowOf(entries, {kind: 'task', actor: 'submission/foo', path: '/flux/', from, to}))
    // its own states say when the request left; the look that finds its end comes after that
    expect(task(5_500, 5_600)).toEqual([5_000, 5_010])
    expect(task(3_000, 3_100)).toEqual([3_020, 5_000, 5_010])
    expect(task(5_500, undefined)).toEqual([5_000, 5_010, 60_000])
  })
})

describe('what the server keeps of an answer', () => {
  const created_at = '2026-11-26T07:00:00Z'
  const attempts = [
    {attempt: 1, state: 'failed', model: 'foo', created_at},
    {attempt: 2, state: 'finished', model: 'foo', created_at, cost: 0.25, trace_id: 'foo-trace', prompt_tokens: 3},
  ]
  const read = (context: object) => ({context: {message: 'm1', ...context}})

  test('are the facts of its attempt, the last one where it has no number', () => {
    const facts = detailFacts(read({details: {attempts}}))
    expect(facts).toEqual({cost: 0.25, trace_id: 'foo-trace', prompt_tokens: 3, created_at})
    expect(detailFacts(read({details: {attempts}}), 2)).toEqual(facts)
    expect(detailFacts(read({details: {attempts}}), 1)).not.toMatchObject({cost: 0.25})
  })

  test('is nothing until it is read, and the reason where it cannot be', () => {
    expect(detailFacts(read({}))).toEqual({})
    expect(detailFacts(read({failure: {code: 'timeout', detail: ''}}))).toEqual({details: 'timeout'})
  })
})
