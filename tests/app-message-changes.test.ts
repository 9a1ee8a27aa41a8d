import {NEVER, Subject} from 'rxjs'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {createActor, enqueueActions, fromEventObservable, fromPromise, setup} from 'xstate'
import {awaitDeletions} from '#app/chat/delete-pending.ts'
import {openChanges, type ChangesDeps} from '#app/chat/message-changes.ts'
import {partLogic} from '#app/logic/parts.ts'
import {restoredMessage, type TabFact} from '#browser/tabs.ts'
import {ApiError} from '#api/api-error.ts'
import {z} from '#contract/schema.ts'
import {lostContact} from '#domain/failure.ts'
import {selectIsUnheard} from '#machines/message-changes/message-changes.selectors.ts'
import type {AnswerInput} from '#domain/answer.ts'
import {messageReferences, messageText, stays, type ConversationRecord} from '#domain/conversation.ts'
import {isRunning} from '#domain/conversation-list.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {MessageChange} from '#machines/message-changes/message-changes.types.ts'
import type {AnswerStreamEvent} from '#machines/conversation/conversation.types.ts'
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
import {findActor} from '#machines/lib/find-actor.ts'
import type {PartUse} from '#machines/lib/parts.ts'
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
  const asked: AnswerInput[] = []
  let server = stored
  const copy = () => ({id: 'foo', model: 'm', messages: server.messages, updated_at: 5})
  const chat: ChangesDeps['chat'] = {
    cutHistory: async ({messages}) => {
      const gone = messages.flatMap((each) => (stays(each) ? [] : (each.id ?? [])))
      calls.push(['cut', ...gone].join(' '))
      server = {...server, messages: server.messages.filter(({id}) => id == null || !gone.includes(id)), updatedAt: 5}
      return copy()
    },
    retrieve: async () => copy(),
    command: async (schema, body) => {
      calls.push(JSON.stringify(body))
      if ('action' in body && body.action === 'branch') {
        const messages = 'message' in body && body.message !== undefined ? stored.messages : []
        return z.parse(schema, {id: 'branch', model: 'grok-4', messages, updated_at: 5})
      }
      server = {...server, messages: server.messages.filter(({id}) => id !== 'a-1'), updatedAt: 5}
      return z.parse(schema, copy())
    },
  }
  /** Opens a tab that reads this from the storage. */
  const openTab = async (restored: ConversationRecord, isOnThread = true) => {
    const facts$ = new Subject<TabFact>()
    const early: TabFact[] = []
    facts$.subscribe((fact) => {
      if (fact.type === 'conversation.heard' && fact.last.startsWith(restoredMessage)) early.push(fact)
    })
    tabs.add(facts$)
    const listMachine = conversationListMachine.provide({
      actors: {
        conversation: conversationMachine.provide({
          actors: {
            answerStream: fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}) => {
              asked.push(input)
              return NEVER
            }),
          },
        }),
        pages: conversationPagesMachine.provide({
          actors: {
            getConversations: fromPromise<ConversationPage, ConversationPageInput>(async () => ({records: [server]})),
          },
        }),
        finding: findingMachine.provide({
          actors: {findConversation: fromPromise<ConversationRecord, {key: string}>(async () => server)},
        }),
      },
    })
    const input = {userId: 'user', environment: startEnvironment(), parentRef: nobody, restored: [restored]}
    // what a session does for these two
    const session = setup({
      types: {events: {} as PartUse},
      actors: {conversations: listMachine, part: partLogic},
    }).createMachine({
      invoke: {id: 'conversations', src: 'conversations', input},
      on: {
        'part.use': {
          actions: enqueueActions(({enqueue, event: {id}, system}) => {
            if (findActor(system, id) === undefined) enqueue.spawnChild('part', {id, systemId: id, input: {id}})
          }),
        },
      },
    })
    const owner = createActor(session, {systemId: 'session'}).start()
    const list = owner.getSnapshot().children.conversations ?? expect.fail('The list did not start')
    list.send({type: 'credential.ready'})
    list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency', 'versions']})
    await vi.waitFor(() => expect(list.getSnapshot().matches('success')).toBe(true))
    // as the root of the actors hands it on
    facts$.subscribe((fact) => fact.type === 'conversation.heard' && list.send(fact))
    const deps: ChangesDeps = {
      chat,
      early,
      leadership,
      tabs: {
        facts$,
        tell: (fact) => {
          for (const other of tabs) if (other !== facts$) queueMicrotask(() => other.next(fact))
        },
      },
      timers: {
        now: () => Date.now(),
        setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
        clearTimeout: (handle) => clearTimeout(handle),
      },
      log: () => undefined,
    }
    const openThread = (conversation: string) =>
      openChanges(deps, {list, conversation}) ?? expect.fail('The list has ended')
    const open = () => openThread('foo')
    const changes = isOnThread ? open() : undefined
    const close = () => {
      tabs.delete(facts$)
      owner.stop()
    }
    lists.push(close)
    const record_ = () => selectItem(list.getSnapshot(), 'foo')
    return {
      list,
      /** Those of the thread that was opened with the tab. */
      get changes() {
        return changes ?? expect.fail('No thread was opened')
      },
      open,
      openThread,
      give: (signal = new AbortController().signal) =>
        awaitDeletions(list, ['foo', 'bar'], async (place) => openChanges(deps, place), signal),
      close,
      record: () => record_() ?? stored,
      answer: () => record_()?.messages.find(({id}) => id === 'a-1'),
    }
  }
  return {openTab, calls, chat, asked}
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
  chat.cutHistory = async (history, signal) => {
    const copy = await cutHistory(history)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    signal?.throwIfAborted()
    return copy
  }
  changes.send({type: 'message.remove', message: 'a-1'})
  const waiting = new AbortController()
  const given = give(waiting.signal)
  await pass(500)
  waiting.abort()
  await expect(given).rejects.toThrow()
  changes.send({type: 'message.restore', message: 'a-1'})
  await pass(60_000)
  expect([calls, answer()]).toEqual([['cut a-1'], undefined])
})

