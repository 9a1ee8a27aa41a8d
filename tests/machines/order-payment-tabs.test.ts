import {expect, test} from 'vitest'
import {createLocks} from '../browser/fake-locks.ts'
import {finished, open, pending} from './order-payment-fixtures.ts'
import {startPayment} from './order-payment-run.ts'

/* Several tabs of one browser with the same order: one of them leads back (docs/decisions/0099). */

type Payment = ReturnType<typeof startPayment>

const back = 'back /flux'
const pollTime = 2_000
const ledBack = ({calls}: Payment) => calls.includes(back)

type Reads = Parameters<typeof startPayment>[0]

/** A tab with the order, as it is read there, one answer after the other. */
const openTab = (locks: LockManager, ...reads: Reads) => openTabOf('/flux', locks, reads)

async function openTabOf(returnTo: string | undefined, locks: LockManager, reads: Reads): Promise<Payment> {
  const tab = startPayment(reads, [open], returnTo, {locks})
  await tab.settle()
  return tab
}

async function pass(tab: Payment, milliseconds: number) {
  tab.clock.increment(milliseconds)
  await tab.settle()
}

test('the tab of the payment is back before the money: it stays, the one that waited longer leads back', async () => {
  const locks = createLocks()
  const waiting = await openTab(locks, open, finished)
  const returned = await openTab(locks, open, finished)
  await pass(returned, pollTime)
  expect(returned.actor.getSnapshot().value).toBe('finished')
  await pass(waiting, pollTime)
  expect(waiting.actor.getSnapshot().value).toBe('returning')
  await pass(waiting, pollTime)
  expect([ledBack(waiting), ledBack(returned)]).toEqual([true, false])
})

test.each([
  ['led back', (tab: Payment) => pass(tab, pollTime)],
  ['was asked to stay', async ({actor}: Payment) => actor.send({type: 'return.stay'})],
])('a tab that asks after another one %s stays where it is', async (_, end) => {
  const locks = createLocks()
  const first = await openTab(locks, open, finished)
  const second = await openTab(locks, open, open, finished)
  await pass(first, pollTime)
  await pass(second, pollTime)
  await end(first)
  expect(first.actor.getSnapshot().status).toBe('done')
  await pass(second, pollTime)
  expect([second.actor.getSnapshot().value, ledBack(second)]).toEqual(['finished', false])
})

test('the tab that waited is closed: the next one leads back', async () => {
  const locks = createLocks()
  const first = await openTab(locks, open)
  const second = await openTab(locks, open, finished)
  first.actor.stop()
  await first.settle()
  await pass(second, pollTime)
  await pass(second, pollTime)
  expect(ledBack(second)).toBe(true)
})

test('a tab in which nothing was paid leads only where no other one waits', async () => {
  const locks = createLocks()
  const idle = await openTab(locks, pending, finished)
  const paying = await openTab(locks, open, finished)
  await pass(paying, pollTime)
  expect(paying.actor.getSnapshot().value).toBe('returning')
  idle.actor.send({type: 'page.shown'})
  await idle.settle()
  expect(idle.actor.getSnapshot().value).toBe('finished')
  const alone = await openTab(createLocks(), pending, finished)
  alone.actor.send({type: 'page.shown'})
  await alone.settle()
  expect(alone.actor.getSnapshot().value).toBe('returning')
})

test('a tab without a way back waits longest, and leaves the lead to one that has a way', async () => {
  const locks = createLocks()
  const waiting = await openTabOf(undefined, locks, [open, finished])
  const returned = await openTab(locks, open, finished)
  await pass(returned, pollTime)
  expect(returned.actor.getSnapshot().value).toBe('returning')
  await pass(waiting, pollTime)
  expect(waiting.actor.getSnapshot().value).toBe('finished')
  await pass(returned, pollTime)
  expect(ledBack(returned)).toBe(true)
})

test('a browser that never says which tab leads does not keep one from leading back', async () => {
  // as: only `request` is used
  const silent = {request: () => new Promise(() => {})} as unknown as LockManager
  const tab = await openTab(silent, open, finished)
  await pass(tab, pollTime)
  expect(tab.actor.getSnapshot().value).toBe('standing')
  await pass(tab, 1_000)
  expect(tab.actor.getSnapshot().value).toBe('returning')
})
