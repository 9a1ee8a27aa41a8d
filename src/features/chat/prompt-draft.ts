import type {SavedPrompt} from '#contract/prompts.ts'
import type {DraftStore} from './draft.types.ts'

const keys = {id: 'prompting/id', name: 'prompting/name', text: 'prompting/text'}

/** The saved prompt that is being written or edited, kept with the drafts until it is saved or cancelled. */
export function readPromptDraft(drafts: DraftStore): SavedPrompt | undefined {
  const id = drafts.read(keys.id)?.text
  const textOf = (key: string) => drafts.read(key)?.text ?? ''
  return id === undefined ? undefined : {id, name: textOf(keys.name), text: textOf(keys.text)}
}

export function writePromptDraft(drafts: DraftStore, prompt: SavedPrompt | undefined) {
  for (const part of ['id', 'name', 'text'] as const)
    drafts.write(keys[part], prompt && {text: prompt[part], references: []})
}
