import {assign, emit, enqueueActions, setup} from 'xstate'
import type {MessageOutcome} from '#contract/chat.ts'
import {backoff, backoffDelay} from '#domain/backoff.ts'
import {
  appendDelta,
  askOf,
  isDeltaGap,
  isNextDelta,
  lastQuestion,
  longerText,
  mayBeStored,
  reviveExchange,
  startExchange,
  userMessage,
  type Delta,
} from '#domain/exchange.ts'
import {isRefusal, toFailure, type Failure} from '#domain/failure.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {promisePort, streamPort} from '#machines/lib/ports.ts'
import {found, isCredentialFailure, isUnapplied, mayRepeat, mayResume, recordOf, settle} from './conversation.rules.ts'
import type {
  AnswerEvent,
  AnswerInput,
  ConversationChanged,
  ConversationContext,
  ConversationEmitted,
  ConversationEvent,
  ConversationInput,
  ConversationTag,
  Plan,
  RetrievedConversation,
  RetrieveInput,
  StopInput,
  StoppedAnswer,
  TruncateInput,
} from './conversation.types.ts'

/** A stop is repeated no longer than somebody waits for the composer. */
const mostStops = 3

/** Ports, guards, delays and actions of the conversation chart. */
export const conversationSetup = setup({
  types: {
    input: {} as ConversationInput,
    context: {} as ConversationContext,
    events: {} as ConversationEvent,
    emitted: {} as ConversationEmitted,
    tags: {} as ConversationTag,
  },
  actors: {
    answerStream: streamPort<AnswerEvent, AnswerInput>('answerStream'),
    stopAnswer: promisePort<StoppedAnswer, StopInput>('stopAnswer'),
    retrieveConversation: promisePort<RetrievedConversation, RetrieveInput>('retrieveConversation'),
    truncateConversation: promisePort<void, TruncateInput>('truncateConversation'),
    renewCredential: promisePort<void>('renewCredential'),
  },
  delays: {
    connectDeadline: 15_000,
    silence: 60_000,
    stopDeadline: 5_000,
    callDeadline: 15_000,
    offlineDeadline: 600_000,
    followDelay: 5_000,
    reconnectDelay: ({context}) => backoffDelay(context.exchange?.reconnects ?? 0, 0.5),
    stopDelay: ({context}) => backoffDelay(context.stops, 0.5),
  },
  guards: {
    hasText: (_, {question}: {question: string}) => question.trim() !== '',
    hasPlan: ({context}) => context.plan !== undefined,
    hasQuestion: ({context}) => lastQuestion(context.messages) !== undefined,
    isEditable: ({context}, {index, question}: {index: number; question: string}) =>
      question.trim() !== '' && context.messages[index]?.role === 'user',
    mustTruncate: ({context}) =>
      context.id !== undefined && context.plan !== undefined && mayBeStored(context.messages.slice(context.plan.cut)),
    isStart: ({context}, event: {conversation?: string; message: string; attempt: number}) => {
      const {exchange, id} = context
      if (exchange === undefined) return false
      if (id !== undefined && event.conversation !== undefined && event.conversation !== id) return false
      return !exchange.started || (event.message === exchange.message && event.attempt === exchange.attempt)
    },
    isNext: ({context}, delta: Delta) => isNextDelta(context.exchange, context.id, delta),
    isGap: ({context}, delta: Delta) => isDeltaGap(context.exchange, context.id, delta),
    isLost: ({context}) => context.ended?.failure?.lost === true,
    needsCredential: ({context}) =>
      context.exchange?.renewed === false &&
      context.ended?.failure !== undefined &&
      isCredentialFailure(context.ended.failure),
    lacksApplication: ({context}) => context.ended?.failure !== undefined && isUnapplied(context.ended.failure),
    wantsCredential: ({context}, {error}: {error: unknown}) =>
      context.exchange?.renewed === false && isCredentialFailure(toFailure(error)),
    isResuming: ({context}) =>
      context.ended?.outcome === undefined && context.exchange !== undefined && mayResume(context, context.exchange),
    endedAs: ({context}, {outcome}: {outcome: MessageOutcome}) => context.ended?.outcome === outcome,
    canCommandStop: ({context}) => context.id !== undefined && context.capabilities.includes('stop'),
    /** The answer has no name yet; the same request with the same key is given it. */
    canNameAnswer: ({context}) =>
      context.capabilities.includes('stop') && context.exchange !== undefined && mayRepeat(context, context.exchange),
    canResume: ({context}) => context.exchange !== undefined && mayResume(context, context.exchange),
    /** Without a place for a stream only what can be gone on with later may wait. */
    mustFollow: ({context}) =>
      !context.hasPlace && context.exchange !== undefined && mayResume(context, context.exchange),
    canRepeat: ({context}) => context.exchange !== undefined && mayRepeat(context, context.exchange),
    canRetrieve: ({context}) => context.id !== undefined,
    offersStop: ({context}) => context.capabilities.includes('stop'),
    isStopExhausted: ({context}) => context.stops >= mostStops,
    isOffline: ({context}) => !context.online,
    isExhausted: ({context}) => (context.exchange?.reconnects ?? backoff.attempts) >= backoff.attempts,
    hasExchange: ({context}) => context.exchange !== undefined,
    lastEnded: ({context}, {outcome}: {outcome: MessageOutcome}) => {
      const last = context.messages.at(-1)
      return last?.state === 'failed' && (last.outcome ?? 'interrupted') === outcome
    },
    lastAnswered: ({context}) => context.messages.at(-1)?.role === 'assistant',
    foundRunning: ({context}, {output}: {output: RetrievedConversation}) => found(context, output)?.state === 'running',
    foundFinished: ({context}, {output}: {output: RetrievedConversation}) =>
      found(context, output)?.state === 'finished',
    foundFailed: ({context}, {output}: {output: RetrievedConversation}) => found(context, output)?.state === 'failed',
    wasTooLate: (_, {output}: {output: StoppedAnswer}) => output.state === 'finished',
    isRefusal: (_, {error}: {error: unknown}) => isRefusal(toFailure(error)),
  },
  actions: {
    planAsk: assign((_, plan: Plan) => ({plan, rejection: undefined})),
    /** What was asked while something still ended comes after it. */
    placePlan: assign(({context}) => ({plan: context.plan && {...context.plan, cut: context.messages.length}})),
    planRepeat: assign(({context}, {key, at}: {key: string; at: number}) => {
      const question = lastQuestion(context.messages)
      return question === undefined
        ? {}
        : {plan: {...askOf(question.message, key), at, cut: question.index}, rejection: undefined}
    }),
    planEdit: assign(
      ({context}, {index, question, key, at}: {index: number; question: string; key: string; at: number}) => {
        const edited = context.messages[index]
        const references = edited ? askOf(edited, key).references : []
        return {plan: {question, references, key, at, cut: index}, rejection: undefined}
      },
    ),
    beginExchange: assign(({context}) => {
      const {plan} = context
      if (plan === undefined) return {}
      return {
        messages: [...context.messages.slice(0, plan.cut), userMessage(plan)],
        exchange: startExchange(plan),
        updatedAt: plan.at,
        plan: undefined,
      }
    }),
    rejectPlan: assign(({context}, {error}: {error: unknown}) => ({
      plan: undefined,
      rejection: context.plan && {question: context.plan.question, failure: toFailure(error)},
    })),
    emitRejected: emit(({context}) => ({
      type: 'edit.rejected' as const,
      question: context.rejection?.question ?? '',
      failure: context.rejection?.failure ?? toFailure(undefined),
    })),
    storeStart: assign(
      (
        {context},
        start: {conversation?: string; message: string; attempt: number; provider?: string; sandbox?: boolean},
      ) => ({
        id: context.id ?? start.conversation,
        exchange: context.exchange && {
          ...context.exchange,
          started: true,
          message: start.message,
          attempt: start.attempt,
          provider: start.provider ?? context.exchange.provider,
          sandbox: start.sandbox ?? context.exchange.sandbox,
        },
      }),
    ),
    appendText: assign(({context}, delta: Delta) => ({
      exchange: context.exchange && appendDelta(context.exchange, delta),
    })),
    countReconnect: assign(({context}) => ({
      exchange: context.exchange && {...context.exchange, reconnects: context.exchange.reconnects + 1},
    })),
    refuseResume: assign(({context}) => ({exchange: context.exchange && {...context.exchange, resumeRefused: true}})),
    markRenewed: assign(({context}) => ({exchange: context.exchange && {...context.exchange, renewed: true}})),
    adoptFound: assign(({context}, {output}: {output: RetrievedConversation}) => {
      const answer = found(context, output)
      if (context.exchange === undefined || answer === undefined) return {}
      const text = answer.state === 'finished' ? answer.text : longerText(context.exchange.answer, answer.text)
      return {
        exchange: {
          ...context.exchange,
          answer: text,
          reconnects: text.length > context.exchange.answer.length ? 0 : context.exchange.reconnects,
          started: true,
          message: answer.message ?? context.exchange.message,
          attempt: answer.attempt ?? context.exchange.attempt,
        },
      }
    }),
    settleFinished: assign(({context}, {outcome}: {outcome?: MessageOutcome}) =>
      settle(context, {state: 'finished', outcome}),
    ),
    settleFailed: assign(({context}, {outcome, unconfirmed}: {outcome: MessageOutcome; unconfirmed?: true}) => ({
      ...settle(context, {state: 'failed', outcome, unconfirmed, failure: context.ended?.failure}),
      ended: undefined,
    })),
    clearStops: assign({stops: 0}),
    countStop: assign(({context}) => ({stops: context.stops + 1})),
    /** Port: the server was not told to stop. */
    logStopFailure: (_, _failed: {error: unknown}) => {},
    storeEnd: assign((_, {failure, outcome}: {failure: Failure; outcome?: MessageOutcome}) => ({
      ended: {failure, outcome},
    })),
    storeFoundEnd: assign(({context}, {output}: {output: RetrievedConversation}) => {
      const answer = found(context, output)
      return {ended: {failure: answer?.failure, outcome: answer?.outcome}}
    }),
    storePlace: assign((_, {hasPlace}: {hasPlace: boolean}) => ({hasPlace})),
    storeOnline: assign((_, {online}: {online: boolean}) => ({online})),
    clearEnd: assign({ended: undefined}),
    revive: assign(({context}) => reviveExchange(context.messages) ?? {}),
    chooseModel: assign((_, {model}: {model: string}) => ({model})),
    storeTitle: assign((_, {title}: {title: string | undefined}) => ({title})),
    storeCapabilities: assign((_, {capabilities}: Pick<ConversationInput, 'capabilities'>) => ({capabilities})),
    mergeHistory: assign(({context}, {record}: Pick<ConversationInput, 'record'>) => {
      const {id, title, messages, updatedAt} = mergeConversation(recordOf(context), record)
      return {id, title, messages, updatedAt}
    }),
    reportChange: enqueueActions(
      ({enqueue, context, self}, {phase, outcome}: {phase: 'running' | 'settled'; outcome?: MessageOutcome}) => {
        // alone (a test, the inspector) there is nobody to tell
        if (self._parent === undefined) return
        const fact: ConversationChanged = {type: 'conversation.changed', phase, outcome, record: recordOf(context)}
        enqueue.sendTo(self._parent, fact)
      },
    ),
  },
})
