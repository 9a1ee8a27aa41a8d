import {isRecord} from '#contract/is-record.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {costOf} from '#domain/price-rules.ts'

/** Keys of the request that the rules look at, in their order. */
function pricedKeys(rules: unknown): string[] {
  if (Array.isArray(rules)) return [...new Set(rules.flatMap(pricedKeys))]
  if (!isRecord(rules)) return []
  return typeof rules['var'] === 'string' ? [rules['var']] : [...new Set(Object.values(rules).flatMap(pricedKeys))]
}

/** `model: kling-v1, duration: 5`: the values of a request that make its price, as the wire names them. */
const remarkOf = (rules: unknown, body: Record<string, unknown>): string =>
  pricedKeys(rules)
    .flatMap((key) => {
      const value = body[key]
      return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [`${key}: ${value}`] : []
    })
    .join(', ')

/** The request of a tool's form before anything is chosen, and its price; `undefined` where rules give none. */
export function estimate(tool: MediaTool, rules: unknown) {
  const {operation, body} = tool.submit(z.parse(tool.form, {}))
  const cost = costOf(rules, body)
  if (cost === undefined || cost <= 0) return undefined
  return {operation, estimation: {cost, remark: remarkOf(rules, body), comparisons: []}}
}
