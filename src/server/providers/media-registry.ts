import type {MediaTool} from '#contract/media/media-tool.ts'
import type {ProvidersConfig} from '../config.ts'
import type {Log} from '../log.ts'
import {StartFailure} from '../start-failure.ts'
import {createAcedataMedia} from './acedata/acedata-media.ts'
import {withMediaBreaker} from './breaker.ts'
import type {MediaProvider} from './media-provider.ts'
import {createOpenaiMedia} from './openai/openai-media.ts'
import {realOutboundPorts, type OutboundPorts} from './outbound.ts'

/** The provider of each tool. A tool has exactly one; no other is ever asked instead. */
export type MediaRegistry = {
  /** The provider of a tool now, or `undefined`. */
  find: (toolId: string) => MediaProvider | undefined
  /** The provider that was promised to a task, if it still makes this tool. */
  byName: (toolId: string, name: string) => MediaProvider | undefined
}

/** One provider with the tools it makes. */
export type MediaEntry = {provider: MediaProvider; tools: readonly string[]}

/** In order of preference: the first that makes a tool is the one. */
export const createMediaRegistry = (entries: readonly MediaEntry[]): MediaRegistry => ({
  find: (toolId) => entries.find(({tools}) => tools.includes(toolId))?.provider,
  byName: (toolId, name) =>
    entries.find(({tools, provider}) => provider.name === name && tools.includes(toolId))?.provider,
})

/**
 * The providers of media of an installation, as its configuration says: configured ones first, the sandbox for what
 * nobody else makes, unless the operator switched it off. Throws `StartFailure` for a tool that does not exist.
 */
export function createMediaProviders(
  config: ProvidersConfig,
  parts: {tools: readonly MediaTool[]; sandbox: MediaProvider; now: () => Date; log: Log; ports?: OutboundPorts},
): MediaRegistry {
  const {tools, sandbox, now, log, ports = realOutboundPorts} = parts
  const all = tools.map(({identity}) => identity.id)
  const configuredEntries = config.providers.flatMap((entry): MediaEntry[] => {
    const toolNames = Object.keys(entry.media ?? {})
    const unknown = toolNames.find((id) => !all.includes(id))
    if (unknown !== undefined)
      throw new StartFailure(
        `The provider ${entry.name} is to make ${unknown}, which is no media tool: ${all.join(', ')}.`,
      )
    if (entry.kind === 'acedata')
      return [
        {
          provider: withMediaBreaker(createAcedataMedia(entry, {ports}), now),
          tools: entry.media === undefined ? all : toolNames,
        },
      ]
    return toolNames.length === 0
      ? []
      : [{provider: withMediaBreaker(createOpenaiMedia(entry, {log, ports}), now), tools: toolNames}]
  })
  return createMediaRegistry([...configuredEntries, ...(config.sandbox ? [{provider: sandbox, tools: all}] : [])])
}
