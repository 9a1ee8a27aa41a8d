import {defer, mergeMap} from 'rxjs'
import {enqueueActions, fromEventObservable, fromPromise} from 'xstate'
import type {LeadershipFact} from '#domain/leadership.ts'
import {toFailure} from '#domain/failure.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
  type ConversationPageInput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {namingMachine} from '#machines/conversation-list/naming.machine.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {
  RetrievedConversation,
  RetrieveInput,
  StopInput,
  StoppedAnswer,
  TruncatedConversation,
  TruncateInput,
} from '#machines/conversation/conversation.types.ts'
import {followUpsMachine} from '#machines/follow-ups/follow-ups.machine.ts'
import type {Claim} from '#machines/follow-ups/follow-ups.types.ts'
import type {NewNotice, Notice, NoticeAct, NoticesActor, NoticesEvent} from '#machines/notices/notices.machine.ts'
import {sessionMachine} from '#machines/session/session.machine.ts'
import type {ListFact, StoredSession} from '#machines/session/session.types.ts'
import type {RunningTool} from '#machines/tasks/tasks.types.ts'
import {lazyModule} from '#ui/use-lazy.ts'
import {createAnswerStreams} from './answer-streams.logic.ts'
import {defaultModel, findIn} from './find-conversation.ts'
import type {LazyMedia} from './lazy-media.ts'
import {createProvisioningLogic} from './provisioning.logic.ts'
import {partLogic} from './part-choices.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'
import {createRemover} from './remove-conversations.ts'
import {readStoredSession} from './stored-session.ts'

type ToNotices = {sendTo: (notices: NoticesActor, event: NoticesEvent) => void}
type SessionLookup = {
  notices: () => NoticesActor | undefined
  userId: () => string | undefined
  capabilities: () => readonly string[]
}

const listFailures: Record<Extract<ListFact, {type: 'list.failed'}>['kind'], Notice['textId']> = {
  rename: 'chat.renameFailed',
  mark: 'chat.markFailed',
  remove: 'chat.deleteFailed',
  restore: 'chat.restoreFailed',
  retry: 'chat.retryFailed',
}

/** A notice about the same stands in its place. */
const aboutId = ({about}: {type: string; about?: string}): Pick<NewNotice, 'id'> =>
  about === undefined ? {} : {id: about}

const claims = lazyModule(() => import('./claim-follow-up.ts'))

/** For the part that makes such changes. */
const actOf = (event: NoticeAct['event']): NoticeAct => ({
  to: 'keys' in event ? 'conversations' : 'conversationChanges',
  event,
})

type StreamPorts = ReturnType<typeof createAnswerStreams>

function createConversationLogic(deps: RootDeps, {chat, clock}: Services, streams: StreamPorts) {
  const queueOf = (port: 'hold$' | 'turn$') =>
    fromEventObservable<LeadershipFact, {key: string}>(({input, system}) =>
      defer(() => claims.load()).pipe(mergeMap((ports) => ports[port](deps, system, input.key))),
    )
  const turnOf = queueOf('turn$')
  return conversationMachine.provide({
    actors: {
      followUps: followUpsMachine.provide({
        actors: {
          claimFollowUp: fromPromise<Claim, {key: string}>(async ({input, system}) =>
            (await claims.load()).claim({...deps, clock}, system, input.key),
          ),
          holdFollowUp: queueOf('hold$'),
          holdTurn: turnOf,
          turnHolder: turnOf,
        },
      }),
      ...streams,
      stopAnswer: fromPromise<StoppedAnswer, StopInput>(({input, signal}) => chat.stop(input, signal)),
      retrieveConversation: fromPromise<RetrievedConversation, RetrieveInput>(({input, signal}) =>
        chat.retrieve(input, signal),
      ),
      truncateConversation: fromPromise<TruncatedConversation, TruncateInput>(
        ({input: {conversation, ...history}, signal}) => chat.cutHistory({id: conversation, ...history}, signal),
      ),
    },
    actions: {logStopFailure: (_, {error}) => deps.log('The server was not told to stop', {...toFailure(error)})},
  })
}

