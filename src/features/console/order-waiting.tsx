import type {Order} from '#contract/orders.ts'
import {isScanned} from '#domain/order-state.ts'
import {payPageAddress} from '#domain/pay-page.ts'
import type {OrderPaymentEvent} from '#machines/order-payment/order-payment.types.ts'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {Dialog} from '#ui/dialog.tsx'
import {QrCode} from '#ui/qr-code.tsx'
import {useText} from '#ui/text.tsx'
import {PriceText} from './price-text.tsx'
import {TimeLeft} from './time-left.tsx'
import styles from './order-view.module.css'

type TroubleProps = {
  order: Order
  send: (event: OrderPaymentEvent) => void
  /** The server's time, milliseconds. */
  now: () => number
  hasTrouble: boolean
}
/** `isBlocked`: no tab could be opened for the page of the payment. */
type WaitingProps = TroubleProps & {isBlocked: boolean}

/** A payment is open: at the page of its provider, or as a code that a phone scans. */
export function Waiting({isBlocked, ...props}: WaitingProps) {
  const {order, send} = props
  const text = useText()
  if (isScanned(order.pay_way)) return <CodeDialog {...props} />
  const page = payPageAddress(order.pay_url, location.href)
  return (
    <div className={styles.waiting}>
      <p className={styles.outcomeTitle}>{text(isBlocked ? 'order.tabBlocked' : 'order.waiting')}</p>
      <WaitingHelp {...props} />
      <div className={styles.actions}>
        {page !== undefined && (
          <a
            className={buttonClass(isBlocked ? 'primary' : 'outline')}
            href={page}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => send({type: 'payPage.opened'})}
          >
            {text('order.openPage')}
          </a>
        )}
        <Button variant={isBlocked ? 'outline' : 'primary'} onClick={() => send({type: 'payment.check'})}>
          {text('order.havePaid')}
        </Button>
        <Button variant="ghost" onClick={() => send({type: 'payment.change'})}>
          {text('order.otherWay')}
        </Button>
      </div>
    </div>
  )
}

function WaitingHelp({order, now, hasTrouble}: TroubleProps) {
  const text = useText()
  return (
    <>
      <p className={styles.fine}>{text(hasTrouble ? 'order.waitingTrouble' : 'order.waitingHelp')}</p>
      {order.expired_at != null && <TimeLeft until={order.expired_at} now={now} />}
    </>
  )
}

/** The code that a phone scans (contract/screens §5). It closes with the payment; closed, another way can be chosen. */
function CodeDialog(props: TroubleProps) {
  const {order, send} = props
  const text = useText()
  const change = () => send({type: 'payment.change'})
  return (
    <>
      <p className={styles.outcomeTitle}>{text('order.waitingQr')}</p>
      <Dialog
        open
        title={text('order.wayWechatPay')}
        width={500}
        onClose={change}
        actions={
          <>
            <Button onClick={change}>{text('order.otherWay')}</Button>
            <Button variant="primary" onClick={() => send({type: 'payment.check'})}>
              {text('order.havePaid')}
            </Button>
          </>
        }
      >
        <div className={styles.code}>
          {order.price != null && (
            <p className={styles.price}>
              <PriceText usd={Number(order.price)} currency="usd" rate={1} />
            </p>
          )}
          <QrCode value={order.pay_url ?? ''} size={200} />
          <p>{text('order.waitingQr')}</p>
          <WaitingHelp {...props} />
        </div>
      </Dialog>
    </>
  )
}
