import {assign, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {toFailure, type Failure} from '#domain/failure.ts'
import type {ImportFileFault} from '#domain/import-file.ts'
import type {FileFact, ImportPreview, ImportResult, SendFact} from '#domain/import-preview.ts'
import {
  environmentChanges,
  environmentInvoke,
  type EnvironmentActor,
} from '#machines/environment/environment.machine.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {promisePort, streamPort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** Id of a conversation here, by its id in the file. */
export type PresentConversations = Record<string, string>

export type ImportEvent =
  /** The adapter holds the file; another one replaces it. */
  | {type: 'file.choose'; name: string}
  | {type: 'import.start'}
  | {type: 'import.retry'}
  /** Stops a running import; otherwise returns to the choice of a file. */
  | {type: 'import.cancel'}
  | {type: 'dialog.closed'}
  | {type: 'connection.restored'}
  | FileFact
  | SendFact

/**
 * The sent conversations that the server has. `present` counts too: it was not there before, so the answer to an
 * earlier attempt was lost.
 */
export const takenOf = ({results}: Pick<Context, 'results'>) => results.filter(({state}) => state !== 'refused')

export type SendInput = {indices: number[]; parts: Record<number, number>}

type ImportInput = {environment: EnvironmentActor}

type Context = ImportInput & {
  name: string
  /** Share of the file's bytes that are read, 0 to 1. */
  share: number
  fault?: ImportFileFault
  preview?: ImportPreview
  present: PresentConversations
  results: ImportResult[]
  /** Messages of long conversations that the server has, by index: the most at any time. */
  parts: Record<number, number>
  /** Attachments that the server did not take. */
  unsent: {name: string; detail: string}[]
  /** Pauses since the server last took something that it had not had. */
  pauses: number
  failure?: Failure
}

const empty: Omit<Context, keyof ImportInput> = {
  name: '',
  share: 0,
  fault: undefined,
  preview: undefined,
  present: {},
  results: [],
  parts: {},
  unsent: [],
  pauses: 0,
  failure: undefined,
}

/** Indices of the conversations that are neither here nor answered for: taken or refused. */
export function leftToSend({preview, present, results}: Pick<Context, 'preview' | 'present' | 'results'>): number[] {
  const indices = new Set(results.map(({index}) => index))
  const conversations = preview?.conversations ?? []
  return conversations.flatMap(({sourceId}, index) =>
    Object.hasOwn(present, sourceId) || indices.has(index) ? [] : [index],
  )
}

const progress = {pauses: 0, failure: undefined}

/** After this many pauses without progress the user decides. */
const mostPauses = 6

const isPassing = ({lost, status = 0}: Failure) => lost === true || status === 429 || status >= 500

const backToChoice = {target: 'choosing', actions: ['clear', 'releaseFile']} as const

/**
 * One import of conversations from a file: it is read, compared with what is here, shown, and sent piece by piece. What
 * the server has taken stays taken: a lost network is waited for, and whatever ends an import, the same file can be
 * imported again and only the rest is sent. Owned by the session, ends with its dialog (`over`; docs/decisions/0062).
 */
export const conversationImportMachine = setup({
  types: {input: {} as ImportInput, context: {} as Context, events: {} as ImportEvent, tags: {} as 'busy'},
  actors: {
    environmentChanges,
    /** Reads the file that was chosen last; its last report is what the file holds, or why it cannot be read. */
    readFile: streamPort<FileFact>('readFile'),
    findPresent: promisePort<PresentConversations, {preview: ImportPreview | undefined}>('findPresent'),
    /**
     * Sends these conversations in order, attachments first, a long one from where it broke off. Completes when all are
     * answered for.
     */
    sendConversations: streamPort<SendFact, SendInput>('sendConversations'),
  },
  delays: {
    silence: 120_000,
    callDeadline: 60_000,
    pause: ({context: {pauses, failure}}) =>
      Math.max((failure?.retryAfterSeconds ?? 0) * 1_000, Math.min(60_000, 2_000 * 2 ** pauses)),
  },
  guards: {
    isOnline: ({context}) => selectIsOnline(context.environment.getSnapshot()),
    hasNew: ({context}) => leftToSend(context).length > 0,
    maySendAgain: ({context: {pauses}}, {error}: {error: unknown}) =>
      pauses < mostPauses && isPassing(toFailure(error)),
  },
  actions: {
    storeFile: assign((_, {name}: {name: string}) => ({...empty, name})),
    storeShare: assign((_, {share}: {share: number}) => ({share})),
    storeFault: assign((_, {fault}: {fault: ImportFileFault}) => ({fault})),
    storePreview: assign((_, {preview}: {preview: ImportPreview}) => ({preview, share: 1})),
    storePresent: assign((_, {output}: {output: PresentConversations}) => ({present: output, failure: undefined})),
    storeResults: assign(({context}, {results}: {results: ImportResult[]}) => ({
      results: [...context.results, ...results],
      ...(results.length > 0 && progress),
    })),
    storePart: assign(({context: {parts}}, {index, messages}: {index: number; messages: number}) =>
      // a repeated part counts as progress only beyond the messages that were sent before
      messages > (parts[index] ?? 0) ? {parts: {...parts, [index]: messages}, ...progress} : {},
    ),
    storeProgress: assign(progress),
    storeUnsent: assign(({context}, {name, detail}: {name: string; detail: string}) => ({
      // a second attempt may be refused again
      unsent: [...context.unsent.filter((other) => other.name !== name), {name, detail}],
    })),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    countPause: assign(({context}) => ({pauses: context.pauses + 1})),
    beginAgain: assign(progress),
    clear: assign(empty),
    /** Port: there may be other conversations now. */
    tellImported: () => unfilledAction('tellImported'),
    /** Port: the file is not needed any more. */
    releaseFile: () => unfilledAction('releaseFile'),
  },
}).createMachine({
  id: 'conversationImport',
  context: ({input}) => ({...empty, ...input}),
  invoke: environmentInvoke,
  initial: 'choosing',
  on: {'dialog.closed': {target: '.over'}},
  states: {
    choosing: {
      on: {'file.choose': {target: 'reading', actions: [{type: 'storeFile', params: ({event}) => event}]}},
    },
    reading: {
      tags: ['busy'],
      invoke: {
        id: 'readFile',
        src: 'readFile',
        // without a last report
        onDone: {target: 'choosing', actions: [{type: 'storeFault', params: {fault: 'damaged'}}, 'releaseFile']},
        onError: {target: 'choosing', actions: [{type: 'storeFault', params: {fault: 'damaged'}}, 'releaseFile']},
      },
      on: {
        'file.read': {target: 'comparing', actions: [{type: 'storePreview', params: ({event}) => event}]},
        'file.refused': {
          target: 'choosing',
          actions: [{type: 'storeFault', params: ({event}) => event}, 'releaseFile'],
        },
        'import.cancel': backToChoice,
      },
      initial: 'waiting',
      states: {
        waiting: {
          after: {
            silence: {
              target: '#conversationImport.choosing',
              actions: [{type: 'storeFault', params: {fault: 'tooLarge'}}, 'releaseFile'],
            },
          },
          on: {
            'file.progressed': {
              target: 'waiting',
              reenter: true,
              actions: [{type: 'storeShare', params: ({event}) => event}],
            },
          },
        },
      },
    },
    comparing: {
      tags: ['busy'],
      invoke: {
        id: 'findPresent',
        src: 'findPresent',
        input: ({context: {preview}}) => ({preview}),
        onDone: {target: 'previewing', actions: [{type: 'storePresent', params: ({event}) => event}]},
        onError: {target: 'unreachable', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'unreachable', actions: [{type: 'storeFailure', params: timeout}]}},
      on: {'import.cancel': backToChoice},
    },
    unreachable: {
      on: {
        'import.retry': {target: 'comparing'},
        'import.cancel': backToChoice,
      },
    },
    previewing: {
      on: {
        'import.start': {guard: 'hasNew', target: 'sending', actions: ['beginAgain']},
        'import.cancel': backToChoice,
      },
    },
    sending: {
      tags: ['busy'],
      invoke: {
        id: 'sendConversations',
        src: 'sendConversations',
        input: ({context}) => ({indices: leftToSend(context), parts: context.parts}),
        onDone: {target: 'done'},
        onError: [
          {
            guard: {type: 'maySendAgain', params: ({event}) => event},
            target: 'paused',
            actions: [{type: 'storeFailure', params: ({event}) => event}],
          },
          {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
        ],
      },
      exit: ['tellImported'],
      on: {'import.cancel': {target: 'stopped'}},
      initial: 'waiting',
      states: {
        waiting: {
          after: {
            silence: {
              target: '#conversationImport.failed',
              actions: [{type: 'storeFailure', params: timeout}],
            },
          },
          on: {
            'conversations.sent': {
              target: 'waiting',
              reenter: true,
              actions: [{type: 'storeResults', params: ({event}) => event}],
            },
            'part.sent': {
              target: 'waiting',
              reenter: true,
              actions: [{type: 'storePart', params: ({event}) => event}],
            },
            'attachment.sent': {target: 'waiting', reenter: true, actions: ['storeProgress']},
            'attachment.failed': {
              target: 'waiting',
              reenter: true,
              actions: [{type: 'storeUnsent', params: ({event}) => event}],
            },
            'attachment.progressed': {target: 'waiting', reenter: true},
          },
        },
      },
    },
    paused: {
      tags: ['busy'],
      entry: ['countPause'],
      on: {'import.cancel': {target: 'stopped'}},
      initial: 'offline',
      states: {
        offline: {
          always: {guard: 'isOnline', target: 'resting'},
          on: {'connection.restored': {target: 'resting'}},
        },
        resting: {after: {pause: {target: '#conversationImport.sending'}}},
      },
    },
    stopped: {
      on: {
        'import.start': {guard: 'hasNew', target: 'sending', actions: ['beginAgain']},
        'import.cancel': backToChoice,
      },
    },
    failed: {
      on: {
        'import.retry': {target: 'sending', actions: ['beginAgain']},
        'import.cancel': backToChoice,
      },
    },
    done: {on: {'import.cancel': backToChoice}},
    over: {type: 'final'},
  },
})

export type ConversationImportActor = ActorRefFrom<typeof conversationImportMachine>
export type ConversationImportSnapshot = SnapshotFrom<typeof conversationImportMachine>
