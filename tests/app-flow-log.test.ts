import {describe, expect, test} from 'vitest'
import {createActor, createMachine, fromPromise, waitFor, type AnyStateMachine} from 'xstate'
import {detailFacts} from '#app/flow/detail-facts.ts'
import {createFlowLog, type FlowEntry} from '#app/flow/flow-log.ts'
import {curlOf, flowOf, stateName} from '#app/flow/flow-report.ts'

const secrets = ['secret words', 'sk-secret-token', 'key=secret']

/** A log whose clock moves one second a look. */
function open(answer: () => Promise<Response> = async () => Response.json({})) {
  let time = 0
  return createFlowLog(answer, () => (time += 1_000))
}
const chat = (action: string | undefined) => ({
  method: 'POST',
  headers: {authorization: 'Bearer sk-secret-token'},
  body: JSON.stringify({...(action === undefined ? {} : {action}), question: 'secret words'}),
})
const address = 'https://foo.example/services/api/aichat/conversations'

describe('a call', () => {
  test('is noted with its answer, and without words, headers and query', async () => {
    const log = open(async () => new Response('secret words', {status: 409, headers: {'x-trace-id': 'foo-trace'}}))
    const response = await log.fetch(`${address}?key=secret`, chat('resume'))
    expect(await response.text()).toBe('secret words')
    expect(log.entries).toEqual([
      {at: 1_000, method: 'POST', address, action: 'resume', status: 409, trace: 'foo-trace', took: 1_000},
    ])
    for (const secret of secrets) expect(JSON.stringify(log.entries)).not.toContain(secret)
  })

  test('that is lost is noted and rejects as it would', async () => {
    const lost = new TypeError('lost')
    const log = open(() => Promise.reject(lost))
    await expect(log.fetch(address, chat(undefined))).rejects.toBe(lost)
    expect(log.entries).toEqual([{at: 1_000, method: 'POST', address, action: undefined, took: 1_000}])
  })

  test('is copied for a shell with places for what is left out', () => {
    expect(curlOf({at: 0, method: 'post', address: "https://foo.example/'/tasks", action: 'stop'})).toBe(
      [
        String.raw`curl -X POST 'https://foo.example/'\''/tasks'`,
        `-H "authorization: Bearer $TOKEN"`,
        `-H 'content-type: application/json'`,
        `-d '{"action":"stop","id":"TASK"}'`,
      ].join(' \\\n  '),
    )
    expect(curlOf({at: 0, method: 'GET', address, action: undefined})).not.toContain('-d')
  })

  test.each([
    [address, undefined, {model: 'MODEL', question: 'QUESTION', references: [], stateful: true}],
    [address, 'resume', {action: 'resume', id: 'CONVERSATION', message: 'MESSAGE', attempt: 1, last_seq: 0}],
    [address, 'retrieve', {action: 'retrieve', id: 'CONVERSATION'}],
    [address, 'retrieve_batch', {action: 'retrieve_batch', user_id: 'USER'}],
    [address, 'follow', {action: 'follow'}],
    ['https://foo.example/services/api/flux/images', undefined, {prompt: 'PROMPT'}],
    ['https://foo.example/services/api/flux/tasks', 'retrieve', {action: 'retrieve', id: 'TASK'}],
  ])('to %s (%s) has a body that can be sent', (to, action, body) => {
    const [, sent = ''] = /-d '(.*)'$/.exec(curlOf({at: 0, method: 'POST', address: to, action})) ?? []
    expect(JSON.parse(sent)).toEqual(body)
  })
})

const facts = {conversation: 'c1', message: 'm1', model: 'gpt-4o', attempt: 2}
const request = {prompt: 'a red boat', size: '1:1', action: 'generate'}
const task = {key: 'k1', task: 't1', request}
const flux = 'https://foo.example/services/api/flux'

test.each([
  [{}, address, facts, {question: 'QUESTION', model: 'gpt-4o', references: [], stateful: true}],
  [
    {conversation: 'c1'},
    address,
    facts,
    {question: 'QUESTION', model: 'gpt-4o', references: [], id: 'c1', stateful: true},
  ],
  [{action: 'resume'}, address, facts, {action: 'resume', id: 'c1', message: 'm1', attempt: 2, last_seq: 0}],
  [{action: 'stop', message: 'm2'}, address, facts, {action: 'stop', id: 'c1', message: 'm2'}],
  [{action: 'retrieve'}, address, facts, {action: 'retrieve', id: 'c1'}],
  [{key: 'k1'}, `${flux}/images`, task, request],
  [{}, `${flux}/images`, task, request],
  [{key: 'k2'}, `${flux}/images`, task, {prompt: 'PROMPT'}],
  // bodies of tasks begin with an action too
  [{key: 'k1', action: 'generate'}, `${flux}/images`, task, request],
  [{key: 'k2', action: 'generate'}, `${flux}/images`, task, {prompt: 'PROMPT'}],
  [{action: 'retrieve'}, `${flux}/tasks`, task, {action: 'retrieve', id: 't1'}],
  [{action: 'retrieve', conversation: 't2'}, `${flux}/tasks`, task, {action: 'retrieve', id: 't2'}],
])('a copied call (%j) has what is known beside it', (call, to, known, body) => {
  const curl = curlOf({at: 0, method: 'POST', address: to, action: undefined, ...call}, known)
  const [, sent = ''] = /-d '(.*)'$/.exec(curl) ?? []
  expect(JSON.parse(sent)).toEqual(body)
  expect(curl).toContain('Bearer $TOKEN')
})

