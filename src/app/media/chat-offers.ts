import type {ServedModel} from '#contract/management.ts'
import type {ChatOffer} from '#domain/use-targets.ts'
import {offeredModels} from '#features/chat/model-catalogue.ts'
import type {Tool} from '#features/shell/tools.ts'

/** The chats among the tools that a site offers, as targets that take a result. */
export const chatOffers = (enabledTools: readonly Tool[], models: readonly ServedModel[]): ChatOffer[] =>
  enabledTools.flatMap((tool) =>
    tool.group === 'chat'
      ? [
          {
            group: tool.id,
            name: tool.name,
            takesImages: offeredModels(tool.id, models).some(
              ({disabled, takesImages}) => takesImages && disabled === undefined,
            ),
          },
        ]
      : [],
  )
