import {merge, NEVER, Observable, of} from 'rxjs'
import {fromEventObservable, type AnyActorRef} from 'xstate'
import type {AnswerChannel} from '#browser/answer-channel.ts'
import type {AnswerEvent, AnswerInput, FeedEvent} from '#domain/answer.ts'
import {lastSeqOf, type AnswerPiece} from '#domain/answer-pieces.ts'
import {toFailure} from '#domain/failure.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import {answerFeedMachine, type AnswerFeedActor} from '#machines/answer-feed/answer-feed.machine.ts'
import type {PeerEvent, PeersFact} from '#machines/answer-feed/answer-feed.types.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {SessionActor} from '#machines/session/session.machine.ts'
import {openPart} from './open-part.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'

type ByUser = {input: {userId: string}}

/** Fills the feed: the queue of tabs, the stream that one of them holds, word to the others. */
const createAnswerFeedLogic = ({leadership, log}: RootDeps, {chat}: Services, channel: AnswerChannel) =>
  answerFeedMachine.provide({
    actors: {
      leadership: fromEventObservable<LeadershipFact, {userId: string}>(({input}: ByUser) =>
        leadership(`atrium.answers.${input.userId}`, {isClaiming: false}),
      ),
      // the channel is open once it is subscribed to
      peers: fromEventObservable<PeersFact | PeerEvent, {userId: string}>(({input}: ByUser) =>
        merge(channel.words$(input.userId), of({type: 'peers.ready'} as const)),
      ),
      followStream: fromEventObservable<FeedEvent, undefined>(() => chat.follow$()),
    },
    actions: {
      sendToPeers: ({context}, peerMessage) => {
        try {
          channel.tell(context.userId, peerMessage)
        } catch (error) {
          log('The other tabs were not told of an answer', {...toFailure(error)})
        }
      },
    },
  })

/** The stream of answers that all tabs of the user share, a part of the session; undefined once that has ended. */
export const openFeed =
  (deps: RootDeps, services: Services, channel: AnswerChannel) =>
  (system: AnyActorRef['system']): AnswerFeedActor | undefined => {
    const session = findActor<SessionActor>(system, 'session')
    if (session === undefined) return undefined
    const {user, environment} = session.getSnapshot().context
    const machine = createAnswerFeedLogic(deps, services, channel)
    return openPart(system, 'answerFeed', () => ({machine, input: {userId: user.id, environment}}))
  }

function eventsOf({id, message, attempt, from, texts, provider, sandbox, end, ...rest}: AnswerPiece): AnswerEvent[] {
  const name = {conversation: id, message, attempt}
  const piece = {id, message, attempt, from, texts, ...rest}
  const events: AnswerEvent[] = []
  if (provider !== undefined)
    events.push({type: 'answer.started', ...name, provider, ...(sandbox === undefined ? {} : {sandbox})})
  if (texts.length > 0)
    events.push({type: 'answer.received', ...name, from, seq: lastSeqOf(piece), text: texts.join('')})
  if (end?.state === 'finished')
    events.push({type: 'answer.completed', ...(end.outcome === undefined ? {} : {outcome: end.outcome})})
  if (end?.state === 'failed') {
    const {error, outcome} = end
    const failure = {code: error?.code ?? 'unknown', detail: error?.message ?? ''}
    events.push({type: 'answer.failed', failure, ...(outcome === undefined ? {} : {outcome})})
  }
  return events
}

/** One answer of the feed: from where the conversation stands on, each delta once. */
export const followed$ = (
  feed: AnswerFeedActor | undefined,
  follower: string,
  {conversation: id, exchange: {message, attempt, lastSeq}}: AnswerInput,
): Observable<AnswerEvent> =>
  feed === undefined || id === undefined
    ? NEVER
    : new Observable((subscriber) => {
        const opening = feed.on('feed.opened', () => subscriber.next({type: 'answer.connected'}))
        const disconnection = feed.on('feed.disconnected', () => subscriber.next({type: 'answer.disconnected'}))
        const delivery = feed.on('feed.delivered', (fact) => {
          if (fact.follower === follower) for (const event of eventsOf(fact.piece)) subscriber.next(event)
        })
        feed.send({type: 'answer.follow', follower, answer: {id, message, attempt, lastSeq}})
        return () => {
          opening.unsubscribe()
          disconnection.unsubscribe()
          delivery.unsubscribe()
          if (feed.getSnapshot().status === 'active') feed.send({type: 'answer.leave', follower})
        }
      })
