import type {MediaTool} from '#contract/media/media-tool.ts'
import type {ApiEstimation, ServiceApi} from '#contract/usage.ts'
import type {Transaction} from '../store/database.ts'
import {services} from '../store/schema/platform.ts'
import {serviceApisOf} from './service-apis.ts'

/**
 * The present offer of the media tools; filled into `service.metadata` of their services at each read, as for chat
 * (implemented by `media/media-catalogue.ts`).
 */
export type MediaCatalogue = {
  /** Whether a service is one of a media tool: such a service is part of the installation and stays. */
  has: (serviceId: string) => boolean
  /** Puts the current offer over the metadata that the operator stored with the service. */
  metadataOf: (serviceId: string, stored: Record<string, unknown>) => Record<string, unknown>
  /** Every API of the build, the chat's among them. */
  apis: readonly ServiceApi[]
  /** The price of a call with the tool's default form; nothing if it is free or unknown. */
  estimationOf: (api: ServiceApi, stored: Record<string, unknown>) => ApiEstimation[]
}

export const noMedia: MediaCatalogue = {
  has: () => false,
  metadataOf: (_serviceId, storedMetadata) => storedMetadata,
  apis: serviceApisOf([]),
  estimationOf: () => [],
}

const descriptions = {
  image: 'Images made from words, from images, or both.',
  video: 'Videos made from words, from images, or both.',
  music: 'Songs made from a description or from own lyrics.',
} as const

/**
 * Enters the services of the media tools, where they are not there yet: a tool that is added needs no migration. What
 * an operator has changed stays.
 */
export async function seedMediaServices(transaction: Transaction, tools: readonly MediaTool[]): Promise<void> {
  if (tools.length === 0) return
  await transaction
    .insert(services)
    .values(
      tools.map(({identity}) => ({
        id: identity.serviceId,
        title: identity.name,
        unit: 'Credit',
        description: descriptions[identity.group],
        tags: [identity.group],
      })),
    )
    .onConflictDoNothing()
}
