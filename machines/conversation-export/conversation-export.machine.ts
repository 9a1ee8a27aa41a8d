import {assign, setup, type ActorRefFrom} from 'xstate'
import type {ExportForm} from '#domain/conversation-file.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import type {PackFact} from '#domain/packed-file.ts'
import {streamPort} from '#machines/lib/ports.ts'
import {pendingDeletionsMachine} from '#machines/pending-deletions/pending-deletions.machine.ts'

/** How many conversations the server has given so far, of how many. */
type ReadCount = {read: number; total: number}
/** `total`: attachments that are about to be read. */
export type ExportFact =
  | PackFact
  | ({type: 'conversations.read'} & ReadCount)
  | {type: 'files.counted'; total: number}
  /** A long attachment is alive. */
  | {type: 'file.progressed'}
export type ExportEvent =
  | {type: 'form.choose'; form: ExportForm}
  | {type: 'attachments.choose'; isWith: boolean}
  | {type: 'export.start'}
  | {type: 'export.cancel'}
  | {type: 'dialog.closed'}
  | ExportFact

/** `conversations`: the server's ids of what is exported. */
export type ExportInput = {form: ExportForm; hasAttachments: boolean; conversations: readonly string[]}
/** The choice of one attempt, and its number. */
export type SaveInput = Pick<Context, 'form' | 'isWithAttachments' | 'attempt'>
type Context = Pick<ExportInput, 'form' | 'conversations'> & {
  isWithAttachments: boolean
  /** From 1. A further one goes on with what the one before has read. */
  attempt: number
  conversationsRead?: ReadCount
  /** Attachments that lie in the archive, and names of those that could not be read. */
  packed: number
  /** Number of attachments; known once the reading begins. */
  total?: number
  missing: string[]
  failure?: Failure
}

const nothingRead = {
  packed: 0,
  total: undefined,
  conversationsRead: undefined,
  missing: [] as string[],
  failure: undefined,
}

/** After an end: another file is chosen. */
const choices = {
  'form.choose': {
    target: 'choosing',
    actions: [{type: 'storeForm', params: ({event}: {event: {form: ExportForm}}) => event}],
  },
  'attachments.choose': {
    target: 'choosing',
    actions: [{type: 'storeAttachments', params: ({event}: {event: {isWith: boolean}}) => event}],
  },
} as const

/**
 * One export of conversations: a form is chosen, attachments are read one after the other, and the file is saved. What
 * could not be read is named at the end; the rest is saved all the same. JSON is a copy of what the server has, and
 * waits for the deletions of the conversations; an attempt that failed leaves what it has read to the next. Another
 * choice after the end begins anew. Owned by the session, ends with its dialog (`over`).
 */
export const conversationExportMachine = setup({
  types: {input: {} as ExportInput, context: {} as Context, events: {} as ExportEvent},
  actors: {
    pendingDeletions: pendingDeletionsMachine,
    /** Completes when the file is saved. */
    saveConversations: streamPort<ExportFact, SaveInput>('saveConversations'),
  },
  // each report restarts the deadline: a long list on a slow line is not a failure
  delays: {silence: 120_000},
  guards: {
    isOfServer: ({context: {form}}) => form === 'json',
    hasFailed: (_, {failure}: {failure: Failure | undefined}) => failure !== undefined,
  },
  actions: {
    storeForm: assign((_, {form}: {form: ExportForm}) => ({form})),
    storeAttachments: assign((_, {isWith}: {isWith: boolean}) => ({isWithAttachments: isWith})),
    begin: assign({...nothingRead, attempt: 1}),
    beginAgain: assign(({context}) => ({...nothingRead, attempt: context.attempt + 1})),
    storeRead: assign((_, {read, total}: ReadCount) => ({conversationsRead: {read, total}})),
    storeTotal: assign((_, {total}: {total: number}) => ({total})),
    countPacked: assign(({context}) => ({packed: context.packed + 1})),
    storeMissing: assign(({context}, {name}: {name: string}) => ({missing: [...context.missing, name]})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
  },
}).createMachine({
  id: 'conversationExport',
  context: ({input: {form, hasAttachments, conversations}}) => ({
    form,
    conversations,
    isWithAttachments: hasAttachments,
    attempt: 0,
    packed: 0,
    missing: [],
  }),
  initial: 'choosing',
  on: {'dialog.closed': {target: '.over'}},
  states: {
    choosing: {
      on: {
        'form.choose': {actions: [{type: 'storeForm', params: ({event}) => event}]},
        'attachments.choose': {actions: [{type: 'storeAttachments', params: ({event}) => event}]},
        'export.start': {target: 'packing', actions: ['begin']},
      },
    },
    packing: {
      on: {'export.cancel': {target: 'choosing'}},
      initial: 'deciding',
      states: {
        deciding: {always: [{guard: 'isOfServer', target: 'deleting'}, {target: 'saving'}]},
        deleting: {
          invoke: {
            id: 'pendingDeletions',
            src: 'pendingDeletions',
            input: ({context: {conversations}}) => ({conversations}),
            onDone: [
              {
                guard: {type: 'hasFailed', params: ({event}) => event.output},
                target: '#conversationExport.failed',
                actions: [{type: 'storeFailure', params: ({event}) => ({error: event.output.failure})}],
              },
              {target: 'saving'},
            ],
            onError: {
              target: '#conversationExport.failed',
              actions: [{type: 'storeFailure', params: ({event}) => event}],
            },
          },
        },
        saving: {
          invoke: {
            id: 'saveConversations',
            src: 'saveConversations',
            input: ({context: {form, isWithAttachments, attempt}}) => ({form, isWithAttachments, attempt}),
            onDone: {target: '#conversationExport.saved'},
            onError: {
              target: '#conversationExport.failed',
              actions: [{type: 'storeFailure', params: ({event}) => event}],
            },
          },
          initial: 'reading',
          states: {
            reading: {
              after: {
                silence: {
                  target: '#conversationExport.failed',
                  actions: [{type: 'storeFailure', params: {error: new Error('The files did not come in time')}}],
                },
              },
              on: {
                'conversations.read': {
                  target: 'reading',
                  reenter: true,
                  actions: [{type: 'storeRead', params: ({event}) => event}],
                },
                'file.progressed': {target: 'reading', reenter: true},
                'files.counted': {actions: [{type: 'storeTotal', params: ({event}) => event}]},
                'file.packed': {target: 'reading', reenter: true, actions: ['countPacked']},
                'file.failed': {
                  target: 'reading',
                  reenter: true,
                  actions: [{type: 'storeMissing', params: ({event}) => event}],
                },
              },
            },
          },
        },
      },
    },
    saved: {on: {...choices, 'export.start': {target: 'packing', actions: ['begin']}}},
    failed: {
      on: {
        ...choices,
        'export.start': {target: 'packing', actions: ['beginAgain']},
        'export.cancel': {target: 'choosing'},
      },
    },
    over: {type: 'final'},
  },
})

export type ConversationExportActor = ActorRefFrom<typeof conversationExportMachine>
