import {useSelector} from '@xstate/react'
import {useMemo} from 'react'
import type {ServedModel} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationActor, ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {useChat, type ChatActors} from './chat.context.tsx'
import {chooseModel, type OfferedModel} from './model-catalogue.ts'

const isUnused = ({context}: ConversationSnapshot) => context.messages.length === 0 && context.exchange === undefined

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
  // a conversation without messages has a model nobody chose for it; its context changes with each choice
  const own = useSelector(actor, (snapshot) =>
    snapshot === undefined || isUnused(snapshot) ? snapshot?.context : snapshot.context.model,
  )
  const wanted = typeof own === 'string' ? own : models.read(group)
  const {offered, chosen} = useMemo(() => chooseModel(group, served, wanted), [group, served, wanted])
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
