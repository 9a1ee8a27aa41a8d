import {modelGroups} from '#contract/models.ts'
import type {ServedModel} from '#contract/management.ts'
import {ProviderFailure, type Provider} from '#server/providers/provider.ts'
import {answerOf} from './answer.ts'
import {realSleep, type Sleep} from './sleep.ts'

export type SandboxParts = {
  /** Tests pass one that does not wait. */
  sleep?: Sleep
  /** Milliseconds of a monotonic clock; it advances while `sleep` waits. */
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

/** A word with the space before it; a long run without spaces (Chinese, a hash) is cut into pieces. */
const wordPattern = /(?<!\s)\s*\S{1,24}/gu

/**
 * The provider without dependencies: no model, no network, no cost. It says so in the first line of each answer, is
 * deterministic, and is used only when chosen (`registry.ts`). It has its own length limits: the answer cap limits paid
 * answers only.
 */
export function createSandboxChat({sleep = realSleep, clock = () => performance.now()}: SandboxParts = {}): Provider {
  const chat: Provider['chat'] = async (input, take) => {
    const {signal} = input
    signal.throwIfAborted()
    const {text, wordsPerSecond, failure} = await answerOf(input)
    const startTime = clock()
    let words = 0
    for (const [word] of text.matchAll(wordPattern)) {
      // paced by the clock instead of summed pauses, since timers fire late
      const wait = startTime + (words / wordsPerSecond) * 1000 - clock()
      if (wait > 0) await sleep(wait, signal)
      signal.throwIfAborted()
      if (!take({type: 'delta', text: word})) return
      words += 1
    }
    if (failure) throw new ProviderFailure(failure.code, failure.detail, {interrupted: failure.interrupted})
    take({type: 'finished'})
  }

  return {name: 'sandbox', kind: 'sandbox', local: true, models: async () => models, chat}
}
