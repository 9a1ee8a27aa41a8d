import type {RecordMessage} from './conversation.ts'

/** Names of the draft of a message that is edited: its own, which is its position where no server has named it, then those of its other versions, the newest first. */
export function editKeys(conversation: string, messages: readonly RecordMessage[], index: number): string[] {
  const message = messages[index]
  const own = message?.id ?? `${conversation}/${index}`
  const others = message?.versions?.filter((version) => version !== own).toReversed() ?? []
  return [own, ...others].map((name) => `edit/${name}`)
}
