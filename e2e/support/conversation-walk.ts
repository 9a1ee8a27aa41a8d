import {initialTransition} from 'xstate'
import {messageReferences} from '#domain/conversation.ts'
import {answerId} from '#domain/exchange.ts'
import {conversationMachine, type ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectRecord} from '#machines/conversation/conversation.selectors.ts'
import type {ConversationEvent, ConversationInput} from '#machines/conversation/conversation.types.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import {outcomeWord, stateWord} from '#tests/machines/conversation-words.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {sender, type Chart} from './chart-walk.ts'

/*
 * The conversation machine as a user sees it (docs/testing-with-machines.md). A user does not send
 * `answer.received`; a model server writes words.
 */

/** The events that a user, the network or the model server causes. */
export const actions = [
  'ask',
  'words',
  'end',
  'stop',
  'refuse',
  'cut',
  'lose',
  'regain',
  'retry',
  'regenerate',
  'regenerateFirst',
  'edit',
  'editWithFile',
  'reload',
] as const
export type Action = (typeof actions)[number]

/** The states that the page shows, in words that a tester would use. */
export type Shown =
  | 'new'
  | 'pending'
  | 'answering'
  /** After a reload the answer comes through the stream that tabs share. */
  | 'followed before the first word'
  | 'followed'
  | 'following again before the first word'
  | 'following again'
  | 'reconnecting before the first word'
  | 'reconnecting'
  | 'finished'
  | 'stopped'
  | 'interrupted'
  | 'refused'

export const question = 'What is it?'
export const edited = 'What is it really?'
/** The answer of the model server and where it stands still: before the first word, and after the second. */
export const answer = 'first second third'
const written = 'first second'

const online = startEnvironment()
const offline = startEnvironment({isOnline: false})
const settings: Omit<ConversationInput, 'record'> = {
  capabilities: ['resume', 'stop', 'idempotency', 'versions'],
  environment: online,
  parentRef: nobody,
}
const withNetwork = (snapshot: ConversationSnapshot, environment: EnvironmentActor): ConversationSnapshot => ({
  ...snapshot,
  context: {...snapshot.context, environment},
})
const begin = (record: ConversationInput['record']) => initialTransition(conversationMachine, {...settings, record})[0]
const start = (): ConversationSnapshot => settle(begin({key: 'k', model: 'm', messages: [], updatedAt: 0}))

const step = sender(conversationMachine)
const send = (snapshot: ConversationSnapshot, ...events: Parameters<typeof step>[1][]): ConversationSnapshot =>
  events.reduce((current, event) => settle(step(current, event)), snapshot)

/**
 * Takes the steps that need no action: the server accepts a question, cuts a history, confirms a stop, shows its copy,
 * is found again.
 */
function settle(snapshot: ConversationSnapshot): ConversationSnapshot {
  const {exchange} = snapshot.context
  if (snapshot.matches('truncating')) return send(snapshot, {type: 'xstate.done.actor.truncateConversation'})
  if (snapshot.matches({stopping: 'commanding'}))
    return send(snapshot, {type: 'xstate.done.actor.stopAnswer', output: {state: 'failed'}})
  if (snapshot.matches('adopting') && exchange !== undefined) {
    const kept = {
      role: 'assistant',
      id: answerId(exchange),
      content: exchange.answer,
      state: 'failed',
      outcome: 'interrupted',
    }
    const output = {id: 'c-1', messages: [...snapshot.context.messages.slice(-1), kept]}
    return send(snapshot, {type: 'xstate.done.actor.retrieveConversation', output})
  }
  if (snapshot.matches({reconciling: 'waiting'}))
    return send(snapshot, {type: 'xstate.after.reconnectDelay.conversation.reconciling.waiting'})
  if (snapshot.matches({following: {disconnected: 'retrieving'}})) return send(snapshot, {type: 'answer.connected'})
  if (snapshot.matches({asking: {pending: 'connecting'}})) return send(snapshot, {type: 'answer.connected'})
  if (snapshot.matches({asking: 'pending'}) && exchange !== undefined && exchange.message === undefined)
    return send(snapshot, {type: 'answer.started', conversation: 'c-1', attempt: 1, ...namesOf(snapshot)})
  return snapshot
}

/**
 * Returns the server's names of a question and its answer: by their position, and how many versions each had before.
 */
function namesOf({context: {messages, exchange}}: ConversationSnapshot) {
  const asked = messages.at(-1)
  const position = `${messages.length}-${asked?.versions?.length ?? 0}`
  return {question: asked?.id ?? `q-${position}`, message: `m-${position}-${exchange?.versions?.length ?? 0}`}
}

