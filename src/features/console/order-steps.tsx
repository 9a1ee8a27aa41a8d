import type {ReactElement} from 'react'
import type {Order} from '#contract/orders.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {orderSteps, type OrderStep} from '#domain/order-steps.ts'
import {RefundIcon} from '#ui/console-icons.tsx'
import {CheckIcon, CloseIcon} from '#ui/icons.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import styles from './order-steps.module.css'

const names: Record<OrderStep['name'], MessageId> = {
  created: 'order.created',
  waiting: 'order.stepWaiting',
  processing: 'order.stateProcessing',
  paid: 'order.statePaid',
  credited: 'order.stepCredited',
  failed: 'order.stateFailed',
  expired: 'order.stateExpired',
  refunded: 'order.stateRefunded',
}
const marks: Record<OrderStep['progress'], ReactElement | undefined> = {
  done: <CheckIcon size={14} />,
  stopped: <CloseIcon size={14} />,
  next: undefined,
  open: undefined,
}

/** The steps of an order, each with its time where the back end says it. */
export function OrderSteps({order}: {order: Order}) {
  const text = useText()
  return (
    <ol className={styles.steps} aria-label={text('order.steps')}>
      {orderSteps(order).map(({name, progress, at}) => (
        <li
          key={name}
          className={styles.step}
          data-progress={name === 'refunded' ? 'returned' : progress}
          aria-current={progress === 'next' ? 'step' : undefined}
        >
          <span className={styles.mark}>{name === 'refunded' ? <RefundIcon size={14} /> : marks[progress]}</span>
          <span className={styles.name}>
            {text(names[name])}
            {name !== 'waiting' && name !== 'processing' && (progress === 'next' || progress === 'open') && (
              <span className="visually-hidden"> {text('order.stepOpen')}</span>
            )}
          </span>
          {at !== undefined && (
            <span className={styles.time}>
              <TimeText value={at} format={formatDateTime} />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
