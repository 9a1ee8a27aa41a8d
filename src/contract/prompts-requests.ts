import {promptBounds} from './prompts.ts'
import {brokenRule} from './rule.ts'
import {z} from './schema.ts'

/* Bodies of the saved prompts and instructions (ours). */

const filled = (most: number) =>
  z.string().check(
    z.maxLength(most),
    z.refine((text) => text.trim() !== '', brokenRule('ruleFilled')),
  )

/** PUT /prompts/:id. */
export const promptSave = z.strictObject({name: filled(promptBounds.name), text: filled(promptBounds.text)})

/** PUT /instructions. Empty: none. */
export const instructionsSave = z.strictObject({text: z.string().check(z.maxLength(promptBounds.instructions))})
