import {useEffect, useRef} from 'react'
import {foldText} from '#domain/fold-text.ts'
import {createFoundMarks, type FoundMarks, type FoundMatch} from './found-marks.ts'
import type {FoundThread} from './found-thread.ts'
import {keepInView} from './text-marks.ts'

const rowOf = (content: HTMLElement, row: number) => content.querySelector<HTMLElement>(`[data-row='${row}']`)

/** The rendered contents of the threads; undefined for one that shows none. */
const contentsOf = (threads: readonly FoundThread[]) => threads.map(({view}) => view.current?.elements().content)

/** Brings the row of a match into view. `range`: its words, as far as they are rendered. Returns what ends it. */
function keepRowInView({view, bring}: FoundThread, row: number, range: () => Range | undefined) {
  const {content, scroller} = view.current?.elements() ?? {}
  if (content == null || scroller == null) return undefined
  bring?.()
  view.current?.reveal(row)
  return keepInView(scroller, () => {
    const element = rowOf(content, row)
    return element === null ? undefined : {row: element, target: range() ?? element}
  })
}

/** Marks what is found in the rendered rows of all threads, and brings the shown match into view. */
export function useFindMarks(threads: readonly FoundThread[], query: string, shownMatch: FoundMatch | undefined): void {
  const foldedQuery = foldText(query.trim())
  const {row, thread = 0, nth = 0} = shownMatch ?? {}
  const hasMatch = row !== undefined
  const marks = useRef<FoundMarks>(undefined)
  useEffect(() => {
    const foundMarks = createFoundMarks(foldedQuery === '' ? [] : contentsOf(threads), foldedQuery)
    marks.current = foundMarks
    return foundMarks.end
    // the first match may come with its thread
  }, [threads, foldedQuery, hasMatch])
  useEffect(() => {
    const shownThread = threads[thread]
    if (row === undefined || shownThread === undefined) return marks.current?.show(undefined)
    marks.current?.show({row, thread, nth})
    return keepRowInView(shownThread, row, () => marks.current?.shown())
  }, [threads, foldedQuery, hasMatch, thread, row, nth])
}
