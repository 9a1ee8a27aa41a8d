import type {RecordMessage} from './conversation.ts'

type Messages = readonly Pick<RecordMessage, 'id' | 'unsent'>[]

const positionPattern = /^m([1-9]\d{0,5})$/

/** Whether a link names a message by its position: no server knows it by that. */
export const isPositionAnchor = (anchor: string) => positionPattern.test(anchor)

/**
 * The fragment of a link to a message: its id, or `m` and its position from 1 where the server gave it none.
 * `undefined`: only this device has the message.
 */
export function messageAnchor(messages: Messages, index: number): string | undefined {
  const message = messages[index]
  if (message === undefined || message.unsent === true) return undefined
  return anchorHere(messages, index)
}

/** The same for this device alone, which has every message. */
export const anchorHere = (messages: Messages, index: number): string => messages[index]?.id ?? `m${index + 1}`

/** Position of the message that a link names, or -1. A refused question has the name of its failure, below it. */
export function indexOfAnchor(messages: Messages, anchor: string): number {
  const namedIndex = messages.findIndex(({id}) => id === anchor)
  const isFailure = [namedIndex - 1, namedIndex].every((index) => messages[index]?.unsent === true)
  if (namedIndex !== -1) return isFailure ? namedIndex - 1 : namedIndex
  const position = Number(positionPattern.exec(anchor)?.[1])
  return position <= messages.length ? position - 1 : -1
}
