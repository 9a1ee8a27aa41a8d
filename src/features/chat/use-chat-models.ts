import {useSelector} from '@xstate/react'
import {useMemo} from 'react'
import type {ServedModel} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectIsUnused} from '#machines/conversation/conversation.selectors.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {useChat, type ChatActors} from './chat.context.tsx'
import {keepModel} from './kept-model.ts'
import {chooseFirstModel, chooseModel, type GroupModels} from './model-catalogue.ts'

export type ChatModels = GroupModels & {
  served: readonly ServedModel[]
  choose: (name: string) => void
}

/** The group's models, the open conversation's, and what changes it; without a session the stored choice. */
export function useChatModels(
  actors: ChatActors | undefined,
  group: ModelGroup,
  actor: ConversationActor | undefined,
): ChatModels {
  const {drafts, models} = useChat()
  const servedModels = useSelector(actors?.provisioning, selectServedModels)
  // an empty conversation has a default model; its context changes with each choice
  const own = useSelector(actor, (snapshot) =>
    snapshot === undefined || selectIsUnused(snapshot) ? snapshot?.context : snapshot.context.model,
  )
  const isAsked = typeof own === 'string'
  const wantedModel = isAsked ? own : models.read(group)
  const choice = useMemo(
    () => (isAsked ? chooseModel : chooseFirstModel)(group, servedModels, wantedModel),
    [isAsked, group, servedModels, wantedModel],
  )
  return {
    ...choice,
    served: servedModels,
    choose: (name) => {
      models.write(group, name)
      if (actor !== undefined) keepModel(drafts, actor, name)
    },
  }
}
