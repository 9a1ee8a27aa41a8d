import {z} from '#contract/schema.ts'
import {parseJson} from './parse-json.ts'

const reference = z.object({url: z.string(), name: z.string(), size: z.optional(z.number())})

/** What was typed into a composer and not sent. */
export const storedDraft = z.object({text: z.string(), references: z.array(reference)})
export type StoredDraft = z.infer<typeof storedDraft>

const drafts = z.record(z.string(), storedDraft)
/** Drafts of one user, by the key of their conversation. */
export type StoredDrafts = z.infer<typeof drafts>

/** Earlier versions stored all drafts as JSON in the text of one. */
const draftsInText = z.object({text: z.string()})

/** Drafts as they are stored, in today's form or the earlier one. What cannot be read is no draft. */
export function readDrafts(storedValue: unknown): StoredDrafts {
  const parsing = drafts.safeParse(storedValue)
  if (parsing.success) return parsing.data
  const earlier = draftsInText.safeParse(storedValue)
  const inText = drafts.safeParse(earlier.success ? parseJson(earlier.data.text) : undefined)
  return inText.success ? inText.data : {}
}
