import {screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {Application} from '#contract/management.ts'
import type {Package} from '#contract/packages.ts'
import type {ServiceApi} from '#contract/usage.ts'
import {Estimates} from '#features/console/estimates.tsx'
import {OfferForm} from '#features/console/offer-form.tsx'
import type {PriceCurrency} from '#features/console/price-text.tsx'
import {orderCreateMachine} from '#machines/order-create/order-create.machine.ts'
import {startEnvironment} from '../../machines/environment-fixture.ts'
import {renderView} from '../shell/render.tsx'
import {stopAfterTest} from '#tests/stop-after-test.ts'

const day = 86_400
const plans: Package[] = [
  {id: 'week', type: 'Period', amount: 120, price: 9.9, duration: 7 * day},
  {id: 'month', type: 'Period', amount: 600, price: 39, duration: 30 * day},
  {id: 'year', type: 'Period', amount: 4000, price: 330, duration: 365 * day},
]
const dollars: PriceCurrency = {currency: 'usd', rate: 1}

/** The packages of an application. */
async function showOffers(
  packages: Package[],
  type: 'Usage' | 'Period',
  {
    money = dollars,
    locale = 'en',
    onOrder,
    need,
  }: {money?: PriceCurrency; locale?: string; onOrder?: (name: string) => void; need?: string} = {},
) {
  const application: Application = {id: 'foo', packages, remaining_amount: 0.5}
  const actor = createActor(
    orderCreateMachine.provide({
      actors: {readApplication: fromPromise<Application, {applicationId: string}>(async () => application)},
    }),
    {input: {applicationId: 'foo', type, key: 'key', need, environment: startEnvironment()}},
  ).start()
  stopAfterTest(actor)
  const snapshot = await waitFor(actor, (present) => present.matches('choosing'))
  await renderView(
    <OfferForm
      snapshot={snapshot}
      send={(event) => (event.type === 'order.create' ? onOrder?.(event.description) : actor.send(event))}
      unit="credits"
      money={money}
      missingRate={money.rate === undefined ? {isAsked: false, onAsk: () => {}} : undefined}
      estimates={({id}) => <p>{`buys ${id}`}</p>}
    />,
    {locale},
  )
  return screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent ?? '')
}

test('plans say what they give; a longer one what only it does, if it does', async () => {
  const [week, month, year] = await showOffers(plans, 'Period')
  expect(week).toBe('One week120 creditsLasts 7 days$9.90')
  expect(month).toBe(
    'One month600 creditsLasts 30 days4 weeks without renewingEach credit 21% cheaper than in the shortest plan$39.00',
  )
  // no cheaper than by the week: not said
  expect(year).toBe('One year4,000 creditsLasts 365 days52 weeks without renewing$330.00')
  expect(screen.getByText('buys year')).toBeTruthy()
})

const packs: Package[] = [
  {id: 'small', type: 'Usage', amount: 100, price: 9.9},
  {id: 'large', type: 'Usage', amount: 500, price: 45},
]

test('packs of credits have their discount and no benefits', async () => {
  expect(await showOffers(packs, 'Usage')).toEqual([
    '100 credits$0.099 each$9.90',
    '500 credits9% off$0.090 each$45.00',
  ])
})

test.each([
  ['120.7', 'Covers the missing credits: 120.2'],
  ['1500.6', "Doesn't cover the missing credits: 1,500.1"],
])('for a refused request of %s credits the package is chosen, and the page says why', async (need, said) => {
  await showOffers(packs, 'Usage', {need})
  expect(screen.getByRole('radio', {checked: true}).closest('label')?.textContent).toContain('500 credits')
  expect(screen.getByText(said)).toBeTruthy()
})

test('without a refused request nothing is said of missing credits', async () => {
  await showOffers(packs, 'Usage')
  expect(screen.queryByText(/missing/)).toBeNull()
})

test('a discount is said in tenths in Chinese', async () => {
  const [, large] = await showOffers(packs, 'Usage', {locale: 'zh-CN'})
  expect(large).toContain('9.1 折')
})

const noRate = 'سعر الصرف غير متاح: الأسعار بالدولار الأمريكي.'
const totalText = () => screen.getByText('الإجمالي').textContent

test('prices in the currency of the language stand beside the dollars that are charged', async () => {
  const [small] = await showOffers(packs, 'Usage', {locale: 'ar', money: {currency: 'sar', rate: 3.75}})
  expect(small).toContain('﷼37.13 ($9.90)')
  expect(totalText()).toBe('الإجمالي ﷼37.13 ($9.90)')
  expect(screen.queryByText(noRate)).toBeNull()
})

test('without a rate prices are in dollars alone, and a sentence says so', async () => {
  const [small] = await showOffers(packs, 'Usage', {locale: 'ar', money: {currency: 'usd', rate: undefined}})
  expect(small).toMatch(/\$9\.90$/)
  expect(document.body.textContent).not.toContain('﷼')
  expect(totalText()).toBe('الإجمالي $9.90')
  expect(screen.getByText(noRate)).toBeTruthy()
})

test('an order is made with the name of what is chosen, in the language of the user', async () => {
  const orders: string[] = []
  await showOffers(packs, 'Usage', {onOrder: (description) => orders.push(description)})
  await userEvent.click(screen.getByRole('button', {name: 'Create order'}))
  expect(orders).toEqual(['General balance · 100 credits'])
})

const api = (id: string, cost: number, more: object = {}): ServiceApi => ({
  id,
  title: id,
  estimation: [{cost, ...more}],
})

test('what a package buys: how many, of what, for how much each, and what it costs elsewhere', async () => {
  const apis = [api('Foo videos', 1.4, {remark: 'duration: 5', comparisons: [{target: 'Elsewhere', value: 0.5}]})]
  const offer = {id: 'small', type: 'Usage' as const, amount: 100, price: 9.9}
  await renderView(<Estimates apis={apis} offer={offer} money={dollars} />)
  const lines = within(screen.getByRole('region', {name: 'Enough for any one of these, about'})).getAllByRole(
    'listitem',
  )
  expect(lines.map(({textContent}) => textContent)).toEqual([
    '71 × Foo videosduration: 51.4 credits$0.139 eachElsewhere $0.500',
  ])
})

test('lines beyond four are folded, and APIs that say no price leave nothing', async () => {
  const apis = [{id: 'bar'}, ...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => api(id, 1))]
  const view = await renderView(<Estimates apis={apis} offer={{id: 'foo', amount: 2}} money={dollars} />)
  expect(screen.getByText('Show 2 more').closest('details')?.querySelectorAll('li')).toHaveLength(2)
  expect(view.container.querySelectorAll('li')).toHaveLength(6)
  view.unmount()
  await renderView(<Estimates apis={[{id: 'bar'}]} offer={{id: 'foo', amount: 2}} money={dollars} />)
  expect(screen.queryByRole('region')).toBeNull()
})
