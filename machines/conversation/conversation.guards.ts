import type {MessageOutcome} from '#contract/chat.ts'
import type {ChatCapability} from '#contract/management.ts'
import {backoff} from '#domain/backoff.ts'
import {awaitsCredits} from '#domain/conversation.ts'
import type {CreditsFact} from '#domain/credits.ts'
import {isDeltaGap, isNextDelta, mayBeStored, type Delta} from '#domain/exchange.ts'
import {isRefusal, isUnapplied, toFailure} from '#domain/failure.ts'
import {pathEnd} from '#domain/versions.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {selectIsGoing, selectIsPromised, selectItems} from '#machines/follow-ups/follow-ups.machine.ts'
import {planOfRepeat} from './conversation.plans.ts'
import {answeredIn, exchangeAnswer, mayRepeat, mayResume, mustTruncate, replacedIn} from './conversation.rules.ts'
import type {ConversationContext, RepeatPosition, RetrievedConversation, StoppedAnswer} from './conversation.types.ts'

/** A stop is repeated for as long as a user would wait for the composer, no longer. */
const mostStops = 3

type GuardArgs = {context: ConversationContext}

const isHeld = ({context: {exchange}}: GuardArgs) => exchange?.isHeld === true && exchange.message === undefined
/** Asked without a network, and stopped in vain as often as that is tried. */
const isUnsent = ({context}: GuardArgs) => isHeld({context}) && context.stops >= mostStops
const isOffline = ({context}: GuardArgs) => !selectIsOnline(context.environment.getSnapshot())

