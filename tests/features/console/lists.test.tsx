import {screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {NEVER} from 'rxjs'
import {expect, test, vi} from 'vitest'
import {createActor, fromEventObservable, fromPromise, waitFor} from 'xstate'
import type {Application} from '#contract/management.ts'
import {ApplicationTable} from '#features/console/application-table.tsx'
import {ListBody} from '#features/console/list-body.tsx'
import {OrderTable} from '#features/console/order-table.tsx'
import {
  createResourceListMachine,
  type ListPage,
  type ListQuery,
  type ResourceListEvent,
} from '#machines/resource-list/resource-list.machine.ts'
import {Pager} from '#ui/table/pager.tsx'
import {startEnvironment} from '../../machines/environment-fixture.ts'
import {onPhone} from '../../ui/on-phone.ts'
import {renderView} from '../shell/render.tsx'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {newestFirst} from './sorting.ts'

const now = Date.parse('2026-11-24T09:00:00Z')
const application: Application = {
  id: 'foobar-foobar',
  type: 'Usage',
  scope: 'Global',
  remaining_amount: 1.5,
  used_amount: 0.25,
}

/** A list that has made these reads, one by refresh after the other. */
async function listAfter(...reads: (() => Promise<ListPage<string>>)[]) {
  let count = 0
  const actor = createActor(
    createResourceListMachine<string>().provide({
      actors: {
        readPage: fromPromise<ListPage<string>, {query: ListQuery}>(() => {
          count += 1
          return reads[count - 1]?.() ?? new Promise(() => {})
        }),
        queries: fromEventObservable<Extract<ResourceListEvent, {type: 'query.changed'}>, undefined>(() => NEVER),
      },
    }),
    {input: {query: {}, environment: startEnvironment()}},
  ).start()
  stopAfterTest(actor)
  for (const [index] of reads.entries()) {
    if (index > 0) actor.send({type: 'list.refresh'})
    await waitFor(actor, (snapshot) => !snapshot.hasTag('loading'))
  }
  return actor
}

const showList = async (actor: Awaited<ReturnType<typeof listAfter>>, onRetry = () => {}) =>
  renderView(
    <ListBody
      snapshot={actor.getSnapshot()}
      onRetry={onRetry}
      empty={<p>empty foo</p>}
      rows={(page, isStale) => <p>{`${page.items.join()} ${isStale ? 'stale' : 'fresh'}`}</p>}
    />,
  )

const rows = async () => ({items: ['foo', 'bar'], total: 2})
const refusal = () => Promise.reject(Object.assign(new Error('foo'), {code: 'busy', detail: 'foo', status: 503}))

test('rows, then the same rows while they are read again', async () => {
  const list = await listAfter(rows)
  await showList(list)
  expect(screen.getByText('foo,bar fresh')).toBeTruthy()
  list.send({type: 'list.refresh'})
  await showList(list)
  expect(screen.getByText('foo,bar stale')).toBeTruthy()
})

test('nothing to show says what would be here', async () => {
  await showList(await listAfter(async () => ({items: [], total: 0})))
  expect(screen.getByText('empty foo')).toBeTruthy()
})

test('nothing on one page is not said of the next one while it is read', async () => {
  const list = await listAfter(async () => ({items: [], total: 0}))
  list.send({type: 'query.changed', query: {state: 'foo'}})
  await showList(list)
  expect(screen.queryByText('empty foo')).toBeNull()
  expect(document.querySelector('[class*="skeleton"]')).not.toBeNull()
})

test('a list that fails says why and can be read again', async () => {
  const onRetry = vi.fn()
  await showList(await listAfter(refusal), onRetry)
  expect(screen.getByRole('alert').textContent).toContain("Couldn't load this list.")
  await userEvent.click(screen.getByRole('button', {name: 'Retry'}))
  expect(onRetry).toHaveBeenCalledOnce()
})

test.each([
  ['Credit', '1,50 Credits'],
  ['Calls', '1,50 Calls'],
])('a unit that the server calls %s stands beside its amount as %s', async (unit, amount) => {
  await renderView(
    <ApplicationTable
      applications={[{...application, scope: 'Individual', service: {id: 'foo', title: 'Foo', unit}}]}
      isStale={false}
      sorting={newestFirst}
      now={now}
      addLink={() => <a href="/foo">more</a>}
      menu={() => null}
    />,
    {locale: 'de'},
  )
  expect(screen.getAllByRole('cell')[1]?.textContent).toBe(amount)
})

test('why a list failed is said without a word of models and messages', async () => {
  await showList(await listAfter(() => Promise.reject(Object.assign(new Error('foo'), {status: 500}))))
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong. Try again in a moment.')
})

test('a refresh that fails keeps the rows and says that they may be old', async () => {
  await showList(await listAfter(rows, refusal))
  expect(screen.getByText('foo,bar fresh')).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toContain('These rows may be out of date.')
})

test('an application: name, short id, type, amounts with as many decimals as its column needs, end, actions', async () => {
  const ending = {...application, id: 'baz', type: 'Period', used_amount: 0.012345, expired_at: '2026-11-20T00:00:00Z'}
  await renderView(
    <ApplicationTable
      applications={[application, ending]}
      isStale={false}
      sorting={newestFirst}
      now={now}
      addLink={(_, isExpired) => <a href="/foo">{isExpired ? 'again' : 'more'}</a>}
      menu={() => null}
    />,
  )
  const cells = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({textContent}) => textContent),
    )
  expect(cells[0]).toEqual(['Usage', '1.50 credits', '0.250000 credits', 'Never expires', 'more'])
  expect(cells[1]?.slice(0, 3)).toEqual(['Period', '1.50 credits', '0.012345 credits'])
  expect(cells[1]?.[3]).toContain('Expired')
  expect(cells[1]?.[4]).toBe('again')
  expect(screen.getAllByRole('rowheader').map(({textContent}) => textContent)).toEqual([
    'General balancefoob…obar',
    'General balancebaz',
  ])
})

