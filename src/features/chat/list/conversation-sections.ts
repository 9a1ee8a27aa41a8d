import type {ConversationRecord} from '#domain/conversation.ts'

export type SectionName = 'pinned' | 'today' | 'yesterday' | 'thisWeek' | 'earlier'
export type ConversationSection = {name: SectionName; records: ConversationRecord[]}

const startOfDay = (date: Date, daysBack = 0) =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBack).getTime()

/**
 * Groups: pinned, then by last change: today, yesterday, this week (from Sunday), earlier; newest first, without empty
 * groups (contract/chat §4). `now` in unix seconds, days in local time.
 */
export function conversationSections(records: readonly ConversationRecord[], now: number): ConversationSection[] {
  const today = new Date(now * 1_000)
  const starts: [SectionName, number][] = [
    ['pinned', Number.POSITIVE_INFINITY],
    ['today', startOfDay(today)],
    ['yesterday', startOfDay(today, 1)],
    ['thisWeek', startOfDay(today, today.getDay())],
    ['earlier', Number.NEGATIVE_INFINITY],
  ]
  const sections = starts.map(([name]): ConversationSection => ({name, records: []}))
  for (const record of [...records].sort((a, b) => b.updatedAt - a.updatedAt)) {
    const index = record.pinned === true ? 0 : starts.findIndex(([, start]) => record.updatedAt * 1_000 >= start)
    sections[index]?.records.push(record)
  }
  return sections.filter((section) => section.records.length > 0)
}
