/*
 * A worked example: how to generate tests from a machine. Read it from top to bottom; docs/testing-with-machines.md
 * says the same with more words, and e2e/model-based.spec.ts does it through the real page.
 *
 * The machine is `conversation`: one question, one answer. We want to know: whatever happens, in whatever order, does
 * the running machine end where its chart says, and is that what a user should see?
 */
import {Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, SimulatedClock} from 'xstate'
import {adjacencyMapToArray, getAdjacencyMap, getShortestPaths} from 'xstate/graph'
import {conversationMachine, type ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import type {AnswerInput} from '#domain/answer.ts'
import type {
  AnswerStreamEvent,
  ConversationEvent,
  ConversationInput,
  StopInput,
  StoppedAnswer,
} from '#machines/conversation/conversation.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'
import {outcomeWord, stateWord} from './conversation-words.ts'

/*
 * Step 1. Events with real payloads. The graph tools would send a bare `{type: 'prompt.submit'}`, and the guard that
 * reads `question.trim()` would crash. Only events that matter for the question at hand: every one multiplies paths.
 */
const ask: ConversationEvent = {type: 'prompt.submit', question: 'foo', references: [], key: 'key-1', at: 1}
const started: AnswerStreamEvent = {type: 'answer.started', conversation: 'c-1', message: 'm-1', attempt: 1}
const words: AnswerStreamEvent = {
  type: 'answer.received',
  conversation: 'c-1',
  message: 'm-1',
  attempt: 1,
  seq: 1,
  text: 'bar',
}
const refused: AnswerStreamEvent = {
  type: 'answer.failed',
  failure: {code: 'bad_request', detail: 'foo', status: 400},
  outcome: 'refused',
}
const interrupted: AnswerStreamEvent = {
  type: 'answer.failed',
  failure: {code: 'api_error', detail: 'foo'},
  outcome: 'interrupted',
}
const events: ConversationEvent[] = [
  ask,
  {type: 'answer.stop'},
  {type: 'answer.retry', key: 'key-2', at: 2},
  {type: 'answer.connected'},
  started,
  words,
  {type: 'answer.completed'},
  refused,
  interrupted,
]

/**
 * The server of this example offers no extensions: a stop needs no confirmation, so no answer of a port is waited for.
 */
const input: ConversationInput = {
  record: {key: 'k', model: 'm', messages: [], updatedAt: 0},
  capabilities: [],
  environment: startEnvironment(),
  parentRef: nobody,
}

/*
 * Step 2. Which states are different? By default every context is a state of its own, and a growing text never ends.
 * Keep the state's value and the little context that decides what happens next.
 */
const serializeState = ({value, context: {id, exchange, messages}}: ConversationSnapshot) =>
  JSON.stringify([value, id, exchange?.message, (exchange?.lastSeq ?? 0) > 0, messages.length > 0])

const options = {
  input,
  events,
  serializeState,
  // an event the chart ignores here is no edge
  filterEvents: (snapshot: ConversationSnapshot, event: ConversationEvent) => snapshot.can(event),
  // a bound that says "this graph is endless" instead of filling the memory
  limit: 1_000,
}

/*
 * Step 3. The paths. `getShortestPaths` gives the shortest way to every state; `createTestModel` would refuse this
 * machine, because it has `invoke` and `after`.
 */
const paths = getShortestPaths(conversationMachine, options)

/*
 * Step 4. The running machine. Ports are filled so that the test holds the stream in its hand; the clock stands still.
 */
function run() {
  let stream = new Subject<AnswerStreamEvent>()
  const actor = createActor(
    conversationMachine.provide({
      actors: {
        answerStream: fromEventObservable<AnswerStreamEvent, AnswerInput>(
          () => (stream = new Subject<AnswerStreamEvent>()),
        ),
        // never reached without extensions; it would hang here, and the path would fail
        stopAnswer: fromPromise<StoppedAnswer, StopInput>(() => new Promise(() => {})),
      },
    }),
    {input, clock: new SimulatedClock()},
  ).start()
  const isOfStream = (event: {type: string}): event is AnswerStreamEvent =>
    /^answer\.(?:connected|alive|started|received|completed|failed)$/.test(event.type)
  return {
    snapshot: () => actor.getSnapshot(),
    // what the server reports comes in through the stream, as it does in the app; what a user does is sent
    perform: (event: ConversationEvent) => (isOfStream(event) ? stream.next(event) : actor.send(event)),
  }
}

/*
 * Step 5. What we expect, written by hand. This is the part that cannot be generated: a generated expectation would
 * follow a wrong arrow happily.
 */
const expectations: Record<string, (snapshot: ConversationSnapshot) => void> = {
  idle: ({context}) => expect(context.messages).toEqual([]),
  asking: (snapshot) => {
    // a further question waits for its turn
    expect(snapshot.can(ask)).toBe(true)
    expect(snapshot.can({type: 'answer.stop'})).toBe(true)
    expect(snapshot.context.messages.at(-1)).toEqual({role: 'user', content: 'foo', created_at: 1})
  },
  // a retry first cuts the failed answer off on the server; the test would have failed here had nobody thought of it
  truncating: (snapshot) => {
    expect(snapshot.hasTag('busy')).toBe(true)
    expect(snapshot.can({type: 'answer.stop'})).toBe(true)
    expect(stateWord(snapshot)).toBe('pending')
  },
  // the server cut the answer off: the page takes over the server's copy of it
  adopting: (snapshot) => {
    expect(snapshot.hasTag('busy')).toBe(true)
    expect(snapshot.can({type: 'answer.stop'})).toBe(true)
    expect(['pending', 'answering']).toContain(stateWord(snapshot))
  },
  finished: (snapshot) => {
    expect(stateWord(snapshot)).toBe('finished')
    expect(snapshot.can({type: 'answer.regenerate', key: 'key-3', at: 3})).toBe(true)
  },
  failed: (snapshot) => {
    expect(stateWord(snapshot)).toBe('failed')
    expect(outcomeWord(snapshot)).toBe(snapshot.context.messages.at(-1)?.outcome)
    expect(snapshot.can({type: 'answer.retry', key: 'key-3', at: 3})).toBe(true)
  },
}
const nameOf = ({value}: ConversationSnapshot) => (typeof value === 'string' ? value : (Object.keys(value)[0] ?? ''))

describe('every generated path, on the running machine', () => {
  test.each(paths.map((path) => [path.steps.map(({event}) => event.type).join(' → '), path] as const))(
    '%s',
    (_, path) => {
      const {perform, snapshot} = run()
      for (const {event, state} of path.steps) {
        // the first step of a path is the interpreter's own start
        if (event.type.startsWith('xstate.')) continue
        perform(event)
        expect(snapshot().value).toEqual(state.value)
        const expectation = expectations[nameOf(snapshot())]
        if (expectation === undefined) throw new Error(`Say what is expected in ${JSON.stringify(state.value)}`)
        expectation(snapshot())
      }
      expect(serializeState(snapshot())).toBe(serializeState(path.state))
    },
  )

  test('the paths reach every end a user can see', () => {
    const ends = new Set(paths.map(({state}) => outcomeWord(state) ?? stateWord(state) ?? 'new'))
    expect([...ends].sort()).toEqual(['answering', 'finished', 'interrupted', 'new', 'pending', 'refused', 'stopped'])
  })
})

/*
 * Step 6. Rules over all edges. A path shows one way to a state; a rule must hold on every arrow, also on those no path
 * takes. This is where wrong arrows are found.
 */
describe('rules over every edge', () => {
  const edges = adjacencyMapToArray(
    getAdjacencyMap<ConversationSnapshot, ConversationEvent, ConversationInput>(
      // as: the machine is its own logic; the compiler does not see it through the machine's emitted events
      conversationMachine as never,
      options,
    ),
  )

  test('there are edges to judge', () => expect(edges.length).toBeGreaterThan(30))

  test('only the end the server announces finishes an answer', () => {
    const finishing = edges.filter(({state, nextState}) => !state.matches('finished') && nextState.matches('finished'))
    expect(new Set(finishing.map(({event}) => event.type))).toEqual(new Set(['answer.completed']))
  })

  test('no end loses a word that had arrived', () => {
    const ending = edges.filter(({state, nextState}) => state.context.exchange && !nextState.context.exchange)
    expect(ending.length).toBeGreaterThan(0)
    for (const {state, nextState} of ending)
      expect(nextState.context.messages.at(-1)?.content).toBe(state.context.exchange?.answer)
  })

  test('a user is never locked out: every state has something to do', () => {
    const actions = new Set(['prompt.submit', 'answer.stop'])
    const states = new Set(edges.map(({state}) => serializeState(state)))
    const open = new Set(edges.filter(({event}) => actions.has(event.type)).map(({state}) => serializeState(state)))
    expect([...states].filter((state) => !open.has(state))).toEqual([])
  })
})
