import {describe, expect, test} from 'vitest'
import {createActor, createMachine, fromPromise, waitFor, type AnyStateMachine} from 'xstate'
import {createFlowLog} from '#app/flow/flow-log.ts'
import {curlOf, stateName} from '#app/flow/flow-report.ts'

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

  test('is reported to those who listen as it leaves and as it is answered, until they stop', async () => {
    const log = open()
    const noted: (number | undefined)[] = []
    const end = log.subscribe(() => {
      const last = log.entries.at(-1)
      noted.push(last !== undefined && 'address' in last ? last.took : NaN)
    })
    const before = log.revision()
    await log.fetch(address, chat(undefined))
    expect(noted).toEqual([undefined, 1_000])
    expect(log.revision()).not.toBe(before)
    end()
    await log.fetch(address, chat(undefined))
    expect(noted).toHaveLength(2)
  })

  test('is copied for a shell with placeholders for what is left out', () => {
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
    [address, 'revisions', {action: 'revisions'}],
    [address, 'select', {action: 'select', id: 'CONVERSATION', message: 'MESSAGE'}],
    [address, 'edit', {action: 'edit', id: 'CONVERSATION', message: 'MESSAGE', question: 'QUESTION'}],
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
  [
    {conversation: 'c1', version: 'm0', after: 'm9', answerTo: 'm8'},
    address,
    facts,
    {
      ...{question: 'QUESTION', model: 'gpt-4o', references: [], id: 'c1'},
      ...{version_of: 'm0', after: 'm9', answer_to: 'm8', stateful: true},
    },
  ],
  [{action: 'resume'}, address, facts, {action: 'resume', id: 'c1', message: 'm1', attempt: 2, last_seq: 0}],
  [{action: 'stop', message: 'm2'}, address, facts, {action: 'stop', id: 'c1', message: 'm2'}],
  [{action: 'retrieve'}, address, facts, {action: 'retrieve', id: 'c1'}],
  [{action: 'retrieve', message: 'm2'}, address, facts, {action: 'retrieve', id: 'c1', message: 'm2'}],
  [{key: 'k1'}, `${flux}/images`, task, request],
  [{}, `${flux}/images`, task, request],
  [{key: 'k2'}, `${flux}/images`, task, {prompt: 'PROMPT'}],
  // bodies of tasks begin with an action too
  [{key: 'k1', action: 'generate'}, `${flux}/images`, task, request],
  [{key: 'k2', action: 'generate'}, `${flux}/images`, task, {prompt: 'PROMPT'}],
  [{action: 'retrieve'}, `${flux}/tasks`, task, {action: 'retrieve', id: 't1'}],
  [{action: 'retrieve', conversation: 't2'}, `${flux}/tasks`, task, {action: 'retrieve', id: 't2'}],
  // the service refuses a batch with an id
  [{action: 'retrieve_batch'}, `${flux}/tasks`, task, {action: 'retrieve_batch', ids: ['t1']}],
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

  test('the log tells states of parallel charts side by side', () => {
    expect(stateName('{"one":"idle","other":{"in":"ner"}}')).toBe('one.idle | other.in.ner')
  })

  test('of an answer stay while actors that no report is about go on and on', () => {
    const log = open()
    start(log, machine, 'conversation/foo').send({type: 'ask'})
    const poll = start(log, machine, 'taskPoll')
    for (let round = 0; round < 1_000; round += 1) for (const type of ['ask', 'end']) poll.send({type})
    expect(log.entries.map((entry) => 'state' in entry && `${entry.actor} ${stateName(entry.state)}`)).toEqual([
      'conversation/foo idle',
      'conversation/foo asking.pending',
    ])
  })

  test('and calls of an answer stay while calls poll for hours, of which the newest are there', async () => {
    const log = open()
    start(log, machine, 'conversation/foo').send({type: 'ask'})
    await log.fetch(address, {method: 'POST', headers: {'idempotency-key': 'k1'}, body: '{"question":"foo"}'})
    await log.fetch(address, {method: 'POST', body: '{"action":"stop","id":"c1","message":"m1"}'})
    for (let round = 1; round <= 1_000; round += 1)
      await log.fetch(`${flux}/tasks?round=${round}`, {method: 'POST', body: '{"action":"retrieve_batch"}'})
    expect(log.entries.slice(0, 5)).toMatchObject([
      {state: '"idle"'},
      {state: '{"asking":"pending"}'},
      {key: 'k1'},
      {action: 'stop'},
      {action: 'retrieve_batch'},
    ])
    expect(log.entries).toHaveLength(204)
    const last = log.entries.at(-1)?.at ?? 0
    await log.fetch(`${flux}/tasks`)
    expect(log.entries.at(-1)?.at).toBeGreaterThan(last)
  })

  test('are bounded, and end with the session', () => {
    const log = open()
    const actor = start(log, machine, 'conversation/foo')
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

  test('is the message that a question makes a version of, the one that it follows, and the one that is answered', async () => {
    const question = {question: 'secret "version_of":"words"', id: 'c1', version_of: 'm1', after: 'm0', answer_to: 'm2'}
    expect(await noted({method: 'POST', body: JSON.stringify(question)})).toEqual({
      version: 'm1',
      after: 'm0',
      answerTo: 'm2',
      at: expect.any(Number),
      method: 'POST',
      address: 'https://foo.example/services/api/aichat/conversations',
      conversation: 'c1',
      status: 200,
      took: expect.any(Number),
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