function createConversationListLogic(deps: RootDeps, services: Services, lookup: SessionLookup) {
  const {chat} = services
  const streams = createAnswerStreams(deps, services, () => lookup.userId() ?? '')
  const removeSoon = createRemover({
    remove: (ids, keepsAlive) => chat.remove(ids, keepsAlive),
    takesSeveral: () => lookup.capabilities().includes('marks'),
  })
  const find = findIn(chat)
  return conversationListMachine.provide({
    actors: {
      pages: conversationPagesMachine.provide({
        actors: {
          getConversations: fromPromise<ConversationPage, ConversationPageInput>(({input, signal}) =>
            chat.retrievePage({...input, model: defaultModel, capabilities: lookup.capabilities()}, signal),
          ),
        },
      }),
      conversation: createConversationLogic(deps, services, streams),
      finding: findingMachine.provide(find),
      naming: namingMachine.provide(find),
      removal: removalMachine.provide({
        actors: {
          remove: fromPromise<void, {id: string}>(({input}) => removeSoon(input.id)),
        },
      }),
    },
  })
}

/** The tools in which the server makes something for the user, where the platform offers to say so. */
async function findRunning(
  {config, loadTools}: RootDeps,
  {management}: Services,
  signal: AbortSignal,
): Promise<RunningTool[]> {
  if (!config.capabilities.includes('running')) return []
  const {items} = await management.runningTasks(signal)
  // while nothing runs, nothing is loaded
  const {identities} = items.length === 0 ? {identities: []} : await loadTools()
  return identities.flatMap(({id, service: own}) => {
    const running = items.filter(({service}) => service === own)
    return running.length === 0 ? [] : [{tool: id, running}]
  })
}

/** Fills the ports of `session` and of all below it: provisioning, the list, its conversations. */
export function createSessionLogic(deps: RootDeps, services: Services, lookup: SessionLookup, media: LazyMedia) {
  // enqueued, never sent inside an action: the toasts would run within it, and their own actions warn of that
  const show = (enqueue: ToNotices, {id = deps.createUuid(), ...notice}: NewNotice) => {
    const notices = lookup.notices()
    if (notices !== undefined) enqueue.sendTo(notices, {type: 'notice.show', notice: {id, ...notice}})
  }
  return sessionMachine.provide({
    actors: {
      readStored: fromPromise<StoredSession, {userId: string}>(({input}) => readStoredSession(deps, input.userId)),
      provisioning: createProvisioningLogic(deps, services),
      conversations: createConversationListLogic(deps, services, lookup),
      loadMedia: fromPromise<void, undefined>(() => media.load()),
      loadPlayer: fromPromise<void, undefined>(() => media.loadPlayer()),
      findRunning: fromPromise<RunningTool[], undefined>(({signal}) => findRunning(deps, services, signal)),
      tasks: media.tasks,
      player: media.player,
      part: partLogic,
    },
    actions: {
      logUnread: (_, {error}) => deps.log('What this browser kept could not be read', {...toFailure(error)}),
      logCrash: (_, {child, error}) => deps.log('A part of the session broke', {child, error: String(error)}),
      showApplied: enqueueActions(({enqueue}, {isNew}) =>
        show(enqueue, {
          kind: isNew ? 'success' : 'info',
          textId: isNew ? 'application.applied' : 'api.duplication',
        }),
      ),
      showUndoable: enqueueActions(({enqueue}, {count, undo, ...fact}) =>
        show(enqueue, {
          id: fact.about,
          kind: 'info',
          textId: 'textId' in fact ? fact.textId : 'chat.conversationDeleted',
          values: {count},
          undo: actOf(undo),
        }),
      ),
      showTaskFact: enqueueActions(({enqueue}, fact) => {
        const notice = media.logic()?.noticeOf(fact)
        if (notice !== undefined) show(enqueue, notice)
      }),
      showListFailure: enqueueActions(({enqueue}, {kind, again, ...fact}) =>
        show(enqueue, {
          ...aboutId(fact),
          kind: 'error',
          textId: listFailures[kind],
          ...('count' in fact && {values: {count: fact.count}}),
          ...(again && {again: actOf(again)}),
        }),
      ),
    },
  })
}
