import {z} from '#contract/schema.ts'

/** An ended task as the tray shows it. Times in unix seconds of the server's clock. */
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

/** Number of ended tasks in the tray (design.md §10). */
export const mostEnded = 5

/** Skips entries of another version's shape. */
export const readEnded = (storedEnds: readonly unknown[]): EndedTask[] =>
  storedEnds.flatMap((value) => {
    const parsing = z.safeParse(endedTask, value)
    return parsing.success ? [parsing.data] : []
  })
