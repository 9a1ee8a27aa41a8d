import type {ReactElement, ReactNode} from 'react'
import type {Application} from '#contract/management.ts'
import {applicationEnd} from '#domain/application-end.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {decimalsOf, mostDecimals} from '#domain/exact-amount.ts'
import {ownUnit} from '#domain/credit-unit.ts'
import {MoneyText} from '#ui/money-text.tsx'
import {DataTable, type TableColumn} from '#ui/table/data-table.tsx'
import type {Sorting} from '#ui/table/sorting.ts'
import {StateChip} from '#ui/table/state-chip.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useText, type Text} from '#ui/text.tsx'
import {ShortId} from './short-id.tsx'
import styles from './application-table.module.css'

const isGeneral = ({scope, service_id}: Application) => scope === 'Global' || service_id == null

export const applicationName = (text: Text, application: Application): string =>
  isGeneral(application)
    ? text('application.general')
    : (application.service?.title ?? application.service?.name ?? application.id)

/** Keys of the wire by which applications can be put in order. */
export const applicationSortKeys = ['remaining_amount', 'used_amount', 'expired_at'] as const

type ApplicationTableProps = {
  applications: readonly Application[]
  isStale: boolean
  sorting: Sorting
  /** Unix milliseconds. */
  now: number
  addLink: (application: Application, isExpired: boolean) => ReactElement
  menu: (application: Application) => ReactNode
}

/** The user's applications with what is left of each (design/screens §5). */
export function ApplicationTable(props: ApplicationTableProps) {
  const {applications, isStale, sorting} = props
  const text = useText()
  const columns = columnsOf(text, props)
  return (
    <DataTable
      label={text('index.applications')}
      columns={columns}
      rows={applications}
      keyOf={({id}) => id}
      isStale={isStale}
      sorting={sorting}
    />
  )
}

type ApplicationColumn = TableColumn<Application, (typeof applicationSortKeys)[number]>

function columnsOf(text: Text, {applications, now, addLink, menu}: ApplicationTableProps): ApplicationColumn[] {
  const digits = {
    remaining_amount: mostDecimals(applications.map((row) => row.remaining_amount)),
    used_amount: mostDecimals(applications.map((row) => row.used_amount)),
  }
  const amountIn = (row: Application, key: keyof typeof digits) => {
    const value = row[key]
    return value == null ? null : <Amount value={value} row={row} digits={digits[key]} />
  }
  return [
    {
      id: 'name',
      label: text('console.name'),
      isName: true,
      cell: (application) => (
        <span className={styles.name}>
          <bdi>{applicationName(text, application)}</bdi>
          <ShortId id={application.id} />
        </span>
      ),
      cardCell: (application) => <bdi>{applicationName(text, application)}</bdi>,
    },
    {
      id: 'type',
      label: text('console.type'),
      card: 'none',
      cell: ({type}) => text(type === 'Period' ? 'application.period' : 'application.usage'),
    },
    {
      id: 'remaining',
      label: text('console.remaining'),
      align: 'end',
      card: 'end',
      sort: {key: 'remaining_amount', kind: 'amount'},
      cell: (row) => amountIn(row, 'remaining_amount') ?? '–',
      cardCell: (row) => amountIn(row, 'remaining_amount'),
    },
    {
      id: 'used',
      label: text('console.used'),
      align: 'end',
      sort: {key: 'used_amount', kind: 'amount'},
      cell: (row) => amountIn(row, 'used_amount') ?? '–',
      // its unit stands in the first line, with what remains
      cardCell: (row) => {
        const {used_amount: usedAmount, remaining_amount: remaining} = row
        if (usedAmount == null || remaining == null) return amountIn(row, 'used_amount')
        return <MoneyText amount={usedAmount} fractionDigits={decimalsOf(usedAmount)} />
      },
    },
    {
      id: 'expires',
      label: text('console.expires'),
      card: 'named',
      sort: {key: 'expired_at', kind: 'time', first: 'ascending'},
      cell: (row) => <End application={row} now={now} />,
      cardCell: (row) => (
        <>
          {applicationEnd(row, now) !== 'never' && `${text('console.expires')} `}
          <End application={row} now={now} />
        </>
      ),
    },
    {
      id: 'actions',
      label: text('console.actions'),
      isActions: true,
      cell: (row) => (
        <span className={styles.actions}>
          {addLink(row, applicationEnd(row, now) === 'expired')}
          {menu(row)}
        </span>
      ),
    },
  ]
}

type AmountProps = {value: number; row: Application; digits: number}

function Amount({value, row, digits}: AmountProps) {
  const text = useText()
  return (
    <span className={styles.amount}>
      <MoneyText amount={value} fractionDigits={digits} />{' '}
      <span className={styles.unit}>
        {ownUnit(row.service?.unit) ?? text('application.unitCredits', {amount: value})}
      </span>
    </span>
  )
}

function End({application, now}: {application: Application; now: number}) {
  const text = useText()
  const end = applicationEnd(application, now)
  if (end === 'never' || application.expired_at == null) return text('application.never')
  return (
    <span className={styles.end}>
      <TimeText value={application.expired_at} format={formatDateTime} />
      {end === 'expired' && <StateChip tone="danger">{text('console.expired')}</StateChip>}
      {end === 'soon' && <StateChip tone="warning">{text('console.expiresSoon')}</StateChip>}
    </span>
  )
}