const machine = createMachine({
  id: 'foo',
  context: {exchange: {question: 'secret words', message: 'bar'}},
  initial: 'idle',
  states: {
    idle: {on: {ask: 'asking'}},
    asking: {
      initial: 'pending',
      on: {end: 'finished'},
      states: {pending: {on: {hear: 'answering'}}, answering: {on: {hear: {}}}},
    },
    finished: {on: {ask: 'asking'}},
  },
})
const start = (log: ReturnType<typeof open>, logic: AnyStateMachine, id: string) =>
  createActor(logic, {id, inspect: (report) => log.observe(report)}).start()

describe('states', () => {
  test('are noted when they change, with the event and no word of the context', () => {
    const log = open()
    const actor = start(log, machine, 'conversation/foo')
    for (const type of ['ask', 'hear', 'hear', 'hear', 'end']) actor.send({type})
    expect(log.entries.map((entry) => ('state' in entry ? `${stateName(entry.state)} < ${entry.event}` : ''))).toEqual([
      'idle < xstate.init',
      'asking.pending < ask',
      'asking.answering < hear',
      'finished < end',
    ])
    for (const secret of secrets) expect(JSON.stringify(log.entries)).not.toContain(secret)
  })

  test('of parallel charts are told side by side', () => {
    expect(stateName('{"one":"idle","other":{"in":"ner"}}')).toBe('one.idle | other.in.ner')
  })

  test('are bounded, and end with the session', () => {
    const log = open()
    const actor = start(log, machine, 'foo')
    for (let round = 0; round < 1_000; round += 1) for (const type of ['ask', 'end']) actor.send({type})
    expect(log.entries).toHaveLength(600)
    log.forget()
    expect(log.entries).toEqual([])
  })
})

describe('what a call is about', () => {
  const noted = async (init: RequestInit) => {
    const log = open()
    await log.fetch(address, init)
    return log.entries[0]
  }

  test('is the key of a question, and the conversation and answer of a command', async () => {
    const question = {id: 'c1', question: 'secret "message":"words"', references: [{id: 'foo'}]}
    expect(await noted({method: 'POST', headers: {'Idempotency-Key': 'k1'}, body: JSON.stringify(question)})).toEqual({
      key: 'k1',
      conversation: 'c1',
      message: undefined,
      at: 1000,
      method: 'POST',
      address: 'https://foo.example/services/api/aichat/conversations',
      status: 200,
      took: 1000,
    })
    expect(await noted({method: 'POST', body: JSON.stringify({action: 'stop', id: 'c1', message: 'm1'})})).toEqual({
      key: undefined,
      conversation: 'c1',
      message: 'm1',
      at: 1000,
      method: 'POST',
      address: 'https://foo.example/services/api/aichat/conversations',
      action: 'stop',
      status: 200,
      took: 1000,
    })
  })

  test('is the task of a request, as the server named it', async () => {
    const log = open()
    const accepted = createMachine({
      initial: 'posting',
      states: {
        posting: {invoke: {src: fromPromise(async () => ({task: 't1'})), onDone: 'joined'}},
        joined: {},
      },
    })
    await waitFor(start(log, accepted, 'submission/k1'), (snapshot) => snapshot.matches('joined'))
    expect(log.entries).toEqual([
      {state: '"posting"', at: 1000, actor: 'submission/k1', event: 'xstate.init'},
      {
        state: '"joined"',
        subject: 't1',
        at: 2000,
        actor: 'submission/k1',
        event: 'xstate.done.actor.0.(machine).posting',
      },
    ])
  })

  test('is noted of a state while there is a question', () => {
    const log = open()
    const asked = createMachine({
      context: {id: 'c1', exchange: {question: 'secret words', message: 'm1', key: 'k1'}},
      initial: 'asking',
      states: {asking: {}},
    })
    start(log, asked, 'conversation/foo')
    expect(log.entries).toEqual([
      {
        key: 'k1',
        conversation: 'c1',
        subject: 'm1',
        at: 1000,
        actor: 'conversation/foo',
        state: '"asking"',
        event: 'xstate.init',
      },
    ])
    expect(JSON.stringify(log.entries)).not.toContain('secret words')
  })
})

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
