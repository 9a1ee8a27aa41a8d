import {assertEvent, assign, setup, type SnapshotFrom} from 'xstate'
import {toFailure, type Failure} from '#domain/failure.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** What a form was filled in with. Passwords are among it: it is never kept in the context. */
export type RequestValues = Readonly<Record<string, string>>
/** `deadline`: milliseconds until a request counts as lost. */
export type AccountRequestInput = {deadline: number}
export type AccountRequestEvent =
  /** The form is opened. */
  | {type: 'request.open'}
  /** The form is closed, or a request on its way is taken back. */
  | {type: 'request.close'}
  /** `subject`: what it is about, such as the id of a session. */
  | {type: 'request.send'; subject?: string; values?: RequestValues}

type Context = AccountRequestInput & {subject?: string | undefined; failure?: Failure | undefined}
type Request = {subject: string | undefined; values: RequestValues}

/**
 * One request that users make about their account: change the password, end a session, export everything, delete the
 * account. Owned by the profile page, ends with it; a request that was sent is then taken back as far as it can be.
 *
 * `idle` and `done` show no form, `open` shows it or why the last attempt was refused. A second press while one is on
 * its way does nothing.
 */
export const accountRequestMachine = setup({
  types: {
    input: {} as AccountRequestInput,
    context: {} as Context,
    events: {} as AccountRequestEvent,
  },
  actors: {sendRequest: promisePort<void, Request>('sendRequest')},
  delays: {deadline: ({context}) => context.deadline},
  actions: {
    storeSubject: assign((_, {subject}: {subject?: string | undefined}) => ({subject, failure: undefined})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    clearFailure: assign({failure: undefined}),
    /** Port: the rest of the page follows what was done. */
    announceDone: () => unfilledAction('announceDone'),
  },
}).createMachine({
  id: 'accountRequest',
  context: ({input}) => input,
  initial: 'idle',
  states: {
    idle: {
      on: {
        'request.open': {target: 'open'},
        'request.send': {target: 'sending', actions: [{type: 'storeSubject', params: ({event}) => event}]},
      },
    },
    open: {
      on: {
        'request.send': {target: 'sending', actions: [{type: 'storeSubject', params: ({event}) => event}]},
        'request.close': {target: 'idle', actions: ['clearFailure']},
      },
    },
    sending: {
      invoke: {
        id: 'sendRequest',
        src: 'sendRequest',
        input: ({event}) => {
          assertEvent(event, 'request.send')
          return {subject: event.subject, values: event.values ?? {}}
        },
        onDone: {target: 'done', actions: ['announceDone']},
        onError: {target: 'open', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {deadline: {target: 'open', actions: [{type: 'storeFailure', params: timeout}]}},
      on: {'request.close': {target: 'idle'}},
    },
    done: {
      on: {
        'request.open': {target: 'open'},
        'request.close': {target: 'idle'},
        'request.send': {target: 'sending', actions: [{type: 'storeSubject', params: ({event}) => event}]},
      },
    },
  },
})

export type AccountRequestSnapshot = SnapshotFrom<typeof accountRequestMachine>
export type AccountRequest = {snapshot: AccountRequestSnapshot; send: (event: AccountRequestEvent) => void}

/** Why the last attempt was refused, while its form is open. */
export const selectRefusal = (snapshot: AccountRequestSnapshot): Failure | undefined =>
  snapshot.matches('open') ? snapshot.context.failure : undefined
