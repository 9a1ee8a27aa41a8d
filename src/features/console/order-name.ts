import type {Order} from '#contract/orders.ts'
import {numberFormat} from '#domain/number-format.ts'
import {packageLength} from '#domain/packages.ts'
import type {MessageId, Text} from '#ui/text.tsx'

export const lengthTexts = {
  week: 'order.week',
  month: 'order.month',
  year: 'order.year',
} as const satisfies Record<string, MessageId>

/** What was ordered: its description, else the length of a subscription or the number of credits. */
export function orderName(text: Text, {description, packages, amount}: Order, locale: string): string {
  if (description != null && description !== '') return description
  const length = packages?.[0] && packageLength(packages[0])
  if (length !== undefined) return text(lengthTexts[length])
  if (amount == null) return text('order.credits')
  return text('application.credits', {amount: numberFormat(locale).format(Number(amount))})
}
