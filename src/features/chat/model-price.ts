import {microOf} from '#domain/exact-amount.ts'
import type {OfferedModel} from './model-catalogue.ts'

/** Millionths of a credit for 1,000 tokens. What is no amount is not known: least of all is it free. */
type ReadPrice = 'unknown' | 'free' | {prompt: bigint; completion: bigint}

const isAmount = (amount: string) => /^\d+(\.\d+)?$/.test(amount)

export function readPrice(price: OfferedModel['price']): ReadPrice {
  if (price === undefined || !isAmount(price.prompt) || !isAmount(price.completion)) return 'unknown'
  const [prompt, completion] = [microOf(price.prompt), microOf(price.completion)]
  return prompt === 0n && completion === 0n ? 'free' : {prompt, completion}
}
