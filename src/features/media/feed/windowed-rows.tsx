import {useEffect, useRef, type ReactElement, type ReactNode, type RefObject} from 'react'
import {Virtualizer, type VirtualizerHandle} from 'virtua'
import type {FeedRow} from './feed-rows.ts'

type WindowedRowsProps = {
  scroller: RefObject<HTMLDivElement | null>
  rows: readonly FeedRow[]
  row: (row: FeedRow) => ReactNode
  /** Row of the card that has or had the focus: it stays in the document. */
  keep: number
  onReveal: (reveal: ((row: number) => void) | undefined) => void
}

/** A long feed: only the rows near the viewport are in the document. */
export function WindowedRows({scroller, rows, row, keep, onReveal}: WindowedRowsProps) {
  const list = useRef<VirtualizerHandle>(null)
  useEffect(() => {
    onReveal((position) => list.current?.scrollToIndex(position, {align: 'nearest'}))
    return () => onReveal(undefined)
  }, [onReveal])
  return (
    <Virtualizer
      ref={list}
      scrollRef={scroller}
      itemSize={260}
      bufferSize={600}
      keepMounted={keep === -1 ? [] : [keep]}
      data={rows}
    >
      {/* as: the virtualizer wants an element, and `row` makes one */}
      {(each) => row(each) as ReactElement}
    </Virtualizer>
  )
}
