import {stays, type RecordMessage} from './conversation.ts'

/** The part of a history that the server has, as far as the client knows. */
const sentMessages = (messages: readonly RecordMessage[]) => messages.filter(({unsent}) => unsent !== true)

/** Id of the last message in the server's history; undefined if a question may have arrived unconfirmed. */
const lastStoredId = (messages: readonly RecordMessage[]): string | undefined =>
  messages.some(({role, unsent, outcome}) => role === 'assistant' && unsent === true && outcome !== 'refused')
    ? undefined
    : (sentMessages(messages).at(-1)?.id ?? undefined)

/** A history without what a question is not to be read with: deleted messages, and those from `cut` on. */
export type Truncation = {messages: readonly RecordMessage[]; cut: number | undefined}

/** The ids sent to a server: of deleted messages, of those that stay of a cut, and of the newest one it has. */
export function truncationOf({messages, cut}: Truncation) {
  const keptMessages = messages.filter(stays)
  return {
    removing: messages.flatMap((message) => (stays(message) ? [] : (message.id ?? []))),
    messages: cut === undefined ? undefined : sentMessages(messages.slice(0, cut).filter(stays)),
    last: lastStoredId(keptMessages),
  }
}