test.each([
  ['does not arrive', false, [['a-1', true]]],
  ['arrives, while its answer does not', true, []],
])('of several deletions one that %s leaves the list with what the server has', async (_name, arrives, left) => {
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

test('of several deletions one that another tab takes back meanwhile is not sent', async () => {
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

const askInBranch = {
  action: 'askInBranch' as const,
  message: 'a-1',
  title: 'Branch · foo',
  group: 'grok' as const,
  model: 'grok-4',
  ask: {question: 'foo?', references: ['https://hub.example/a.png'], key: 'key'},
  at: 7,
} satisfies Partial<MessageChange>

test.each([
  ['of the messages before it', 'a-1', ['foo?', 'bar']],
  ['of none, where it is the first', undefined, []],
])(
  'a question for another group is asked in a branch %s, off the screen, and stands there before the server has it',
  async (_name, upTo, before) => {
    const {openTab, calls, asked} = openBrowser()
    const {list, changes, record} = await openTab(stored)
    const settled: unknown[] = []
    changes.on('change.settled', (fact) => settled.push(fact))
    changes.send({type: 'change.request', change: {...askInBranch, upTo}})
    await pass(0)
    expect(calls.map((call): unknown => JSON.parse(call))).toEqual([
      {action: 'branch', ...(upTo && {message: upTo}), title: 'Branch · foo', model: 'grok-4', id: 'foo'},
    ])
    expect(settled).toEqual([{type: 'change.settled', isDone: true, branch: 'branch', group: 'grok'}])
    const branch = selectItem(list.getSnapshot(), 'branch')
    const {model, messages = []} = branch ?? {}
    expect([model, messages.map(({content}) => messageText(content))]).toEqual(['grok-4', [...before, 'foo?', '']])
    expect(messages.flatMap(({content}) => messageReferences(content))).toEqual(askInBranch.ask.references)
    expect(asked).toMatchObject([{request: 'ask', conversation: 'branch', model: 'grok-4', exchange: askInBranch.ask}])
    expect([list.getSnapshot().context.shown, record()]).toEqual([[], {...stored, updatedAt: record().updatedAt}])
    // what a page stores that is left now
    expect(isRunning(branch ?? stored)).toBe(true)
  },
)

test('a branch whose answer is lost is asked for once more under the same key, and its question stands in it', async () => {
  const {openTab, asked, chat} = openBrowser()
  const {list, changes} = await openTab(stored)
  list.send({type: 'service.changed', capabilities: ['idempotency', 'versions', 'branch-model', 'branch-key']})
  const command = chat.command
  const sent: (string | boolean | undefined)[][] = []
  let isCut = true
  chat.command = (schema, body, options) => {
    sent.push([options.headers?.['idempotency-key'], options.isRead])
    return isCut ? Promise.reject(new ApiError(lostContact('foo'))) : command(schema, body, options)
  }
  const choose = async (key: string) => {
    const ask = {...askInBranch.ask, key}
    changes.send({type: 'change.request', change: {...askInBranch, upTo: 'a-1', ask}})
    await pass(0)
  }
  await choose('one')
  expect([asked, selectIsUnheard(changes.getSnapshot(), 'a-1')]).toEqual([[], true])
  isCut = false
  await choose('two')
  expect(sent).toEqual([
    ['branch-one', true],
    ['branch-one', true],
  ])
  expect(asked).toMatchObject([{conversation: 'branch', exchange: {question: 'foo?', key: 'one'}}])
  expect(selectIsUnheard(changes.getSnapshot(), 'a-1')).toBe(false)
})

test('where no branch is made the question is asked nowhere, and stands where it was', async () => {
  const {openTab, asked, chat} = openBrowser()
  const {list, changes, record} = await openTab(stored)
  chat.command = () => Promise.reject(Object.assign(new Error(), {code: 'busy', status: 503}))
  changes.send({type: 'change.request', change: {...askInBranch, upTo: undefined}})
  await pass(0)
  expect([asked, list.getSnapshot().context.items.length]).toEqual([[], 1])
  expect(record().messages.map(({content}) => content)).toEqual(['foo?', 'bar'])
})
