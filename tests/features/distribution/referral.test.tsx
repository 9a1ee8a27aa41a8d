import {screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {afterEach, expect, test, vi} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import {PriceText} from '#features/console/price-text.tsx'
import {InviteeTable} from '#features/distribution/invitee-table.tsx'
import {InviteLink} from '#features/distribution/invite-link.tsx'
import {ReferralView} from '#features/distribution/referral-view.tsx'
import {RewardTable} from '#features/distribution/reward-table.tsx'
import {shortLinkMachine, type ShortLinkSnapshot} from '#machines/short-link/short-link.machine.ts'
import {startEnvironment} from '../../machines/environment-fixture.ts'
import {onPhone} from '../../ui/on-phone.ts'
import {renderView} from '../shell/render.tsx'
import {newestFirst} from '../console/sorting.ts'

const address = 'https://foo.example/?inviter_id=bar'
const levels = [
  {id: 'one', level: 1, threshold: 0, percentage: 10},
  {id: 'two', level: 2, threshold: 100, percentage: 15},
]
const price = (usd: number) => `usd ${usd}`

async function linkAfter(state: 'long' | 'short'): Promise<ShortLinkSnapshot> {
  const actor = createActor(
    shortLinkMachine.provide({
      actors: {
        shortenLink: fromPromise<string, {address: string}>(async () => {
          if (state === 'long') throw new Error('foo')
          return 'https://foo.example/s/baz'
        }),
      },
    }),
    {input: {address, environment: startEnvironment()}},
  ).start()
  return waitFor(actor, (snapshot) => snapshot.matches(state))
}
const showLink = async (state: 'long' | 'short', send = () => {}) =>
  renderView(<InviteLink snapshot={await linkAfter(state)} send={send} siteName="Foo" />)

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'share')
})

const shareWith = (share: (data: ShareData) => Promise<void>) =>
  Object.defineProperty(navigator, 'share', {value: share, configurable: true})

test('the short link is copied', async () => {
  const user = userEvent.setup()
  await showLink('short')
  await user.click(screen.getByRole('button', {name: 'Copy link'}))
  expect(await navigator.clipboard.readText()).toBe('https://foo.example/s/baz')
})

