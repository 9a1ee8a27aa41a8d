import {NEVER, Subject} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, setup, SimulatedClock, type AnyEventObject} from 'xstate'
import type {Leadership} from '#browser/leadership.ts'
import type {Ask, ConversationRecord} from '#domain/conversation.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectConversation, selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {answeringKeys, liveKeys} from '#machines/conversation-list/conversation-list.rules.ts'
import type {ConversationListContext} from '#machines/conversation-list/conversation-list.types.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
  type ConversationPageInput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {namingMachine} from '#machines/conversation-list/naming.machine.ts'
import {followUpsMachine} from '#machines/follow-ups/follow-ups.machine.ts'
import type {Claim} from '#machines/follow-ups/follow-ups.types.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {AnswerInput} from '#domain/answer.ts'
import type {AnswerStreamEvent} from '#machines/conversation/conversation.types.ts'
import {startEnvironment} from './environment-fixture.ts'

export const environment = startEnvironment()
export const settled = (key: string, updatedAt = 1): ConversationRecord => ({
  key,
  id: key,
  model: 'm',
  title: `title of ${key}`,
  updatedAt,
  messages: [
    {role: 'user', content: 'foo'},
    {role: 'assistant', content: 'bar', state: 'finished', id: `m-${key}`},
  ],
})
export const running: ConversationRecord = {
  ...settled('run'),
  messages: [
    {role: 'user', content: 'foo'},
    {role: 'assistant', content: 'ba', state: 'answering', id: 'm-run', attempt: 1, seq: 1},
  ],
}
export const failure = {code: 'unknown', detail: 'foo'}
export const failed = (key: string): ConversationRecord => ({
  ...settled(key),
  messages: [
    ...settled(key).messages,
    {role: 'user', content: 'again?'},
    {role: 'assistant', content: '', state: 'failed', outcome: 'refused', id: `f-${key}`},
  ],
})

/** Its question was refused for want of credits. */
export const unpaid = (key: string, updatedAt?: number): ConversationRecord => ({
  ...settled(key, updatedAt),
  messages: [
    {role: 'user', content: `question of ${key}`, unsent: true},
    {
      role: 'assistant',
      content: '',
      id: `key-${key}`,
      unsent: true,
      state: 'failed',
      outcome: 'refused',
      error: {code: 'used_up', message: 'foo'},
    },
  ],
})

/** The server's record of a question that another page asked. */
export const theirs: ConversationRecord = {
  key: 'c-1',
  id: 'c-1',
  model: 'm',
  updatedAt: 2,
  messages: [
    {role: 'user', content: 'foo, as the server has it'},
    {role: 'assistant', content: 'ans', state: 'answering', id: 'm-foo', attempt: 1},
  ],
}

/** A question that waits for its turn. */
export const waiting: Ask = {question: 'next', references: [], key: 'key-9'}

/** Lists the conversations that have an actor, and those in which an answer runs. */
export const withKeys = (context: ConversationListContext) => ({
  ...context,
  live: liveKeys(context),
  answering: answeringKeys(context),
})

/** The keys by where they stand; a list without one is left out. */
const standingIn = (context: ConversationListContext) => {
  const {shown, live, answering, unread, removing} = withKeys(context)
  const lists = Object.entries({shown, live, answering, unread, removing})
  return Object.fromEntries(lists.filter(([, keys]) => keys.length > 0))
}

/** A list whose conversations answer by streams in the hands of the test, below a parent that collects its facts. */
export function start(
  restored: ConversationRecord[] = [],
  load: (offset: number) => Promise<ConversationRecord[] | ConversationPage> = async () => [],
  find: (key: string) => Promise<ConversationRecord> = async () => {
    throw new Error('not found')
  },
  unconfirmed: string[] = [],
  unread: string[] = [],
  turns: Leadership = () => NEVER,
) {
  const turnOf = fromEventObservable<LeadershipFact, {key: string}>(({input: {key}}) => turns(key, {isClaiming: false}))
  const streams = new Map<string, Subject<AnswerStreamEvent>>()
  const calls: string[] = []
  const facts: AnyEventObject[] = []
  const clock = new SimulatedClock()
  const fails = {remove: false}
  /** Whether this tab is the one that sends what waits. */
  const claims = {isOurs: true}
  /** A deletion ends with it. */
  const removals = {answer: async (_id: string): Promise<void> => undefined}
  const openStream = fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}) => {
    const stream = new Subject<AnswerStreamEvent>()
    streams.set(input.exchange.question, stream)
    return stream
  })
  const machine = conversationListMachine.provide({
    actors: {
      pages: conversationPagesMachine.provide({
        actors: {
          getConversations: fromPromise<ConversationPage, ConversationPageInput>(async ({input}) => {
            const loaded = await load(input.offset)
            return Array.isArray(loaded) ? {records: loaded} : loaded
          }),
        },
      }),
      conversation: conversationMachine.provide({
        actors: {
          answerStream: openStream,
          followAnswer: openStream,
          followUps: followUpsMachine.provide({
            actors: {
              claimFollowUp: fromPromise<Claim, {key: string}>(async ({input: {key}}) => ({key, ...claims})),
              holdTurn: turnOf,
              turnHolder: turnOf,
            },
          }),
        },
      }),
      finding: findingMachine.provide({
        actors: {
          findConversation: fromPromise<ConversationRecord, {key: string}>(({input}) => {
            calls.push(`find ${input.key}`)
            return find(input.key)
          }),
        },
      }),
      removal: removalMachine.provide({
        actors: {
          remove: fromPromise<void, {id: string}>(async ({input}) => {
            calls.push(`remove ${input.id}`)
            if (fails.remove) throw new Error('foo')
            await removals.answer(input.id)
          }),
        },
      }),
      naming: namingMachine.provide({
        actors: {
          findConversation: fromPromise<ConversationRecord, {key: string}>(({input}) => {
            calls.push(`find the name of ${input.key}`)
            return find(input.key)
          }),
        },
      }),
    },
  })
  const parent = setup({actors: {list: machine}}).createMachine({
    invoke: {
      id: 'list',
      src: 'list',
      input: ({self}) => ({userId: 'u-1', environment, parentRef: self, restored, unconfirmed, unread}),
    },
    on: {'*': {actions: ({event}) => void facts.push(event)}},
  })
  const owner = createActor(parent, {clock}).start()
  const {list} = owner.getSnapshot().children
  if (list === undefined) throw new Error('The list did not start')
  const keys = () => selectItems(list.getSnapshot()).map(({key}) => key)
  const ask = (key: string, question: string) =>
    selectConversation(list.getSnapshot(), key)?.send({
      type: 'prompt.submit',
      question,
      references: [],
      key: `key of ${question}`,
      at: 100,
    })
  const answer = (question: string, conversation: string) => {
    const stream = streams.get(question)
    stream?.next({type: 'answer.started', conversation, message: `m-${question}`, attempt: 1})
    stream?.next({
      type: 'answer.received',
      conversation,
      message: `m-${question}`,
      attempt: 1,
      seq: 1,
      text: `answer to ${question}`,
    })
    stream?.next({type: 'answer.completed'})
  }
  return {
    list,
    end: () => owner.stop(),
    calls,
    facts,
    clock,
    fails,
    claims,
    removals,
    keys,
    ask,
    answer,
    streams,
    context: () => withKeys(list.getSnapshot().context),
    standing: () => standingIn(list.getSnapshot().context),
  }
}
