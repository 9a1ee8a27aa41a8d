import {Subject} from 'rxjs'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {createActor, fromPromise} from 'xstate'
import {deletePending} from '#app/chat/delete-pending.ts'
import {openChanges, type ChangesDeps} from '#app/chat/message-changes.ts'
import type {TabFact} from '#browser/tabs.ts'
import {z} from '#contract/schema.ts'
import {stays, type ConversationRecord} from '#domain/conversation.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
  type ConversationPageInput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {createLocks} from './browser/fake-locks.ts'
import {createLeadership} from '#browser/leadership.ts'
import {startEnvironment} from './machines/environment-fixture.ts'
import {nobody} from './machines/nobody.ts'

const stored: ConversationRecord = {
  key: 'foo',
  id: 'foo',
  model: 'm',
  updatedAt: 1,
  messages: [
    {role: 'user', content: 'foo?', id: 'q-1', state: 'finished'},
    {role: 'assistant', content: 'bar', id: 'a-1', state: 'finished'},
  ],
}

/** A browser whose tabs share locks and hear each other, and the calls they make. */
function openBrowser() {
  const leadership = createLeadership(createLocks(), {
    storage: undefined,
    now: () => Date.now(),
    sleep: () => new Promise(() => {}),
    createId: () => 'tab',
  })
  const tabs = new Set<Subject<TabFact>>()
  const calls: string[] = []
  let server = stored
  const chat: ChangesDeps['chat'] = {
    cutHistory: async ({messages}) => {
      calls.push(['cut', ...messages.flatMap((each) => (stays(each) ? [] : [each.id]))].join(' '))
      return {id: 'foo', model: 'm', messages: messages.filter(stays), updated_at: 5}
    },
    command: async (schema, body) => {
      calls.push(JSON.stringify(body))
      server = {...server, messages: server.messages.filter(({id}) => id !== 'a-1'), updatedAt: 5}
      return z.parse(schema, {id: 'foo', model: 'm', messages: server.messages, updated_at: 5})
    },
  }
  /** Opens a tab that reads this from the storage. */
  const openTab = async (restored: ConversationRecord) => {
    const facts$ = new Subject<TabFact>()
    tabs.add(facts$)
    const list = createActor(
      conversationListMachine.provide({
        actors: {
          pages: conversationPagesMachine.provide({
            actors: {
              getConversations: fromPromise<ConversationPage, ConversationPageInput>(async () => ({records: [server]})),
            },
          }),
          finding: findingMachine.provide({
            actors: {findConversation: fromPromise<ConversationRecord, {key: string}>(async () => server)},
          }),
        },
      }),
      {input: {userId: 'user', environment: startEnvironment(), parentRef: nobody, restored: [restored]}},
    ).start()
    list.send({type: 'credential.ready'})
    list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency', 'versions']})
    await vi.waitFor(() => expect(list.getSnapshot().matches('success')).toBe(true))
    // as the root of the actors hands it on
    facts$.subscribe((fact) => fact.type === 'conversation.heard' && list.send(fact))
    const deps: ChangesDeps = {
      chat,
      leadership,
      tabs: {
        facts$,
        close: () => undefined,
        tell: (fact) => {
          for (const other of tabs) if (other !== facts$) other.next(fact)
        },
      },
      timers: {
        now: () => Date.now(),
        setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
        clearTimeout: (handle) => clearTimeout(handle),
      },
      log: (message) => {
        throw new Error(message)
      },
    }
    const changes = openChanges(deps, {list, conversation: 'foo', onBranch: () => undefined})
    const close = () => {
      tabs.delete(facts$)
      list.stop()
    }
    lists.push(close)
    const record_ = () => selectItem(list.getSnapshot(), 'foo')
    return {
      list,
      changes,
      close,
      record: () => record_() ?? stored,
      answer: () => record_()?.messages.find(({id}) => id === 'a-1'),
    }
  }
  return {openTab, calls, chat}
}

const lists: (() => void)[] = []
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  for (const close of lists.splice(0)) close()
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

test('what is deleted goes from the server before others are given the conversation', async () => {
  const {openTab, calls, chat} = openBrowser()
  const {list, changes, answer} = await openTab(stored)
  const told: TabFact[] = []
  const give = () =>
    deletePending({chat, list, tabs: {tell: (fact) => told.push(fact)}}, ['foo', 'bar'], new AbortController().signal)
  await give()
  expect([calls, told]).toEqual([[], []])
  changes.send({type: 'message.remove', message: 'a-1'})
  await give()
  expect(calls).toEqual(['cut a-1'])
  expect(answer()).toBeUndefined()
  expect(told).toMatchObject([{type: 'conversation.heard', id: 'foo'}])
  await pass(60_000)
  expect(calls).toHaveLength(1)
})

test('where the server deletes nothing, nothing is given', async () => {
  const {openTab, chat} = openBrowser()
  const {list, changes} = await openTab(stored)
  changes.send({type: 'message.remove', message: 'a-1'})
  const unable = {...chat, cutHistory: () => Promise.resolve(undefined)}
  const tabs = {tell: () => undefined}
  await expect(deletePending({chat: unable, list, tabs}, ['foo'], new AbortController().signal)).rejects.toThrow()
})
