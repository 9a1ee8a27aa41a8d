import {messageReferences, messageText} from '#domain/conversation.ts'
import {mostTokensRead, tokensRead} from '#domain/token-estimate.ts'
import type {ServedModel} from '#contract/management.ts'
import type {ConfiguredPrice, ProvidersConfig} from '../config.ts'
import {longestText} from '../providers/openai/models.ts'
import type {Provider, ProviderMessage} from '../providers/provider.ts'

/** Price and longest length of an answer. Credits are exact decimals as text (spec: price per 1,000 tokens). */
export type Tariff = {
  answerCap: number
  cost: (promptTokens: number, completionTokens: number) => string
}

const microPerCredit = 1_000_000n

const priceOf = (config: ProvidersConfig, model: string): ConfiguredPrice => config.prices[model] ?? config.defaultPrice

/** The price of a model. Local servers and the sandbox cost nothing. */
export function tariffOf(config: ProvidersConfig, provider: Pick<Provider, 'kind' | 'local'>, model: string): Tariff {
  const price = priceOf(config, model)
  const isFree = provider.local || provider.kind === 'sandbox'
  return {
    answerCap: price.answerCap,
    cost: (promptTokens, completionTokens) => (isFree ? '0' : costOf(price, promptTokens, completionTokens)),
  }
}

/** The price of a served model as the catalogue shows it; `undefined` for any other model. */
export function listedPrice(config: ProvidersConfig, model: ServedModel): ServedModel['price'] {
  if (model.disabled !== undefined) return undefined
  if (model.local === true || model.provider === 'sandbox') return {prompt: '0', completion: '0'}
  const {prompt, completion, answerCap} = priceOf(config, model.name)
  return {prompt, completion, most_tokens: answerCap}
}

/** Rounded up to the sixth decimal, so that a token is never free. */
function costOf(price: ConfiguredPrice, promptTokens: number, completionTokens: number): string {
  const thousandfold =
    BigInt(promptTokens) * toMicro(price.prompt) + BigInt(completionTokens) * toMicro(price.completion)
  const micro = (thousandfold + 999n) / 1000n
  return `${micro / microPerCredit}.${String(micro % microPerCredit).padStart(6, '0')}`
}

function toMicro(credits: string): bigint {
  const [whole = '0', fraction = ''] = credits.split('.')
  return BigInt(whole) * microPerCredit + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}

/** Tokens of a prompt as this kind of provider sends it. */
export const estimatePromptTokens = (messages: readonly ProviderMessage[], kind: Provider['kind']): number =>
  tokensRead(kind === 'acedata' ? withEarlierNames(messages) : messages, longestText)

/** At most: what the answer holds. */
export const mostPromptTokens = (messages: readonly ProviderMessage[], kind: Provider['kind']): number =>
  mostTokensRead(kind === 'acedata' ? withEarlierNames(messages) : messages, longestText)

/** The files of the question go along; those of earlier turns are named by their addresses (`acedata`). */
const withEarlierNames = (messages: readonly ProviderMessage[]): ProviderMessage[] =>
  messages.map(({role, content}, index) => ({
    role,
    content: index === messages.length - 1 ? content : [messageText(content), ...messageReferences(content)].join('\n'),
  }))