test('where there is no short link the long one is shown, and a short one can be asked for again', async () => {
  const send = vi.fn()
  await showLink('long', send)
  expect(screen.getByText(address)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', {name: 'Try the short link again'}))
  expect(send).toHaveBeenCalledExactlyOnceWith({type: 'link.shorten'})
})

test('a browser without a share sheet has no button for it', async () => {
  await showLink('short')
  expect(screen.queryByRole('button', {name: 'Share'})).toBeNull()
})

test('the share sheet gets the link; closing it is no failure, a refusal is told', async () => {
  const answers = [
    async () => {},
    () => Promise.reject(new DOMException('closed', 'AbortError')),
    () => Promise.reject(new DOMException('refused', 'NotAllowedError')),
  ]
  const share = vi.fn((_: ShareData) => answers.shift()?.() ?? Promise.reject(new Error('one call too many')))
  shareWith(share)
  await showLink('short')
  const button = screen.getByRole('button', {name: 'Share'})
  await userEvent.click(button)
  await userEvent.click(button)
  expect(share.mock.calls[1]).toEqual([{title: 'Join me on Foo', url: 'https://foo.example/s/baz'}])
  expect(screen.queryByText(/^Sharing/)).toBeNull()
  await userEvent.click(button)
  expect((await screen.findByText(/^Sharing/)).getAttribute('role')).toBe('alert')
})

const showStanding = (sales: number) =>
  renderView(
    <ReferralView
      status={{id: 'foo', price: sales, reward: 4.5, percentage: 10}}
      levels={levels}
      invitees={3}
      price={price}
      historyLink={<a href="/foo">history</a>}
      inviteesLink={<a href="/bar">people</a>}
    />,
  )

test('rewards, sales, rate and people; the way to the next level', async () => {
  await showStanding(40)
  expect(screen.getAllByRole('definition').map(({textContent}) => textContent)).toEqual([
    'usd 4.5',
    "Withdrawals aren't open yet.",
    'usd 40',
    'history',
    '10%',
    'Of the next order',
    '3',
    'people',
  ])
  const bar = screen.getByRole('progressbar', {name: 'Progress to level 2'})
  expect(bar.getAttribute('aria-valuenow')).toBe('40')
  expect(screen.getByText(/\$60\.00.* more in sales for level 2 \(\u206615%\u2069\)/)).toBeTruthy()
  const [, first, second] = screen.getAllByRole('row')
  expect([first?.textContent, second?.textContent]).toEqual(['Level 1Your level$0.0010%', 'Level 2$100.0015%'])
})

test('the highest level leads nowhere further', async () => {
  await showStanding(250)
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(screen.getByText('You have reached the highest level.')).toBeTruthy()
})

test.each([
  ['dollars', {currency: 'usd', rate: 1}, (row: string) => row],
  ['another currency', {currency: 'eur', rate: 0.9}, (row: string) => /\((.*)\)/.exec(row)?.[1] ?? ''],
] as const)('rewards of less than a cent, shown in %s, add up to their sum', async (_, money, dollarsOf) => {
  // ten times 15% of $9.90
  const rewards = Array.from({length: 10}, (_, index) => ({
    id: String(index),
    price: 9.9,
    percentage: 15,
    reward: 1.485,
  }))
  await renderView(
    <RewardTable
      rewards={rewards}
      isStale={false}
      sorting={newestFirst}
      price={(usd) => <PriceText usd={usd} showsBase {...money} />}
      shortId={(id) => id}
    />,
  )
  const shown = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell').at(-1)?.textContent)
  expect(new Set(shown.map((row) => dollarsOf(row ?? '')))).toEqual(new Set(['$1.485']))
  expect(dollarsOf(screen.getByText('Rewards on this page').textContent)).toContain('$14.85')
})

test('on a card the reward stands beside its time', async () => {
  onPhone()
  await renderView(
    <RewardTable
      rewards={[{id: 'a', order_id: 'order-1', created_at: '2026-11-24T09:00:00Z', price: 20, reward: 2}]}
      isStale={false}
      sorting={newestFirst}
      price={price}
      shortId={(id) => id}
    />,
  )
  const [first] = screen.getByRole('listitem').children
  expect(first?.textContent).toMatch(/^2026-11-24.*Reward usd 2$/)
})

test('rewards of orders and their sum; a reward that was taken back counts', async () => {
  const reward = {price: 20, percentage: 10, created_at: '2026-11-24T09:00:00Z'}
  await renderView(
    <RewardTable
      rewards={[
        {...reward, id: 'a', order_id: 'order-1', reward: 2},
        {...reward, id: 'b', order_id: 'order-2', reward: -0.5},
        // as numbers, 1.5 + 1.1 + 2.2 - 3.3 is 1.5000000000000009
        ...[1.1, 2.2, -3.3].map((small) => ({...reward, id: String(small), order_id: 'order-3', reward: small})),
      ]}
      isStale={false}
      sorting={newestFirst}
      price={price}
      shortId={(id) => id}
    />,
  )
  const [, first] = screen.getAllByRole('row')
  const cells = within(first as HTMLElement).getAllByRole('cell')
  expect(cells.map(({textContent}) => textContent)).toEqual(['order-1', 'usd 20', '10%', 'usd 2'])
  expect(screen.getByText('Rewards on this page').textContent).toBe('Rewards on this page usd 1.5')
})

test('an invitee: name with the masked address, or that alone, and the day; nothing else of them', async () => {
  const joined = {date_joined: '2026-11-24T09:00:00Z'}
  const address = {username: 'f**@e**.test', email: 'f**@e**.test'}
  await renderView(
    <InviteeTable
      isStale={false}
      sorting={newestFirst}
      invitees={[
        {id: 'secret-id', ...address, ...joined},
        {id: 'secret-2', ...address, nickname: '', ...joined},
        {id: 'secret-3', ...address, nickname: 'Foo', ...joined},
        {id: 'secret-4', ...joined},
      ]}
    />,
  )
  const addressOf = screen.getAllByRole('row').slice(1)
  expect(addressOf.map(({textContent}) => textContent?.split('2026')[0])).toEqual([
    'f**@e**.test',
    'f**@e**.test',
    'Foof**@e**.test',
    '–',
  ])
  expect(document.body.textContent).not.toContain('secret')
})
