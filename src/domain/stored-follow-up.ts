import {lenient, z} from '#contract/schema.ts'

/** A question that waits for its turn, as the browser stores it and its tabs tell each other. */
export const storedAsk = z.object({
  question: z.string(),
  references: z.array(z.string()),
  sizes: lenient(z.record(z.string(), z.optional(z.number()))),
  key: z.string(),
})
