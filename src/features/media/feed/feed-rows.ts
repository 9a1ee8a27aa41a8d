import {latinDigits} from '#domain/number-format.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'

export type FeedRow = {
  key: string
  /** Local midnight of the day that begins with this row. */
  day: number | undefined
  cards: readonly Card[]
  /** Position of its first card in the whole feed. */
  from: number
}

/** Cards of one day, in local time. */
type DaySection = {day: number; cards: Card[]}

const startOfDay = (seconds: number) => new Date(seconds * 1_000).setHours(0, 0, 0, 0)

/** Cards, newest first, under the days they were asked for. `day` is the local midnight in milliseconds. */
function daySections(cards: readonly Card[]): DaySection[] {
  const sections: DaySection[] = []
  for (const card of cards) {
    const day = startOfDay(card.at)
    const last = sections.at(-1)
    if (last?.day === day) last.cards.push(card)
    else sections.push({day, cards: [card]})
  }
  return sections
}

/** The cards in rows of so many columns, each day on a new row. */
export function feedRows(cards: readonly Card[], columns: number): FeedRow[] {
  let from = 0
  return daySections(cards).flatMap(({day, cards: ofDay}) =>
    Array.from({length: Math.ceil(ofDay.length / columns)}, (_, row): FeedRow => {
      const inRow = ofDay.slice(row * columns, (row + 1) * columns)
      const position = from
      from += inRow.length
      return {key: `${day}/${row}`, day: row === 0 ? day : undefined, cards: inRow, from: position}
    }),
  )
}

/** Whole days between a section and now: 0 is today, 1 yesterday. */
const daysAgo = (day: number, now: number): number => Math.round((startOfDay(now) - day) / 86_400_000)

/** `Today`, `Yesterday`, else the date. */
export function dayName(day: number, now: number, words: {today: string; yesterday: string}, locale: string): string {
  const days = daysAgo(day, now)
  if (days === 0) return words.today
  if (days === 1) return words.yesterday
  return new Intl.DateTimeFormat(latinDigits(locale), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(new Date(day).getFullYear() === new Date(now * 1_000).getFullYear() ? {} : {year: 'numeric'}),
  }).format(day)
}
