import type {ReactNode} from 'react'
import type {DistributionLevel, DistributionStatus} from '#contract/distribution.ts'
import {leftToRight} from '#domain/left-to-right.ts'
import {formatMoney} from '#domain/money.ts'
import {numberFormat} from '#domain/number-format.ts'
import {formatPercent} from '#domain/percent.ts'
import {levelProgress} from '#domain/referral-level.ts'
import {useLanguage} from '#ui/language.tsx'
import {DataTable, type TableColumn} from '#ui/table/data-table.tsx'
import {StateChip} from '#ui/table/state-chip.tsx'
import {useText} from '#ui/text.tsx'
import {classNames} from '#ui/class-names.ts'
import surface from '#ui/surface.module.css'
import styles from './referral-view.module.css'

type ReferralViewProps = {
  status: DistributionStatus
  levels: readonly DistributionLevel[]
  invitees: number
  /** An amount of US dollars in the user's currency. */
  price: (usd: number) => ReactNode
  historyLink: ReactNode
  inviteesLink: ReactNode
}

/** Thresholds are set in US dollars and not converted (contract/platform §5). */
const dollars = (usd: number, locale: string) => formatMoney(usd, 'usd', 1, locale)

/** Rewards, sales, level and rate of the user (design/screens §10). */
export function ReferralView({status, levels, invitees, price, historyLink, inviteesLink}: ReferralViewProps) {
  const text = useText()
  const {locale} = useLanguage()
  const sales = Number(status.price)
  return (
    <>
      <dl className={styles.figures}>
        <Figure label={text('distribution.reward')} note={text('distribution.noWithdrawals')}>
          {price(Number(status.reward))}
        </Figure>
        <Figure label={text('distribution.sales')} note={historyLink}>
          {price(sales)}
        </Figure>
        <Figure label={text('distribution.rate')} note={text('distribution.rateHelp')}>
          {status.percentage == null ? '–' : formatPercent(status.percentage, locale)}
        </Figure>
        <Figure label={text('distribution.people')} note={inviteesLink}>
          {numberFormat(locale).format(invitees)}
        </Figure>
      </dl>
      <div className={styles.columns}>
        <Levels levels={levels} sales={sales} />
        <section className={classNames(surface.surface, styles.card)} aria-labelledby="referral-how">
          <h2 id="referral-how" className={styles.heading}>
            {text('distribution.how')}
          </h2>
          <ol className={styles.steps}>
            <li>{text('distribution.howShare')}</li>
            <li>{text('distribution.howJoin')}</li>
            <li>{text('distribution.howEarn')}</li>
          </ol>
        </section>
      </div>
    </>
  )
}

function Figure({label, note, children}: {label: string; note: ReactNode; children: ReactNode}) {
  return (
    <div className={classNames(surface.surface, styles.figure)}>
      <dt>{label}</dt>
      <dd className={styles.amount}>{children}</dd>
      <dd className={styles.note}>{note}</dd>
    </div>
  )
}

function Levels({levels, sales}: {levels: readonly DistributionLevel[]; sales: number}) {
  const text = useText()
  const {locale} = useLanguage()
  const {current, next, percent, missing} = levelProgress(levels, sales)
  const columns: TableColumn<DistributionLevel>[] = [
    {
      id: 'level',
      label: text('distribution.level'),
      isName: true,
      cell: (level) => (
        <span className={styles.name}>
          {text('distribution.levelOf', {level: level.level})}
          {level.id === current?.id && <StateChip tone="success">{text('distribution.yourLevel')}</StateChip>}
        </span>
      ),
    },
    {
      id: 'threshold',
      label: text('distribution.fromSales'),
      align: 'end',
      cell: ({threshold}) => <bdi dir="ltr">{dollars(Number(threshold), locale)}</bdi>,
    },
    {
      id: 'percentage',
      label: text('distribution.ratio'),
      align: 'end',
      cell: ({percentage}) => formatPercent(percentage, locale),
    },
  ]
  return (
    <section className={styles.levels} aria-labelledby="referral-level">
      <div className={classNames(surface.surface, styles.card)}>
        <h2 id="referral-level" className={styles.heading}>
          {current === undefined ? text('distribution.level') : text('distribution.levelOf', {level: current.level})}
        </h2>
        {next !== undefined && (
          <div
            role="progressbar"
            aria-label={text('distribution.progress', {level: next.level})}
            aria-valuenow={percent}
            className={styles.track}
          >
            <span className={styles.bar} style={{inlineSize: `${percent}%`}} />
          </div>
        )}
        <p className={styles.note}>
          {next === undefined
            ? text('distribution.topLevel')
            : text('distribution.toNext', {
                amount: leftToRight(dollars(missing, locale)),
                level: next.level,
                rate: leftToRight(formatPercent(next.percentage, locale)),
              })}
        </p>
      </div>
      <DataTable label={text('distribution.levels')} columns={columns} rows={levels} keyOf={({id}) => id} />
    </section>
  )
}
