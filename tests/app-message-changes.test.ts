import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {closeTabs, openBrowser, stored} from './tabs-fixture.ts'
import {eventually} from './eventually.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  closeTabs()
  vi.useRealTimers()
})
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

test('a tab that opens meanwhile neither ends the undo of a deletion nor misses that it was taken back', async () => {
  const {openTab, calls} = openBrowser()
  const first = await openTab(stored)
  first.changes.send({type: 'message.remove', message: 'a-1'})
  await pass(1_000)
  const second = await openTab(first.record())
  await pass(6_000)
  expect([calls, first.answer()?.removing, second.answer()?.removing]).toEqual([[], true, true])
  first.changes.send({type: 'message.restore', message: 'a-1'})
  await pass(60_000)
  expect([calls, first.answer()?.removing, second.answer()?.removing]).toEqual([[], false, false])
})

test('a deletion that is taken back while a new tab reads of it stays taken back in both', async () => {
  const {openTab, calls} = openBrowser()
  const first = await openTab(stored)
  first.changes.send({type: 'message.remove', message: 'a-1'})
  const read = first.record()
  first.changes.send({type: 'message.restore', message: 'a-1'})
  await pass(60_000)
  expect(read.messages[1]?.removing).toBe(true)
  const second = await openTab(read)
  await pass(60_000)
  expect([calls, first.answer()?.removing, second.answer()?.removing]).toEqual([[], false, false])
})

test('where it is not taken back one tab sends it, once', async () => {
  const {openTab, calls} = openBrowser()
  const first = await openTab(stored)
  first.changes.send({type: 'message.remove', message: 'a-1'})
  await pass(1_000)
  const second = await openTab(first.record())
  await pass(60_000)
  expect(calls).toEqual([JSON.stringify({action: 'remove', message: 'a-1', id: 'foo'})])
  expect([first.answer(), second.answer()]).toEqual([undefined, undefined])
})

test('the deletion of a tab that is gone is sent by another one', async () => {
  const {openTab, calls} = openBrowser()
  const first = await openTab(stored)
  first.changes.send({type: 'message.remove', message: 'a-1'})
  await pass(1_000)
  const second = await openTab(first.record())
  await pass(1_000)
  first.close()
  await pass(3_000)
  expect(calls).toHaveLength(1)
  expect(second.answer()).toBeUndefined()
})

test.each([
  ['shows another thread', 'bar'],
  ['shows none, and has no code for them yet', undefined],
])('what is taken back stays so in a tab that %s, though the first tab is gone', async (_name, other) => {
  const {openTab, calls} = openBrowser()
  const first = await openTab(stored)
  first.changes.send({type: 'message.remove', message: 'a-1'})
  await pass(1_000)
  const second = await openTab(first.record(), false)
  if (other !== undefined) second.openThread(other)
  first.changes.send({type: 'message.restore', message: 'a-1'})
  first.close()
  second.list.send({type: 'conversations.refresh'})
  await pass(60_000)
  second.open()
  await pass(60_000)
  expect([calls, second.answer()?.removing]).toEqual([[], false])
})

test('what is deleted goes from the server before others are given the conversation', async () => {
  const {openTab, calls} = openBrowser()
  const first = await openTab(stored)
  const second = await openTab(stored)
  await first.give()
  expect(calls).toEqual([])
  first.changes.send({type: 'message.remove', message: 'a-1'})
  await first.give()
  expect([calls, first.answer()]).toEqual([['cut a-1'], undefined])
  await pass(60_000)
  expect([calls.length, second.answer()]).toEqual([1, undefined])
})

test('one who does not wait for it breaks nothing off, and its undo is over', async () => {
  const {openTab, calls, chat} = openBrowser()
  const {changes, give, answer} = await openTab(stored)
  const {cutHistory} = chat
  let answerNow = () => {}
  const response = new Promise<void>((resolve) => void (answerNow = resolve))
  chat.cutHistory = async (history, signal) => {
    const copy = await cutHistory(history)
    await response
    signal?.throwIfAborted()
    return copy
  }
  changes.send({type: 'message.remove', message: 'a-1'})
  const waiting = new AbortController()
  const given = give(waiting.signal)
  await eventually(() => expect(calls.length).toBeGreaterThan(0))
  waiting.abort()
  await expect(given).rejects.toThrow()
  answerNow()
  changes.send({type: 'message.restore', message: 'a-1'})
  await pass(60_000)
  expect([calls, answer()]).toEqual([['cut a-1'], undefined])
})

test.each([
  ['does not arrive', false, [['a-1', true]]],
  ['arrives, while its answer does not', true, []],
])('one of several deletions that %s leaves the list with what the server has', async (_name, arrives, left) => {
  const {openTab, calls, chat} = openBrowser()
  const tab = await openTab(stored)
  const {cutHistory} = chat
  chat.cutHistory = async (history) => {
    const isLost = calls.length > 0
    const copy = isLost && !arrives ? undefined : await cutHistory(history)
    if (isLost) throw new Error('foo')
    return copy
  }
  for (const message of ['q-1', 'a-1']) tab.changes.send({type: 'message.remove', message})
  await expect(tab.give()).rejects.toThrow('foo')
  expect(tab.record().messages.map(({id, removing}) => [id, removing])).toEqual(left)
})

test('one of several deletions that another tab takes back meanwhile is not sent', async () => {
  const {openTab, calls, chat} = openBrowser()
  const first = await openTab(stored)
  for (const message of ['q-1', 'a-1']) first.changes.send({type: 'message.remove', message})
  const second = await openTab(first.record())
  const {cutHistory} = chat
  chat.cutHistory = async (history) => {
    first.changes.send({type: 'message.restore', message: 'a-1'})
    return cutHistory(history)
  }
  await second.give()
  expect([calls, second.answer()?.removing]).toEqual([['cut q-1'], false])
})

test('where the server deletes nothing, nothing is given', async () => {
  const {openTab, chat} = openBrowser()
  const {changes, give} = await openTab(stored)
  chat.cutHistory = () => Promise.resolve(undefined)
  changes.send({type: 'message.remove', message: 'a-1'})
  await expect(give()).rejects.toThrow('deletes no messages')
})

test('the changes of a conversation end when nothing needs them, come again, and end with their session', async () => {
  const {openTab, calls} = openBrowser()
  const tab = await openTab(stored)
  expect(tab.open()).toBe(tab.changes)
  tab.changes.send({type: 'view.opened'})
  tab.changes.send({type: 'message.remove', message: 'a-1'})
  tab.changes.send({type: 'view.closed'})
  await pass(60_000)
  expect([calls.length, tab.changes.getSnapshot().status]).toEqual([1, 'done'])
  const again = tab.open()
  expect(again).not.toBe(tab.changes)
  tab.close()
  expect(again.getSnapshot().status).not.toBe('active')
})
