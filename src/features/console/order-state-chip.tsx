import type {ReactElement} from 'react'
import type {Order} from '#contract/orders.ts'
import {isProcessing} from '#domain/order-state.ts'
import {RefundIcon} from '#ui/console-icons.tsx'
import {ClockIcon} from '#ui/later-icons.tsx'
import {AlertIcon, CheckIcon, CloseIcon} from '#ui/icons.tsx'
import {StateChip, type Tone} from '#ui/table/state-chip.tsx'
import {useText, type MessageId} from '#ui/text.tsx'

type State = NonNullable<Order['state']>

const looks: Record<State, {tone: Tone; text: MessageId; icon: ReactElement}> = {
  Pending: {tone: 'warning', text: 'order.statePending', icon: <ClockIcon size={14} />},
  Paid: {tone: 'success', text: 'order.statePaid', icon: <CheckIcon size={14} />},
  Finished: {tone: 'success', text: 'order.stateFinished', icon: <CheckIcon size={14} />},
  Failed: {tone: 'danger', text: 'order.stateFailed', icon: <AlertIcon size={14} />},
  Expired: {tone: 'danger', text: 'order.stateExpired', icon: <CloseIcon size={14} />},
  Refunded: {tone: 'neutral', text: 'order.stateRefunded', icon: <RefundIcon size={14} />},
}

/** The state of an order in one word, with its icon (design/screens §7). */
export function OrderStateChip({order}: {order: Order}) {
  const text = useText()
  const {state} = order
  if (isProcessing(order))
    return (
      <StateChip tone="warning" icon={looks.Pending.icon}>
        {text('order.stateProcessing')}
      </StateChip>
    )
  if (state === undefined) return <StateChip tone="neutral">{text('order.stateUnknown')}</StateChip>
  const {tone, text: id, icon} = looks[state]
  return (
    <StateChip tone={tone} icon={icon}>
      {text(id)}
    </StateChip>
  )
}
