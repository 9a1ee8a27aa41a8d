import {Subject} from 'rxjs'
import {createActor, fromCallback, fromEventObservable, fromPromise, SimulatedClock, type AnyEventObject} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import type {ChatCapability} from '#contract/management.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {lostContact} from '#domain/failure.ts'
import {truncationOf} from '#domain/truncation.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import {followUpsMachine} from '#machines/follow-ups/follow-ups.machine.ts'
import type {Claim} from '#machines/follow-ups/follow-ups.types.ts'
import type {AnswerInput} from '#domain/answer.ts'
import type {
  AnswerStreamEvent,
  PromptSubmit,
  StopInput,
  StoppedAnswer,
  TruncatedConversation,
  TruncateInput,
} from '#machines/conversation/conversation.types.ts'
import {startEnvironment} from './environment-fixture.ts'

export const fresh: ConversationRecord = {key: 'k', model: 'm', messages: [], updatedAt: 0}
export const ask: PromptSubmit = {type: 'prompt.submit', question: 'foo', references: [], key: 'key-1', at: 10}
export const started = {type: 'answer.started', conversation: 'c-1', message: 'm-1', attempt: 1} as const
export const delta = (seq: number, text: string) =>
  ({type: 'answer.received', conversation: 'c-1', message: 'm-1', attempt: 1, seq, from: seq, text}) as const

/** The message that stays of the answer to `ask`, once the server has named it. */
export const ownAnswer = {role: 'assistant', id: 'm-1', attempt: 1, model: 'm'} as const
/** The answer to `ask` when its question did not reach the server. */
export const unsentAnswer = {
  role: 'assistant',
  content: '',
  id: 'key-1',
  attempt: 1,
  model: 'm',
  created_at: 10,
  state: 'failed',
  unsent: true,
} as const
/** The facts that stay of the exchange of `ask`, once the server has named its answer. */
export const ownExchange = {
  question: 'foo',
  references: [],
  key: 'key-1',
  model: 'm',
  attempt: 1,
  at: 10,
  message: 'm-1',
}
/** An exchange before anything is answered. */
export const firstAttempt = {references: [], model: 'm', attempt: 1, lastSeq: 0, answer: '', reconnects: 0}

export const unreachable = () => Object.assign(new Error('foo'), lostContact('foo'))

export type Options = {
  record?: ConversationRecord
  isOnline?: boolean
  capabilities?: ChatCapability[]
  stop?: () => Promise<StoppedAnswer>
  retrieve?: () => Promise<Conversation>
  truncate?: () => Promise<TruncatedConversation>
}

/** A conversation whose stream is in the hands of the test. Every opened stream is one entry of `opened`. */
export function start(options: Options = {}) {
  const {record = fresh, capabilities = [], isOnline = true} = options
  const reports: AnyEventObject[] = []
  const owner = createActor(fromCallback(({receive}) => receive((fact) => void reports.push(fact)))).start()
  const never = <T>() => new Promise<T>(() => {})
  const opened: {input: AnswerInput; stream: Subject<AnswerStreamEvent>}[] = []
  const followed: typeof opened = []
  const stops: StopInput[] = []
  const truncations: object[] = []
  const logged: unknown[] = []
  const clock = new SimulatedClock()
  const machine = conversationMachine.provide({
    actors: {
      answerStream: fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}) => {
        const stream = new Subject<AnswerStreamEvent>()
        opened.push({input, stream})
        return stream
      }),
      followAnswer: fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}) => {
        const stream = new Subject<AnswerStreamEvent>()
        followed.push({input, stream})
        return stream
      }),
      stopAnswer: fromPromise<StoppedAnswer, StopInput>(({input}) => {
        stops.push(input)
        return (options.stop ?? never)()
      }),
      retrieveConversation: fromPromise<Conversation, {conversation: string}>(() => (options.retrieve ?? never)()),
      truncateConversation: fromPromise<TruncatedConversation, TruncateInput>(({input}) => {
        truncations.push({...input, ...truncationOf(input), cut: undefined})
        return (options.truncate ?? never)()
      }),
      followUps: followUpsMachine.provide({
        actors: {claimFollowUp: fromPromise<Claim, {key: string}>(async ({input: {key}}) => ({key, isOurs: true}))},
      }),
    },
    actions: {logStopFailure: (_, {error}) => logged.push(error)},
  })
  const environment = startEnvironment()
  if (!isOnline) environment.send({type: 'connection.lost'})
  const actor = createActor(machine, {input: {record, capabilities, environment, parentRef: owner}, clock}).start()
  const stream = () => {
    const last = opened.at(-1)
    if (last === undefined) throw new Error('No stream was opened')
    return last.stream
  }
  return {
    actor,
    environment,
    clock,
    opened,
    followed,
    stops,
    truncations,
    logged,
    reports,
    stream,
    value: () => actor.getSnapshot().value,
  }
}
