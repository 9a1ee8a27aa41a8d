import {initialTransition} from 'xstate'
import type {ChatCapability} from '#contract/management.ts'
import {conversationMachine, type ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectRecord} from '#machines/conversation/conversation.selectors.ts'
import type {ConversationInput} from '#machines/conversation/conversation.types.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {leavesOf, sender, where, type Chart, type LeafOf} from './chart-walk.ts'

/* The conversation machine where each call waits, fails or loses contact: what is shown is the state of the machine. */

/** Ours offers everything; another one offers nothing that the specification lacks. */
export type Service = 'ours' | 'another'
/** The states that are seen here. */
export type Leaf = Extract<
  LeafOf<typeof conversationMachine>,
  | 'finished'
  | 'asking.pending.connecting'
  | 'asking.pending.queued'
  | 'asking.answering'
  | 'truncating'
  | 'adopting'
  | 'yielding.waiting'
  | 'yielding.retrieving'
  | 'following.retrieving'
  | 'following.waiting'
  | 'following.disconnected.offline'
  | 'following.disconnected.retrieving'
  | 'reconciling.waiting'
  | 'reconciling.retrieving'
  | 'reconciling.rereading'
  | 'reconciling.unresumed.retrieving'
  | 'reconciling.unresumed.waiting'
  | 'reconciling.unresumed.offline'
  | 'stopping.naming'
  | 'stopping.commanding'
  | 'stopping.waiting'
  | 'stopping.offline'
  | 'failed.stopped'
  | 'failed.interrupted.ended'
  | 'failed.interrupted.lost'
  | 'failed.unpaid'
  | 'failed.unapplied'
>
export type Action =
  | 'ask'
  | 'ask while other tabs have all streams'
  | 'a stream ends'
  | 'ask without an application'
  | 'answer again'
  | 'the history is cut'
  | 'words come'
  | 'credits are used up'
  | 'another question is being answered'
  | 'stop'
  | 'the name comes'
  | 'the stop is confirmed'
  | 'the answer is cut off'
  | 'reload'
  | 'the copy comes'
  | 'the rest is heard'
  | 'the stream is lost'
  | 'resuming is refused'
  | 'the answer is not there'
  | 'the call fails'
  | 'the call fails and the network is lost'
  | 'the network is back'
  | 'retry'
  | 'the pause ends'

const ours: ChatCapability[] = ['resume', 'stop', 'idempotency', 'versions', 'follow']
const [online, offline] = [startEnvironment(), startEnvironment({isOnline: false})]
const send = sender(conversationMachine)
const begin = (record: ConversationInput['record'], service: Service): ConversationSnapshot =>
  initialTransition(conversationMachine, {
    record,
    capabilities: service === 'ours' ? ours : [],
    environment: online,
    parentRef: nobody,
  })[0]
const onNetwork = (snapshot: ConversationSnapshot, environment: typeof online): ConversationSnapshot => ({
  ...snapshot,
  context: {...snapshot.context, environment},
})
const lost = {code: 'unknown', detail: 'foo', lost: true}
const answered: ConversationInput['record'] = {
  key: 'k',
  id: 'c-1',
  model: 'm',
  messages: [
    {role: 'user', id: 'q-0', content: 'First'},
    {role: 'assistant', id: 'm-0', content: 'Yes', state: 'finished'},
  ],
  updatedAt: 0,
}
export const question = 'What is it?'
const asked = {question, references: [], key: 'key'}

const is =
  (...leaves: Leaf[]) =>
  (snapshot: ConversationSnapshot) =>
    leaves.includes(shownBy(snapshot))
// as: no other state is reached
const shownBy = ({value}: ConversationSnapshot) => leavesOf(value).join() as Leaf

/** Returns what a server keeps of the conversation: the answer as far as it is said here. */
const copyOf = ({context: {messages, exchange}}: ConversationSnapshot, state: 'answering' | 'finished' | 'failed') => ({
  id: 'c-1',
  messages: [
    ...messages,
    {role: 'assistant', id: exchange?.message, content: exchange?.answer ?? '', state, outcome: 'interrupted'},
  ],
})
const read = (snapshot: ConversationSnapshot, output: unknown) =>
  send(snapshot, {type: 'xstate.done.actor.retrieveConversation', output})
const failRead = (snapshot: ConversationSnapshot, error: object) =>
  send(snapshot, {type: 'xstate.error.actor.retrieveConversation', error})
const refused = (failure: object) => (snapshot: ConversationSnapshot) =>
  send(snapshot, {type: 'xstate.error.actor.answerStream', error: failure})
const isStopping = is('stopping.commanding')
const submit = (snapshot: ConversationSnapshot) => send(snapshot, {type: 'prompt.submit', ...asked, at: 0})
/** A name for each position. */
const nameOf = ({context}: ConversationSnapshot) => `m-${context.messages.length}`
const nameAnswer = (snapshot: ConversationSnapshot) => {
  const message = nameOf(snapshot)
  return send(snapshot, {type: 'answer.started', conversation: 'c-1', question: `q-${message}`, message, attempt: 1})
}
/** The calls whose failure leads somewhere. */
const failCall = (snapshot: ConversationSnapshot) =>
  isStopping(snapshot) ? send(snapshot, {type: 'xstate.error.actor.stopAnswer', error: lost}) : failRead(snapshot, lost)
const pauses = {
  'reconciling.waiting': 'reconnectDelay',
  'reconciling.unresumed.waiting': 'reconnectDelay',
  'stopping.waiting': 'stopDelay',
  'yielding.waiting': 'yieldDelay',
} as const
type Pause = keyof typeof pauses
const isPause = (leaf: Leaf): leaf is Pause => leaf in pauses
const endPause = (snapshot: ConversationSnapshot) => {
  const leaf = shownBy(snapshot)
  return isPause(leaf) ? send(snapshot, {type: `xstate.after.${pauses[leaf]}.conversation.${leaf}`}) : snapshot
}

