import {z} from '#contract/schema.ts'
import {task} from '#contract/task.ts'
import {withFollowUps, type ConversationRecord} from '#domain/conversation.ts'
import {storedIntent} from '#domain/intent.ts'
import {storedMessages} from '#domain/persisted-state.ts'
import {storedAsk} from '#domain/stored-ask.ts'

/* What the database gives, in the file of the database: a browser without one needs none of it. */

const conversationRecord = z.object({
  key: z.string().check(z.minLength(1)),
  id: z.optional(z.string()),
  model: z.string(),
  title: z.optional(z.string()),
  messages: storedMessages,
  followUps: z.optional(z.array(storedAsk)),
  preset: z.optional(z.string()),
  pinned: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  labels: z.optional(z.array(z.string())),
  updatedAt: z.number(),
})

/** Those of the shape of `schema`. */
const valid =
  <T>(schema: z.ZodMiniType<T>) =>
  (storedValues: readonly unknown[]): T[] =>
    storedValues.flatMap((value) => {
      const parsing = schema.safeParse(value)
      return parsing.success ? [parsing.data] : []
    })

const validConversations = valid(conversationRecord)
export const toConversations = (storedValues: readonly unknown[]): ConversationRecord[] =>
  validConversations(storedValues).map(withFollowUps)
export const toTasks = valid(task)
export const toIntents = valid(storedIntent)
