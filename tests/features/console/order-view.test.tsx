import {act, screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {waitFor} from 'xstate'
import type {Order} from '#contract/orders.ts'
import {application, open, page, pending, resetPage, showOrder, showOrderOf} from './order-view.fixtures.tsx'

beforeEach(resetPage)

test('an order that no way of payment takes for its price says from which price on', async () => {
  await showOrder({...pending, price: 0.1, pay_ways: [], least_price: 0.5})
  expect(screen.getByText('Payments start at \u2066$0.50\u2069 here.')).toBeTruthy()
  expect(screen.getByRole('link', {name: 'next'})).toBeTruthy()
  expect(screen.queryByText('This site takes no payments.')).toBeNull()
})

test('while a bank works on the payment the page says so and offers no other', async () => {
  await showOrder({...open, pay_url: null, pay_ways: [], processing_at: '2026-11-24T10:00:00Z'})
  expect(screen.getByText('Your bank is working on your payment.')).toBeTruthy()
  expect(screen.getByText(/Don’t pay again/)).toBeTruthy()
  expect(screen.getByRole('button', {name: 'Check again'})).toBeTruthy()
  expect(screen.queryByRole('button', {name: /Pay/})).toBeNull()
  expect(screen.queryByText('This site takes no payments.')).toBeNull()
  expect(screen.getAllByText('With your bank')).toHaveLength(2)
})

test.each<[string, Partial<Order>, RegExp, string]>([
  ['whose payments are all closed', {pay_ways: []}, /^Nothing was charged/, 'next'],
  [
    'with a payment that could not be looked up',
    {pay_ways: [], opened_at: '2026-11-24T10:00:00Z'},
    /^If you have already/,
    'Check again',
  ],
  ['of a foreign back end', {pay_ways: undefined}, /^If you have already/, 'Check again'],
  [
    'whose payment nobody knows',
    {pay_ways: [], unknown_payments: 1},
    /^We couldn’t find out.*give the order ID/,
    'Check again',
  ],
])('the page of an expired order %s says what is known, and what to do first', async (_, changed, sentence, first) => {
  await showOrder({...pending, state: 'Expired', ...changed})
  expect(screen.getByText(sentence)).toBeTruthy()
  const [button, link] = [screen.getByRole('button', {name: 'Check again'}), screen.getByRole('link', {name: 'next'})]
  const order = button.compareDocumentPosition(link)
  expect(order === Node.DOCUMENT_POSITION_FOLLOWING ? 'Check again' : 'next').toBe(first)
})

test('an order that can be paid again warns before that where nobody knows of an earlier payment', async () => {
  await showOrder({...pending, state: 'Failed', unknown_payments: 1})
  expect(screen.getByRole('alert').textContent).toMatch(/^We couldn’t find out.*don’t pay again/)
  expect(screen.getByRole('button', {name: /^Pay/})).toBeTruthy()
  expect(screen.queryByText(/Nothing was charged/)).toBeNull()
})

test('while a payment is open its page has a link, whether or not the browser let a tab open', async () => {
  await showOrder(open)
  const link = screen.getByRole('link', {name: 'Open the payment page'})
  expect(['href', 'target', 'rel'].map((name) => link.getAttribute(name))).toEqual([
    'https://pay.test/foo',
    '_blank',
    'noopener noreferrer',
  ])
})

test.each(['javascript:alert(1)', 'data:text/html,foo'])('%s is no link', async (url) => {
  await showOrder({...open, pay_url: url})
  expect(screen.getByRole('button', {name: "I've paid"})).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})

test('another way: the open payment is named, and can be kept', async () => {
  await showOrder(open)
  await userEvent.click(screen.getByRole('button', {name: 'Pay another way'}))
  expect(await screen.findByText(/The payment you opened still counts/)).toBeTruthy()
  expect(screen.getAllByRole('radio').map((radio) => radio.hasAttribute('disabled'))).toEqual([false, false])
  await userEvent.click(screen.getByRole('button', {name: 'Keep the open payment'}))
  expect(await screen.findByRole('link', {name: 'Open the payment page'})).toBeTruthy()
})

test('a browser that opens no tab: the page of the payment is asked for first, and its link is followed', async () => {
  const actor = await showOrder(open)
  act(() => actor.send({type: 'payPage.blocked'}))
  expect(await screen.findByText(/kept the payment page from opening/)).toBeTruthy()
  const link = screen.getByRole('link', {name: 'Open the payment page'})
  link.addEventListener('click', (event) => event.preventDefault())
  await userEvent.click(link)
  expect(await screen.findByText(/Finish paying in the other tab/)).toBeTruthy()
})

test('an expired order that cannot be looked up again stays expired, says why, and can be looked up once more', async () => {
  const actor = await showOrder({...pending, state: 'Expired', pay_ways: []}, new TypeError('Failed to fetch'), open)
  await userEvent.click(screen.getByRole('button', {name: 'Check again'}))
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(screen.getByText('This order has expired.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', {name: 'Check again'}))
  await waitFor(actor, (snapshot) => snapshot.matches('waiting'))
})

test.each<[Order['state'], string]>([
  ['Expired', 'This order has expired.'],
  ['Paid', 'Your credits are being added.'],
])('an order that is %s stays on screen while it is looked up again', async (state, sentence) => {
  const ended = {...pending, state, pay_ways: []}
  const actor = await showOrder(ended, ended)
  act(() => actor.send({type: 'connection.restored'}))
  expect(screen.getByText(sentence)).toBeTruthy()
  expect(screen.queryByText('This site takes no payments.')).toBeNull()
  await act(() => waitFor(actor, (snapshot) => snapshot.matches({[state === 'Paid' ? 'paid' : 'closed']: 'resting'})))
  expect(screen.getByText(sentence)).toBeTruthy()
})

test('paid, and its credits do not come: it says so, can be asked about at once, and leads on', async () => {
  const bought = {...pending, state: 'Paid' as const, pay_ways: []}
  const actor = await showOrder(bought, new Error('foo'), {...bought, state: 'Finished'})
  expect(screen.getByText('Your credits are being added.')).toBeTruthy()
  expect(screen.getByRole('link', {name: 'next'})).toBeTruthy()
  await userEvent.click(screen.getByRole('button', {name: 'Check again'}))
  expect(await screen.findByText(/your credits can’t be looked up right now/)).toBeTruthy()
  expect(screen.queryByText('Your credits are being added.')).toBeNull()
  await userEvent.click(screen.getByRole('button', {name: 'Check again'}))
  expect(await screen.findByText('Paid. Your credits are here.')).toBeTruthy()
  expect(actor.getSnapshot().status).toBe('done')
})

test('an order paid before the eyes of the user says where it leads, and lets the user stay', async () => {
  const actor = await showOrderOf('/foo', pending, {...pending, state: 'Finished', pay_ways: []})
  act(() => actor.send({type: 'connection.restored'}))
  expect(await screen.findByText('Taking you back to Foo…')).toBeTruthy()
  expect(screen.getByRole('link', {name: 'next'})).toBeTruthy()
  await userEvent.click(screen.getByRole('button', {name: 'Stay here'}))
  expect(actor.getSnapshot().status).toBe('done')
  expect(await screen.findByText('Paid. Your credits are here.')).toBeTruthy()
  expect(screen.queryByText(/Taking you back/)).toBeNull()
})

test('an order is named by what it is for and how much, and shows how far it is', async () => {
  await showOrder({...pending, application, created_at: '2026-11-24T09:30:00Z'})
  expect(screen.getByRole('heading', {level: 2}).textContent).toBe('Suno\u00a0· 100 credits')
  expect(screen.getByText('Service').nextElementSibling?.textContent).toBe('Suno')
  const steps = within(screen.getByRole('list', {name: 'Progress of the order'})).getAllByRole('listitem')
  expect(steps.map((step) => [step.dataset.progress, step.getAttribute('aria-current')])).toEqual([
    ['done', null],
    ['next', 'step'],
    ['open', null],
  ])
  expect(steps.map(({textContent}) => textContent?.replace(/ \d.*/, ''))).toEqual([
    expect.stringMatching(/^Created2026-11-24/),
    'Waiting for payment',
    'Credits added (not yet)',
  ])
})

test('what can be done comes before the facts of an order', async () => {
  await showOrder(pending)
  const pay = screen.getByRole('button', {name: /^Pay/})
  const facts = screen.getByRole('region', {name: 'Summary'})
  expect(pay.compareDocumentPosition(facts)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('a refund is no fault', async () => {
  await showOrder({...pending, state: 'Refunded'})
  expect(screen.getByText('This order was refunded.').parentElement?.dataset.tone).toBe('neutral')
  const steps = within(screen.getByRole('list', {name: 'Progress of the order'})).getAllByRole('listitem')
  expect(steps.at(-1)?.dataset.progress).toBe('returned')
})

test('an order says whom it is booked to and which packages it has', async () => {
  const week = {id: 'week', type: 'Period' as const, amount: 120, price: 9.9, duration: 604_800}
  const credits = {id: 'credits', type: 'Usage' as const, amount: 1_000, price: 90}
  const packages = [week, credits]
  await showOrder({...pending, application, application_id: 'baz', application_ids: ['baz', 'qux'], packages})
  const factsOf = (label: string) => [...(screen.getByText(label).nextElementSibling?.children ?? [])]
  expect(factsOf('Application').map((id) => id.textContent)).toEqual(['baz', 'qux'])
  expect(factsOf('Packages').map(({textContent}) => textContent)).toEqual(['One week · 120 credits', '1,000 credits'])
})

test('the button names what is charged, whatever currency prices are shown in', async () => {
  page.money = {currency: 'cny', rate: 7}
  await showOrder(pending)
  expect(screen.getByRole('button', {name: 'Pay $9.90'})).toBeTruthy()
  expect(screen.getByText('￥69.30').parentElement?.textContent).toBe('￥69.30 ($9.90)')
})

test.each<[string, string, Partial<Order>]>([
  [
    'of a package is named in the language of its reader',
    'Suno\u00a0· 100 credits',
    {packages: [{id: 'a', amount: 100}]},
  ],
  [
    'of a plan is named so as well',
    'Suno\u00a0· One month',
    {packages: [{id: 'a', type: 'Period', duration: 2_592_000}]},
  ],
  ['that knows no package is named by its description', 'Suno · 100 crédits', {}],
  ['of several packages is named by its description', 'Suno · 100 crédits', {packages: [{id: 'a'}, {id: 'b'}]}],
])('an order that was made in French and %s', async (_what, name, facts) => {
  await showOrder({...pending, application, description: 'Suno · 100 crédits', ...facts})
  expect(screen.getByRole('heading', {level: 2}).textContent).toBe(name)
})

test('WeChat: a dialog with the code, which ends with the payment', async () => {
  const foreign: Order = {id: 'foobar', state: 'Pending', price: 9.9, pay_way: 'WechatPay', pay_url: 'weixin://pay/foo'}
  await showOrder(foreign, {...foreign, state: 'Paid'})
  const dialog = await screen.findByRole('dialog', {name: 'WeChat Pay'})
  expect(within(dialog).getByRole('img', {name: 'QR code'}).getAttribute('width')).toBe('200')
  expect(within(dialog).queryByRole('link')).toBeNull()
  expect(within(dialog).getByText('$9.90')).toBeTruthy()
  await userEvent.click(within(dialog).getByRole('button', {name: "I've paid"}))
  expect(await screen.findByText('Paid. Your credits are here.')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('WeChat: a closed dialog leaves the choice of a way, and can be opened again', async () => {
  await showOrder({id: 'foobar', state: 'Pending', price: 9.9, pay_way: 'WechatPay', pay_url: 'weixin://pay/foo'})
  await screen.findByRole('dialog', {name: 'WeChat Pay'})
  await userEvent.keyboard('{Escape}')
  await userEvent.click(await screen.findByRole('button', {name: 'Keep the open payment'}))
  expect(await screen.findByRole('dialog', {name: 'WeChat Pay'})).toBeTruthy()
})

describe('the time left to pay', () => {
  // the clock stands, so that a busy machine takes nothing off the time left
  beforeEach(() => {
    vi.useFakeTimers({toFake: ['Date']})
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each([
    [59_000, 'Less than a minute left to pay'],
    [61_000, '1 minute left to pay'],
    [59.5 * 60_000, '59 minutes left to pay'],
  ])('an order that ends in %d ms says so', async (left, words) => {
    await showOrder({...pending, expired_at: new Date(Date.now() + left).toISOString()})
    expect(screen.getByText(words)).toBeTruthy()
  })

  test('is counted by the clock of the server', async () => {
    page.ahead = 24 * 60 * 60_000
    await showOrder({...pending, expired_at: new Date(Date.now() + page.ahead + 61_000).toISOString()})
    expect(screen.getByText('1 minute left to pay')).toBeTruthy()
  })

  test.each([pending, open])('its minutes are not spoken while they pass: %o', async (order) => {
    await showOrder({...order, expired_at: new Date(Date.now() + 61_000).toISOString()})
    const speaks = (element: Element) => element.closest('[aria-live]')?.getAttribute('aria-live')
    expect(speaks(screen.getByText('1 minute left to pay'))).toBe('off')
    expect(speaks(screen.getByRole('button', {name: order === open ? "I've paid" : /^Pay/}))).toBe('polite')
  })

  test('an end that is over or cannot be read is not counted', async () => {
    await showOrder({...pending, expired_at: new Date(Date.now() - 1_000).toISOString()})
    expect(screen.queryByText(/left to pay/)).toBeNull()
  })
})
