import type {Application} from '#contract/management.ts'
import type {Order} from '#contract/orders.ts'
import type {Package} from '#contract/packages.ts'
import {numberFormat} from '#domain/number-format.ts'
import {packageLength} from '#domain/packages.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText, type MessageId, type Text} from '#ui/text.tsx'
import {applicationName} from './application-table.tsx'

export const lengthTexts = {
  week: 'order.week',
  month: 'order.month',
  year: 'order.year',
} as const satisfies Record<string, MessageId>

/** The length of a subscription or the number of credits. */
function contentsOf(text: Text, {packages, amount}: Pick<Order, 'packages' | 'amount'>, locale: string): string {
  const length = packages?.[0] && packageLength(packages[0])
  if (length !== undefined) return text(lengthTexts[length])
  if (amount == null) return text('order.credits')
  return text('application.credits', {amount: numberFormat(locale).format(Number(amount))})
}

/** The name of an order of one package, as plain text: its description at the payment provider. */
export const orderText = (
  text: Text,
  {application, offer}: {application: Application; offer: Package},
  locale: string,
) => `${applicationName(text, application)} · ${contentsOf(text, {packages: [offer], amount: offer.amount}, locale)}`

/** One package that the order knows says what it is in the reader's language; its description is in that of its making. */
const isNamedByPackage = ({packages, application}: Order) => packages?.length === 1 && application != null

/** What was ordered: what for and how much, such as “Suno · 100 credits”, or the description of an order of anything else. */
export function OrderName({order}: {order: Order}) {
  const text = useText()
  const {locale} = useLanguage()
  const {description, application} = order
  if (description != null && description !== '' && !isNamedByPackage(order)) return <bdi>{description}</bdi>
  return (
    <>
      {application != null && (
        <>
          <bdi>{applicationName(text, application)}</bdi> ·{' '}
        </>
      )}
      <bdi>{contentsOf(text, order, locale)}</bdi>
    </>
  )
}
