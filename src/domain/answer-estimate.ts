import type {ServedModel} from '#contract/management.ts'
import type {ApiEstimation} from '#contract/usage.ts'
import {microText} from './exact-amount.ts'
import {mostOf, priceOf} from './model-price.ts'

/** Tokens of an ordinary question with what came before it, and of its answer: about 750 English words and 400. */
const questionTokens = 1_000
const answerTokens = 500

/**
 * Estimates an answer of the chat: of the cheapest and of the dearest of these models that cost something, or one for
 * all of them where they have one price.
 */
export function answerEstimates(models: readonly ServedModel[]): ApiEstimation[] {
  const answers = models
    .filter(({enabled, disabled}) => enabled !== false && disabled === undefined)
    .flatMap(({name, label}) => {
      const price = priceOf({models: [...models]}, name)
      if (price?.kind !== 'tokens') return []
      const most_tokens = Math.min(price.most_tokens, answerTokens)
      return [{name: label ?? name, micro: mostOf({...price, most_tokens}, questionTokens), most_tokens}]
    })
    .sort((one, other) => Number(one.micro - other.micro))
  const [cheapest, dearest] = [answers[0], answers.at(-1)]
  if (cheapest === undefined || dearest === undefined) return []
  const lineOf = ({name, micro, most_tokens}: typeof cheapest): ApiEstimation => ({
    name,
    cost: Number(microText(micro)),
    remark: `prompt: ${questionTokens}, completion: ${most_tokens} tokens`,
  })
  if (answers.length > 1 && cheapest.micro === dearest.micro) return [{...lineOf(cheapest), name: undefined}]
  return cheapest === dearest ? [lineOf(cheapest)] : [lineOf(cheapest), lineOf(dearest)]
}
