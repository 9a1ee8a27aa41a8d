import type {Service, ServedModel} from '#contract/management.ts'
import {microOf} from './exact-amount.ts'
import {costOf} from './price-rules.ts'

/*
 * The cost of an answer of a model. Loaded with the views that show it. Our server names a price by tokens beside each
 * model that costs something; another back end may have rules (contract/platform §4), or say nothing.
 */

/** Credits per 1,000 tokens as decimal text; `most_tokens`: of an answer. */
export type TokenPrice = {prompt: string; completion: string; most_tokens: number}

/** `rules`: by the rules of the service, for one answer. */
export type KnownPrice = {kind: 'free'} | ({kind: 'tokens'} & TokenPrice) | {kind: 'rules'; micro: bigint}

const isDecimal = (amount: string) => /^\d+(\.\d+)?$/.test(amount)

type NamedPrice = NonNullable<ServedModel['price']>

/** A price that is no amount is unknown, never free. */
const isNamed = (price: ServedModel['price']): price is NamedPrice =>
  price !== undefined && isDecimal(price.prompt) && isDecimal(price.completion)

/** The price of an answer needs its longest length. */
function readPrice(price: ServedModel['price']): TokenPrice | undefined {
  if (!isNamed(price)) return undefined
  const {prompt, completion, most_tokens: most = 0} = price
  return Number.isSafeInteger(most) && most > 0 ? {prompt, completion, most_tokens: most} : undefined
}

type Metadata = Service['metadata']

/** The price of a model; undefined where nobody says. */
export function priceOf(metadata: Metadata, name: string): KnownPrice | undefined {
  const model = metadata?.models?.find((servedModel) => servedModel.name === name)
  if (metadata?.free === true || (model !== undefined && isFree(model))) return {kind: 'free'}
  const price = readPrice(model?.price)
  if (price !== undefined) return {kind: 'tokens', ...price}
  const cost = costOf(metadata?.price, {model: name})
  // a rule that does not speak of chat costs nothing, which is not to be promised
  return cost === undefined || cost <= 0 ? undefined : {kind: 'rules', micro: microOf(cost)}
}

/** The sandbox and models of this machine are not charged. */
const isFree = ({provider, local, price}: ServedModel) =>
  provider === 'sandbox' ||
  local === true ||
  (isNamed(price) && microOf(price.prompt) === 0n && microOf(price.completion) === 0n)

/** The most that an answer may cost, in millionths, rounded up. Instructions add to it, and to the held sum. */
export function mostOf(price: KnownPrice, tokens: number): bigint {
  if (price.kind === 'free') return 0n
  if (price.kind === 'rules') return price.micro
  const thousandfold = BigInt(tokens) * microOf(price.prompt) + BigInt(price.most_tokens) * microOf(price.completion)
  return (thousandfold + 999n) / 1000n
}

/** Several answers together: the part that is known, and for how many nobody says it. */
export function togetherOf(answers: readonly {price: KnownPrice | undefined; tokens: number}[]) {
  const pricedAnswers = answers.flatMap(({price, tokens}) => (price === undefined ? [] : [{price, tokens}]))
  return {
    most: pricedAnswers.reduce((sum, {price, tokens}) => sum + mostOf(price, tokens), 0n),
    unknown: answers.length - pricedAnswers.length,
    isFree: pricedAnswers.length === answers.length && pricedAnswers.every(({price}) => price.kind === 'free'),
  }
}
