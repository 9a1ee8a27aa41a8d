import {useState} from 'react'
import {isDay} from '#domain/zone-time.ts'
import type {UsagePeriod} from '#domain/usage-period.ts'
import {Button} from '#ui/button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {RetryIcon} from '#ui/icons.tsx'
import {Segmented} from '#ui/segmented.tsx'
import {Select, type SelectOption} from '#ui/forms/select.tsx'
import {useText} from '#ui/text.tsx'
import styles from './usage-filters.module.css'

const periods = [
  {value: '24h', label: 'usage.period24h'},
  {value: '7d', label: 'usage.period7d'},
  {value: '30d', label: 'usage.period30d'},
  {value: 'custom', label: 'usage.periodCustom'},
] as const

type ChoiceProps = {
  id: string
  label: string
  /** The option of no restriction. */
  all: string
  options: readonly SelectOption[]
  /** Empty: all. */
  value: string
  onChange: (value: string) => void
}

/** A filter by one of a list. A value that is not in the list, such as an application that is gone, stays visible. */
export function UsageChoice({id, label, all, options, value, onChange}: ChoiceProps) {
  const isKnown = value === '' || options.some((option) => option.value === value)
  return (
    <label className={styles.choice}>
      <span className="visually-hidden">{label}</span>
      <Select
        id={id}
        value={value}
        options={[{value: '', label: all}, ...options, ...(isKnown ? [] : [{value, label: value}])]}
        onChange={onChange}
      />
    </label>
  )
}

type PeriodChoiceProps = {value: UsagePeriod; onChange: (period: UsagePeriod) => void}

export function PeriodChoice({value, onChange}: PeriodChoiceProps) {
  const text = useText()
  return (
    <div className={styles.periods}>
      <Segmented
        label={text('usage.period')}
        value={value}
        options={periods.map((period) => ({value: period.value, label: text(period.label)}))}
        onChange={onChange}
      />
    </div>
  )
}

type UsageActionsProps = {
  onRefresh: () => void
  /** Absent: the server gives no file. */
  download: {onPress: () => void; isReady: boolean; isRunning: boolean} | undefined
}

export function UsageActions({onRefresh, download}: UsageActionsProps) {
  const text = useText()
  return (
    <div className={styles.actions}>
      <IconButton label={text('usage.refresh')} icon={<RetryIcon />} onClick={onRefresh} />
      {download !== undefined && (
        <Button disabled={!download.isReady} loading={download.isRunning} onClick={download.onPress}>
          {text('usage.download')}
        </Button>
      )}
    </div>
  )
}

type Days = {from: string; to: string}
type DaysChoiceProps = {
  days: Days
  /** A longer period was asked for than can be shown: it ends sooner. */
  isCut: boolean
  onChange: (days: Days) => void
}

/** The first and the last day of a custom period. A day beyond the other one takes that along. */
export function DaysChoice({days: {from, to}, isCut, onChange}: DaysChoiceProps) {
  const text = useText()
  return (
    <div className={styles.days}>
      <DayField
        label={text('usage.from')}
        day={from}
        onChange={(day) => onChange({from: day, to: day > to ? day : to})}
      />
      <DayField
        label={text('usage.to')}
        day={to}
        onChange={(day) => onChange({from: day < from ? day : from, to: day})}
      />
      <p role="status" className={styles.cut}>
        {isCut && text('usage.periodCut', {day: to})}
      </p>
    </div>
  )
}

/** While a year is typed, the field holds years such as 0002. */
const earliest = '2000-01-01'

function DayField({label, day, onChange}: {label: string; day: string; onChange: (day: string) => void}) {
  const [draft, setDraft] = useState<string>()
  return (
    <label className={styles.day}>
      {label}
      <input
        type="date"
        min={earliest}
        value={draft ?? day}
        onChange={({currentTarget: {value}}) => {
          setDraft(value)
          if (isDay(value) && value >= earliest) onChange(value)
        }}
        onBlur={() => setDraft(undefined)}
      />
    </label>
  )
}
