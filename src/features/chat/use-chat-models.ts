import {useSelector} from '@xstate/react'
import {useMemo} from 'react'
import type {ServedModel} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {useChat, type ChatActors} from './chat.context.tsx'
import {offeredModels, usableModel, type OfferedModel} from './model-catalogue.ts'

export type ChatModels = {
  served: readonly ServedModel[]
  offered: readonly OfferedModel[]
  chosen: OfferedModel | undefined
  choose: (name: string) => void
}

/** What the group offers, what the open conversation uses, and the way to change it. */
export function useChatModels(actors: ChatActors, group: ModelGroup, actor: ConversationActor | undefined): ChatModels {
  const {models} = useChat()
  const served = useSelector(actors.provisioning, selectServedModels)
  const wanted = useSelector(actor, (snapshot) => snapshot?.context.model)
  const offered = useMemo(() => offeredModels(group, served), [group, served])
  const chosen = usableModel(offered, wanted ?? models.read(group))
  return {
    served,
    offered,
    chosen,
    choose: (name) => {
      models.write(group, name)
      actor?.send({type: 'model.choose', model: name})
    },
  }
}
