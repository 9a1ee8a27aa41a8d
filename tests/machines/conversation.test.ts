import {describe, expect, test} from 'vitest'
import {NEVER} from 'rxjs'
import {createActor, fromEventObservable} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import type {AnswerInput} from '#domain/answer.ts'
import {messageText, stays, type ConversationRecord} from '#domain/conversation.ts'
import type {Exchange} from '#domain/exchange.ts'
import {lostContact, type Failure} from '#domain/failure.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {
  AnswerStreamEvent,
  ConversationContext,
  ConversationEvent,
  ConversationInput,
} from '#machines/conversation/conversation.types.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const ask = {question: 'foo', references: [], key: 'key-1', at: 1}
const usedUp: Failure = {code: 'used_up', detail: 'foo', status: 403}
const refused: Failure = {code: 'bad_request', detail: 'foo', status: 400}
const occupied: Failure = {code: 'duplication', detail: 'foo', status: 409}
const events = {
  'prompt.submit': [
    {type: 'prompt.submit', ...ask},
    {type: 'prompt.submit', ...ask, question: '  '},
  ],
  'path.show': [
    {
      type: 'path.show',
      message: 'm-2',
      messages: [
        {role: 'user', content: 'one', id: 'q-1'},
        {role: 'user', content: 'foo'},
        {role: 'assistant', id: 'm-2', attempt: 1, content: 'baz', state: 'finished'},
      ],
    },
  ],
  'path.leave': [{type: 'path.leave'}],
  'answer.stop': [{type: 'answer.stop'}],
  'answer.retry': [{type: 'answer.retry', key: 'key-2', at: 2}],
  'answer.regenerate': [
    {type: 'answer.regenerate', key: 'key-3', at: 3},
    {type: 'answer.regenerate', key: 'key-5', at: 5, end: 2},
  ],
  'message.edit': [
    {type: 'message.edit', index: 0, question: 'bar', references: [], key: 'key-4', at: 4},
    {type: 'message.edit', index: 1, question: 'bar', references: [], key: 'key-4', at: 4},
  ],
  'followUp.due': [{type: 'followUp.due', ask: {question: 'foo', references: [], key: 'key-9'}}],
  'followUps.noted': [{type: 'followUps.noted', isOwn: true}],
  'followUps.heard': [{type: 'followUps.heard', items: []}],
  'model.choose': [{type: 'model.choose', model: 'bar'}],
  'title.changed': [{type: 'title.changed', title: 'bar'}],
  'history.loaded': [
    {
      type: 'history.loaded',
      record: {
        key: 'foo',
        id: 'foo',
        model: 'm',
        updatedAt: 9,
        messages: [
          {role: 'user', content: 'foo'},
          {role: 'assistant', content: 'bar', state: 'finished', id: 'm-1'},
        ],
      },
    },
  ],
  'service.changed': [{type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']}],
  'connection.restored': [{type: 'connection.restored'}],
  'page.shown': [{type: 'page.shown'}],
  'credential.ready': [{type: 'credential.ready'}],
  'credits.added': [
    {type: 'credits.added', at: 60, left: 1},
    {type: 'credits.added', at: 200_000, left: 1},
  ],
  'credits.listed': [{type: 'credits.listed', at: 60, left: 1}],
  'slot.awaited': [
    {type: 'slot.awaited', until: 'named'},
    {type: 'slot.awaited', until: 'ended'},
  ],
  'slot.granted': [{type: 'slot.granted'}],
  'slot.denied': [{type: 'slot.denied'}],
  'answer.disconnected': [{type: 'answer.disconnected'}],
  'answer.connected': [{type: 'answer.connected'}],
  'answer.pinged': [{type: 'answer.pinged'}],
  'answer.started': [
    {type: 'answer.started', conversation: 'foo', message: 'm-1', attempt: 1},
    {type: 'answer.started', conversation: 'other', message: 'm-9', attempt: 1},
  ],
  'answer.received': [
    {type: 'answer.received', conversation: 'foo', message: 'm-1', attempt: 1, seq: 1, from: 1, text: 'ba'},
    {type: 'answer.received', conversation: 'foo', message: 'm-1', attempt: 1, seq: 2, from: 2, text: 'r'},
    {type: 'answer.received', conversation: 'foo', message: 'm-1', attempt: 1, seq: 9, from: 9, text: 'gap'},
    {type: 'answer.received', conversation: 'foo', message: 'm-1', attempt: 2, seq: 3, text: 'other attempt'},
    {type: 'answer.received', conversation: 'other', message: 'm-1', attempt: 1, seq: 3, text: 'other conversation'},
    {type: 'answer.received', conversation: 'foo', message: 'm-2', attempt: 1, seq: 3, text: 'other message'},
  ],
  'answer.completed': [{type: 'answer.completed'}],
  'answer.failed': [
    {type: 'answer.failed', failure: refused, outcome: 'refused'},
    {type: 'answer.failed', failure: usedUp},
    {type: 'answer.failed', failure: {code: 'canceled', detail: 'foo'}, outcome: 'stopped'},
    {type: 'answer.failed', failure: {code: 'unknown', detail: 'foo'}, outcome: 'interrupted'},
    {type: 'answer.failed', failure: refused},
  ],
} satisfies EventFixtures<ConversationEvent>

const question = {role: 'user' as const, content: 'foo'}
const found = (message: Conversation['messages'][number] | undefined): Conversation => ({
  id: 'foo',
  messages: [question, ...(message ? [message] : [])],
})
const answer = {role: 'assistant' as const, id: 'm-1', attempt: 1}
const outputs = {
  truncateConversation: [undefined, found(undefined)],
  stopAnswer: [{state: 'failed'}, {state: 'finished'}],
  retrieveConversation: [
    found({...answer, content: 'bar', state: 'finished'}),
    found({...answer, content: 'ba', state: 'answering'}),
    found({...answer, content: 'ba', state: 'failed', outcome: 'stopped'}),
    found({...answer, content: 'ba', state: 'failed', outcome: 'interrupted'}),
    found({...answer, content: 'ba', state: 'failed', error: {code: 'busy', message: 'foo'}}),
    found(undefined),
  ],
}
const errors = [
  lostContact('foo'),
  refused,
  {code: 'invalid_token', detail: 'foo', status: 401},
  {code: 'not_applied', detail: 'foo'},
  occupied,
  new Error('foo'),
]

const record = (messages: ConversationRecord['messages'], id: string | undefined = 'foo'): ConversationRecord => ({
  key: 'foo',
  ...(id === undefined ? {} : {id}),
  model: 'm',
  messages,
  updatedAt: 0,
})
const online = startEnvironment()
const input = (from: ConversationRecord, capabilities: ConversationInput['capabilities'] = []): ConversationInput => ({
  record: from,
  capabilities,
  environment: online,
  parentRef: nobody,
})
/** The history that the server has chosen. */
const chosenIn = ({visit, messages}: ConversationContext) => visit?.chosen ?? messages
/** The server has not named the answer. */
const isUnnamed = ({exchange}: {exchange?: Exchange | undefined}) =>
  exchange !== undefined && exchange.message === undefined
const waits = (from: ConversationRecord): ConversationRecord => ({
  ...from,
  followUps: [{question: 'foo', references: [], key: 'key-9'}],
})
const fresh: ConversationRecord = {key: 'foo', model: 'm', messages: [], updatedAt: 0}
const all: ConversationInput['capabilities'] = ['resume', 'stop', 'idempotency']
const ended = (outcome: 'stopped' | 'interrupted' | 'refused') =>
  input(record([question, {...answer, content: 'ba', state: 'failed', outcome}]))
const running = (attempt: number | undefined) =>
  input(record([question, {...answer, attempt, content: 'ba', state: 'answering', seq: 1}]), all)

describe('conversation', () => {
  const {edges, coverage} = describeRules(conversationMachine, {
    user: ['prompt.submit', 'answer.stop', 'answer.retry', 'answer.regenerate', 'message.edit'],
    input: input(fresh, all),
    inputs: [
      input(fresh),
      input(record([question])),
      input(record([question, {...answer, content: 'bar', state: 'finished'}])),
      input(record([question, {...answer, content: 'bar', state: 'finished', removing: true}]), [...all, 'versions']),
      ended('stopped'),
      ended('interrupted'),
      ended('refused'),
      running(1),
      {...running(1), capabilities: [...all, 'follow']},
      input(fresh, ['follow']),
      running(undefined),
      input(
        record([
          {role: 'user', content: 'one', id: 'q-1', removing: true},
          question,
          {role: 'assistant', content: '', id: 'key-1', state: 'pending'},
        ]),
        [...all, 'versions'],
      ),
      input(
        record([
          {...question, id: 'q-1'},
          {...answer, content: 'bar', state: 'finished', id: 'm-9'},
          {...question, id: 'q-2'},
        ]),
        [...all, 'versions'],
      ),
      input(waits(record([question, {...answer, content: 'bar', state: 'finished'}]))),
      {...running(1), environment: startEnvironment({isOnline: false})},
      input(record([question, {...answer, content: 'bar', state: 'finished'}]), [...all, 'versions', 'paths']),
      input(waits(record([question, {...answer, content: 'bar', state: 'finished'}])), [...all, 'versions', 'paths']),
      input(
        record([
          {...question, content: 'one', id: 'q-1', removing: true},
          question,
          {...answer, content: 'bar', state: 'finished'},
        ]),
        [...all, 'versions', 'paths'],
      ),
    ],
    // what a service offers and whether the page is online is an input here; journeys change it on the way
    events: Object.values(events)
      .flat()
      .filter(({type}) => type !== 'service.changed'),
    outputs,
    errors,
    endless: ['answerStream', 'followAnswer', 'environmentChanges'],
    limit: 500_000,
    // what was asked too early is not walked with all that can become of an answer
    stop: ({context: {yields, stops, exchange}}) => yields > 0 && (stops > 0 || (exchange?.reconnects ?? 0) > 0),
    key: ({
      context: {id, exchange, environment, messages, capabilities, stops, yields, followUps, before, ended: end, visit},
    }) => [
      id,
      capabilities.length,
      selectIsOnline(environment.getSnapshot()),
      exchange && [exchange.message !== undefined, exchange.lastSeq > 0, exchange.reconnects],
      stops,
      yields,
      followUps.getSnapshot().context.items.length,
      end?.outcome,
      end?.failure?.code === 'not_applied',
      end?.failure?.code === 'duplication',
      messages.length > 2,
      messages.at(-1)?.state,
      messages.every(stays),
      before !== undefined,
      (visit ?? before?.visit) !== undefined,
    ],
  })

  test('every transition is taken', () => {
    const actor = createActor(conversationMachine, {input: input(fresh), inspect: coverage.inspect}).start()
    actor.send({type: 'service.changed', capabilities: all})
    const followed = createActor(conversationMachine, {input: running(1), inspect: coverage.inspect}).start()
    followed.send({type: 'service.changed', capabilities: all})
    followed.stop()
    const queued = createActor(
      conversationMachine.provide({
        actors: {answerStream: fromEventObservable<AnswerStreamEvent, AnswerInput>(() => NEVER)},
      }),
      {
        input: input(fresh),
        inspect: coverage.inspect,
      },
    ).start()
    queued.send({type: 'prompt.submit', ...ask})
    queued.send({type: 'slot.awaited', until: 'ended'})
    queued.send({type: 'service.changed', capabilities: all})
    queued.send({type: 'service.changed', capabilities: [...all, 'follow']})
    expect(queued.getSnapshot().value).toEqual({asking: {pending: 'connecting'}})
    queued.stop()
    expect(actor.getSnapshot().context.capabilities).toEqual(all)
    expect(coverage.missing(conversationMachine)).toEqual([])
  })

  test('a settled message never changes, but by the server or a new question', () => {
    const changed = edges.filter(({state, event, nextState}) => {
      if (event.type === 'history.loaded' || event.type === 'prompt.submit' || state.matches('yielding')) return false
      if (event.type === 'xstate.done.actor.truncateConversation' || nextState.matches('truncating')) return false
      if (nextState.context.exchange?.key !== state.context.exchange?.key) return false
      const next = chosenIn(nextState.context)
      return chosenIn(state.context).some((message, index) => next[index] !== message)
    })
    expect(changed).toEqual([])
  })

  test('a path is shown without choosing it until something is asked there, and sends none of what waits', () => {
    const visits = edges.filter(({state, nextState}) => state.matches('visiting') || nextState.matches('visiting'))
    expect(visits.length).toBeGreaterThan(0)
    for (const {event, nextState} of visits) {
      expect(nextState.matches('visiting')).toBe(nextState.context.visit !== undefined)
      if (nextState.matches('asking') || nextState.matches('truncating'))
        expect(['prompt.submit', 'followUp.due', 'answer.retry', 'answer.regenerate', 'message.edit']).toContain(
          event.type,
        )
    }
  })

  test('only [DONE], or a server that has the whole answer, finishes', () => {
    const finishing = edges.filter(
      ({state, nextState}) =>
        !state.matches('finished') &&
        // what could not be asked leaves the answer that was there
        state.context.before === undefined &&
        nextState.matches('finished') &&
        state.context.exchange,
    )
    const kinds = new Set(finishing.map(({event}) => event.type))
    expect([...kinds].sort()).toEqual(['answer.completed', 'xstate.done.actor.retrieveConversation'])
  })

  test('losing contact is never a stop', () => {
    const lost = edges.filter(
      ({event}) => event.type.startsWith('xstate.after') || event.type.endsWith('actor.answerStream'),
    )
    const stopped = lost.filter(
      ({state, nextState}) =>
        state.context.exchange !== undefined &&
        nextState.matches({failed: 'stopped'}) &&
        !state.hasTag('stopped') &&
        state.context.before === undefined,
    )
    expect(stopped).toEqual([])
  })

  test('a delta lands only in its conversation, message and attempt, and only once', () => {
    const landed = edges.filter(
      ({state, event, nextState}) =>
        event.type === 'answer.received' && nextState.context.exchange?.answer !== state.context.exchange?.answer,
    )
    expect(landed.length).toBeGreaterThan(0)
    for (const {state, event} of landed) {
      // as: filtered above
      const delta = event as (typeof events)['answer.received'][number]
      const {exchange, id} = state.context
      expect([delta.conversation, delta.message, delta.attempt]).toEqual([
        id ?? 'foo',
        exchange?.message,
        exchange?.attempt,
      ])
      expect(delta.seq).toBeGreaterThan(exchange?.lastSeq ?? Number.NaN)
    }
  })

  test('partial text is kept by every end, or is what the server has of it', () => {
    const endings = edges.filter(
      ({state, nextState}) =>
        state.context.exchange &&
        !nextState.context.exchange &&
        !state.matches('yielding') &&
        // nothing was asked: the thread is as it was
        state.context.before === undefined &&
        // the server's copies above are those of `foo`
        state.context.id !== 'other',
    )
    expect(endings.length).toBeGreaterThan(0)
    for (const {state, event, nextState} of endings) {
      const last = nextState.context.messages.at(-1)
      expect(last?.role).toBe('assistant')
      if (event.type === 'xstate.done.actor.retrieveConversation') {
        // as: the end of an invoked actor has its output
        const copy = (event as {output?: Conversation}).output?.messages.at(-1)
        if (copy?.role === 'assistant' && copy.state === 'failed') {
          expect(last?.content).toBe(copy.content)
          continue
        }
      }
      expect(messageText(last?.content ?? '').startsWith(state.context.exchange?.answer ?? '-')).toBe(true)
    }
  })

  test('no question is lost before a server took it', () => {
    const waiting = edges.filter(
      // one that was asked too early goes back to those that wait (conversation-occupied.test.ts)
      ({state, nextState}) =>
        isUnnamed(state.context) &&
        !(
          state.matches('yielding') &&
          nextState.context.exchange === undefined &&
          nextState.context.messages.at(-1)?.state !== 'failed'
        ),
    )
    expect(waiting.length).toBeGreaterThan(0)
    const lost = waiting.filter(({state, nextState: {context}}) => {
      const own = state.context.exchange?.question
      const kept = [
        ...context.messages.map(({content}) => messageText(content)),
        context.exchange?.question,
        context.plan?.question,
        context.rejection?.question,
      ]
      return !kept.includes(own)
    })
    expect(lost).toEqual([])
  })

  test('one exchange at a time: a question is refused while one runs, until its stop is only repeated or it is over and only read again', () => {
    const asked = edges.filter(
      ({state, event, nextState}) =>
        event.type === 'prompt.submit' &&
        state.context.exchange &&
        nextState.context.messages !== state.context.messages,
    )
    const places = new Set(asked.map(({state}) => JSON.stringify(state.value)))
    const ends = {
      '{"reconciling":"rereading"}': {outcome: 'interrupted'},
      '{"stopping":"offline"}': {outcome: 'stopped', unconfirmed: true},
      '{"stopping":"waiting"}': {outcome: 'stopped', unconfirmed: true},
    }
    expect([...places].sort()).toEqual(Object.keys(ends))
    for (const {state, nextState} of asked) {
      const [last, next] = nextState.context.messages.slice(-2)
      const end = Object.entries(ends).find(([place]) => place === JSON.stringify(state.value))?.[1]
      expect(last).toMatchObject({...end, content: state.context.exchange?.answer})
      expect(next?.role).toBe('user')
    }
  })
})
