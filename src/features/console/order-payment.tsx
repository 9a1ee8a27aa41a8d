import {useState, type ReactNode} from 'react'
import type {Order, PayWay} from '#contract/orders.ts'
import {accountErrorTextId} from '#domain/account-failure.ts'
import {chargeOf, mayBePaid, payWaysOf} from '#domain/order-state.ts'
import {leftToRight} from '#domain/left-to-right.ts'
import {formatMoney} from '#domain/money.ts'
import {payPageAddress} from '#domain/pay-page.ts'
import type {OrderPaymentSnapshot} from '#machines/order-payment/order-payment.machine.ts'
import type {OrderPaymentEvent} from '#machines/order-payment/order-payment.types.ts'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {Kbd} from '#ui/kbd.tsx'
import {useLanguage} from '#ui/language.tsx'
import {Problem} from '#ui/problem.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import {PriceText} from './price-text.tsx'
import {TimeLeft} from './time-left.tsx'
import {Waiting} from './order-waiting.tsx'
import styles from './order-view.module.css'

export type OrderPaymentProps = {
  snapshot: OrderPaymentSnapshot
  send: (event: OrderPaymentEvent) => void
  order: Order
  /** The server's time, milliseconds. */
  now: () => number
  /** Name of the chat or tool that an order just paid leads back to. */
  returnName?: string | undefined
  /** The way on once it is paid, also while its credits are on their way, or expired. */
  next: ReactNode
}

export const payWayNames: Record<PayWay, MessageId> = {
  Sandbox: 'order.waySandbox',
  Stripe: 'order.wayStripe',
  AliPay: 'order.wayAliPay',
  WechatPay: 'order.wayWechatPay',
}

/** Money that goes back is said with the order. */
const expiredHelps = {
  none: 'order.expiredHelp',
  unknown: 'order.paymentUnknown',
  unclear: 'order.expiredUnclear',
} as const

/** The payment of an order in each of its states. */
export function OrderPayment(props: OrderPaymentProps) {
  const {snapshot, send, order, now} = props
  const text = useText()
  if (snapshot.matches('finished') || snapshot.matches('returning')) return <Finished {...props} />
  if (snapshot.matches('processing')) return <Processing {...props} />
  if (snapshot.matches('paid'))
    return (
      <Outcome
        tone="success"
        title={text('order.paid')}
        help={text(snapshot.context.refusals > 0 ? 'order.paidTrouble' : 'order.paidHelp')}
      >
        {props.next}
        <Button onClick={() => send({type: 'payment.check'})}>{text('order.checkAgain')}</Button>
      </Outcome>
    )
  if (snapshot.matches('closed')) return <Closed {...props} />
  if (snapshot.matches({waiting: {choice: 'made'}}))
    return (
      <Waiting
        order={order}
        now={now}
        send={send}
        hasTrouble={snapshot.context.refusals > 0}
        isBlocked={snapshot.matches({waiting: {page: 'blocked'}})}
      />
    )
  const {failure} = snapshot.context
  if (snapshot.matches('unavailable') && failure !== undefined)
    return <Problem onRetry={() => send({type: 'order.load'})}>{text(accountErrorTextId(failure))}</Problem>
  return <WayChoice {...props} />
}

/** Its credits are there; an order just paid leads back to where it was needed. */
function Finished({snapshot, send, order, returnName, next}: OrderPaymentProps) {
  const text = useText()
  if (!snapshot.matches('returning'))
    return (
      <Outcome
        tone="success"
        title={text('order.finished')}
        help={order.overdue === true ? text('order.overdue') : undefined}
      >
        {next}
      </Outcome>
    )
  return (
    <Outcome
      tone="success"
      title={text('order.finished')}
      help={returnName === undefined ? text('order.returning') : text('order.returningTo', {name: returnName})}
    >
      {next}
      <Button onClick={() => send({type: 'return.stay'})} aria-keyshortcuts="Escape">
        {text('order.stay')}
        <span className={styles.key} aria-hidden="true">
          <Kbd keys="Esc" />
        </span>
      </Button>
    </Outcome>
  )
}

/** A bank works on the payment. */
function Processing({snapshot, send, order}: OrderPaymentProps) {
  const text = useText()
  const confirmPage = payPageAddress(order.confirm_url, location.href)
  const help = confirmPage === undefined ? 'order.processingHelp' : 'order.confirmHelp'
  return (
    <Outcome
      tone="neutral"
      title={text('order.processing')}
      help={text(snapshot.context.refusals > 0 ? 'order.waitingTrouble' : help)}
    >
      {confirmPage !== undefined && (
        <a className={buttonClass('primary')} href={confirmPage} target="_blank" rel="noopener noreferrer">
          {text('order.confirmDebit')}
        </a>
      )}
      <Button loading={snapshot.hasTag('busy')} onClick={() => send({type: 'payment.check'})}>
        {text('order.checkAgain')}
      </Button>
    </Outcome>
  )
}

