import type {EditedPosition, MessagesChanged} from './message-editing.types.ts'

type Editing = {conversation: string; edited?: EditedPosition | undefined}

/** The index of the edited message among those shown; -1: its version is not shown, or nothing is edited. */
function indexOf({conversation, edited}: Editing, messages: MessagesChanged['messages']): number {
  if (edited === undefined) return -1
  const {index, keys} = edited
  // one that only this device had gets its name while the editor is open
  if (keys[0] === `edit/${conversation}/${index}`) return messages[index]?.isQuestion === true ? index : -1
  return messages.findIndex((message) => message.keys.some((key) => keys.includes(key)))
}

const positionAt = (messages: MessagesChanged['messages'], index: number): EditedPosition | undefined => {
  const message = messages[index]
  return message && {index, keys: message.keys}
}

/** The position of the edited message now; undefined where its version is not shown. */
export const followedPosition = (editing: Editing, {messages}: Pick<MessagesChanged, 'messages'>) =>
  positionAt(messages, indexOf(editing, messages))

/** The last message that has come into the thread, and in whose editor words were left. */
export const leftPosition = (keysBefore: readonly string[], {messages}: Pick<MessagesChanged, 'messages'>) => {
  const seenKeys = new Set(keysBefore)
  const isLeft = ({keys, isDrafted}: MessagesChanged['messages'][number]) =>
    isDrafted && !keys.some((key) => seenKeys.has(key))
  return positionAt(messages, messages.findLastIndex(isLeft))
}
