import {fromPromise} from 'xstate'
import {createPromptsApi} from '#api/prompts.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {
  savedPromptsMachine,
  type SavedPromptsRecord,
  type PromptChange,
  type SavedPromptsActor,
} from '#machines/saved-prompts/saved-prompts.machine.ts'
import type {DraftStore} from '#features/chat/draft.types.ts'
import {readPromptDraft, writePromptDraft} from '#features/chat/prompt-draft.ts'
import {openPart} from '../logic/open-part.ts'
import type {Services} from '../logic/services.ts'

/**
 * Starts, or finds, the saved prompts and instructions of the session of this list. Each use loads them.
 * @param drafts those of the user, already read
 */
export function startPrompts(
  services: Pick<Services, 'client'>,
  drafts: DraftStore,
  conversations: ConversationListActor,
): SavedPromptsActor | undefined {
  const prompts = openPart(conversations.system, 'savedPrompts', () => ({
    machine: createLogic(services, drafts),
    input: undefined,
  }))
  prompts?.send({type: 'prompts.load', draft: readPromptDraft(drafts)})
  return prompts
}

function createLogic(services: Pick<Services, 'client'>, drafts: DraftStore) {
  const api = services.client(createPromptsApi)
  const write = (change: PromptChange, signal: AbortSignal) => {
    if (change.type === 'prompt.save') return api.save(change.prompt, signal)
    if (change.type === 'prompt.remove') return api.remove(change.id, signal)
    return api.saveInstructions(change.text, signal)
  }
  return savedPromptsMachine.provide({
    actors: {
      loadKept: fromPromise<SavedPromptsRecord, undefined>(async ({signal}) => {
        const [prompts, instructions] = await Promise.all([api.list(signal), api.instructions(signal)])
        return {prompts, instructions}
      }),
      writeChange: fromPromise<void, PromptChange>(({input, signal}) => write(input, signal)),
    },
    actions: {keepDraft: (_, {prompt}) => writePromptDraft(drafts, prompt)},
  })
}
