import {identifier, paged, z} from './schema.ts'

/* Saved prompts and instructions of a user. Ours throughout, only if the page's configuration offers `prompts`. */

/** `text` may have fields as `{{name}}`, which are filled in when it is used. */
export const savedPrompt = z.object({id: identifier, name: z.string(), text: z.string()})
export type SavedPrompt = z.infer<typeof savedPrompt>
export const savedPromptPage = paged(savedPrompt)

/** Instructions for every answer; empty for none. */
export const instructions = z.object({text: z.string()})

/** Bounds of what a user keeps, in characters and prompts. */
export const promptBounds = {name: 100, text: 20_000, instructions: 8_000, most: 200} as const
