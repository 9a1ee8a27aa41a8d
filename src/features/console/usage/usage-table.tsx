import type {ApiUsage} from '#contract/usage.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {microOf, formatExact} from '#domain/exact-amount.ts'
import {outcomeOf, type UsageKind} from '#domain/usage-series.ts'
import {useLanguage} from '#ui/language.tsx'
import surface from '#ui/surface.module.css'
import {DataTable, type TableColumn} from '#ui/table/data-table.tsx'
import {SortSelect} from '#ui/table/sort-select.tsx'
import type {SortKey, Sorting} from '#ui/table/sorting.ts'
import {StateChip} from '#ui/table/state-chip.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useText} from '#ui/text.tsx'
import {useCopy, type CopyResult} from '#ui/use-copy.ts'
import {shortId} from '../short-id.tsx'
import {SeriesMark} from './series-mark.tsx'
import {outcomeTexts, outcomeTones} from './usage-format.ts'
import styles from './usage-table.module.css'

/** Keys of the wire by which requests can be put in order. */
export const usageSortKeys = ['created_at', 'deducted_amount'] as const

const byTime = {key: 'created_at', kind: 'created'} as const satisfies SortKey<(typeof usageSortKeys)[number]>
const byCredits = {key: 'deducted_amount', kind: 'amount'} as const satisfies SortKey<(typeof usageSortKeys)[number]>

type UsageTableProps = {
  rows: readonly ApiUsage[]
  kindOf: (serviceId: string | undefined) => UsageKind
  isStale: boolean
  sorting: Sorting
  /** Shows the whole record. */
  onOpen: (row: ApiUsage) => void
}

const mostDetails = 3
const longestDetail = 24

/** The title of what was called; an API that is gone has its id alone. */
export const usageName = ({api, api_id: id}: ApiUsage): string => api?.title ?? id ?? '–'

/** The details of a row in short: short values of its metadata that its name does not say; a number needs its key. */
function detailsOf(row: ApiUsage): string[] {
  const name = usageName(row).toLowerCase()
  return Object.entries(row.metadata ?? {})
    .filter(([, value]) => value !== 0 && !name.includes(String(value).toLowerCase()))
    .map(([key, value]) => (typeof value === 'number' ? `${key}: ${value}` : value))
    .filter((detail) => detail !== '' && detail.length <= longestDetail)
    .slice(0, mostDetails)
}

/** One page of requests (design/screens §9). */
export function UsageTable(props: UsageTableProps) {
  return useMediaQuery(phone) ? <Cards {...props} /> : <Table {...props} />
}

function Table({rows, kindOf, isStale, sorting, onOpen}: UsageTableProps) {
  const text = useText()
  const {result, copy} = useCopy()
  const columns: TableColumn<ApiUsage>[] = [
    {
      id: 'time',
      label: text('usage.time'),
      width: 176,
      isOneLine: true,
      sort: byTime,
      cell: (row) => <Time row={row} />,
    },
    {
      id: 'api',
      label: text('usage.api'),
      isName: true,
      cell: (row) => <Name row={row} kindOf={kindOf} onOpen={onOpen} />,
    },
    {id: 'status', label: text('usage.status'), width: 146, cell: (row) => <StatusChip row={row} />},
    {
      id: 'details',
      label: text('usage.details'),
      cell: (row) => (
        <span className={styles.details}>
          {detailsOf(row).map((detail) => (
            <StateChip key={detail} tone="neutral">
              {detail}
            </StateChip>
          ))}
        </span>
      ),
    },
    {
      id: 'trace',
      label: text('usage.trace'),
      width: 128,
      cell: ({trace_id: id}) =>
        id == null ? (
          '–'
        ) : (
          <TraceButton id={id} outcome={result?.value === id ? result.outcome : undefined} onCopy={copy} />
        ),
    },
    {
      id: 'credits',
      label: text('usage.credits'),
      align: 'end',
      width: 120,
      sort: byCredits,
      cell: (row) => <Credits row={row} />,
    },
  ]
  return (
    <>
      <DataTable
        label={text('index.usages')}
        columns={columns}
        rows={rows}
        // another page fills the same rows, which takes half the time of making new ones
        keyOf={(_, index) => String(index)}
        isStale={isStale}
        sorting={sorting}
      />
      <span role="status" className="visually-hidden">
        {result !== undefined && text(`common.${result.outcome}`)}
      </span>
    </>
  )
}

function Cards({rows, kindOf, isStale, sorting, onOpen}: UsageTableProps) {
  const text = useText()
  const columns = [
    {label: text('usage.time'), sort: byTime},
    {label: text('usage.credits'), sort: byCredits},
  ]
  return (
    <>
      <SortSelect columns={columns} sorting={sorting} />
      <ul className={surface.surface} aria-label={text('index.usages')} aria-busy={isStale}>
        {rows.map((row) => (
          <li key={row.id} className={styles.card}>
            <Name row={row} kindOf={kindOf} onOpen={onOpen} />
            <Credits row={row} />
            <span className={styles.line}>
              <Time row={row} />
              {detailsOf(row).map((detail) => (
                <span key={detail} className={styles.detail}>
                  · <bdi>{detail}</bdi>
                </span>
              ))}
            </span>
            <StatusChip row={row} />
          </li>
        ))}
      </ul>
    </>
  )
}

type NameProps = Pick<UsageTableProps, 'kindOf' | 'onOpen'> & {row: ApiUsage}

/** The button covers its whole row. */
function Name({row, kindOf, onOpen}: NameProps) {
  return (
    <button type="button" className={styles.name} aria-haspopup="dialog" onClick={() => onOpen(row)}>
      <SeriesMark kind={kindOf(row.service?.id ?? undefined)} />
      <bdi>{usageName(row)}</bdi>
    </button>
  )
}

type TraceButtonProps = {id: string; outcome: CopyResult['outcome'] | undefined; onCopy: (id: string) => void}

/** A short trace id that is copied whole on press. One element a row: a page has many. */
function TraceButton({id, outcome, onCopy}: TraceButtonProps) {
  const text = useText()
  return (
    <button
      type="button"
      className={styles.trace}
      dir={outcome === undefined ? 'ltr' : undefined}
      title={id}
      aria-label={`${text('usage.copyTrace')} ${shortId(id)}`}
      data-outcome={outcome}
      onClick={() => onCopy(id)}
    >
      {outcome === undefined ? shortId(id) : text(`common.${outcome}`)}
    </button>
  )
}

const Time = ({row: {created_at: at}}: {row: ApiUsage}) =>
  at == null ? '–' : <TimeText value={at} format={formatDateTime} />

/** The status of a call: its number and, as colour is not for everyone, a word. */
export function StatusChip({row: {status_code: status}}: {row: ApiUsage}) {
  const text = useText()
  if (status == null) return '–'
  const outcome = outcomeOf(status)
  return (
    <StateChip tone={outcomeTones[outcome]}>
      {status} {text(outcomeTexts[outcome])}
    </StateChip>
  )
}

function Credits({row: {deducted_amount: amount}}: {row: ApiUsage}) {
  return amount == null ? '–' : <ExactCredits amount={amount} />
}

/** An amount of credits with its six decimals. */
export function ExactCredits({amount}: {amount: number}) {
  const {locale} = useLanguage()
  const micro = microOf(amount)
  return (
    <bdi dir="ltr" className={styles.credits} data-none={micro === 0n || undefined}>
      {formatExact(micro, locale, 6)}
    </bdi>
  )
}
