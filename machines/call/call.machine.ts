import {assertEvent, assign, fromPromise, setup, type SnapshotFrom} from 'xstate'
import {toFailure, type Failure} from '#domain/failure.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** The values of a filled-in form. Passwords are among them: they are never kept in the context. */
export type CallValues = Readonly<Record<string, string>>
/** `deadline`: milliseconds until a call counts as lost. */
export type CallInput = {deadline: number}
export type CallEvent =
  /** The form is opened. */
  | {type: 'call.open'}
  /** The form is closed, or a call on its way is taken back. */
  | {type: 'call.close'}
  /** `subject`: what it is about, such as the id of a session. */
  | {type: 'call.send'; subject?: string; values?: CallValues}

type Context = CallInput & {subject?: string | undefined; failure?: Failure | undefined}
type Request = {subject: string | undefined; values: CallValues}

/**
 * One call that a user asks for and that may be refused: change the password, export everything, clear the device,
 * renew an address, have a text written. Owned by its view, ends with it; a call on its way is then taken back as far
 * as it can be.
 *
 * `idle` and `done` show no form, `open` shows it or why the last attempt was refused. A second press while one is on
 * its way does nothing.
 */
export const callMachine = setup({
  types: {
    input: {} as CallInput,
    context: {} as Context,
    events: {} as CallEvent,
  },
  actors: {call: promisePort<void, Request>('call')},
  delays: {deadline: ({context}) => context.deadline},
  actions: {
    storeSubject: assign((_, {subject}: {subject?: string | undefined}) => ({subject, failure: undefined})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    clearFailure: assign({failure: undefined}),
    /** Port: the rest of the page follows what was done. */
    announceDone: () => unfilledAction('announceDone'),
  },
}).createMachine({
  id: 'call',
  context: ({input}) => input,
  initial: 'idle',
  states: {
    idle: {
      on: {
        'call.open': {target: 'open'},
        'call.send': {target: 'sending', actions: [{type: 'storeSubject', params: ({event}) => event}]},
      },
    },
    open: {
      on: {
        'call.send': {target: 'sending', actions: [{type: 'storeSubject', params: ({event}) => event}]},
        'call.close': {target: 'idle', actions: ['clearFailure']},
      },
    },
    sending: {
      invoke: {
        id: 'call',
        src: 'call',
        input: ({event}) => {
          assertEvent(event, 'call.send')
          return {subject: event.subject, values: event.values ?? {}}
        },
        onDone: {target: 'done', actions: ['announceDone']},
        onError: {target: 'open', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {deadline: {target: 'open', actions: [{type: 'storeFailure', params: timeout}]}},
      on: {'call.close': {target: 'idle'}},
    },
    done: {
      on: {
        'call.open': {target: 'open'},
        'call.close': {target: 'idle'},
        'call.send': {target: 'sending', actions: [{type: 'storeSubject', params: ({event}) => event}]},
      },
    },
  },
})

/** Charts know no types of the browser. */
type Signal = Parameters<Parameters<typeof fromPromise>[0]>[0]['signal']
/** The work of a call; the signal says that it was taken back, or counts as lost. */
export type RunCall = (request: Request, signal: Signal) => Promise<void>

/** A call that does this; `onDone` follows each that succeeds. */
export const callOf = (run: RunCall, onDone = () => {}) =>
  callMachine.provide({
    actors: {call: fromPromise<void, Request>(({input, signal}) => run(input, signal))},
    actions: {announceDone: onDone},
  })

export type CallSnapshot = SnapshotFrom<typeof callMachine>
export type CallHandle = {snapshot: CallSnapshot; send: (event: CallEvent) => void}

/** Why the last attempt was refused, while its form is open. */
export const selectRefusal = (snapshot: CallSnapshot): Failure | undefined =>
  snapshot.matches('open') ? snapshot.context.failure : undefined
