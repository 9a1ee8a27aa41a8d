import {instructions, savedPrompt, savedPromptPage, type SavedPrompt} from '#contract/prompts.ts'
import {z} from '#contract/schema.ts'
import {base, createManagementCalls, type ManagementDeps} from './management-calls.ts'

/**
 * Saved prompts and instructions of a user: ours, only if the page's configuration offers `prompts`. Every call takes
 * an optional `AbortSignal` last and rejects with an `ApiError`.
 */
export const createPromptsApi = (deps: ManagementDeps) => {
  const {send} = createManagementCalls(deps)
  const pathOf = (id: string) => `${base}/prompts/${encodeURIComponent(id)}`
  return {
    list: async (signal?: AbortSignal): Promise<SavedPrompt[]> =>
      (await send({method: 'get', path: `${base}/prompts/`, answer: savedPromptPage, signal})).items,
    /** Makes the prompt of this id, or replaces it. Rejects with 409 `conflict` where the user has too many. */
    save: async ({id, name, text}: SavedPrompt, signal?: AbortSignal): Promise<void> => {
      await send({method: 'put', path: pathOf(id), body: {name, text}, answer: savedPrompt, signal})
    },
    remove: async (id: string, signal?: AbortSignal): Promise<void> => {
      await send({method: 'delete', path: pathOf(id), answer: z.unknown(), signal})
    },
    instructions: async (signal?: AbortSignal): Promise<string> =>
      (await send({method: 'get', path: `${base}/instructions`, answer: instructions, signal})).text,
    saveInstructions: async (text: string, signal?: AbortSignal): Promise<void> => {
      await send({method: 'put', path: `${base}/instructions`, body: {text}, answer: instructions, signal})
    },
  }
}
