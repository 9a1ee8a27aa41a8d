import {assign, enqueueActions, setup} from 'xstate'
import type {ChatCapability} from '#contract/management.ts'
import type {MessageOutcome} from '#contract/chat.ts'
import type {AnswerInput} from '#domain/answer.ts'
import {backoff, backoffDelay} from '#domain/backoff.ts'
import {awaitsCredits, stays, toRecord, type Ask} from '#domain/conversation.ts'
import type {CreditsFact} from '#domain/credits.ts'
import {isRunning} from '#domain/conversation-list.ts'
import {
  answerId,
  appendDelta,
  isDeltaGap,
  isNextDelta,
  lastQuestion,
  longerText,
  mayBeStored,
  reviveExchange,
  type Delta,
} from '#domain/exchange.ts'
import {isRefusal, isUnapplied, toFailure, type Failure} from '#domain/failure.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {followUpsMachine, selectIsGoing} from '#machines/follow-ups/follow-ups.machine.ts'
import type {FollowUpsEvent} from '#machines/follow-ups/follow-ups.types.ts'
import {unfilledAction, promisePort, streamPort} from '#machines/lib/ports.ts'
import {
  afterTruncation,
  announcePlan,
  beginPlan,
  planOfEdit,
  planOfRepeat,
  rejectPlan,
  withQuestionId,
} from './conversation.plans.ts'
import {exchangeAnswer, mayRepeat, mayResume, mustTruncate, recordOf, replacedIn, settle} from './conversation.rules.ts'
import type {
  Again,
  AnswerStreamEvent,
  ConversationContext,
  ConversationEvent,
  ConversationInput,
  ConversationTag,
  Plan,
  RetrievedConversation,
  RetrieveInput,
  StopInput,
  StoppedAnswer,
  TruncatedConversation,
  TruncateInput,
} from './conversation.types.ts'

/** A stop is repeated for as long as a user would wait for the composer, no longer. */
const mostStops = 3

