import {useSelector} from '@xstate/react'
import type {Column} from '#machines/compare/compare.types.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import type {ChatActors} from '../chat.context.tsx'
import {groupOfModel} from '../model-catalogue.ts'

/** The conversation of a column, as soon as the list has it. */
export const useColumnActor = (actors: ChatActors, {name}: Column): ConversationActor | undefined =>
  useSelector(actors.conversations, (snapshot) => selectConversation(snapshot, name))

/** The group of its model. */
export function useGroup(actors: ChatActors, actor: ConversationActor) {
  const servedModels = useSelector(actors.provisioning, selectServedModels)
  return useSelector(actor, ({context}) => groupOfModel(context.model, servedModels))
}
