import type {ChatEvent, ChatInput, Provider} from '#server/providers/provider.ts'
import {createArrivals} from './arrivals.ts'

/** One question that reached the scripted provider; the test writes its answer. */
export type Exchange = {
  input: ChatInput
  say: (...texts: string[]) => void
  usage: (promptTokens: number, completionTokens: number) => void
  finish: (facts?: {warning?: string; isTruncated?: true}) => void
  fail: (error: unknown) => void
}

type Step = {event: ChatEvent} | {error: unknown} | 'end'

/** A model server under the test's hand: a double of the outside world, nothing of ours. */
export function createScriptedProvider(
  facts: Partial<Pick<Provider, 'name' | 'kind' | 'local'>> = {},
  models = ['foo-model'],
) {
  const exchanges = createArrivals<Exchange>()

  const chat: Provider['chat'] = async (input, take) => {
    const steps: Step[] = []
    let wake: () => void = () => undefined
    const push = (step: Step) => {
      steps.push(step)
      wake()
    }
    const exchange: Exchange = {
      input,
      say: (...texts) => texts.forEach((text) => push({event: {type: 'delta', text}})),
      usage: (promptTokens, completionTokens) => push({event: {type: 'usage', promptTokens, completionTokens}}),
      finish: (facts) => push({event: {type: 'finished', ...facts}}),
      fail: (error) => push({error}),
    }
    exchanges.arrive(exchange)
    for (;;) {
      const step = steps.shift()
      if (step === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else if (step === 'end') return
      else if ('error' in step) throw step.error
      else if (!take(step.event)) return
    }
  }

  const provider: Provider = {
    name: 'foo',
    kind: 'openai',
    local: false,
    ...facts,
    models: () =>
      Promise.resolve(
        models.map((name) => ({name, group: 'chatgpt' as const, provider: facts.name ?? 'foo', enabled: true})),
      ),
    chat,
  }
  return {
    provider,
    /** The next question that arrives, or the first that nobody took yet. */
    next: exchanges.next,
    unasked: exchanges.isEmpty,
  }
}
