import type {RecordMessage} from './conversation.ts'

/** Names of an edited message's draft: its own (a position before the server names it), its versions', newest first. */
export function editKeys(conversation: string, messages: readonly RecordMessage[], index: number): string[] {
  const message = messages[index]
  const own = message?.id ?? `${conversation}/${index}`
  const others = message?.versions?.filter((version) => version !== own).toReversed() ?? []
  return [own, ...others].map((name) => `edit/${name}`)
}
