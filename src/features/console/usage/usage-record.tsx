import type {ReactNode} from 'react'
import type {ApiUsage} from '#contract/usage.ts'
import {formatDateTime} from '#domain/date-time.ts'
import type {UsageKind} from '#domain/usage-series.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {Drawer} from '#ui/drawer.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon} from '#ui/icons.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useText} from '#ui/text.tsx'
import {SeriesMark} from './series-mark.tsx'
import {ExactCredits, StatusChip, usageName} from './usage-table.tsx'
import styles from './usage-record.module.css'

type UsageRecordProps = {
  /** Stays while the drawer closes. */
  record: ApiUsage | undefined
  kindOf: (serviceId: string | undefined) => UsageKind
  open: boolean
  onClose: () => void
}

/** Everything that is stored of one request, in a drawer at the end of the page; a sheet on phones. */
export function UsageRecord({record, kindOf, open, onClose}: UsageRecordProps) {
  const text = useText()
  const isPhone = useMediaQuery(phone)
  return (
    <Drawer
      open={open}
      onClose={onClose}
      side={isPhone ? 'bottom' : 'end'}
      title={record === undefined ? '' : usageName(record)}
      hiddenTitle
    >
      {record !== undefined && (
        <div className={styles.record}>
          <div className={styles.head}>
            <SeriesMark kind={kindOf(record.service?.id ?? undefined)} />
            <p className={styles.name} aria-hidden="true">
              <bdi>{usageName(record)}</bdi>
            </p>
            <IconButton label={text('common.close')} icon={<CloseIcon />} onClick={onClose} />
          </div>
          <dl className={styles.facts}>
            <Fact label={text('usage.status')}>
              <StatusChip row={record} />
            </Fact>
            {record.created_at != null && (
              <Fact label={text('usage.time')}>
                <TimeText value={record.created_at} format={formatDateTime} />
              </Fact>
            )}
            <Amount label={text('usage.creditsUsed')} amount={record.deducted_amount} />
            <Amount label={text('usage.remainingAfter')} amount={record.remaining_amount} />
            <Amount label={text('usage.usedAfter')} amount={record.used_amount} />
            {record.service?.title != null && (
              <Fact label={text('usage.service')}>
                <bdi>{record.service.title}</bdi>
              </Fact>
            )}
          </dl>
          {Object.keys(record.metadata ?? {}).length > 0 && (
            <section className={styles.group}>
              <h3 className={styles.groupName}>{text('usage.details')}</h3>
              <dl className={styles.facts}>
                {Object.entries(record.metadata ?? {}).map(([key, value]) => (
                  <Fact key={key} label={<bdi>{key}</bdi>}>
                    <bdi>{value}</bdi>
                  </Fact>
                ))}
              </dl>
            </section>
          )}
          <section className={styles.group}>
            <dl className={styles.ids}>
              <Id label={text('usage.trace')} copy={text('usage.copyTrace')} id={record.trace_id} />
              <Id label={text('usage.recordId')} copy={text('console.copyId')} id={record.id} />
              <Id label={text('usage.application')} copy={text('console.copyId')} id={record.application_id} />
              <Id label={text('usage.credential')} copy={text('console.copyId')} id={record.credential_id} />
            </dl>
          </section>
        </div>
      )}
    </Drawer>
  )
}

function Fact({label, children}: {label: ReactNode; children: ReactNode}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Amount({label, amount}: {label: string; amount: number | null | undefined}) {
  return amount == null ? null : (
    <Fact label={label}>
      <ExactCredits amount={amount} />
    </Fact>
  )
}

function Id({label, copy, id}: {label: string; copy: string; id: string | null | undefined}) {
  return id == null ? null : (
    <div>
      <dt>{label}</dt>
      <dd>
        <code dir="ltr">{id}</code>
        <CopyButton value={() => id} label={copy} />
      </dd>
    </div>
  )
}
