import {createActor, fromPromise} from 'xstate'
import {createPromptsApi} from '#api/prompts.ts'
import {
  savedPromptsMachine,
  type Kept,
  type PromptChange,
  type SavedPromptsActor,
} from '#machines/saved-prompts/saved-prompts.machine.ts'
import type {Services} from '../logic/services.ts'

/** Starts what keeps the saved prompts and instructions of the user who is signed in. */
export function startPrompts(services: Services): SavedPromptsActor {
  const api = services.client(createPromptsApi)
  const write = (change: PromptChange, signal: AbortSignal) => {
    if (change.type === 'prompt.save') return api.save(change.prompt, signal)
    if (change.type === 'prompt.remove') return api.remove(change.id, signal)
    return api.saveInstructions(change.text, signal)
  }
  return createActor(
    savedPromptsMachine.provide({
      actors: {
        loadKept: fromPromise<Kept, undefined>(async ({signal}) => {
          const [prompts, instructions] = await Promise.all([api.list(signal), api.instructions(signal)])
          return {prompts, instructions}
        }),
        writeChange: fromPromise<void, PromptChange>(({input, signal}) => write(input, signal)),
      },
    }),
  ).start()
}
