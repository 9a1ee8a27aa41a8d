import {useEffect, useRef} from 'react'
import type {Match} from '#domain/find-text.ts'
import {foldText} from '#domain/fold-text.ts'
import type {FoundThread} from './found-thread.ts'
import {keepInView, mark} from './text-marks.ts'
import {textRanges} from './text-ranges.ts'

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
export function useFindMarks(
  threads: readonly FoundThread[],
  query: string,
  shownMatch: (Match & {thread: number}) | undefined,
): void {
  const foldedQuery = foldText(query.trim())
  const shownRow = shownMatch?.row
  const shownThread = shownMatch?.thread ?? 0
  const nth = shownMatch?.nth ?? 0
  const current = useRef<Range>(undefined)
  useEffect(() => {
    const contents = contentsOf(threads)
    const paint = () => {
      const rowMatches = (foldedQuery === '' ? [] : contents).flatMap((content, thread) =>
        [...(content?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].map((element) => ({
          isShown: thread === shownThread && Number(element.dataset.row) === shownRow,
          ranges: textRanges(element, foldedQuery),
        })),
      )
      const own = rowMatches.find(({isShown}) => isShown)?.ranges ?? []
      current.current = own[Math.min(nth, own.length - 1)]
      mark(
        'found',
        rowMatches.flatMap(({ranges}) => ranges),
      )
      mark('found-now', current.current === undefined ? [] : [current.current])
    }
    paint()
    const thread = threads[shownThread]
    const stop =
      thread === undefined || shownRow === undefined
        ? undefined
        : keepRowInView(thread, shownRow, () => current.current)
    // rows come into a windowed list, and answers grow
    const observer = new MutationObserver(paint)
    for (const content of contents)
      if (content != null) observer.observe(content, {childList: true, subtree: true, characterData: true})
    return () => {
      stop?.()
      observer.disconnect()
    }
  }, [threads, foldedQuery, shownThread, shownRow, nth])
  useEffect(
    () => () => {
      mark('found', [])
      mark('found-now', [])
    },
    [],
  )
}
