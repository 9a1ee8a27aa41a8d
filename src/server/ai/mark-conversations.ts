import {and, eq} from 'drizzle-orm'
import type {ChatCommand} from '#contract/chat-requests.ts'
import type {Identity} from '../auth/identity.ts'
import type {Transaction} from '../store/database.ts'
import {conversations} from '../store/schema/chat.ts'
import type {StopParts} from './answers/stop-answer.ts'
import {isOurId} from './conversations.ts'

type Marks = Extract<ChatCommand, {action: 'mark'}>['items'][number]

/**
 * The fields of the request as columns; a missing field leaves its column unchanged. Two spellings of a label are one.
 */
const columnsOf = ({pinned, archived, labels}: Marks) => ({
  ...(pinned === undefined ? {} : {isPinned: pinned}),
  ...(archived === undefined ? {} : {isArchived: archived}),
  ...(labels === undefined ? {} : {labels: [...new Set(labels.map((label) => label.trim().normalize('NFC')))]}),
})

async function markOne(transaction: Transaction, userId: string, marks: Marks): Promise<Marks | undefined> {
  const columns = columnsOf(marks)
  if (!isOurId(marks.id) || Object.keys(columns).length === 0) return undefined
  const [row] = await transaction
    .update(conversations)
    .set(columns)
    .where(and(eq(conversations.id, marks.id), eq(conversations.userId, userId)))
    .returning({
      id: conversations.id,
      pinned: conversations.isPinned,
      archived: conversations.isArchived,
      labels: conversations.labels,
    })
  return row
}

/** `mark`: pins, archives and labels in one transaction. The time of the last change stays: marks are no news. */
export const mark = (
  {database}: StopParts,
  {userId}: Identity,
  {items}: Extract<ChatCommand, {action: 'mark'}>,
): Promise<{items: Marks[]}> =>
  database.asUser(userId, async (transaction) => {
    const newMarks: Marks[] = []
    // in one order, so that two of them never wait for each other
    for (const marks of items.toSorted((a, b) => a.id.localeCompare(b.id))) {
      const row = await markOne(transaction, userId, marks)
      if (row !== undefined) newMarks.push(row)
    }
    return {items: newMarks}
  })
