import {modelGroups} from '#contract/models.ts'
import type {ServedModel} from '#contract/management.ts'
import {ProviderFailure, type ChatEvent, type ChatInput, type Provider} from '#server/providers/provider.ts'
import {answerOf} from './answer.ts'
import {realSleep, type Sleep} from './sleep.ts'

export type SandboxParts = {
  /** Tests take one that does not wait. */
  sleep?: Sleep
  /** Milliseconds of a clock that never jumps; it moves while `sleep` waits. */
  clock?: () => number
}

const models: readonly ServedModel[] = modelGroups.map((group) => ({
  name: `sandbox-${group}`,
  label: 'Sandbox (no model)',
  group,
  provider: 'sandbox',
  enabled: true,
  local: true,
  isFileSupported: true,
  isImageSupported: true,
}))

/** A word with the space before it; a long run without space (Chinese, a hash) comes in pieces. */
const wordPattern = /\s*\S{1,24}/gu

/**
 * The provider that needs nothing: no model, no network, no cost. It says so in the first line of every answer, is the
 * same for the same question, and is asked only when chosen (`registry.ts`). Its length has bounds of its own: the
 * answer cap bounds what is paid for, and nothing is.
 */
export function createSandboxChat({sleep = realSleep, clock = () => performance.now()}: SandboxParts = {}): Provider {
  async function* chat(input: ChatInput): AsyncGenerator<ChatEvent> {
    const {signal} = input
    signal.throwIfAborted()
    const {text, wordsPerSecond, failure} = await answerOf(input)
    const started = clock()
    let words = 0
    for (const [word] of text.matchAll(wordPattern)) {
      // by the clock, not by adding pauses: timers are late, and a pace is a promise
      const wait = started + (words / wordsPerSecond) * 1000 - clock()
      if (wait > 0) await sleep(wait, signal)
      signal.throwIfAborted()
      yield {type: 'delta', text: word}
      words += 1
    }
    if (failure) throw new ProviderFailure(failure.code, failure.detail, {interrupted: failure.interrupted})
    yield {type: 'finished'}
  }

  return {name: 'sandbox', kind: 'sandbox', local: true, models: async () => models, chat}
}
