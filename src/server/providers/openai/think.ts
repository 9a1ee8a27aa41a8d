/*
 * Reasoning travels as `<think>…</think>` inside the answer's text (contract/chat §7). Servers that send it in a field
 * of its own get the tags from us; servers that already write the tags keep their text to the byte.
 */

const tags = ['<think>', '</think>'] as const

/** Turns the two texts of each chunk into one, in order; a tag is never split over two deltas. */
export type ThinkJoiner = {
  push: (reasoning: string, content: string) => string
  /** The text that is still held back, and the closing tag when the answer ended while reasoning. */
  end: () => string
}

export function createThinkJoiner(): ThinkJoiner {
  let open = false
  let heldText = ''
  const reason = (text: string): string => {
    if (text === '') return ''
    const before = heldText + (open ? '' : tags[0])
    heldText = ''
    open = true
    return before + text
  }
  const answer = (text: string): string => {
    if (text === '') return ''
    const before = open ? tags[1] : ''
    open = false
    const whole = heldText + text
    const keptTag = beginningOfTag(whole)
    heldText = whole.slice(whole.length - keptTag)
    return before + whole.slice(0, whole.length - keptTag)
  }
  return {
    push: (reasoning, content) => reason(reasoning) + answer(content),
    end: () => {
      const rest = heldText + (open ? tags[1] : '')
      heldText = ''
      open = false
      return rest
    },
  }
}

/** How many characters at the end of `text` may be the beginning of a tag. */
function beginningOfTag(text: string): number {
  const at = text.lastIndexOf('<')
  if (at === -1) return 0
  const tail = text.slice(at)
  return tags.some((tag) => tag.length > tail.length && tag.startsWith(tail)) ? tail.length : 0
}
