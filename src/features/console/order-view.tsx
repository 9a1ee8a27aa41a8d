import type {ReactNode} from 'react'
import {formatDateTime} from '#domain/date-time.ts'
import type {Order} from '#contract/orders.ts'
import {isPayable} from '#domain/order-state.ts'
import {Problem} from '#ui/problem.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {classNames} from '#ui/class-names.ts'
import surface from '#ui/surface.module.css'
import {applicationName} from './application-table.tsx'
import {OrderName, packageText} from './order-name.tsx'
import {OrderPayment, payWayNames, type OrderPaymentProps} from './order-payment.tsx'
import {OrderStateChip} from './order-state-chip.tsx'
import {OrderSteps} from './order-steps.tsx'
import {CostText, type PriceCurrency} from './price-text.tsx'
import {RateNote, type MissingRate} from './rate-note.tsx'
import {ShortId} from './short-id.tsx'
import styles from './order-view.module.css'

/** The applications that get what was ordered. */
const applicationIds = ({application_id: id, application_ids: ids}: Order): string[] => [
  ...new Set([...(id == null ? [] : [id]), ...(ids ?? [])]),
]

type OrderViewProps = OrderPaymentProps & {money: PriceCurrency; missingRate: MissingRate | undefined}

/** One order and its payment (design/screens §8). */
export function OrderView({money, missingRate, ...props}: OrderViewProps) {
  const {order} = props
  return (
    <div className={styles.view}>
      <div className={classNames(surface.surface, styles.progress)}>
        <div className={styles.headline}>
          <h2 className={styles.name}>
            <OrderName order={order} />
          </h2>
          <OrderStateChip order={order} />
        </div>
        {order.price != null && (
          <p className={styles.price}>
            <CostText price={order.price} {...money} />
          </p>
        )}
        {Number(order.price ?? 0) > 0 && <RateNote money={money} missing={missingRate} />}
        <OrderSteps order={order} />
        <MoneyBack order={order} />
      </div>
      <section className={classNames(surface.surface, styles.payment)} aria-live="polite">
        <OrderPayment {...props} />
      </section>
      <Summary order={order} />
    </div>
  )
}

function Summary({order}: {order: Order}) {
  const text = useText()
  const {locale} = useLanguage()
  const packages = order.packages ?? []
  return (
    <section className={classNames(surface.surface, styles.summary)} aria-label={text('order.summary')}>
      <dl className={styles.facts}>
        <Fact label={text('order.id')}>
          <ShortId id={order.id} />
        </Fact>
        {order.application != null && (
          <Fact label={text('usage.service')}>
            <bdi>{applicationName(text, order.application)}</bdi>
          </Fact>
        )}
        {applicationIds(order).length > 0 && (
          <Fact label={text('usage.application')}>
            {applicationIds(order).map((id) => (
              <ShortId key={id} id={id} />
            ))}
          </Fact>
        )}
        {packages.length > 0 && (
          <Fact label={text(packages.length > 1 ? 'order.offers' : 'order.package')}>
            {packages.map((offer, index) => (
              // the same package may be ordered twice
              <bdi key={`${offer.id}:${index}`}>{packageText(text, offer, locale)}</bdi>
            ))}
          </Fact>
        )}
        {order.pay_way !== undefined && <Fact label={text('order.way')}>{text(payWayNames[order.pay_way])}</Fact>}
        {order.created_at != null && (
          <Fact label={text('order.created')}>
            <TimeText value={order.created_at} format={formatDateTime} />
          </Fact>
        )}
        {isPayable(order) && order.expired_at != null && (
          <Fact label={text('order.payUntil')}>
            <TimeText value={order.expired_at} format={formatDateTime} />
          </Fact>
        )}
      </dl>
    </section>
  )
}

/** Payments that were not credited. */
function MoneyBack({order}: {order: Order}) {
  const text = useText()
  const {surplus_payments: surplus = 0, mismatched_payments: mismatches = 0, failed_refunds: failures = 0} = order
  const count = surplus - mismatches - failures
  return (
    <>
      {failures > 0 && <Problem tone="warning">{text('order.refundFailed')}</Problem>}
      {mismatches > 0 && <p className={styles.fine}>{text('order.otherAmount')}</p>}
      {count > 0 && <p className={styles.fine}>{text('order.surplus', {count})}</p>}
    </>
  )
}

function Fact({label, children}: {label: string; children: ReactNode}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
