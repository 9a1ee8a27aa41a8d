import type {ReactNode} from 'react'
import {classNames} from '../class-names.ts'
import surface from '../surface.module.css'
import {phone, useMediaQuery} from '../use-media-query.ts'
import styles from './data-table.module.css'
import {SortButton} from './sort-button.tsx'
import {SortSelect} from './sort-select.tsx'
import type {SortKey, Sorting} from './sorting.ts'

/** `Key`: the orders that its list knows. */
export type TableColumn<Row, Key extends string = string> = {
  id: string
  label: string
  /** Numbers stand at the end of their column. */
  align?: 'end'
  /**
   * In px. With widths, columns keep their positions from page to page and are laid out sooner; those without one share
   * what is left.
   */
  width?: number
  /** Names the row: a row header in the table, the heading of its card on a phone. */
  isName?: boolean
  /** Its cells do not wrap. */
  isOneLine?: boolean
  /** Buttons and menus: without a visible heading; at the end of a card. */
  isActions?: boolean
  /**
   * Its position on a card, beside its heading in the second line if absent. `end`: at the end of the first line.
   * `plain`: in the second line, where its heading is only read aloud. `named`: in the second line without its heading,
   * its cell says what it is. `cover`: at the end of the second line, a link that is pressed anywhere on the card.
   * `none`: not on a card.
   */
  card?: 'end' | 'plain' | 'named' | 'cover' | 'none'
  /** Rows can be put in its order. */
  sort?: SortKey<Key>
  cell: (row: Row) => ReactNode
  /** The content of a card instead of the cell; null leaves out the heading too. */
  cardCell?: (row: Row) => ReactNode
}

type DataTableProps<Row> = {
  /** Names the table for screen readers. */
  label: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  /** Rows with the same key are the same elements, with what they hold such as the focus. */
  keyOf: (row: Row, index: number) => string
  /** Newer rows are being read: shown rows are dimmed and stay usable. */
  isStale?: boolean
  /** The order of the rows; absent where it cannot be chosen. */
  sorting?: Sorting
}

/** Rows of a list: a table, on phones a card of two lines for each row (design §7, DataTable). */
export function DataTable<Row>(props: DataTableProps<Row>) {
  return useMediaQuery(phone) ? <Cards {...props} /> : <Table {...props} />
}

function Table<Row>({label, columns, rows, keyOf, isStale = false, sorting}: DataTableProps<Row>) {
  const isFixed = columns.some(({width}) => width !== undefined)
  return (
    <div className={classNames(surface.surface, styles.scroller)} aria-busy={isStale}>
      <table className={styles.table} aria-label={label} data-fixed={isFixed || undefined}>
        {isFixed && (
          <colgroup>
            {columns.map(({id, width}) => (
              <col key={id} style={{inlineSize: width}} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.id} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map(({id, align, isName = false, isOneLine = false, isActions = false, cell}) =>
                isName ? (
                  <th key={id} scope="row" data-align={align}>
                    {cell(row)}
                  </th>
                ) : (
                  <td
                    key={id}
                    data-align={align}
                    data-one-line={isOneLine || undefined}
                    data-actions={isActions || undefined}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type HeadingProps<Row> = {column: TableColumn<Row>; sorting: Sorting | undefined}

function Heading<Row>({column: {label, align, isActions = false, sort}, sorting}: HeadingProps<Row>) {
  if (sort === undefined || sorting === undefined)
    return (
      <th scope="col" data-align={align}>
        {isActions ? <span className="visually-hidden">{label}</span> : label}
      </th>
    )
  return (
    <th scope="col" data-align={align} aria-sort={sorting.sort.key === sort.key ? sorting.sort.direction : undefined}>
      <SortButton label={label} sortKey={sort} sorting={sorting} />
    </th>
  )
}

function Cards<Row>({label, columns, rows, keyOf, isStale = false, sorting}: DataTableProps<Row>) {
  const cardColumns = columns.filter(({card}) => card !== 'none')
  const heads = cardColumns.filter(({isName, card}) => isName === true || card === 'end')
  const facts = cardColumns.filter(
    ({isName, isActions, card}) => isName !== true && isActions !== true && card !== 'end',
  )
  const actions = cardColumns.filter(({isActions}) => isActions === true)
  return (
    <>
      {sorting !== undefined && <SortSelect columns={columns} sorting={sorting} />}
      <ul className={classNames(surface.surface, styles.cards)} aria-label={label} aria-busy={isStale}>
        {rows.map((row, index) => (
          <li key={keyOf(row, index)} className={styles.card}>
            <div className={styles.line}>
              {heads.map((column) => (
                <Part key={column.id} column={column} row={row} />
              ))}
            </div>
            <div className={styles.line} data-second="">
              <div className={styles.facts}>
                {facts.map((column) => (
                  <Part key={column.id} column={column} row={row} />
                ))}
              </div>
              {actions.map(({id, card, cell, cardCell = cell}) => (
                <div key={id} className={card === 'cover' ? styles.cover : styles.actions}>
                  {cardCell(row)}
                </div>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

type PartProps<Row> = {column: TableColumn<Row>; row: Row}

/** A value of a card. */
function Part<Row>({column: {label, isName = false, card, cell, cardCell = cell}, row}: PartProps<Row>) {
  const content = cardCell(row)
  if (content == null || content === false) return null
  return (
    <span data-name={isName || undefined}>
      {!isName && card !== 'named' && (
        <span className={card === undefined ? styles.label : 'visually-hidden'}>{label} </span>
      )}
      {content}
    </span>
  )
}