/** Words up to and with the given text, as the stream would bring them. */
const received = ({context: {exchange}}: ConversationSnapshot, text: string): ConversationEvent => ({
  type: 'answer.received',
  conversation: 'c-1',
  message: exchange?.message ?? '',
  attempt: 1,
  seq: (exchange?.lastSeq ?? 0) + 1,
  text: text.slice(exchange?.answer.length ?? 0),
})
const asked = {key: 'key', at: 0}
const lost = {code: 'unknown', detail: 'foo', lost: true}

/** Words can come: through the page's own stream, or through the one that tabs share. */
const isStreaming = (snapshot: ConversationSnapshot) =>
  !snapshot.hasTag('reconnecting') && (snapshot.matches('asking') || snapshot.matches('following'))

/** The files of the last question; an edit keeps them. */
export const filesOf = (snapshot: ConversationSnapshot): string[] =>
  messageReferences(snapshot.context.messages[lastQuestion(snapshot)]?.content ?? '')

function edit(snapshot: ConversationSnapshot, references: string[]): ConversationSnapshot | undefined {
  const index = lastQuestion(snapshot)
  if (index < 0) return undefined
  return send(snapshot, {type: 'message.edit', index, question: edited, references, ...asked})
}

/** The effect of each action on the machine; `undefined` where the page does not offer it. */
const effects: {[Name in Action]: (snapshot: ConversationSnapshot) => ConversationSnapshot | undefined} = {
  ask: (snapshot) =>
    snapshot.hasTag('settled')
      ? send(snapshot, {type: 'prompt.submit', question, references: [], ...asked})
      : undefined,
  words: (snapshot) =>
    ['pending', 'followed before the first word'].includes(shownBy(snapshot))
      ? send(snapshot, received(snapshot, written))
      : undefined,
  end: (snapshot) =>
    ['answering', 'followed'].includes(shownBy(snapshot))
      ? send(snapshot, received(snapshot, answer), {type: 'answer.completed'})
      : undefined,
  stop: (snapshot) => (isStreaming(snapshot) ? send(snapshot, {type: 'answer.stop'}) : undefined),
  refuse: (snapshot) =>
    isStreaming(snapshot)
      ? send(snapshot, {type: 'answer.failed', failure: {code: 'bad_request', detail: 'foo'}, outcome: 'refused'})
      : undefined,
  cut: (snapshot) =>
    isStreaming(snapshot)
      ? send(snapshot, {type: 'answer.failed', failure: {code: 'api_error', detail: 'foo'}, outcome: 'interrupted'})
      : undefined,
  lose: (snapshot) =>
    isStreaming(snapshot)
      ? send(
          withNetwork(snapshot, offline),
          snapshot.matches('asking')
            ? {type: 'xstate.error.actor.answerStream', error: lost}
            : {type: 'answer.disconnected'},
        )
      : undefined,
  regain: (snapshot) =>
    snapshot.hasTag('reconnecting') ? send(withNetwork(snapshot, online), {type: 'connection.restored'}) : undefined,
  retry: (snapshot) => (snapshot.matches('failed') ? send(snapshot, {type: 'answer.retry', ...asked}) : undefined),
  regenerate: (snapshot) =>
    snapshot.matches('finished') ? send(snapshot, {type: 'answer.regenerate', ...asked}) : undefined,
  regenerateFirst: (snapshot) => {
    const again = {type: 'answer.regenerate', end: 2, ...asked} as const
    return snapshot.matches('finished') && snapshot.can(again) ? send(snapshot, again) : undefined
  },
  edit: (snapshot) => (snapshot.hasTag('settled') ? edit(snapshot, filesOf(snapshot)) : undefined),
  editWithFile: (snapshot) =>
    snapshot.matches('finished') ? edit(snapshot, [...filesOf(snapshot), 'https://files.example/foo.png']) : undefined,
  // domain data is stored, never a snapshot: a new machine starts from what JSON keeps of it
  reload: (snapshot) =>
    snapshot.hasTag('reconnecting')
      ? undefined
      : // as: what is stored is JSON
        settle(begin(JSON.parse(JSON.stringify(selectRecord(snapshot))) as ConversationInput['record'])),
}

export const lastQuestion = ({context: {messages}}: ConversationSnapshot): number =>
  messages.findLastIndex(({role}) => role === 'user')

export function shownBy(snapshot: ConversationSnapshot): Shown {
  const state = stateWord(snapshot)
  if (snapshot.matches({following: 'disconnected'}))
    return state === 'pending' ? 'following again before the first word' : 'following again'
  if (snapshot.hasTag('reconnecting'))
    return state === 'pending' ? 'reconnecting before the first word' : 'reconnecting'
  if (snapshot.matches('following')) return state === 'pending' ? 'followed before the first word' : 'followed'
  if (state === undefined) return 'new'
  return state === 'failed' ? (outcomeWord(snapshot) ?? 'interrupted') : state
}

/** The conversation as a user sees it. */
export const conversationChart: Chart<ConversationSnapshot, Action, Shown> = {start, effects, shownBy}
