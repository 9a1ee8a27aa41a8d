import {createRef, useCallback, useId, useRef, useState, type KeyboardEvent} from 'react'
import {mostColumns, type CompareActor} from '#machines/compare/compare.machine.ts'
import type {Column} from '#machines/compare/compare.types.ts'
import type {ReadingActor} from '#machines/reading/reading.machine.ts'
import {useText} from '#ui/text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import type {ChatActors} from '../chat.context.tsx'
import type {ThreadHandle} from '../thread-view.tsx'
import {ColumnActions} from './column-actions.tsx'
import {Announcement, ColumnState} from './column-state.tsx'
import {lowScreen} from './compare-bar.tsx'
import {CompareColumn} from './compare-column.tsx'
import {CompareFind} from './compare-find.tsx'
import styles from './compare.module.css'
import {useColumnScroll, type ColumnScrolls} from './use-column-scroll.ts'

type CompareColumnsProps = {
  actors: ChatActors
  compare: CompareActor
  reading: ReadingActor
  columns: readonly Column[]
  labels: readonly string[]
  href: string
  scrolls: ColumnScrolls
  focusField: () => void
  onStop: (name: string) => void
  onLost: (typed: string) => void
}

/** The columns side by side; on phones one at a time, with a tab for each that shows its state. */
export function CompareColumns(props: CompareColumnsProps) {
  const {actors, compare, reading, columns, labels, href, scrolls, focusField, onStop, onLost} = props
  const [views] = useState(() => Array.from({length: mostColumns}, () => createRef<ThreadHandle>()))
  const isPhone = useMediaQuery(phone)
  const isLow = useMediaQuery(lowScreen) && isPhone
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const {readFirstColumn, noteScroll} = useColumnScroll(scroller, columns, scrolls)
  const [shownIndex, setShownIndex] = useState(readFirstColumn)
  const shownColumn = columns[shownIndex]
  const show = useCallback((index: number) => {
    setShownIndex(index)
    scroller.current?.children[index]?.scrollIntoView({inline: 'nearest', block: 'nearest'})
  }, [])
  const onScroll = () => {
    const scroll = noteScroll()
    if (isPhone && scroll !== undefined) setShownIndex(Math.round(scroll))
  }
  return (
    <>
      {isPhone && (
        <div className={styles.choose}>
          <Tabs id={id} columns={columns} labels={labels} shown={shownIndex} onShow={show} />
          {isLow && shownColumn !== undefined && (
            <ColumnActions
              key={shownColumn.name}
              {...{actors, compare, focusField, onStop}}
              column={shownColumn}
              label={labels[shownIndex] ?? ''}
              isBrief
            />
          )}
        </div>
      )}
      <CompareFind {...{actors, reading, columns, views}} onShow={show} />
      <div ref={scroller} className={styles.columns} onScroll={onScroll}>
        {columns.map((column, index) => (
          <section
            key={column.name}
            id={`${id}-${index}`}
            className={styles.column}
            inert={isPhone && index !== shownIndex}
            {...(isPhone ? {role: 'tabpanel', 'aria-labelledby': `${id}-tab-${index}`} : {'aria-label': labels[index]})}
          >
            <CompareColumn
              actors={actors}
              compare={compare}
              column={column}
              label={labels[index] ?? ''}
              href={href}
              view={views[index]}
              isLow={isLow}
              focusField={focusField}
              onStop={onStop}
              onLost={onLost}
            />
          </section>
        ))}
      </div>
      {columns.map((column, index) => (
        <Announcement key={column.name} column={column} label={labels[index] ?? ''} />
      ))}
    </>
  )
}

type TabsProps = {
  id: string
  columns: readonly Column[]
  labels: readonly string[]
  shown: number
  onShow: (index: number) => void
}

function Tabs({id, columns, labels, shown, onShow}: TabsProps) {
  const text = useText()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const step = {ArrowRight: isRightToLeft ? -1 : 1, ArrowLeft: isRightToLeft ? 1 : -1}[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (shown + step + columns.length) % columns.length
    onShow(next)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div ref={list} role="tablist" className={styles.tabs} aria-label={text('compare.answers')} onKeyDown={move}>
      {columns.map((column, index) => (
        <button
          key={column.name}
          type="button"
          role="tab"
          id={`${id}-tab-${index}`}
          className={styles.tab}
          aria-selected={index === shown}
          aria-controls={`${id}-${index}`}
          tabIndex={index === shown ? 0 : -1}
          onClick={() => onShow(index)}
        >
          <bdi className={styles.tabName}>{labels[index]}</bdi>
          <ColumnState column={column} />
        </button>
      ))}
    </div>
  )
}