/** The guards of the conversation chart. */
export const conversationGuards = {
  hasText: (_: GuardArgs, {question}: {question: string}) => question.trim() !== '',
  /** Questions wait that come first. */
  mustWait: ({context}: GuardArgs, {question}: {question: string}) =>
    question.trim() !== '' && selectIsGoing(context.followUps.getSnapshot()),
  /** Another page's question is being answered: the server took none of ours. */
  isOccupied: ({context}: GuardArgs) =>
    context.id !== undefined &&
    context.exchange !== undefined &&
    context.exchange.message === undefined &&
    context.exchange.answer === '' &&
    replacedIn(context, context.exchange) === undefined &&
    answeredIn(context, context.exchange) === undefined &&
    pathEnd(context.messages) === undefined &&
    context.ended?.failure?.status === 409 &&
    context.ended.failure.code === 'duplication',
  mayYield: ({context}: GuardArgs) => context.yields < backoff.attempts,
  /** No server has what the question replaces. */
  isNew: ({context: {before}}: GuardArgs) => !mayBeStored(before?.messages.slice(before.plan.cut) ?? []),
  /** The deletions before the question have not ended. */
  isUnasked: ({context}: GuardArgs) => context.before !== undefined,
  /** The page was left before the deletions before the question had ended. */
  isAnnounced: ({context}: GuardArgs) => context.exchange?.message === undefined && mustTruncate(context),
  isVisiting: ({context}: GuardArgs) => context.visit !== undefined,
  hasPlan: ({context}: GuardArgs) => context.plan !== undefined,
  /**
   * A deleted question is not asked again. An earlier answer becomes a version, so that nothing behind it is cut off,
   * and no question waits for its turn behind what would be left.
   */
  isRepeatable: ({context}: GuardArgs, {end}: RepeatPosition) => {
    const plan = planOfRepeat(context, {key: '', end})
    if (end === undefined) return plan !== undefined
    return (
      plan?.versions !== undefined &&
      plan.isStanding === true &&
      plan.cut === end - 1 &&
      selectItems(context.followUps.getSnapshot()).length === 0
    )
  },
  isEditable: ({context}: GuardArgs, {index, question}: {index: number; question: string}) =>
    question.trim() !== '' && context.messages[index]?.role === 'user',
  mustTruncate: ({context}: GuardArgs) => mustTruncate(context),
  isStart: ({context}: GuardArgs, event: {conversation?: string; message: string; attempt: number}) => {
    const {exchange, id} = context
    if (exchange === undefined) return false
    if (id !== undefined && event.conversation !== undefined && event.conversation !== id) return false
    return exchange.message === undefined || (event.message === exchange.message && event.attempt === exchange.attempt)
  },
  /** The thread has the answer: a question that was sent before, with its key. */
  isThere: ({context: {messages}}: GuardArgs, {message}: {message: string}) => messages.some(({id}) => id === message),
  isNext: ({context}: GuardArgs, delta: Delta) => isNextDelta(context.exchange, context.id, delta),
  isGap: ({context}: GuardArgs, delta: Delta) => isDeltaGap(context.exchange, context.id, delta),
  isLost: ({context}: GuardArgs) => context.ended?.failure?.lost === true,
  isUsedUp: ({context}: GuardArgs) => context.ended?.failure?.code === 'used_up',
  lacksApplication: ({context}: GuardArgs) =>
    context.ended?.failure !== undefined && isUnapplied(context.ended.failure),
  isResuming: ({context}: GuardArgs) =>
    context.ended?.outcome === undefined && context.exchange !== undefined && mayResume(context, context.exchange),
  /** The server said in the stream that it cut the answer off; its copy was not read. */
  wasCutOff: ({context: {ended, id, exchange}}: GuardArgs) =>
    ended?.outcome === 'interrupted' && ended.isStored !== true && id !== undefined && exchange?.message !== undefined,
  endedAs: ({context}: GuardArgs, {outcome}: {outcome: MessageOutcome}) => context.ended?.outcome === outcome,
  /** Without a name the conversation's latest answer is stopped: another one, if the server took none of ours. */
  canCommandStop: ({context}: GuardArgs) =>
    context.id !== undefined &&
    context.capabilities.includes('stop') &&
    (context.exchange === undefined || !mayRepeat(context, context.exchange)),
  /** The answer has no name yet; the same request with the same key is given it. */
  canNameAnswer: ({context}: GuardArgs) =>
    context.capabilities.includes('stop') && context.exchange !== undefined && mayRepeat(context, context.exchange),
  canResume: ({context}: GuardArgs) => context.exchange !== undefined && mayResume(context, context.exchange),
  /** The server has named conversation and answer: they can be looked for. */
  isNamed: ({context}: GuardArgs) => context.id !== undefined && context.exchange?.message !== undefined,
  canFollow: ({context}: GuardArgs) =>
    context.id !== undefined && context.exchange?.message !== undefined && context.capabilities.includes('follow'),
  /** The server goes on with an answer, but shares no stream of all. */
  canStream: ({context}: GuardArgs, {output}: {output: RetrievedConversation}) =>
    exchangeAnswer(context, output)?.state === 'running' &&
    !context.capabilities.includes('follow') &&
    context.exchange !== undefined &&
    mayResume(context, context.exchange),
  canRepeat: ({context}: GuardArgs) => context.exchange !== undefined && mayRepeat(context, context.exchange),
  /** The answer waits for a slot, although the service can report it through the shared stream. */
  waitsInVain: ({context}: GuardArgs, {until}: {until: 'named' | 'ended'}) =>
    until === 'ended' && context.capabilities.includes('follow'),
  beginsToFollow: ({context}: GuardArgs, {capabilities}: {capabilities: readonly ChatCapability[]}) =>
    capabilities.includes('follow') && !context.capabilities.includes('follow'),
  canRetrieve: ({context}: GuardArgs) => context.id !== undefined,
  /** Asked without a network: where no request of it gets through, no server has it. */
  isHeld,
  isUnsent,
  isAwaited: ({context}: GuardArgs) => selectIsPromised(context.followUps.getSnapshot()),
  offersStop: ({context}: GuardArgs) => context.capabilities.includes('stop'),
  isStopExhausted: ({context}: GuardArgs) => context.stops >= mostStops,
  isOffline,
  /** A question that may be there is stopped when the network is back; one that was never sent would go out then. */
  waitsToStop: ({context}: GuardArgs) => isOffline({context}) && !isUnsent({context}),
  isExhausted: ({context}: GuardArgs) => (context.exchange?.reconnects ?? backoff.attempts) >= backoff.attempts,
  hasExchange: ({context}: GuardArgs) => context.exchange !== undefined,
  lastEnded: ({context}: GuardArgs, {outcome, unconfirmed}: {outcome: MessageOutcome; unconfirmed?: true}) => {
    const last = context.messages.at(-1)
    return (
      last?.state === 'failed' &&
      (last.outcome ?? 'interrupted') === outcome &&
      (unconfirmed ?? last.unconfirmed) === last.unconfirmed
    )
  },
  lastUnpaid: ({context: {messages, updatedAt}}: GuardArgs) => awaitsCredits({messages, updatedAt}, updatedAt),
  awaitsCredits: ({context}: GuardArgs, credits: CreditsFact) => awaitsCredits(context, credits.at, credits),
  lastAnswered: ({context}: GuardArgs) => context.messages.at(-1)?.role === 'assistant',
  foundRunning: ({context}: GuardArgs, {output}: {output: RetrievedConversation}) =>
    exchangeAnswer(context, output)?.state === 'running',
  foundFinished: ({context}: GuardArgs, {output}: {output: RetrievedConversation}) =>
    exchangeAnswer(context, output)?.state === 'finished',
  foundFailed: ({context}: GuardArgs, {output}: {output: RetrievedConversation}) =>
    exchangeAnswer(context, output)?.state === 'failed',
  wasTooLate: (_: GuardArgs, {output}: {output: StoppedAnswer}) => output.state === 'finished',
  wasLost: (_: GuardArgs, {error}: {error: unknown}) => toFailure(error).lost === true,
  wasAnswered: (_: GuardArgs, {error}: {error: unknown}) => toFailure(error).lost !== true,
  isRefusal: (_: GuardArgs, {error}: {error: unknown}) => isRefusal(toFailure(error)),
}
