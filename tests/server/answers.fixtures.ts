import type {Database} from '#server/store/database.ts'
import {answers, conversations, messages} from '#server/store/schema/chat.ts'
import type {AiServer} from './ai.harness.ts'

/** Answers of one user that run here, as rows alone. */
export async function createRuns(on: AiServer, count: number, userId: string) {
  return on.server.deps.database.asSystem(async (transaction) => {
    const [conversation] = await transaction.insert(conversations).values({userId, model: 'foo'}).returning()
    const own = {userId, conversationId: conversation?.id ?? ''}
    const messageRows = await transaction
      .insert(messages)
      .values(
        Array.from({length: count}, (_, position) => ({...own, position, role: 'assistant' as const, content: ''})),
      )
      .returning()
    const run = {model: 'foo', provider: 'foo', traceId: 'foo', state: 'answering', fence: 1} as const
    const rows = await transaction
      .insert(answers)
      .values(messageRows.map(({id}) => ({...own, ...run, messageId: id, workerId: on.workerId})))
      .returning()
    return rows.map(({id}) => ({id, userId, fence: 1}))
  })
}

/** A database that counts the statements that are transactions by themselves. */
export function counting({server}: AiServer) {
  const {database} = server.deps
  const counted = {
    statements: 0,
    database: {
      ...database,
      asSystemOnce: (work: Parameters<Database['asSystemOnce']>[0]) => {
        counted.statements += 1
        return database.asSystemOnce(work)
      },
    } as Database, // as: it hands on whatever the work returns
  }
  return counted
}
