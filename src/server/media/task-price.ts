import type {MediaTool} from '#contract/media/media-tool.ts'
import {costOf} from '#domain/price-rules.ts'
import {HttpFailure} from '../http/failure.ts'
import type {MediaProvider} from '../providers/media-provider.ts'

const most = 99_999_999

/** The rules that count: those the operator stored with the service, else the tool's own. */
export const priceRulesOf = (tool: MediaTool, metadata: Record<string, unknown> | undefined): unknown =>
  Array.isArray(metadata?.['price']) ? metadata['price'] : tool.price

/**
 * Credits of a request as an exact decimal, by the service's rules (contract/platform §4): the very rules the client
 * shows its estimate by. Local servers and the sandbox cost nothing.
 *
 * @throws HttpFailure 500 `api_error` when the rules give no number: nobody is served for free by a mistake
 */
export function priceOf(rules: unknown, body: Record<string, unknown>, provider: MediaProvider): string {
  if (provider.local || provider.kind === 'sandbox') return '0'
  const cost = costOf(rules, body)
  if (cost === undefined || !Number.isFinite(cost) || cost < 0 || cost > most)
    throw new HttpFailure(500, 'api_error', 'priceUnknown')
  return cost.toFixed(6)
}
