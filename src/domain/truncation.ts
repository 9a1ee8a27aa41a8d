import {stays, type RecordMessage} from './conversation.ts'

/** The part of a history that the server has, as far as the client knows. */
const sentMessages = (messages: readonly RecordMessage[]) => messages.filter(({unsent}) => unsent !== true)

/** Id of the last message in the server's history; undefined if a question may have arrived unconfirmed. */
const lastStoredId = (messages: readonly RecordMessage[]): string | undefined =>
  messages.some(({role, unsent, outcome}) => role === 'assistant' && unsent === true && outcome !== 'refused')
    ? undefined
    : (sentMessages(messages).at(-1)?.id ?? undefined)

/** A history from which goes what a question is not to be read with: deleted messages, and those from `cut` on where it is cut. */
export type Truncation = {messages: readonly RecordMessage[]; cut: number | undefined}

/** The ids that a server is sent: of deleted messages, of those that stay of a cut, and of the newest one that it is known to have. */
export function truncationOf({messages, cut}: Truncation) {
  const keptMessages = messages.filter(stays)
  return {
    removing: messages.flatMap((message) => (stays(message) ? [] : (message.id ?? []))),
    messages: cut === undefined ? undefined : sentMessages(messages.slice(0, cut).filter(stays)),
    last: lastStoredId(keptMessages),
  }
}
