import {useEffect, useRef, type RefObject} from 'react'
import type {Match} from '#domain/find-text.ts'
import {foldText} from '#domain/fold-text.ts'
import {keepInView, mark} from './marks.ts'
import {textRanges} from './text-ranges.ts'
import type {ThreadHandle} from './thread-view.tsx'

const rowOf = (content: HTMLElement, row: number) => content.querySelector<HTMLElement>(`[data-row='${row}']`)

/** Marks what is found in the rendered rows, and brings the shown match into view. */
export function useFindMarks(view: RefObject<ThreadHandle | null>, query: string, shownMatch: Match | undefined): void {
  const foldedQuery = foldText(query.trim())
  const row = shownMatch?.row
  const nth = shownMatch?.nth ?? 0
  const current = useRef<Range>(undefined)
  useEffect(() => {
    const {content, scroller} = view.current?.elements() ?? {}
    if (content == null || scroller == null) return
    const paint = () => {
      const rows = foldedQuery === '' ? [] : [...content.querySelectorAll<HTMLElement>('[data-row]')]
      const rowMatches = rows.map((element) => ({
        row: Number(element.dataset.row),
        ranges: textRanges(element, foldedQuery),
      }))
      const own = rowMatches.find((each) => each.row === row)?.ranges ?? []
      current.current = own[Math.min(nth, own.length - 1)]
      mark(
        'found',
        rowMatches.flatMap(({ranges}) => ranges),
      )
      mark('found-now', current.current === undefined ? [] : [current.current])
    }
    const keepRowInView = (index: number) => {
      view.current?.reveal(index)
      return keepInView(scroller, () => {
        const element = rowOf(content, index)
        return element === null ? undefined : {row: element, target: current.current ?? element}
      })
    }
    paint()
    const stop = row === undefined ? undefined : keepRowInView(row)
    // rows come into a windowed list, and answers grow
    const observer = new MutationObserver(paint)
    observer.observe(content, {childList: true, subtree: true, characterData: true})
    return () => {
      stop?.()
      observer.disconnect()
    }
  }, [view, foldedQuery, row, nth])
  useEffect(
    () => () => {
      mark('found', [])
      mark('found-now', [])
    },
    [],
  )
}
