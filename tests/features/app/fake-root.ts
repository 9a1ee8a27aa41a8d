import {createActor, fromPromise} from 'xstate'
import {partLogic} from '#app/logic/part-choices.ts'
import {type Application, type Credential, type Service, type Site, type User} from '#contract/management.ts'
import {type ConversationRecord} from '#domain/conversation.ts'
import {type LoginReturn} from '#domain/login-return.ts'
import {type SessionToken} from '#domain/session-token.ts'
import {appMachine, type AppActor} from '#machines/app/app.machine.ts'
import {authMachine} from '#machines/auth/auth.machine.ts'
import {type LoginCode, type LoginInput, type LoginStart} from '#machines/auth/auth.types.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
  type ConversationPageInput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {preferencesMachine} from '#machines/preferences/preferences.machine.ts'
import {provisioningMachine} from '#machines/provisioning/provisioning.machine.ts'
import {type ApplicationsInput, type ApplicationsOutput} from '#machines/provisioning/provisioning.types.ts'
import {sessionMachine} from '#machines/session/session.machine.ts'
import {type StoredSession} from '#machines/session/session.types.ts'
import {siteMachine} from '#machines/site/site.machine.ts'
import {startupMachine} from '#machines/startup/startup.machine.ts'
import {type PreparedPage} from '#machines/startup/startup.types.ts'
import {environmentLogic} from '../../machines/environment-fixture.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'

export const general: Application = {
  id: 'general',
  type: 'Usage',
  scope: 'Global',
  remaining_amount: 12.5,
  credentials: [{id: 'key', host: 'http://localhost', token: 'foo'}],
}
const token: SessionToken = {access: 'foo', expiration: 900, receivedAt: 0, refreshAt: 0}

export type World = {
  /** The signed-in user; a visitor if left out. */
  user?: User
  site?: Site
  service?: Service
  conversations?: ConversationRecord[]
  /** The applications that the server lists, call by call; the last list stays. */
  applications?: Application[][]
  apply?: () => Promise<Application>
  flow?: 'redirect' | 'popup'
  startLogin?: (input: LoginInput) => LoginStart
  /** A code in the address that the auth service refuses. */
  refusedCode?: boolean
  loadSite?: () => Promise<void>
}

/** The real charts of the whole client on a world the test describes; no network, no storage, no timers of its own. */
export function startRoot(world: World = {}): AppActor {
  const lists = [...(world.applications ?? [[general]])]
  const site: Site = {id: 'site', origin: 'http://localhost', title: 'Foo', ...world.site}
  const root = createActor(
    appMachine.provide({
      actions: {
        // no part of the client breaks in these tests
        logCrash: (_, {error}) => {
          throw error
        },
      },
      actors: {
        startup: startupMachine.provide({
          actors: {
            preparePage: fromPromise<PreparedPage, undefined>(async () =>
              world.refusedCode === true ? {code: {code: 'foo', state: 'bar'}} : {},
            ),
            findFingerprint: fromPromise<void, undefined>(async () => {}),
          },
        }),
        environment: environmentLogic,
        auth: authMachine.provide({
          actions: {forgetAccess: () => undefined},
          actors: {
            claimCode: fromPromise<LoginCode | undefined, LoginReturn>(async ({input: {code}}) => ({
              code,
              isOurs: true,
            })),
            exchangeCode: fromPromise<SessionToken, LoginCode>(() =>
              Promise.reject(Object.assign(new Error('no'), {status: 400, code: 'bad_request', detail: 'no'})),
            ),
            fetchUser: fromPromise<User, {access: string}>(async () => world.user ?? {id: 'nobody'}),
            endSession: fromPromise<{epoch: number}, {token?: SessionToken}>(async () => ({epoch: 1})),
            startLogin: fromPromise<LoginStart, LoginInput>(
              async ({input}) => world.startLogin?.(input) ?? {kind: 'leaving'},
            ),
          },
        }),
        site: siteMachine.provide({
          actions: {applySite: () => undefined, requestLogin: () => undefined},
          actors: {
            getSite: fromPromise<Site | undefined, {origin: string}>(async () => {
              await world.loadSite?.()
              return site
            }),
          },
        }),
        preferences: preferencesMachine.provide({
          actions: {applyLocale: () => undefined, applyTheme: () => undefined},
        }),
        session: sessionMachine.provide({
          actions: {showApplied: () => undefined, showUndoable: () => undefined},
          actors: {
            part: partLogic,
            readStored: fromPromise<StoredSession, {userId: string}>(async () => ({conversations: [], tools: []})),
            provisioning: provisioningMachine.provide({
              actors: {
                getService: fromPromise<Service, {serviceId: string}>(async () => world.service ?? {id: 'chat'}),
                getApplications: fromPromise<ApplicationsOutput, ApplicationsInput>(async () => ({
                  applications: (lists.length > 1 ? lists.shift() : lists[0]) ?? [],
                  now: 0,
                })),
                applyForApplication: fromPromise<Application, {userId: string}>(
                  () => world.apply?.() ?? Promise.resolve(general),
                ),
                createCredential: fromPromise<Credential, {applicationId: string; host: string}>(async () => ({
                  id: 'key',
                  token: 'foo',
                })),
              },
            }),
            conversations: conversationListMachine.provide({
              actors: {
                pages: conversationPagesMachine.provide({
                  actors: {
                    getConversations: fromPromise<ConversationPage, ConversationPageInput>(async () => ({
                      records: world.conversations ?? [],
                    })),
                  },
                }),
              },
            }),
          },
        }),
      },
    }),
    {
      input: {
        host: 'http://localhost',
        auth: {
          flow: world.flow ?? 'redirect',
          epoch: 0,
          canRefresh: false,
          ...(world.user === undefined ? {} : {restored: {token}}),
        },
        site: {origin: 'http://localhost'},
        environment: {isOnline: true, isVisible: true},
        preferences: {locale: 'en', theme: 'dark', followsSystem: false},
      },
    },
  )
  stopAfterTest(root)
  return root.start()
}
