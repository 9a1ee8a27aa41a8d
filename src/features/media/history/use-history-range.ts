import {useMemo, useState} from 'react'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {useMedia} from '../media.context.ts'
import {noRange, type Range} from './history-filters.tsx'

/** Unix seconds of the beginning of a local day, as a date field gives it, or of one some days `later`. */
const startOf = (day: string, later = 0): number | undefined => {
  const start = new Date(`${day}T00:00:00`)
  // by the calendar: a day on which the clock changes has 23 hours, or 25
  const time = start.setDate(start.getDate() + later)
  return Number.isNaN(time) ? undefined : time / 1_000
}

/** Cards of these days with these words in their prompt or in the title of a result, in any case. */
export function matching(cards: readonly Card[], {from, to, words}: Range): readonly Card[] {
  const [first, end] = [startOf(from), startOf(to, 1)]
  const search = words.trim().toLowerCase()
  if (first === undefined && end === undefined && search === '') return cards
  return cards.filter(
    ({at, prompt, reading}) =>
      (first === undefined || at >= first) &&
      (end === undefined || at < end) &&
      (search === '' ||
        [prompt, ...reading.artifacts.map(({title = ''}) => title)].some((words) =>
          words.toLowerCase().includes(search),
        )),
  )
}

/** The days and words that narrow a history. Days beyond the loaded cards are read from the server. */
export function useHistoryRange(cards: readonly Card[]) {
  const {days} = useMedia().actors
  const [range, setRange] = useState(noRange)
  const inRange = useMemo(() => matching(cards, range), [cards, range])
  const change = (part: Partial<Range>) => {
    const next = {...range, ...part}
    setRange(next.from === '' && next.to === '' && next.words === '' ? noRange : next)
    if (next.from === range.from && next.to === range.to) return
    const [from, to] = [startOf(next.from), startOf(next.to, 1)]
    if (from === undefined && to === undefined) return
    days.send({type: 'tasks.find', from, to})
  }
  const clear = () => setRange(noRange)
  return {range, inRange, isNarrowed: range !== noRange, hasDays: range.from !== '' || range.to !== '', change, clear}
}
