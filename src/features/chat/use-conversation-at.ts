import {useSelector} from '@xstate/react'
import {useEffect, useMemo} from 'react'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {useChat, type ChatActors, type ChatPlace} from './chat.context.tsx'
import {chooseModel} from './model-catalogue.ts'

/** A key for the new conversation of a place; the same as long as the person stays there. */
function useFreshKey(group: ModelGroup, conversation: string | undefined): string {
  const {newKey} = useChat()
  // eslint-disable-next-line react-hooks/exhaustive-deps -- another place is another conversation
  return useMemo(newKey, [group, conversation])
}

/**
 * The conversation that the address names. The address is the outside system here: the list's actor is told when it
 * changes, and a new conversation takes on its own address once the server has named it.
 */
export function useConversationAt(
  {conversations, provisioning}: ChatActors,
  {group, conversation}: ChatPlace,
): ConversationActor | undefined {
  const {models, navigation} = useChat()
  const freshKey = useFreshKey(group, conversation)
  const actor = useSelector(conversations, selectActiveConversation)
  const key = useSelector(actor, (snapshot) => snapshot?.context.key)
  const id = useSelector(actor, (snapshot) => snapshot?.context.id)

  useEffect(() => {
    if (conversation !== undefined) {
      conversations.send({type: 'conversation.open', key: conversation})
      return
    }
    const {chosen} = chooseModel(group, selectServedModels(provisioning.getSnapshot()), models.read(group))
    if (chosen !== undefined) conversations.send({type: 'conversation.create', key: freshKey, model: chosen.name})
  }, [conversations, provisioning, group, conversation, models, freshKey])

  // away from the chat nothing is on screen: what is answered meanwhile is unread
  useEffect(
    () => () => {
      if (conversations.getSnapshot().status === 'active') conversations.send({type: 'conversation.close'})
    },
    [conversations],
  )

  useEffect(() => {
    if (conversation === undefined && key === freshKey && id !== undefined) {
      navigation.go({group, conversation: id}, {replace: true})
    }
  }, [navigation, group, conversation, key, freshKey, id])

  const isHere = conversation === undefined ? key === freshKey : key === conversation || id === conversation
  return isHere ? actor : undefined
}
