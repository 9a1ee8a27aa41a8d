import {useSelector} from '@xstate/react'
import {useCallback, useEffect, useMemo} from 'react'
import type {ModelGroup} from '#contract/models.ts'
import {namedFiles} from '#domain/conversation.ts'
import {isLostFile} from '#domain/lost-file.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import type {PromptSubmit} from '#machines/conversation/conversation.types.ts'
import {selectIsUnused} from '#machines/conversation/conversation.selectors.ts'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectIsServiceSettled, selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {instructionsKey, newDraftKey, useChat, type ChatActors, type ChatLocation} from './chat.context.tsx'
import {chooseFirstModel} from './model-catalogue.ts'

/** A key for the new conversation at a location; stable while the user stays there. */
function useFreshKey(group: ModelGroup, conversation: string | undefined): string {
  const {newKey} = useChat()
  // eslint-disable-next-line react-hooks/exhaustive-deps -- another location is another conversation
  return useMemo(newKey, [group, conversation])
}

/** Takes a draft that was sent before the chat was ready: it becomes the conversation's first question. */
function useEarlyQuestion(group: ModelGroup): () => PromptSubmit | undefined {
  const {drafts, files, newKey, now} = useChat()
  return useCallback(() => {
    const draftKey = newDraftKey(group)
    const draft = drafts.read(draftKey)
    if (draft?.isAsked !== true) return undefined
    const uploads = files.opened.get().get(draftKey)
    const isComing = files.opening.get().some((each) => each.key === draftKey && each.files.length > 0)
    // a file came after it was asked, or was lost before
    if (isComing || draft.references.some(isLostFile) || uploads?.holds(undefined) === true) return undefined
    uploads?.close()
    const preset = drafts.read(instructionsKey(group))?.text
    for (const key of [draftKey, instructionsKey(group)]) drafts.close(key)
    const content = {question: draft.text.trim(), ...namedFiles(draft.references)}
    return {type: 'prompt.submit', ...content, key: newKey(), at: now(), preset}
  }, [drafts, files, newKey, now, group])
}

/**
 * The conversation in the address. The address is the external system: a change is sent to the list's actor, and a new
 * conversation gets its own address once the server has named it. A new one is created once the served models are
 * known; `undefined` until then.
 *
 * Effects do it, not the router: a route is entered before its session has a list, each session has another list, and
 * a conversation is on screen as long as this screen is mounted.
 */
export function useConversationAt(
  actors: ChatActors | undefined,
  {group, conversation}: ChatLocation,
): ConversationActor | undefined {
  const {models, lastConversation, navigation} = useChat()
  const freshKey = useFreshKey(group, conversation)
  const conversations = actors?.conversations
  const provisioning = actors?.provisioning
  const actor = useSelector(conversations, (snapshot) => snapshot && selectActiveConversation(snapshot))
  const isSettled = useSelector(provisioning, (snapshot) => snapshot !== undefined && selectIsServiceSettled(snapshot))
  const key = useSelector(actor, (snapshot) => snapshot?.context.key)
  const id = useSelector(actor, (snapshot) => snapshot?.context.id)
  const takeEarlyQuestion = useEarlyQuestion(group)

  useEffect(() => {
    if (conversation !== undefined) {
      conversations?.send({type: 'conversation.open', key: conversation})
      return
    }
    if (!isSettled || provisioning === undefined) return
    const {chosen, missing} = chooseFirstModel(
      group,
      selectServedModels(provisioning.getSnapshot()),
      models.read(group),
    )
    if (chosen === undefined) return
    const prompt = chosen.disabled === undefined && missing === undefined ? takeEarlyQuestion() : undefined
    conversations?.send({type: 'conversation.create', key: freshKey, model: chosen.name, ...(prompt && {prompt})})
  }, [conversations, provisioning, isSettled, group, conversation, models, freshKey, takeEarlyQuestion])

  // outside the chat no conversation is on screen: new answers are unread
  useEffect(
    () => () => {
      if (conversations?.getSnapshot().status === 'active') conversations.send({type: 'conversation.close'})
    },
    [conversations],
  )

  useEffect(() => {
    if (conversation === undefined && key === freshKey && id !== undefined) {
      navigation.go({group, conversation: id}, {replace: true})
    }
  }, [navigation, group, conversation, key, freshKey, id])

  const isHere = conversation === undefined ? key === freshKey : key === conversation || id === conversation
  const isAsked = useSelector(actor, (snapshot) => snapshot !== undefined && !selectIsUnused(snapshot))
  const shownKey = conversation ?? (isHere && isAsked ? key : undefined)
  useEffect(() => {
    if (conversations !== undefined) lastConversation.write(group, shownKey)
  }, [conversations, lastConversation, group, shownKey])

  return isHere ? actor : undefined
}
