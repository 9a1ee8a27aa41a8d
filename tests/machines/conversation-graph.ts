import type {Conversation} from '#contract/chat.ts'
import {stays, type ConversationRecord} from '#domain/conversation.ts'
import {lostContact, type Failure} from '#domain/failure.ts'
import type {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {ConversationEvent, ConversationInput} from '#machines/conversation/conversation.types.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'
import type {EventFixtures} from './graph.ts'
import type {describeRules} from './rules.ts'

/* The walk over all states of a conversation: its events, its beginnings, and what decides that two states differ. */

export const ask = {question: 'foo', references: [], key: 'key-1', at: 1}
const usedUp: Failure = {code: 'used_up', detail: 'foo', status: 403}
const refused: Failure = {code: 'bad_request', detail: 'foo', status: 400}
const occupied: Failure = {code: 'duplication', detail: 'foo', status: 409}
/** Every event of the chart, with real payloads. */
export const conversationEvents = {
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
  'followUps.noted': [{type: 'followUps.noted'}],
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
  'answer.unsent': [{type: 'answer.unsent'}],
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
export const input = (
  from: ConversationRecord,
  capabilities: ConversationInput['capabilities'] = [],
): ConversationInput => ({
  record: from,
  capabilities,
  environment: online,
  parentRef: nobody,
})
const waits = (from: ConversationRecord): ConversationRecord => ({
  ...from,
  followUps: [{question: 'foo', references: [], key: 'key-9'}],
})
export const fresh: ConversationRecord = {key: 'foo', model: 'm', messages: [], updatedAt: 0}
export const all: ConversationInput['capabilities'] = ['resume', 'stop', 'idempotency']
const ended = (outcome: 'stopped' | 'interrupted' | 'refused') =>
  input(record([question, {...answer, content: 'ba', state: 'failed', outcome}]))
export const running = (attempt: number | undefined) =>
  input(record([question, {...answer, attempt, content: 'ba', state: 'answering', seq: 1}]), all)

export const conversationWalk = {
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
  events: Object.values(conversationEvents)
    .flat()
    .filter(({type}) => type !== 'service.changed'),
  outputs,
  errors,
  endless: ['answerStream', 'followAnswer', 'environmentChanges'],
  limit: 500_000,
  // what was asked too early is not walked with all that can become of an answer
  stop: ({context: {yields, stops, exchange}}) => yields > 0 && (stops > 0 || (exchange?.reconnects ?? 0) > 0),
  key: ({
    context: {
      id,
      exchange,
      environment,
      messages,
      capabilities,
      stops,
      yields,
      followUps,
      before,
      plan,
      ended: end,
      visit,
    },
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
    plan !== undefined,
    (visit ?? before?.visit) !== undefined,
  ],
} satisfies Parameters<typeof describeRules<typeof conversationMachine>>[1]
