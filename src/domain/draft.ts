import {z} from '#contract/schema.ts'

const reference = z.object({url: z.string(), name: z.string(), size: z.optional(z.number())})

/** A message that was typed into a composer and not sent. */
export const storedDraft = z.object({text: z.string(), references: z.array(reference)})
export type StoredDraft = z.infer<typeof storedDraft>

/** Drafts of one user, by the key of their conversation. */
export type StoredDrafts = Record<string, StoredDraft>

/** The key of the draft that another tab has under the same key, while a tab has one of its own (docs/decisions/0170). */
export const otherKey = (key: string) => `other/${key}`
