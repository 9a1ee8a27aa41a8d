import type {MessageContent} from '#contract/chat.ts'
import {createSandboxChat} from '#sandbox/chat.ts'
import type {ChatInput} from '#server/providers/provider.ts'

/** A provider whose pauses pass at once and are remembered. */
export function createProvider() {
  const pauses: number[] = []
  let elapsed = 0
  const provider = createSandboxChat({
    clock: () => elapsed,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds)
      elapsed += milliseconds
    },
  })
  return {provider, pauses, elapsed: () => elapsed}
}

export const inputOf = (content: MessageContent, changes: Partial<ChatInput> = {}): ChatInput => ({
  run: 'foo-run',
  model: 'sandbox-chatgpt',
  messages: [{role: 'user', content}],
  answerCap: 100,
  signal: new AbortController().signal,
  ...changes,
})

/** The whole answer: its deltas, and how it ended. */
export async function ask(content: MessageContent, changes: Partial<ChatInput> = {}) {
  const {provider, pauses, elapsed} = createProvider()
  const deltas: string[] = []
  let end: unknown
  try {
    await provider.chat(inputOf(content, changes), (event) => {
      if (event.type === 'delta') deltas.push(event.text)
      else end = event
      return true
    })
  } catch (error) {
    end = error
  }
  return {text: deltas.join(''), deltas, end, pauses, elapsed: elapsed()}
}
export const bodyOf = async (content: MessageContent) => (await ask(content)).text.split('\n\n').slice(1).join('\n\n')
