import {chatServiceId} from '#contract/chat.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import type {ServiceApi} from '#contract/usage.ts'
import {namedUuid} from './named-uuid.ts'

/** Name of the API of a conversation's answers. */
export const chatApi = 'aichat/conversations'

/** Name of the API of a media tool's operation. */
export const apiName = ({identity}: Pick<MediaTool, 'identity'>, operation: string): string =>
  `${identity.service}/${operation}`

/** The id of an API, so that usage can name an API of a tool that is gone. Migration 0010 computes the same in SQL. */
export const apiIdOf = namedUuid

const apiOf = (name: string, title: string, serviceId: string): ServiceApi => ({
  id: apiIdOf(name),
  name,
  title,
  service_id: serviceId,
})

/**
 * The APIs that can be called: the chat, and each operation of each media tool. They belong to the build and are not
 * editable.
 */
export const serviceApisOf = (tools: readonly MediaTool[]): ServiceApi[] => [
  apiOf(chatApi, 'AI Chat', chatServiceId),
  ...tools.flatMap(({identity, operations}) =>
    Object.keys(operations).map((operation) =>
      apiOf(apiName({identity}, operation), `${identity.name} ${operation}`, identity.serviceId),
    ),
  ),
]