/** Ports, guards, delays and actions of the conversation chart. */
export const conversationSetup = setup({
  types: {
    input: {} as ConversationInput,
    context: {} as ConversationContext,
    events: {} as ConversationEvent,
    tags: {} as ConversationTag,
  },
  actors: {
    environmentChanges,
    /** The stream of this conversation alone, if a slot is free. */
    answerStream: streamPort<AnswerStreamEvent, AnswerInput>('answerStream'),
    /** Through the stream that the tabs of the browser share; silent where there is none. */
    followAnswer: streamPort<AnswerStreamEvent, AnswerInput>('followAnswer'),
    stopAnswer: promisePort<StoppedAnswer, StopInput>('stopAnswer'),
    retrieveConversation: promisePort<RetrievedConversation, RetrieveInput>('retrieveConversation'),
    truncateConversation: promisePort<TruncatedConversation, TruncateInput>('truncateConversation'),
    followUps: followUpsMachine,
  },
  delays: {
    connectDeadline: 15_000,
    // our servers say more often that they are there, those of the version before every 15 s
    silence: ({context}) => (context.capabilities.includes('follow') ? 20_000 : 60_000),
    stopDeadline: 5_000,
    callDeadline: 15_000,
    offlineDeadline: 600_000,
    callDelay: 1_500,
    followDelay: ({context}) => (context.capabilities.includes('follow') ? 20_000 : 5_000),
    reconnectDelay: ({context}) => backoffDelay(context.exchange?.reconnects ?? 0, 0.5),
    yieldDelay: ({context}) => backoffDelay(context.yields, 0.5),
    stopDelay: ({context}) => backoffDelay(context.stops, 0.5),
  },
  guards: {
    hasText: (_, {question}: {question: string}) => question.trim() !== '',
    /** Questions wait that come first. */
    mustWait: ({context}, {question}: {question: string}) =>
      question.trim() !== '' && selectIsGoing(context.followUps.getSnapshot()),
    /** Another page's question is being answered: the server took none of ours. */
    isOccupied: ({context}) =>
      context.id !== undefined &&
      context.exchange !== undefined &&
      context.exchange.message === undefined &&
      context.exchange.answer === '' &&
      replacedIn(context, context.exchange) === undefined &&
      context.ended?.failure?.status === 409 &&
      context.ended.failure.code === 'duplication',
    mayYield: ({context}) => context.yields < backoff.attempts,
    /** No server has what the question replaces. */
    isNew: ({context: {before}}) => !mayBeStored(before?.messages.slice(before.plan.cut) ?? []),
    /** What goes before a question has not gone. */
    isUnasked: ({context}) => context.before !== undefined,
    /** Left before what goes before it had gone. */
    isAnnounced: ({context}) => context.exchange?.message === undefined && mustTruncate(context),
    hasPlan: ({context}) => context.plan !== undefined,
    /** A deleted one is not asked again. */
    hasQuestion: ({context}) => {
      const question = lastQuestion(context.messages)
      return question !== undefined && stays(question.message)
    },
    isEditable: ({context}, {index, question}: {index: number; question: string}) =>
      question.trim() !== '' && context.messages[index]?.role === 'user',
    mustTruncate: ({context}) => mustTruncate(context),
    isStart: ({context}, event: {conversation?: string; message: string; attempt: number}) => {
      const {exchange, id} = context
      if (exchange === undefined) return false
      if (id !== undefined && event.conversation !== undefined && event.conversation !== id) return false
      return (
        exchange.message === undefined || (event.message === exchange.message && event.attempt === exchange.attempt)
      )
    },
    isNext: ({context}, delta: Delta) => isNextDelta(context.exchange, context.id, delta),
    isGap: ({context}, delta: Delta) => isDeltaGap(context.exchange, context.id, delta),
    isLost: ({context}) => context.ended?.failure?.lost === true,
    isUsedUp: ({context}) => context.ended?.failure?.code === 'used_up',
    lacksApplication: ({context}) => context.ended?.failure !== undefined && isUnapplied(context.ended.failure),
    isResuming: ({context}) =>
      context.ended?.outcome === undefined && context.exchange !== undefined && mayResume(context, context.exchange),
    /** The server said in the stream that it cut the answer off; its copy was not read. */
    wasCutOff: ({context: {ended, id, exchange}}) =>
      ended?.outcome === 'interrupted' &&
      ended.isStored !== true &&
      id !== undefined &&
      exchange?.message !== undefined,
    endedAs: ({context}, {outcome}: {outcome: MessageOutcome}) => context.ended?.outcome === outcome,
    /** Without a name the latest answer of the conversation is stopped: another than this one, if the server took none of ours. */
    canCommandStop: ({context}) =>
      context.id !== undefined &&
      context.capabilities.includes('stop') &&
      (context.exchange === undefined || !mayRepeat(context, context.exchange)),
    /** The answer has no name yet; the same request with the same key is given it. */
    canNameAnswer: ({context}) =>
      context.capabilities.includes('stop') && context.exchange !== undefined && mayRepeat(context, context.exchange),
    canResume: ({context}) => context.exchange !== undefined && mayResume(context, context.exchange),
    /** The server has named conversation and answer: they can be looked for. */
    isNamed: ({context}) => context.id !== undefined && context.exchange?.message !== undefined,
    canFollow: ({context}) =>
      context.id !== undefined && context.exchange?.message !== undefined && context.capabilities.includes('follow'),
    /** The server goes on with an answer, but shares no stream of all. */
    canStream: ({context}, {output}: {output: RetrievedConversation}) =>
      exchangeAnswer(context, output)?.state === 'running' &&
      !context.capabilities.includes('follow') &&
      context.exchange !== undefined &&
      mayResume(context, context.exchange),
    canRepeat: ({context}) => context.exchange !== undefined && mayRepeat(context, context.exchange),
    /** The answer waits for a slot, although the service can report it through the shared stream. */
    waitsInVain: ({context}, {until}: {until: 'named' | 'ended'}) =>
      until === 'ended' && context.capabilities.includes('follow'),
    beginsToFollow: ({context}, {capabilities}: {capabilities: readonly ChatCapability[]}) =>
      capabilities.includes('follow') && !context.capabilities.includes('follow'),
    canRetrieve: ({context}) => context.id !== undefined,
    offersStop: ({context}) => context.capabilities.includes('stop'),
    isStopExhausted: ({context}) => context.stops >= mostStops,
    isOffline: ({context}) => !selectIsOnline(context.environment.getSnapshot()),
    isExhausted: ({context}) => (context.exchange?.reconnects ?? backoff.attempts) >= backoff.attempts,
    hasExchange: ({context}) => context.exchange !== undefined,
    lastEnded: ({context}, {outcome}: {outcome: MessageOutcome}) => {
      const last = context.messages.at(-1)
      return last?.state === 'failed' && (last.outcome ?? 'interrupted') === outcome
    },
    lastUnpaid: ({context: {messages, updatedAt}}) => awaitsCredits({messages, updatedAt}, updatedAt),
    awaitsCredits: ({context}, credits: CreditsFact) => awaitsCredits(context, credits.at, credits),
    lastAnswered: ({context}) => context.messages.at(-1)?.role === 'assistant',
    foundRunning: ({context}, {output}: {output: RetrievedConversation}) =>
      exchangeAnswer(context, output)?.state === 'running',
    foundFinished: ({context}, {output}: {output: RetrievedConversation}) =>
      exchangeAnswer(context, output)?.state === 'finished',
    foundFailed: ({context}, {output}: {output: RetrievedConversation}) =>
      exchangeAnswer(context, output)?.state === 'failed',
    wasTooLate: (_, {output}: {output: StoppedAnswer}) => output.state === 'finished',
    wasLost: (_, {error}: {error: unknown}) => toFailure(error).lost === true,
    isRefusal: (_, {error}: {error: unknown}) => isRefusal(toFailure(error)),
  },
  actions: {
    planAsk: assign((_, plan: Plan) => ({plan, rejection: undefined, yields: 0})),
    /** What was asked while something still ended comes after it. */
    placePlan: assign(({context}) => ({plan: context.plan && {...context.plan, cut: context.messages.length}})),
    planRepeat: assign(({context}, repeat: Again) => {
      const plan = planOfRepeat(context, repeat)
      return plan === undefined ? {} : {plan, rejection: undefined, yields: 0}
    }),
    planEdit: assign(({context}, edit: {index: number; question: string; key: string; at: number}) => ({
      plan: planOfEdit(context, edit),
      rejection: undefined,
      yields: 0,
    })),
    planFollowUp: assign(({context: {messages}}, {ask, at}: {ask: Ask; at?: number | undefined}) => ({
      plan: {...ask, at, cut: messages.length},
      rejection: undefined,
    })),
    sendToFollowUps: enqueueActions(({enqueue, context}, event: FollowUpsEvent) => {
      enqueue.sendTo(context.followUps, event)
    }),
    reportFollowUps: enqueueActions(({enqueue, context}, {isOwn}: {isOwn: boolean}) => {
      const {parentRef, exchange, plan, followUps} = context
      const runs = exchange !== undefined || plan !== undefined || selectIsGoing(followUps.getSnapshot())
      enqueue.sendTo(parentRef, {
        type: 'followUps.changed',
        phase: runs ? 'running' : 'settled',
        isOwn,
        record: recordOf(context),
      })
    }),
    countYield: assign(({context}) => ({yields: context.yields + 1})),
    /** The server's history comes first, with the question that is being answered there; ours waits for its turn. */
    returnQuestion: enqueueActions(({enqueue, context}, {output}: {output: RetrievedConversation}) => {
      const {exchange, messages, model, yields} = context
      const own = lastQuestion(messages)
      if (exchange === undefined || own === undefined) return
      const {question, references, key} = exchange
      const history = {...context, messages: messages.slice(0, own.index), exchange: undefined}
      const merged = mergeConversation(recordOf(history), toRecord(output, model))
      enqueue.sendTo(context.followUps, {type: 'followUp.add', ask: {question, references, key}, at: 0})
      enqueue.assign({
        title: merged.title,
        messages: merged.messages,
        updatedAt: merged.updatedAt,
        exchange: undefined,
        before: undefined,
        ended: undefined,
        yields: isRunning({...merged, followUps: []}) ? 0 : yields + 1,
      })
    }),
    truncate: assign(({context}, {output}: {output: TruncatedConversation}) => afterTruncation(context, output)),
    beginExchange: assign(({context}) => (context.plan === undefined ? {} : beginPlan(context, context.plan))),
    /** The question stands in thread and record before it is sent. */
    announceExchange: assign(({context}) => (context.plan === undefined ? {} : announcePlan(context, context.plan))),
    rejectPlan: assign(({context}) => rejectPlan(context)),
    tellRejected: enqueueActions(({enqueue, context: {key, rejection, parentRef}}) => {
      if (rejection !== undefined)
        enqueue.sendTo(parentRef, {type: 'conversation.rejected', key, failure: rejection.failure})
    }),
    storeStart: assign(({context}, start: Omit<Extract<ConversationEvent, {type: 'answer.started'}>, 'type'>) => ({
      id: context.id ?? start.conversation,
      messages: withQuestionId(context.messages, start.question),
      yields: 0,
      exchange: context.exchange && {
        ...context.exchange,
        message: start.message,
        attempt: start.attempt,
        provider: start.provider ?? context.exchange.provider,
        sandbox: start.sandbox ?? context.exchange.sandbox,
      },
    })),
    appendText: assign(({context}, delta: Delta) => ({
      exchange: context.exchange && appendDelta(context.exchange, delta),
    })),
    countReconnect: assign(({context}) => ({
      exchange: context.exchange && {...context.exchange, reconnects: context.exchange.reconnects + 1},
    })),
    /** `resumes`: a running answer may be streamed on from what is shown. */
    adoptFound: assign(({context}, {output, resumes}: {output: RetrievedConversation; resumes?: boolean}) => {
      const answer = exchangeAnswer(context, output)
      if (context.exchange === undefined || answer === undefined) return {}
      const longest = longerText(context.exchange.answer, answer.text)
      // a stream that goes on after the last delta brings the text that is missing: adopted, it would stand there twice
      const message = answer.message ?? answerId(context.exchange)
      const isResumed =
        resumes === true && answer.state === 'running' && mayResume(context, {...context.exchange, message})
      const text = answer.state !== 'running' ? answer.text : isResumed ? context.exchange.answer : longest
      return {
        exchange: {
          ...context.exchange,
          answer: text,
          // a copy does not say which delta it ends with
          lastSeq: text === context.exchange.answer ? context.exchange.lastSeq : 0,
          reconnects: longest.length > context.exchange.answer.length ? 0 : context.exchange.reconnects,
          message,
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
      yields: 0,
    })),
    clearStops: assign({stops: 0}),
    countStop: assign(({context}) => ({stops: context.stops + 1})),
    /** Port: the server was not told to stop. */
    logStopFailure: (_, _params: {error: unknown}) => unfilledAction('logStopFailure'),
    storeEnd: assign((_, {failure, outcome}: {failure: Failure; outcome?: MessageOutcome}) => ({
      ended: {failure, outcome},
    })),
    storeFoundEnd: assign(({context}, {output}: {output: RetrievedConversation}) => {
      const answer = exchangeAnswer(context, output)
      return {ended: {failure: answer?.failure, outcome: answer?.outcome, isStored: true}}
    }),
    clearEnd: assign({ended: undefined}),
    revive: assign(({context}) => reviveExchange(context.messages, context.model) ?? {}),
    chooseModel: assign((_, {model}: {model: string}) => ({model, failedModel: undefined})),
    storeTitle: assign((_, {title}: {title: string | undefined}) => ({title})),
    storeCapabilities: assign((_, {capabilities}: Pick<ConversationInput, 'capabilities'>) => ({capabilities})),
    mergeHistory: assign(({context}, {record}: Pick<ConversationInput, 'record'>) => {
      const {id, title, messages, updatedAt} = mergeConversation(recordOf(context), record)
      return {id, title, messages, updatedAt}
    }),
    reportChange: enqueueActions(
      ({enqueue, context}, {phase, outcome}: {phase: 'running' | 'settled'; outcome?: MessageOutcome}) => {
        enqueue.sendTo(context.parentRef, {
          type: 'conversation.changed',
          // after a failure they are held
          phase: outcome === undefined && selectIsGoing(context.followUps.getSnapshot()) ? 'running' : phase,
          outcome,
          record: recordOf(context),
        })
      },
    ),
  },
})