function copyComes(snapshot: ConversationSnapshot): ConversationSnapshot {
  if (is('adopting')(snapshot)) return read(snapshot, copyOf(snapshot, 'failed'))
  if (snapshot.matches('following')) return read(snapshot, copyOf(snapshot, 'answering'))
  if (snapshot.matches('yielding'))
    return send(read(snapshot, {id: 'c-1', messages: answered.messages}), {type: 'followUp.due', ask: asked})
  return read(snapshot, copyOf(snapshot, 'finished'))
}

export function chartOf(service: Service): Chart<ConversationSnapshot, Action, Leaf> {
  const at = (of: Service | 'any', ...leaves: Leaf[]) => {
    const isHere = is(...leaves)
    return (snapshot: ConversationSnapshot) => (of === 'any' || of === service) && isHere(snapshot)
  }
  return {
    start: () => begin(answered, service),
    shownBy,
    effects: {
      ask: where(
        at('any', 'finished', 'failed.stopped', 'failed.interrupted.ended', 'failed.interrupted.lost', 'failed.unpaid'),
        submit,
      ),
      'ask while other tabs have all streams': where(at('another', 'finished'), (snapshot) =>
        send(submit(snapshot), {type: 'slot.awaited', until: 'ended'}),
      ),
      'a stream ends': where(at('any', 'asking.pending.queued'), (snapshot) => send(snapshot, {type: 'slot.granted'})),
      'ask without an application': where(at('ours', 'finished'), (snapshot) =>
        refused({code: 'not_applied', detail: 'no token'})(submit(snapshot)),
      ),
      'answer again': where(at('another', 'finished'), (snapshot) =>
        send(snapshot, {type: 'answer.regenerate', key: 'key', at: 0}),
      ),
      'the history is cut': where(at('any', 'truncating'), (snapshot) =>
        send(snapshot, {type: 'xstate.done.actor.truncateConversation'}),
      ),
      // first: a question that waits is held after one that failed
      'another question is being answered': where(
        at('ours', 'asking.pending.connecting'),
        refused({status: 409, code: 'duplication', detail: 'foo'}),
      ),
      'words come': where(at('any', 'asking.pending.connecting'), (snapshot) =>
        send(nameAnswer(send(snapshot, {type: 'answer.connected'})), {
          type: 'answer.received',
          conversation: 'c-1',
          message: nameOf(snapshot),
          attempt: 1,
          seq: 1,
          text: 'first second',
        }),
      ),
      'credits are used up': where(
        at('ours', 'asking.pending.connecting'),
        refused({status: 403, code: 'used_up', detail: 'foo'}),
      ),
      stop: where(at('ours', 'asking.pending.connecting', 'asking.answering'), (snapshot) =>
        send(snapshot, {type: 'answer.stop'}),
      ),
      'the name comes': where(at('any', 'stopping.naming'), nameAnswer),
      'the stop is confirmed': where(at('any', 'stopping.commanding'), (snapshot) =>
        send(snapshot, {type: 'xstate.done.actor.stopAnswer', output: {state: 'failed'}}),
      ),
      'the answer is cut off': where(at('ours', 'asking.answering'), (snapshot) =>
        send(snapshot, {type: 'answer.failed', failure: {code: 'api_error', detail: 'foo'}, outcome: 'interrupted'}),
      ),
      // nothing is heard of it, and so it is looked for
      reload: where(at('ours', 'asking.answering'), (snapshot) =>
        send(begin(selectRecord(snapshot), service), {type: 'xstate.after.callDelay.conversation.following.calling'}),
      ),
      'the copy comes': where(
        at(
          'any',
          'adopting',
          'following.retrieving',
          'following.disconnected.retrieving',
          'reconciling.retrieving',
          'reconciling.rereading',
          'reconciling.unresumed.retrieving',
          'yielding.retrieving',
        ),
        copyComes,
      ),
      'the rest is heard': where(at('any', 'following.waiting'), (snapshot) =>
        send(snapshot, {type: 'answer.completed'}),
      ),
      'the stream is lost': where(at('any', 'asking.answering'), refused(lost)),
      'resuming is refused': where(at('ours', 'reconciling.waiting'), (snapshot) =>
        refused({status: 404, code: 'not_found', detail: 'foo'})(endPause(snapshot)),
      ),
      'the answer is not there': where(at('any', 'reconciling.retrieving'), (snapshot) =>
        failRead(snapshot, {status: 404, code: 'not_found', detail: 'foo'}),
      ),
      'the call fails': where(at('any', 'reconciling.unresumed.retrieving', 'stopping.commanding'), failCall),
      'the call fails and the network is lost': where(
        at('any', 'following.retrieving', 'reconciling.unresumed.retrieving', 'stopping.commanding'),
        (snapshot) => failCall(onNetwork(snapshot, offline)),
      ),
      'the network is back': where(
        at(
          'any',
          'following.disconnected.offline',
          'reconciling.unresumed.offline',
          'stopping.offline',
          'failed.interrupted.lost',
        ),
        (snapshot) => send(onNetwork(snapshot, online), {type: 'connection.restored'}),
      ),
      retry: where(at('any', 'failed.interrupted.lost'), (snapshot) =>
        send(snapshot, {type: 'answer.retry', key: 'again', at: 0}),
      ),
      'the pause ends': where(
        (snapshot) => isPause(shownBy(snapshot)) && !at('ours', 'reconciling.waiting')(snapshot),
        endPause,
      ),
    },
  }
}
