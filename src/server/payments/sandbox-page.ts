import {defaultCurrency} from '#domain/currency.ts'
import {leftToRight} from '#domain/left-to-right.ts'
import {formatMoney} from '#domain/money.ts'
import {drawnPage} from '../auth/login-view.ts'
import {html, type Html} from '../auth/pages/html.ts'
import {alertIcon, checkIcon, infoIcon} from '../auth/pages/images.ts'
import {address, document, type PageContext} from '../auth/pages/page.ts'
import type {PaymentRow} from './payment-provider.ts'

export const sandboxOutcomes = ['pay', 'decline', 'expire'] as const

const heading = (page: PageContext) => page.intl.formatMessage({id: 'order.sandboxTitle'})

/** To the order; of a deleted account it is not there any more. */
const backLink = (page: PageContext, {returnUrl}: PaymentRow): Html =>
  html`<p class="other">
    <a class="second" href="${returnUrl || page.hub}">${page.intl.formatMessage({id: 'order.sandboxBack'})}</a>
  </p>`

/** Says that nothing of it is real, and lets the payer choose what the provider reports. */
function openPage(page: PageContext, payment: PaymentRow): Html {
  const price = leftToRight(formatMoney(payment.amount / 100, defaultCurrency, undefined, page.intl.locale))
  const say = (key: string) => page.intl.formatMessage({id: `order.${key}`}, {price})
  return html`<h1>${heading(page)}</h1>
    <p class="lead"><bdi>${payment.title}</bdi></p>
    <p class="note">${infoIcon}<span>${say('sandboxNote')}</span></p>
    <form method="post" action="${address(page, '')}">
      <button class="go" type="submit" name="outcome" value="pay">${say('sandboxPay')}</button>
      <button class="second" type="submit" name="outcome" value="decline">${say('sandboxDecline')}</button>
      <button class="second" type="submit" name="outcome" value="expire">${say('sandboxExpire')}</button>
    </form>
    ${backLink(page, payment)}`
}

function endedPage(page: PageContext, payment: PaymentRow): Html {
  const isPaid = payment.state === 'paid'
  const key = isPaid ? 'sandboxPaid' : payment.state === 'declined' ? 'sandboxDeclined' : 'sandboxClosed'
  return html`<div class="done ${isPaid ? 'paid' : 'stopped'}">${isPaid ? checkIcon : alertIcon}</div>
    <h1>${heading(page)}</h1>
    <p class="lead" role="status">${page.intl.formatMessage({id: `order.${key}`})}</p>
    ${backLink(page, payment)}`
}

/** The page of a simulated payment, in the language of the request. */
export function sandboxPage(page: PageContext, payment: PaymentRow, isOpen: boolean): Response {
  const body = isOpen ? openPage(page, payment) : endedPage(page, payment)
  return drawnPage(page, document(page, {title: heading(page), body}))
}
