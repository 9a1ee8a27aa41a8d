import type {MessageOutcome, MessageState} from '#contract/chat.ts'
import {recordOf} from './conversation.rules.ts'
import type {ConversationSnapshot} from './conversation.machine.ts'

type Snapshot = ConversationSnapshot

export const selectKey = ({context}: Snapshot) => context.key
/** The server's id; absent until the first answer names it. */
export const selectId = ({context}: Snapshot) => context.id
export const selectTitle = ({context}: Snapshot) => context.title
export const selectModel = ({context}: Snapshot) => context.model
/** Settled messages and the question that is being answered. Same reference until one is added. */
export const selectMessages = ({context}: Snapshot) => context.messages
/** The answer so far, or undefined when none is expected. */
export const selectAnswerText = ({context}: Snapshot) => context.exchange?.answer
/** The id of the message that is being written, or undefined. */
export const selectAnswerId = ({context}: Snapshot) => context.exchange?.message
export const selectIsSandbox = ({context}: Snapshot) => context.exchange?.sandbox ?? false
/** Why an edit or regenerate did not happen; cleared by the next question. */
export const selectRejection = ({context}: Snapshot) => context.rejection

/** The specification's word for the running or last answer; undefined in a new conversation. */
export function selectState(snapshot: Snapshot): MessageState | undefined {
  if (snapshot.matches('finished')) return 'finished'
  if (snapshot.matches('failed') || snapshot.hasTag('stopped')) return 'failed'
  if (snapshot.context.exchange === undefined) return undefined
  return snapshot.context.exchange.lastSeq > 0 ? 'answering' : 'pending'
}

export function selectOutcome(snapshot: Snapshot): MessageOutcome | undefined {
  if (snapshot.hasTag('stopped')) return 'stopped'
  if (snapshot.matches({failed: 'interrupted'})) return 'interrupted'
  if (snapshot.matches({failed: 'refused'})) return 'refused'
  return undefined
}

/** A question may be asked: nothing runs, or the order to stop what runs is only repeated. */
export const selectCanSubmit = (snapshot: Snapshot) =>
  snapshot.hasTag('settled') || snapshot.matches({stopping: 'waiting'}) || snapshot.matches({stopping: 'offline'})
export const selectCanStop = (snapshot: Snapshot) => snapshot.can({type: 'answer.stop'})
export const selectCanRetry = (snapshot: Snapshot) => snapshot.can({type: 'answer.retry', key: '', at: 0})
export const selectCanRegenerate = (snapshot: Snapshot) => snapshot.can({type: 'answer.regenerate', key: '', at: 0})

/** The conversation as it is stored. Not for `useSelector`: it is a new object each time. */
export const selectRecord = ({context}: Snapshot) => recordOf(context)
