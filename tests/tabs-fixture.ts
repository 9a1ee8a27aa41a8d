import {NEVER, Subject} from 'rxjs'
import {expect} from 'vitest'
import {createActor, enqueueActions, fromEventObservable, fromPromise, setup, toPromise} from 'xstate'
import {openChanges, type ChangesDeps} from '#app/chat/message-changes.ts'
import {createPendingDeletionsLogic} from '#app/chat/pending-deletions.ts'
import {partLogic} from '#app/logic/part-choices.ts'
import type {RemovalFact, TabFact} from '#browser/tabs.ts'
import {z} from '#contract/schema.ts'
import type {AnswerInput} from '#domain/answer.ts'
import {stays, type ConversationRecord} from '#domain/conversation.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {AnswerStreamEvent} from '#machines/conversation/conversation.types.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
  type ConversationPageInput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {createBulkStorage} from '#browser/bulk-storage.ts'
import {createStore} from './browser/bulk-fixture.ts'
import {createLocks} from './browser/fake-locks.ts'
import {createLeadership} from '#browser/leadership.ts'
import {startEnvironment} from './machines/environment-fixture.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {PartUse} from '#machines/lib/part-use.ts'
import {nobody} from './machines/nobody.ts'
import {eventually} from './eventually.ts'

const closers: (() => void)[] = []
/** Closes the tabs of a test. */
export const closeTabs = () => closers.splice(0).forEach((close) => close())

export const stored: ConversationRecord = {
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
export function openBrowser() {
  const leadership = createLeadership(createLocks(), () => Promise.reject(new Error('unused with locks')))
  const tabs = new Set<Subject<TabFact>>()
  const {store, items: keptItems} = createStore()
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
    const early: RemovalFact[] = []
    facts$.subscribe((fact) => {
      if (fact.type === 'message.restored') early.push(fact)
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
    await eventually(() => expect(list.getSnapshot().matches('success')).toBe(true))
    // as the root of the actors hands it on
    facts$.subscribe((fact) => fact.type === 'conversation.heard' && list.send(fact))
    const deps: ChangesDeps = {
      chat,
      bulk: createBulkStorage(
        async () => store,
        () => undefined,
      ),
      early,
      leadership,
      tabs: {
        facts$,
        tell: (fact) => {
          for (const other of tabs) if (other !== facts$) queueMicrotask(() => other.next(fact))
        },
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
    closers.push(close)
    const record_ = () => selectItem(list.getSnapshot(), 'foo')
    return {
      list,
      /** Those of the thread that was opened with the tab. */
      get changes() {
        return changes ?? expect.fail('No thread was opened')
      },
      open,
      openThread,
      /** Asks for the deletions before a copy; rejects with their failure, or when it is stopped. */
      give: async (signal = new AbortController().signal, isOfShown = false) => {
        const logic = createPendingDeletionsLogic(
          () => list,
          async (target) => openChanges(deps, target),
          isOfShown,
        )
        const copy = createActor(logic, {input: {conversations: ['foo', 'bar']}}).start()
        const stopped = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => {
            copy.stop()
            reject(new Error('The copy is given up'))
          })
        })
        const {failure} = await Promise.race([toPromise(copy), stopped])
        if (failure !== undefined) throw Object.assign(new Error(failure.detail), failure)
      },
      close,
      record: () => record_() ?? stored,
      answer: () => record_()?.messages.find(({id}) => id === 'a-1'),
    }
  }
  return {openTab, calls, chat, asked, keptItems}
}
