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

const creditsText = (text: Text, amount: Package['amount'], locale: string): string =>
  amount == null
    ? text('order.credits')
    : text('application.credits', {amount: numberFormat(locale).format(Number(amount))})

const lengthText = (text: Text, offer: Package | undefined): string | undefined => {
  const length = offer && packageLength(offer)
  return length && text(lengthTexts[length])
}

/** The length of a subscription or the number of credits. */
const contentsOf = (text: Text, {packages, amount}: Pick<Order, 'packages' | 'amount'>, locale: string): string =>
  lengthText(text, packages?.[0]) ?? creditsText(text, amount, locale)

/** All that a package gives: “One week · 120 credits”. */
export const packageText = (text: Text, offer: Package, locale: string): string =>
  [lengthText(text, offer), creditsText(text, offer.amount, locale)].filter((part) => part !== undefined).join(' · ')

/** One known package says what it is in the reader's language; its description is in that of its making. */
const isNamedByPackage = ({packages, application}: NamedOrder) => packages?.length === 1 && application != null

type NamedOrder = Pick<Order, 'packages' | 'amount' | 'application' | 'description'>

const isDescribed = (order: NamedOrder) =>
  order.description != null && order.description !== '' && !isNamedByPackage(order)

/** The name of an order as plain text. */
export function orderName(text: Text, order: NamedOrder, locale: string): string {
  const {description, application} = order
  if (isDescribed(order)) return description ?? ''
  return `${application == null ? '' : `${applicationName(text, application)} · `}${contentsOf(text, order, locale)}`
}

/** The name of an order of one package: its description at the payment provider. */
export const orderText = (
  text: Text,
  {application, offer}: {application: Application; offer: Package},
  locale: string,
) => orderName(text, {application, packages: [offer], amount: offer.amount}, locale)

/** The name of an order: service and amount, as “Suno · 100 credits”, or the description of any other order. */
export function OrderName({order}: {order: Order}) {
  const text = useText()
  const {locale} = useLanguage()
  const {description, application} = order
  if (isDescribed(order)) return <bdi>{description}</bdi>
  return (
    <>
      {application != null && (
        <>
          {/* a line begins with a word */}
          <bdi>{applicationName(text, application)}</bdi>
          {'\u00a0· '}
        </>
      )}
      <bdi>{contentsOf(text, order, locale)}</bdi>
    </>
  )
}
