import {useState, type CSSProperties, type PointerEvent} from 'react'
import {niceScale} from '#domain/nice-scale.ts'
import {numberFormat} from '#domain/number-format.ts'
import type {UsageColumn, UsageKind} from '#domain/usage-series.ts'
import {classNames} from '#ui/class-names.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import series from './series-mark.module.css'
import {decimalsOfSums, formatSum, kindTexts, lengthOf, type columnNames, type Measure} from './usage-format.ts'
import {SeriesMark} from './series-mark.tsx'
import styles from './usage-bars.module.css'

export type UsageBarsProps = {
  /** Title of the columns, such as "Credits per day". */
  title: string
  columns: readonly UsageColumn[]
  kinds: readonly UsageKind[]
  measure: Measure
  names: ReturnType<typeof columnNames>
}

/** Most marks below the axis; a phone shows every other one. */
const mostMarks = 6

const percent = (part: number) => `${part * 100}%`

/**
 * Stacked bars with a column cursor. The cursor is a native range over the plot: arrow keys, Home and End work, also
 * from right to left, and screen readers read each column.
 */
export function UsageBars({title, columns, kinds, measure, names}: UsageBarsProps) {
  const text = useText()
  const {locale} = useLanguage()
  const [cursorIndex, setCursorIndex] = useState<number>()
  const last = columns.length - 1
  const cursor = cursorIndex === undefined ? undefined : Math.min(cursorIndex, last)
  const scale = niceScale(Math.max(...columns.map(({total}) => lengthOf(total, measure))), measure === 'requests')
  const top = scale.at(-1) ?? 1
  const axis = numberFormat(locale, {notation: 'compact', maximumSignificantDigits: 3})
  const describe = ({start, total, parts}: UsageColumn) =>
    `${names.long(start)}: ${formatSum(total, measure, locale)}. ${kinds
      .map((kind) => `${text(kindTexts[kind])} ${formatSum(parts[kind], measure, locale)}`)
      .join(', ')}`
  const shownColumn = cursor === undefined ? undefined : columns[cursor]
  const density = columns.length > 120 ? 'full' : columns.length > 45 ? 'high' : undefined
  return (
    <div className={styles.frame}>
      <div className={styles.axis} aria-hidden="true">
        {scale.map((value) => (
          <span key={value}>
            <bdi dir="ltr">{axis.format(value)}</bdi>
          </span>
        ))}
      </div>
      <div className={styles.field}>
        <div className={styles.plot}>
          {scale.map((value) => (
            <span key={value} className={styles.line} style={{insetBlockEnd: percent(value / top)}} />
          ))}
          <div className={styles.columns} data-density={density}>
            {columns.map(({start, parts}, index) => (
              <Bar
                key={start}
                isCurrent={index === cursor}
                lengths={kinds.map((kind) => [kind, lengthOf(parts[kind], measure) / top])}
              />
            ))}
          </div>
          <Cursor
            title={title}
            valueText={describeAt(columns, cursor ?? last, describe)}
            count={columns.length}
            at={cursor}
            onMove={setCursorIndex}
          />
          {shownColumn !== undefined && cursor !== undefined && (
            <ColumnSums
              column={shownColumn}
              kinds={kinds}
              measure={measure}
              name={names.long(shownColumn.start)}
              at={(cursor + 0.5) / columns.length}
              isBefore={cursor * 2 > last}
            />
          )}
        </div>
        <Marks columns={columns} names={names} />
      </div>
    </div>
  )
}

type CursorProps = {
  title: string
  valueText: string
  count: number
  /** Undefined while no column is looked at. */
  at: number | undefined
  onMove: (to: number | undefined) => void
}

/** The native range over the plot. */
function Cursor({title, valueText, count, at, onMove}: CursorProps) {
  const last = count - 1
  const follow = (event: PointerEvent<HTMLInputElement>) => {
    const {left, right, width} = event.currentTarget.getBoundingClientRect()
    const isFromRight = getComputedStyle(event.currentTarget).direction === 'rtl'
    const distance = isFromRight ? right - event.clientX : event.clientX - left
    onMove(Math.max(0, Math.min(last, Math.floor((distance / width) * count))))
  }
  return (
    <input
      type="range"
      className={styles.cursor}
      min={0}
      max={last}
      value={at ?? last}
      aria-label={title}
      aria-valuetext={valueText}
      onChange={(event) => onMove(event.currentTarget.valueAsNumber)}
      onFocus={() => onMove(at ?? last)}
      onBlur={() => onMove(undefined)}
      onPointerMove={follow}
      onPointerDown={(event) => {
        // the native thumb would stand beside the column that was pressed
        event.preventDefault()
        event.currentTarget.focus({preventScroll: true})
        follow(event)
      }}
      onPointerLeave={(event) => {
        if (event.currentTarget !== document.activeElement) onMove(undefined)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onMove(undefined)
      }}
    />
  )
}

/** The times below the axis, of as many columns as there is room for. */
function Marks({columns, names}: Pick<UsageBarsProps, 'columns' | 'names'>) {
  const every = Math.ceil(columns.length / mostMarks)
  return (
    <div className={styles.marks} aria-hidden="true">
      {columns.map(({start}, index) =>
        index % every === Math.floor((every - 1) / 2) ? (
          <span key={start} style={{insetInlineStart: percent((index + 0.5) / columns.length)}}>
            {names.short(start)}
          </span>
        ) : null,
      )}
    </div>
  )
}

type BarProps = {isCurrent: boolean; lengths: readonly (readonly [UsageKind, number])[]}

/** One column: its parts from bottom to top, as shares of the plot's height. */
function Bar({isCurrent, lengths}: BarProps) {
  return (
    <div className={styles.column} data-current={isCurrent || undefined}>
      {lengths.map(([kind, length]) =>
        length === 0 ? null : (
          <span
            key={kind}
            className={classNames(series.colour, styles.part)}
            data-kind={kind}
            style={{blockSize: percent(length)}}
          />
        ),
      )}
    </div>
  )
}

type ColumnSumsProps = Pick<UsageBarsProps, 'kinds' | 'measure'> & {
  column: UsageColumn
  name: string
  /** Position of the column, from 0 to 1. */
  at: number
  /** The sums stand before their column, where there is more room. */
  isBefore: boolean
}

/** The sums of the column under the cursor; the cursor reads them out. */
function ColumnSums({column: {total, parts}, kinds, measure, name, at, isBefore}: ColumnSumsProps) {
  const text = useText()
  const {locale} = useLanguage()
  const decimals = decimalsOfSums([total, ...Object.values(parts)])
  return (
    <div
      className={styles.popover}
      aria-hidden="true"
      data-side={isBefore ? 'before' : 'after'}
      // as: a custom property is no known property of CSSProperties
      style={{'--at': percent(at)} as CSSProperties}
    >
      <p className={styles.popoverHead}>
        <span>{name}</span>
        <bdi dir="ltr">{formatSum(total, measure, locale, decimals)}</bdi>
      </p>
      {kinds.map((kind) => (
        <p key={kind} className={styles.popoverPart}>
          <SeriesMark kind={kind} />
          <span>{text(kindTexts[kind])}</span>
          <bdi dir="ltr">{formatSum(parts[kind], measure, locale, decimals)}</bdi>
        </p>
      ))}
    </div>
  )
}

const describeAt = (columns: readonly UsageColumn[], index: number, describe: (column: UsageColumn) => string) => {
  const column = columns[index]
  return column === undefined ? '' : describe(column)
}