/** Expired or refunded. */
function Closed({snapshot, send, order, next}: OrderPaymentProps) {
  const text = useText()
  const {failure} = snapshot.context
  const charge = chargeOf(order)
  const checksFirst = mayBePaid(order)
  const isRefunded = order.state === 'Refunded'
  return (
    <Outcome
      tone={isRefunded ? 'neutral' : 'danger'}
      title={text(isRefunded ? 'order.refunded' : 'order.expired')}
      help={isRefunded || charge === 'returned' ? undefined : text(expiredHelps[charge])}
    >
      {!checksFirst && next}
      {order.state === 'Expired' && (
        <Button
          variant={checksFirst ? 'primary' : 'outline'}
          loading={snapshot.hasTag('busy')}
          onClick={() => send({type: 'order.load'})}
        >
          {text('order.checkAgain')}
        </Button>
      )}
      {checksFirst && next}
      {failure !== undefined && <Problem>{text(accountErrorTextId(failure))}</Problem>}
    </Outcome>
  )
}

/** The ways to pay; beside an open payment it can be kept instead. */
function WayChoice({snapshot, send, order, next, now}: OrderPaymentProps) {
  const text = useText()
  const {failure} = snapshot.context
  const charge = chargeOf(order)
  const isChanging = snapshot.matches('waiting')
  return (
    <>
      {charge === 'unknown' ? (
        <Problem tone="warning">{text('order.paymentUnknown')}</Problem>
      ) : (
        order.state === 'Failed' &&
        failure === undefined &&
        charge !== 'returned' && <Problem>{text('order.declined')}</Problem>
      )}
      {failure !== undefined && <Problem>{text(accountErrorTextId(failure))}</Problem>}
      {isChanging && <p className={styles.fine}>{text('order.stillOpen')}</p>}
      <PayForm order={order} now={now} next={next} isStarting={!snapshot.hasTag('payable')} send={send} />
      {isChanging && (
        <Button variant="ghost" onClick={() => send({type: 'payment.keep'})}>
          {text('order.keepPayment')}
        </Button>
      )}
    </>
  )
}

type PayFormProps = Pick<OrderPaymentProps, 'order' | 'send' | 'now' | 'next'> & {isStarting: boolean}

function PayForm({order, now, next, isStarting, send}: PayFormProps) {
  const text = useText()
  const {locale} = useLanguage()
  const ways = payWaysOf(order)
  const [wantedWay, setWantedWay] = useState<PayWay>()
  const way = wantedWay ?? ways.find((name) => name === order.pay_way) ?? ways[0]
  if (way === undefined && order.least_price != null)
    return (
      <Outcome
        tone="neutral"
        title={text('order.tooSmall', {price: leftToRight(formatMoney(Number(order.least_price), 'usd', 1, locale))})}
        help={text('order.tooSmallHelp')}
      >
        {next}
      </Outcome>
    )
  if (way === undefined) return <Outcome tone="neutral" title={text('order.noWays')} help={text('order.noWaysHelp')} />
  const isFree = Number(order.price ?? 0) === 0
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send({type: 'payment.start', payWay: way})
      }}
    >
      {!isFree && (
        <fieldset className={styles.ways} disabled={isStarting}>
          <legend>{text('order.payWith')}</legend>
          {ways.map((name) => (
            <label key={name} className={styles.way}>
              <input type="radio" name="way" checked={name === way} onChange={() => setWantedWay(name)} />
              {text(payWayNames[name])}
            </label>
          ))}
        </fieldset>
      )}
      <Button type="submit" variant="primary" size="lg" loading={isStarting}>
        {isFree ? text('order.activate') : text('order.pay')}{' '}
        {/* the amount that is charged, not what it is about in another currency */}
        {!isFree && <PriceText usd={Number(order.price ?? 0)} currency="usd" rate={1} />}
      </Button>
      {!isFree && order.expired_at != null && <TimeLeft until={order.expired_at} now={now} />}
      {way === 'Sandbox' && !isFree && <p className={styles.fine}>{text('order.simulationHelp')}</p>}
    </form>
  )
}

type OutcomeProps = {
  tone: 'success' | 'danger' | 'neutral'
  title: string
  help?: string | undefined
  children?: ReactNode
}

function Outcome({tone, title, help, children}: OutcomeProps) {
  return (
    <div className={styles.outcome} data-tone={tone}>
      <p className={styles.outcomeTitle}>{title}</p>
      {help !== undefined && <p className={styles.fine}>{help}</p>}
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
