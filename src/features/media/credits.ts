import type {Service} from '#contract/management.ts'
import type {Media} from './media.context.ts'

/**
 * Credits of a request: none where the service says that it charges nothing (the sandbox, what runs on the server
 * itself), else by the rules of the service, else by the tool's own.
 */
export const creditsOf = (
  {tool, costOf}: Pick<Media, 'tool' | 'costOf'>,
  service: Service | undefined,
  body: Record<string, unknown>,
): number | undefined => (service?.metadata?.free === true ? 0 : costOf(service?.metadata?.price ?? tool.price, body))
