import {assign, enqueueActions, setup} from 'xstate'
import type {MessageOutcome} from '#contract/chat.ts'
import type {AnswerInput} from '#domain/answer.ts'
import {backoffDelay} from '#domain/backoff.ts'
import {toRecord, type Ask} from '#domain/conversation.ts'
import {isRunning} from '#domain/conversation-list.ts'
import {
  answerId,
  appendDelta,
  lastQuestion,
  longerText,
  reopenExchange,
  reviveExchange,
  type Delta,
} from '#domain/exchange.ts'
import type {Failure} from '#domain/failure.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {followUpsMachine, selectIsGoing} from '#machines/follow-ups/follow-ups.machine.ts'
import type {FollowUpsEvent} from '#machines/follow-ups/follow-ups.types.ts'
import {unfilledAction, promisePort, streamPort} from '#machines/lib/ports.ts'
import {conversationGuards} from './conversation.guards.ts'
import {pathShown, visitEnded, withChosen} from './conversation.paths.ts'
import {afterTruncation, announcePlan, beginPlan, rejectPlan, withQuestionId} from './conversation.plans.ts'
import {exchangeAnswer, mayResume, modelAfter, recordOf, settle} from './conversation.rules.ts'
import type {
  AnswerStreamEvent,
  ConversationContext,
  ConversationEvent,
  ConversationInput,
  ConversationTag,
  RetrievedConversation,
  RetrieveInput,
  StopInput,
  StoppedAnswer,
  TruncatedConversation,
  TruncateInput,
} from './conversation.types.ts'

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
  guards: conversationGuards,
  actions: {
    planAsk: assign((_, {plan}: Pick<ConversationContext, 'plan'>) => ({plan, rejection: undefined, yields: 0})),
    dropPlan: assign({plan: undefined}),
    /** A question that was asked while another still ended comes after it. */
    setPlanCut: assign(({context}) => ({plan: context.plan && {...context.plan, cut: context.messages.length}})),
    planFollowUp: assign(({context: {messages}}, {ask, at}: {ask: Ask; at?: number | undefined}) => ({
      plan: {...ask, at, cut: messages.length},
      rejection: undefined,
    })),
    sendToFollowUps: enqueueActions(({enqueue, context}, event: FollowUpsEvent) => {
      enqueue.sendTo(context.followUps, event)
    }),
    reportFollowUps: enqueueActions(({enqueue, context}, {isHeld}: {isHeld?: true}) => {
      const {parentRef, exchange, plan, followUps} = context
      const runs = exchange !== undefined || plan !== undefined || selectIsGoing(followUps.getSnapshot())
      enqueue.sendTo(parentRef, {
        type: 'followUps.changed',
        phase: runs ? 'running' : 'settled',
        isHeld,
        record: recordOf(context),
      })
    }),
    countYield: assign(({context}) => ({yields: context.yields + 1})),
    /** The server's history comes first, with the question that is being answered there; ours waits for its turn. */
    returnQuestion: enqueueActions(({enqueue, context}, {output}: {output: RetrievedConversation}) => {
      const {exchange, messages, model, yields} = context
      const own = lastQuestion(messages)
      if (exchange === undefined || own === undefined) return
      const {question, references, sizes, key} = exchange
      const history = {...context, messages: messages.slice(0, own.index), exchange: undefined}
      const merged = mergeConversation(recordOf(history), toRecord(output, model))
      enqueue.sendTo(context.followUps, {type: 'followUp.add', ask: {question, references, sizes, key}, at: 0})
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
    /** The question and its answer stand in the thread already. */
    dropExchange: assign(({context: {messages}}) => ({
      messages: messages.slice(0, lastQuestion(messages)?.index),
      exchange: undefined,
    })),
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
    /** From now on the question may be sent. */
    noteNetwork: assign(({context: {exchange}}) =>
      exchange?.isHeld ? {exchange: {...exchange, isHeld: undefined}} : {},
    ),
    settleFinished: assign(({context}, {outcome}: {outcome?: MessageOutcome}) =>
      settle(context, {state: 'finished', outcome}),
    ),
    settleFailed: assign(
      ({context}, {outcome, unconfirmed}: {outcome: MessageOutcome; unconfirmed?: true | undefined}) => ({
        ...settle(context, {state: 'failed', outcome, unconfirmed, failure: context.ended?.failure}),
        ended: undefined,
        yields: 0,
      }),
    ),
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
    revive: assign(
      ({context: {messages, model, environment}}) =>
        reviveExchange(messages, model, selectIsOnline(environment.getSnapshot())) ?? {},
    ),
    reopenExchange: assign(({context}) => reopenExchange(context.messages, context.model) ?? {}),
    chooseModel: assign((_, {model}: {model: string}) => ({model, failedModel: undefined})),
    storeTitle: assign((_, {title}: {title: string | undefined}) => ({title})),
    storeCapabilities: assign((_, {capabilities}: Pick<ConversationInput, 'capabilities'>) => ({capabilities})),
    mergeHistory: assign(({context}, {record}: Pick<ConversationInput, 'record'>) => {
      const {id, title, messages, updatedAt} = mergeConversation(recordOf(context), record)
      return {id, title, updatedAt, model: modelAfter(context, record), ...withChosen(context, messages)}
    }),
    showPath: assign(({context}, path: Omit<Extract<ConversationEvent, {type: 'path.show'}>, 'type'>) =>
      pathShown(context, path),
    ),
    endVisit: assign(({context}) => visitEnded(context)),
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