test('on a card a date has its heading, what never expires says so, and a missing value says nothing', async () => {
  onPhone()
  const ending = {...application, id: 'baz', remaining_amount: null, expired_at: '2027-11-20T00:00:00Z'}
  await renderView(
    <ApplicationTable
      applications={[application, ending]}
      isStale={false}
      sorting={newestFirst}
      now={now}
      addLink={() => <></>}
      menu={() => null}
    />,
  )
  const [first, second] = screen.getAllByRole('listitem').map(({textContent}) => textContent)
  expect(first).toBe('General balanceRemaining 1.50 creditsUsed 0.25Never expires')
  expect(second).toMatch(/^General balanceUsed 0\.25 creditsExpires 2027-11-\d\d/)
})

test.each([
  [false, ['View', 'Pay']],
  [true, ['', 'Pay']],
])(
  'the link of an order has its name; on a card the one to view it is a chevron (phone: %s)',
  async (isOnPhone, texts) => {
    if (isOnPhone) onPhone()
    await renderView(
      <OrderTable
        orders={[
          {id: 'foo', state: 'Finished', application, amount: 100},
          {id: 'bar', state: 'Pending', description: 'something else'},
        ]}
        isStale={false}
        sorting={newestFirst}
        currency="usd"
        rate={1}
        link={({id}, look) => <a href={`/${id}`} {...look} />}
      />,
    )
    const links = [
      screen.getByRole('link', {name: 'View General balance · 100 credits'}),
      screen.getByRole('link', {name: 'Pay for something else'}),
    ]
    expect(links.map(({textContent}) => textContent)).toEqual(texts)
  },
)

test.each([
  ['en', 'usd', ['$12,345.60', '-$1.50', 'Free']],
  ['de', 'usd', ['$12.345,60', '-$1,50', 'Kostenlos']],
  ['ar', 'sar', ['﷼24,691.20 ($12,345.60)', '\u200e-﷼3.00 (\u200e-$1.50)', 'مجاني']],
] as const)(
  'prices of orders are grouped, and one of nothing is free, as on the page of the order (%s)',
  async (locale, currency, expected) => {
    await renderView(
      <OrderTable
        orders={[12_345.6, -1.5, 0].map((price) => ({id: `foo${price}`, state: 'Finished', price}))}
        isStale={false}
        sorting={newestFirst}
        currency={currency}
        rate={2}
        link={() => <a href="/foo">View</a>}
      />,
      {locale},
    )
    const prices = screen.getAllByRole('row').slice(1)
    expect(prices.map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual(expected)
  },
)

test('the pager names its rows and leads to the pages beside it, the first and the last', async () => {
  const link = (page: number | undefined, label: string) => <span key={label}>{`${label}:${page ?? '-'}`}</span>
  const textOf = async (page: number, total: number) => {
    const {container, unmount} = await renderView(<Pager page={page} pageSize={12} total={total} link={link} />)
    const {textContent} = container.querySelector('nav') ?? expect.fail('no pager')
    unmount()
    return textContent
  }
  expect(await textOf(2, 1300)).toBe('13–24 of 1,300Previous:11:12:23:3…109:109Next:3')
  expect(await textOf(50, 1300)).toContain('Previous:491:1…49:4950:5051:51…109:109Next:51')
  expect(await textOf(4, 60)).toContain('1:12:23:34:45:5')
})

test('a list of one page has no pager; a page behind the last leads back to the last', async () => {
  const link = (page: number | undefined, label: string) => <span key={label}>{`${label}:${page ?? '-'}`}</span>
  const {container} = await renderView(<Pager page={1} pageSize={12} total={12} link={link} />)
  expect(container.querySelector('nav')).toBeNull()
  await renderView(<Pager page={9} pageSize={12} total={13} link={link} />)
  expect(screen.getByRole('navigation').textContent).toContain('Previous:21:12:2Next:-')
})
