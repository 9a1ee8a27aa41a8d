import {NEVER, Subject} from 'rxjs'
import {expect, vi} from 'vitest'
import {createActor, fromEventObservable, fromPromise, SimulatedClock} from 'xstate'
import {createCompareLogic} from '#app/chat/compare.ts'
import type {createAnswerTimes} from '#app/chat/kept-comparison.ts'
import type {AnswerInput} from '#domain/answer.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {lostContact} from '#domain/failure.ts'
import {selectColumns} from '#machines/compare/compare.machine.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
  type ConversationPageInput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {AnswerStreamEvent} from '#machines/conversation/conversation.types.ts'
import {eventually} from './eventually.ts'
import {startEnvironment} from './machines/environment-fixture.ts'
import {nobody} from './machines/nobody.ts'

/** A list whose answers are streams in the hands of the test, by model. */
export function openList(restored: ConversationRecord[] = [], stored: ConversationRecord[] = []) {
  const streams = new Map<string, Subject<AnswerStreamEvent>>()
  const asked: string[] = []
  const stopped: string[] = []
  const environment = startEnvironment()
  const list = createActor(
    conversationListMachine.provide({
      actors: {
        pages: conversationPagesMachine.provide({
          actors: {
            getConversations: fromPromise<ConversationPage, ConversationPageInput>(async () => ({records: []})),
          },
        }),
        finding: findingMachine.provide({
          actors: {
            findConversation: fromPromise<ConversationRecord, {key: string}>(async ({input: {key}}) => {
              const found = stored.find(({id}) => id === key)
              if (found === undefined) throw Object.assign(new Error('foo'), {code: 'not_found', status: 404})
              return found
            }),
          },
        }),
        conversation: conversationMachine.provide({
          actors: {
            answerStream: fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}) => {
              asked.push(`${input.model}: ${input.exchange.question}`)
              const stream = new Subject<AnswerStreamEvent>()
              streams.set(input.model, stream)
              return stream
            }),
            stopAnswer: fromPromise(async ({input}) => {
              stopped.push(input.conversation)
              return {state: 'failed' as const}
            }),
          },
        }),
      },
    }),
    {
      clock: new SimulatedClock(),
      input: {userId: 'u-1', environment, parentRef: nobody, restored},
    },
  ).start()
  list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']})
  const answer = (model: string, end?: AnswerStreamEvent, message = `m-${model}`) => {
    const stream = streams.get(model)
    const named = {conversation: `c-${model}`, message, attempt: 1}
    stream?.next({type: 'answer.started', ...named})
    stream?.next({type: 'answer.received', ...named, from: 1, seq: 1, text: `answer of ${model}`})
    if (end !== undefined) stream?.next(end)
  }
  /** A further piece of the answer that `answer` began. */
  const write = (model: string, seq: number) => {
    const named = {conversation: `c-${model}`, message: `m-${model}`, attempt: 1}
    streams.get(model)?.next({type: 'answer.received', ...named, from: seq, seq, text: 'foo'})
  }
  const fail = (model: string, code: string) =>
    streams.get(model)?.next({type: 'answer.failed', failure: {code, detail: '', status: 402}, outcome: 'refused'})
  const loseNetwork = (model: string) => {
    environment.send({type: 'connection.lost'})
    streams.get(model)?.next({type: 'answer.failed', failure: lostContact('offline'), outcome: 'interrupted'})
  }
  return {list, asked, stopped, answer, write, fail, loseNetwork}
}

/** The page over that list; it knows no times of answers unless it is given some. */
export function openPage(
  list: ReturnType<typeof openList>['list'],
  names: string[] = [],
  now = Date.now,
  times: ReturnType<typeof createAnswerTimes> = {load: () => undefined, read: () => undefined, keep: () => undefined},
) {
  const showNames = vi.fn()
  const logic = createCompareLogic(list, {addresses: NEVER, showNames, times, now, log: vi.fn()})
  const page = createActor(logic, {input: {names, models: []}}).start()
  const phases = () => selectColumns(page.getSnapshot()).map(({phase}) => phase)
  return {page, showNames, shows: (...expected: string[]) => eventually(() => expect(phases()).toEqual(expected))}
}

export const question = {question: 'foo', references: [], at: 100}
export const columns = ['one', 'two', 'three'].map((model) => ({name: `k-${model}`, model, key: `q-${model}`}))
export const done = {type: 'answer.completed'} as const
