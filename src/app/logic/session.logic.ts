import {enqueueActions, fromEventObservable, fromPromise} from 'xstate'
import type {Observable} from 'rxjs'
import type {Application, Credential, Service} from '#contract/management.ts'
import {toRecord, type ConversationRecord} from '#domain/conversation.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {renamingMachine} from '#machines/conversation-list/renaming.machine.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {
  AnswerEvent,
  AnswerInput,
  RetrievedConversation,
  RetrieveInput,
  StopInput,
  StoppedAnswer,
  TruncateInput,
} from '#machines/conversation/conversation.types.ts'
import type {Notice, NoticesActor, NoticesEvent} from '#machines/notices/notices.machine.ts'
import {provisioningMachine, type ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {ApplicationsInput, ApplicationsOutput} from '#machines/provisioning/provisioning.types.ts'
import {sessionMachine} from '#machines/session/session.machine.ts'
import type {StoredSession} from '#machines/session/session.types.ts'
import {globalApplicationsQuery} from '#domain/application-queries.ts'
import {renewCredential} from './renew-credential.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'
import {readStoredSession} from './stored-session.ts'

type ToNotices = {sendTo: (notices: NoticesActor, event: NoticesEvent) => void}
type Lookup = {provisioning: () => ProvisioningActor | undefined; notices: () => NoticesActor | undefined}

const defaultModel = 'gpt-4o'

function createProvisioningLogic({timers, log}: RootDeps, {management}: Services) {
  return provisioningMachine.provide({
    actors: {
      getService: fromPromise<Service, {serviceId: string}>(({input, signal}) =>
        management.services.get(input.serviceId, signal),
      ),
      getApplications: fromPromise<ApplicationsOutput, ApplicationsInput>(async ({input, signal}) => {
        const {userId, serviceId} = input
        const [general, individual] = await Promise.all([
          management.applications.list(globalApplicationsQuery(userId), signal),
          management.applications.list({user_id: userId, service_id: serviceId}, signal),
        ])
        const own = individual.items.filter(({id}) => general.items.every((other) => other.id !== id))
        return {applications: [...general.items, ...own], now: timers.now()}
      }),
      applyForApplication: fromPromise<Application, {userId: string}>(({input, signal}) =>
        management.applications.create({type: 'Usage', scope: 'Global', user_id: input.userId}, signal),
      ),
      createCredential: fromPromise<Credential, {applicationId: string; host: string}>(({input, signal}) =>
        management.credentials.create({application_id: input.applicationId, host: input.host}, signal),
      ),
    },
    actions: {logMissingApplication: () => log('Application not found')},
  })
}

function createConversationLogic({chat}: Services, lookup: Lookup) {
  return conversationMachine.provide({
    actors: {
      answerStream: fromEventObservable<AnswerEvent, AnswerInput>(({input}): Observable<AnswerEvent> =>
        chat.answer$(input),
      ),
      stopAnswer: fromPromise<StoppedAnswer, StopInput>(({input, signal}) => chat.stop(input, signal)),
      retrieveConversation: fromPromise<RetrievedConversation, RetrieveInput>(({input, signal}) =>
        chat.retrieve(input, signal),
      ),
      truncateConversation: fromPromise<void, TruncateInput>(({input, signal}) =>
        chat.update(input.conversation, {messages: input.messages}, signal),
      ),
      renewCredential: fromPromise<void, undefined>(({signal}) => renewCredential(lookup.provisioning(), signal)),
    },
  })
}

function createConversationListLogic(services: Services, lookup: Lookup) {
  const {chat} = services
  return conversationListMachine.provide({
    actors: {
      getConversations: fromPromise<ConversationRecord[], {userId: string}>(async ({input, signal}) => {
        const conversations = await chat.retrieveAll({userId: input.userId}, signal)
        return conversations.map((item) => toRecord(item, defaultModel))
      }),
      conversation: createConversationLogic(services, lookup),
      finding: findingMachine.provide({
        actors: {
          findConversation: fromPromise<ConversationRecord, {key: string}>(async ({input, signal}) =>
            toRecord(await chat.retrieve({conversation: input.key}, signal), defaultModel),
          ),
        },
      }),
      removal: removalMachine.provide({
        actors: {
          remove: fromPromise<void, {id: string}>(({input, signal}) => chat.remove(input.id, signal)),
        },
      }),
      renaming: renamingMachine.provide({
        actors: {
          renameConversation: fromPromise<void, {conversation: string; title: string}>(({input, signal}) =>
            chat.update(input.conversation, {title: input.title}, signal),
          ),
        },
      }),
    },
  })
}

/** Fills the ports of `session` and of all below it: provisioning, the list, its conversations. */
export function createSessionLogic(deps: RootDeps, services: Services, lookup: Lookup) {
  // enqueued, never sent inside an action: the toasts would run within it, and their own actions warn of that
  const show = (enqueue: ToNotices, notice: Omit<Notice, 'id'>, id = deps.createUuid()) => {
    const notices = lookup.notices()
    if (notices !== undefined) enqueue.sendTo(notices, {type: 'notice.show', notice: {id, ...notice}})
  }
  return sessionMachine.provide({
    actors: {
      readStored: fromPromise<StoredSession, {userId: string}>(({input}) => readStoredSession(deps, input.userId)),
      provisioning: createProvisioningLogic(deps, services),
      conversations: createConversationListLogic(services, lookup),
    },
    actions: {
      logCrash: (_, {child, error}) => deps.log('A part of the session broke', {child, error: String(error)}),
      showApplied: enqueueActions(({enqueue}, {isNew}) =>
        show(enqueue, {
          kind: isNew ? 'success' : 'info',
          textId: isNew ? 'application.applied' : 'application.alreadyApplied',
        }),
      ),
      showRemoved: enqueueActions(({enqueue}, {key}) =>
        show(
          enqueue,
          {
            kind: 'info',
            textId: 'chat.conversationDeleted',
            undo: {to: 'conversations', event: {type: 'conversation.restore', key}},
          },
          `removed/${key}`,
        ),
      ),
      showListFailure: enqueueActions(({enqueue}, {kind, failure}) =>
        show(enqueue, {
          kind: 'error',
          textId: kind === 'rename' ? 'chat.renameFailed' : 'chat.deleteFailed',
          values: {code: failure.code},
        }),
      ),
    },
  })
}
