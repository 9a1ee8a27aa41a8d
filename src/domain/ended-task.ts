import {z} from '#contract/schema.ts'

/** What the tray tells of a task that came to its end. Times in unix seconds of the server's clock. */
const endedTask = z.object({
  id: z.string(),
  status: z.enum(['succeeded', 'failed']),
  prompt: z.string(),
  at: z.number(),
  endedAt: z.number(),
  traceId: z.optional(z.string()),
  preview: z.optional(z.object({medium: z.enum(['image', 'video']), url: z.string()})),
})
export type EndedTask = z.infer<typeof endedTask>

/** How many of the last ends are listed (design.md §10). */
export const mostEnded = 5

/** What an older or a foreign version stored in another shape is left out. */
export const readEnded = (stored: readonly unknown[]): EndedTask[] =>
  stored.flatMap((value) => {
    const parsed = z.safeParse(endedTask, value)
    return parsed.success ? [parsed.data] : []
  })
