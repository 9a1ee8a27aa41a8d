import {assign, emit, enqueueActions, setup} from 'xstate'
import type {FeedEvent} from '#domain/answer.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import {
  isSameAnswer,
  joinPieces,
  lastSeqOf,
  pieceAfter,
  type AnswerPiece,
  type AnswerPosition,
} from '#domain/answer-pieces.ts'
import {backoffDelay} from '#domain/backoff.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {streamPort, unfilledAction} from '#machines/lib/ports.ts'
import type {
  AnswerFeedContext,
  AnswerFeedEmitted,
  AnswerFeedEvent,
  AnswerFeedInput,
  Follow,
  PeerEvent,
  PeersFact,
} from './answer-feed.types.ts'

/** So many ended answers are still reported to tabs that open later. */
const mostEnded = 8

const positionOf = ({id, message, attempt, lastSeq}: Follow): AnswerPosition => ({id, message, attempt, lastSeq})

/** Hands each follower its part of some pieces. A follower that lacks deltas before a piece gets none of it. */
function share(follows: readonly Follow[], pieces: readonly AnswerPiece[]) {
  const deliveries: {follower: string; piece: AnswerPiece}[] = []
  const nextFollows = follows.map((follow): Follow => {
    let {lastSeq} = follow
    for (const piece of pieces) {
      const rest = isSameAnswer(piece, follow) ? pieceAfter(piece, lastSeq) : undefined
      if (rest === undefined) continue
      const isBegin = lastSeq === 0 && rest.provider !== undefined
      if (rest.texts.length > 0 || rest.end !== undefined || isBegin)
        deliveries.push({follower: follow.follower, piece: rest})
      lastSeq = lastSeqOf(rest)
    }
    return {...follow, lastSeq}
  })
  return {follows: nextFollows, delivered: deliveries}
}

/** The message by which a tab asks the leader for deltas after these positions. */
export const question = ({follows}: AnswerFeedContext): PeerEvent => ({
  type: 'peer.asked',
  answers: follows.map(positionOf),
})

/** The pieces that the leader has after the positions of another tab. */
export const carriedAfter = (context: AnswerFeedContext, answers: readonly AnswerPosition[]): AnswerPiece[] =>
  answers.flatMap((position) => {
    const carriedPiece = context.carried.find((piece) => isSameAnswer(piece, position))
    const rest = carriedPiece && pieceAfter(carriedPiece, position.lastSeq)
    return rest !== undefined && (rest.texts.length > 0 || rest.end !== undefined) ? [rest] : []
  })

/** Ports, guards, delays and actions of the feed. */
export const answerFeedSetup = setup({
  types: {
    input: {} as AnswerFeedInput,
    context: {} as AnswerFeedContext,
    events: {} as AnswerFeedEvent,
    emitted: {} as AnswerFeedEmitted,
    tags: {} as 'leading',
  },
  actors: {
    environmentChanges,
    /** One tab at a time for each user. */
    leadership: streamPort<LeadershipFact, {userId: string}>('leadership'),
    /** `peers.ready` comes first: a message before it is lost. */
    peers: streamPort<PeersFact | PeerEvent, {userId: string}>('peers'),
    followStream: streamPort<FeedEvent>('followStream'),
  },
  delays: {
    silence: 20_000,
    offlineDeadline: 60_000,
    feedBackoff: ({context}) => backoffDelay(context.failures, 0.5),
  },
  guards: {
    isFollowing: ({context}) => context.follows.length > 0,
    /** No conversation here follows, and none of the stream's answers is running. */
    isNothing: ({context}) => context.follows.length === 0 && context.carried.every(({end}) => end !== undefined),
    /** Deltas are missing between a follower's position and these pieces. */
    isGap: ({context}, {pieces}: {pieces: readonly AnswerPiece[]}) =>
      share(context.follows, pieces).follows.some((follow) =>
        pieces.some((piece) => isSameAnswer(piece, follow) && pieceAfter(piece, follow.lastSeq) === undefined),
      ),
    hasCarried: ({context}, {answers}: {answers: readonly AnswerPosition[]}) =>
      carriedAfter(context, answers).length > 0,
    isOffline: ({context}) => !selectIsOnline(context.environment.getSnapshot()),
  },
  actions: {
    storeFollow: assign(({context}, {follower, answer}: {follower: string; answer: AnswerPosition}) => ({
      follows: [...context.follows, {...answer, follower}],
    })),
    dropFollow: assign(({context}, {follower}: {follower: string}) => ({
      follows: context.follows.filter((follow) => follow.follower !== follower),
    })),
    forgetCarried: assign({carried: []}),
    forgiveFailures: assign({failures: 0}),
    countFailure: assign(({context}) => ({failures: context.failures + 1})),
    emitOpened: emit({type: 'feed.opened'}),
    emitDisconnected: emit({type: 'feed.disconnected'}),
    deliver: enqueueActions(({enqueue, context}, {pieces}: {pieces: readonly AnswerPiece[]}) => {
      const {follows, delivered} = share(context.follows, pieces)
      enqueue.assign({follows})
      for (const {follower, piece} of delivered) enqueue.emit({type: 'feed.delivered', follower, piece})
    }),
    carry: assign(({context}, {pieces}: {pieces: readonly AnswerPiece[]}) => ({
      carried: joinPieces(context.carried, pieces, mostEnded),
    })),
    /** Port: a message to the other tabs of this browser and user. */
    sendToPeers: (_, _params: PeerEvent) => unfilledAction('sendToPeers'),
  },
})
