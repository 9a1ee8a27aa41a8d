import type {ServedModel} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import {stays} from '#domain/conversation.ts'
import {askOf, lastQuestion} from '#domain/exchange.ts'
import type {ConversationActor, ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import {useText} from '#ui/text.tsx'
import {askIn} from './ask-in-conversation.ts'
import {branchTitle} from './branch-title.ts'
import {useChat} from './chat.context.tsx'
import type {ModelsOfOthers, OfferedModel} from './model-catalogue.ts'
import {modelsOfOthers} from './models-of-other-groups.ts'
import {askedFilesOf} from './unread-files.ts'

type Parts = {
  actor: ConversationActor
  group: ModelGroup
  /** Position of the answer below which it is offered. */
  index: number
  changes: MessageChangesActor | undefined
  served: readonly ServedModel[]
}

/** A branch that the server makes of its messages `upTo` this one, or none; else a conversation that begins anew. */
type Start = {kind: 'branch'; upTo: string | undefined} | {kind: 'new'}

/**
 * How the question of this conversation gets to a model of another group; undefined where what comes before it would be
 * lost on the way.
 */
function startOf({context}: ConversationSnapshot, before: number): Start | undefined {
  const {id, capabilities, messages} = context
  const last = messages.slice(0, before).findLast((message) => stays(message) && message.unsent !== true)
  if (id !== undefined && capabilities.includes('branch-model'))
    return last === undefined || last.id != null ? {kind: 'branch', upTo: last?.id ?? undefined} : undefined
  // instructions that the server has stay with their conversation
  const isWhole = last === undefined && (id === undefined || !capabilities.includes('preset'))
  return isWhole ? {kind: 'new'} : undefined
}

/** The models of other groups that can answer the question of an answer, in a branch; asked for as they are shown. */
export function useBranchModels({actor, group, index, changes, served}: Parts): () => ModelsOfOthers | undefined {
  const text = useText()
  const {actors, navigation, newKey, now} = useChat()
  return () => {
    const snapshot = actor.getSnapshot()
    const question = lastQuestion(snapshot.context.messages.slice(0, index))
    if (actors === undefined || question === undefined) return undefined
    const start = startOf(snapshot, question.index)
    const models = modelsOfOthers(group, served)
    if (start === undefined || models.length === 0) return undefined
    if (start.kind === 'branch' && changes === undefined) return undefined
    const onChoose = ({name: model, group: other}: OfferedModel) => {
      const [ask, at] = [askOf(question.message, newKey()), now()]
      if (start.kind === 'branch') {
        const title = branchTitle(text, snapshot.context)
        const message = snapshot.context.messages[index]?.id ?? ''
        const {upTo} = start
        const change = {action: 'askInBranch', message, upTo, title, group: other, model, ask, at} as const
        changes?.send({type: 'change.request', change})
        return
      }
      const key = newKey()
      const {preset} = snapshot.context
      askIn(actors.conversations, {key, model, preset, messages: [], updatedAt: at}, ask, at)
      navigation.go({group: other, conversation: key})
    }
    return {models, files: askedFilesOf(snapshot, index), onChoose}
  }
}
