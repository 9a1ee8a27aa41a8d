import {lastName} from '#domain/conversation.ts'
import {recordOf} from './conversation.rules.ts'
import type {ConversationSnapshot} from './conversation.machine.ts'

type Snapshot = ConversationSnapshot

/** Settled messages and the question that is being answered. Same reference until one is added. */
export const selectMessages = ({context}: Snapshot) => context.messages
/** The answer so far, or undefined when none is expected. */
export const selectAnswerText = ({context}: Snapshot) => context.exchange?.answer
/** The questions that wait for their turn. */
export const selectFollowUps = ({context}: Snapshot) => context.followUps
/** Why an edit or regenerate did not happen; cleared by the next question. */
export const selectRejection = ({context}: Snapshot) => context.rejection

/** Nothing runs: the last answer has ended. */
export const selectIsSettled = (snapshot: Snapshot) => snapshot.hasTag('settled')
export const selectCanStop = (snapshot: Snapshot) => snapshot.can({type: 'answer.stop'})

/** The conversation as it is stored. Not for `useSelector`: it is a new object each time. */
export const selectRecord = ({context}: Snapshot) => recordOf(context)
/** Nothing was asked in it yet. */
export const selectIsUnused = ({context}: Snapshot) => context.messages.length === 0 && context.exchange === undefined

/** The server's name of the newest answer of the chosen path, which may be running; undefined until it is named. */
export const selectLastName = ({context: {exchange, visit, messages}}: Snapshot) =>
  exchange === undefined ? lastName(visit?.chosen ?? messages) : exchange.message
