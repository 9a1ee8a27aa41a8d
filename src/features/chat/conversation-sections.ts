import {messageText, type ConversationRecord} from '#domain/conversation.ts'

export type SectionName = 'today' | 'yesterday' | 'thisWeek' | 'earlier'
export type Section = {name: SectionName; records: ConversationRecord[]}

const startOfDay = (date: Date, daysBack = 0) =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBack).getTime()

/**
 * Groups by last change: today, yesterday, this week (from Sunday), earlier; newest first, empty groups left out
 * (contract/chat §4). `now` in unix seconds, days in local time.
 */
export function conversationSections(records: readonly ConversationRecord[], now: number): Section[] {
  const today = new Date(now * 1_000)
  const starts: [SectionName, number][] = [
    ['today', startOfDay(today)],
    ['yesterday', startOfDay(today, 1)],
    ['thisWeek', startOfDay(today, today.getDay())],
    ['earlier', Number.NEGATIVE_INFINITY],
  ]
  const sections = starts.map(([name]): Section => ({name, records: []}))
  for (const record of [...records].sort((a, b) => b.updatedAt - a.updatedAt)) {
    const index = starts.findIndex(([, start]) => record.updatedAt * 1_000 >= start)
    sections[index]?.records.push(record)
  }
  return sections.filter((section) => section.records.length > 0)
}

/** How many characters of a message stand for a missing title. */
const longestTitle = 80

/** The title, else the first words of the last message, else of the first (contract/chat §4). */
export function conversationTitle({title, messages}: ConversationRecord): string {
  if (title !== undefined && title.trim() !== '') return title
  const texts = [messages.at(-1), messages[0]].map((message) => {
    const text = message === undefined ? '' : messageText(message.content)
    // the line above each answer of the sandbox would name them all the same
    return message?.sandbox ? text.replace(/^.*/, '') : text
  })
  const words = texts
    .map((text) =>
      text
        .replace(/<think>[\s\S]*?(?:<\/think>|$)/i, '')
        .replace(/[#*_`>\s]+/g, ' ')
        .trim(),
    )
    .find((text) => text !== '')
  return words === undefined ? '' : words.slice(0, longestTitle)
}
