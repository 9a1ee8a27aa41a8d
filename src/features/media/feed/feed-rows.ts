import {daysAgo, daySections, type Card} from './card.ts'

export type FeedRow = {
  key: string
  /** Local midnight of the day that begins with this row. */
  day: number | undefined
  cards: readonly Card[]
  /** Place of its first card in the whole feed. */
  from: number
}

/** The cards in rows of so many columns, each day on a new row. */
export function feedRows(cards: readonly Card[], columns: number): FeedRow[] {
  let from = 0
  return daySections(cards).flatMap(({day, cards: ofDay}) =>
    Array.from({length: Math.ceil(ofDay.length / columns)}, (_, row): FeedRow => {
      const inRow = ofDay.slice(row * columns, (row + 1) * columns)
      const place = from
      from += inRow.length
      return {key: `${day}/${row}`, day: row === 0 ? day : undefined, cards: inRow, from: place}
    }),
  )
}

/** `Today`, `Yesterday`, else the date. */
export function dayName(day: number, now: number, words: {today: string; yesterday: string}, locale: string): string {
  const days = daysAgo(day, now)
  if (days === 0) return words.today
  if (days === 1) return words.yesterday
  return new Intl.DateTimeFormat(`${locale}-u-nu-latn`, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(new Date(day).getFullYear() === new Date(now * 1_000).getFullYear() ? {} : {year: 'numeric'}),
  }).format(day)
}
