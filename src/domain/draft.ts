import {z} from '#contract/schema.ts'

const reference = z.object({
  url: z.string(),
  name: z.string(),
  size: z.optional(z.number()),
  text: z.optional(z.string()),
  id: z.optional(z.string()),
})

/** The text and files of an unsent message. */
export const storedDraft = z.object({text: z.string(), references: z.array(reference)})
export type StoredDraft = z.infer<typeof storedDraft>

/** Drafts of one user, by the key of their conversation. */
export type StoredDrafts = Record<string, StoredDraft>

/** The keys of the texts that wait beside the draft of a key, the newest first (docs/decisions/0170). */
export const otherKeys = (key: string): string[] => [1, 2, 3].map((depth) => 'other/'.repeat(depth) + key)
