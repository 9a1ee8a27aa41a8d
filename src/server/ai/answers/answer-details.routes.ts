import {and, asc, eq, sql} from 'drizzle-orm'
import {alias} from 'drizzle-orm/pg-core'
import type {answerDetails} from '#contract/answer-details.ts'
import type {z} from '#contract/schema.ts'
import type {ServerDeps} from '../../deps.ts'
import {notFound} from '../../http/failure.ts'
import {managementRoute, type Route} from '../../http/route.ts'
import {idOf, present} from '../../platform/fields.ts'
import type {Transaction} from '../../store/database.ts'
import {answers, messages} from '../../store/schema/chat.ts'

/** The columns of an attempt that are read: its text may be long and is not shown. */
const columns = {
  attempt: answers.attempt,
  state: answers.state,
  outcome: answers.outcome,
  error: answers.error,
  model: answers.model,
  createdAt: answers.createdAt,
  startedAt: answers.startedAt,
  finishedAt: answers.finishedAt,
  promptTokens: answers.promptTokens,
  completionTokens: answers.completionTokens,
  tokensEstimated: answers.tokensEstimated,
  settled: answers.settled,
  traceId: answers.traceId,
}

/** How an answer came about, for the user who asked: its attempts with times, tokens, cost and trace (ours). */
export const answerDetailsRoutes = ({database}: ServerDeps): Route[] => [
  managementRoute('GET', '/answers/:id', 'user', {
    handle: async ({identity, params}) => {
      const message = idOf(params)
      const rows = await database.asUser(identity.userId, (transaction) => attemptsOf(transaction, message))
      if (rows.length === 0) throw notFound()
      return Response.json({attempts: rows.map(attemptView)} satisfies z.input<typeof answerDetails>)
    },
  }),
]

const copy = alias(messages, 'copy')

/**
 * The message that the attempts were made for: of a copy in a branch its original (decision 50). A query of its own
 * within the other, since below row-level security no index serves a join by `coalesce`.
 */
const askedMessage = (transaction: Transaction, message: string) =>
  transaction
    .select({id: sql`coalesce(${copy.copiedFrom}, ${copy.id})`})
    .from(copy)
    .where(eq(copy.id, message))

const attemptsOf = (transaction: Transaction, message: string) =>
  transaction
    .select(columns)
    .from(messages)
    // the index of the answers is that of their conversation
    .innerJoin(answers, and(eq(answers.conversationId, messages.conversationId), eq(answers.messageId, messages.id)))
    .where(eq(messages.id, askedMessage(transaction, message)))
    .orderBy(asc(answers.attempt))

type AttemptRow = Pick<typeof answers.$inferSelect, keyof typeof columns>

const attemptView = (row: AttemptRow) => ({
  attempt: row.attempt,
  state: row.state,
  model: row.model,
  created_at: row.createdAt.toISOString(),
  trace_id: row.traceId,
  ...present({
    outcome: row.outcome,
    error: row.error?.code,
    started_at: row.startedAt?.toISOString(),
    finished_at: row.finishedAt?.toISOString(),
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    tokens_estimated: row.completionTokens === null ? undefined : row.tokensEstimated,
    cost: row.settled,
  }),
})
