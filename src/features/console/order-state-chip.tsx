import type {Order} from '#contract/orders.ts'
import {isProcessing} from '#domain/order-state.ts'
import {StateChip, type Tone} from '#ui/table/state-chip.tsx'
import {useText, type MessageId} from '#ui/text.tsx'

type State = NonNullable<Order['state']>

const looks: Record<State, {tone: Tone; text: MessageId}> = {
  Pending: {tone: 'warning', text: 'order.statePending'},
  Paid: {tone: 'success', text: 'order.statePaid'},
  Finished: {tone: 'success', text: 'order.stateFinished'},
  Failed: {tone: 'danger', text: 'order.stateFailed'},
  Expired: {tone: 'danger', text: 'order.stateExpired'},
  Refunded: {tone: 'neutral', text: 'order.stateRefunded'},
}

/** The state of an order in one word. */
export function OrderStateChip({order}: {order: Order}) {
  const text = useText()
  const {state} = order
  if (isProcessing(order)) return <StateChip tone="warning">{text('order.stateProcessing')}</StateChip>
  if (state === undefined) return <StateChip tone="neutral">{text('order.stateUnknown')}</StateChip>
  const {tone, text: id} = looks[state]
  return <StateChip tone={tone}>{text(id)}</StateChip>
}
