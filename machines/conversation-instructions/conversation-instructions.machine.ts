import {assign, setup, type SnapshotFrom} from 'xstate'
import {toFailure, type Failure} from '#domain/failure.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** `conversation`: the server's id. */
type Input = {conversation: string}
/** `known`: what the server had when they were read last. */
export type InstructionsWrite = Input & {known: string; text: string}
/** `isConflict`: the server has another text than `known`, namely `text`; nothing was written. */
export type WrittenInstructions = {text: string; isConflict: boolean}

export type ConversationInstructionsEvent =
  | {type: 'instructions.load'}
  /** Empty: none. */
  | {type: 'instructions.save'; text: string}
  /** The text that another page wrote stays. */
  | {type: 'instructions.take'}

type Context = Input & {
  /** The text that the server has, as far as it is known. */
  known: string
  /** The text that is being saved. */
  text: string
  failure?: Failure | undefined
}

/**
 * The instructions of one conversation (capability `preset`): read, changed, removed. A change of another page since is
 * shown before it is overwritten. Owned by the dialog, ends with it, or once they are saved.
 */
export const conversationInstructionsMachine = setup({
  types: {input: {} as Input, context: {} as Context, events: {} as ConversationInstructionsEvent},
  actors: {
    readInstructions: promisePort<string, Input>('readInstructions'),
    writeInstructions: promisePort<WrittenInstructions, InstructionsWrite>('writeInstructions'),
  },
  delays: {callDeadline: 20_000},
  guards: {isConflict: (_, {output}: {output: WrittenInstructions}) => output.isConflict},
  actions: {
    storeRead: assign((_, {output}: {output: string}) => ({known: output, failure: undefined})),
    storeText: assign((_, {text}: {text: string}) => ({text, failure: undefined})),
    storeTheirs: assign((_, {output}: {output: WrittenInstructions}) => ({known: output.text})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
  },
}).createMachine({
  id: 'conversationInstructions',
  context: ({input}) => ({...input, known: '', text: ''}),
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'readInstructions',
        src: 'readInstructions',
        input: ({context: {conversation}}) => ({conversation}),
        onDone: {target: 'editing', actions: [{type: 'storeRead', params: ({event}) => event}]},
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    failed: {on: {'instructions.load': {target: 'loading'}}},
    editing: {
      on: {'instructions.save': {target: 'saving', actions: [{type: 'storeText', params: ({event}) => event}]}},
    },
    saving: {
      invoke: {
        id: 'writeInstructions',
        src: 'writeInstructions',
        input: ({context: {conversation, known, text}}) => ({conversation, known, text}),
        onDone: [
          {
            guard: {type: 'isConflict', params: ({event}) => event},
            target: 'conflicting',
            actions: [{type: 'storeTheirs', params: ({event}) => event}],
          },
          {target: 'saved'},
        ],
        onError: {target: 'editing', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'editing', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    conflicting: {
      on: {
        'instructions.save': {target: 'saving', actions: [{type: 'storeText', params: ({event}) => event}]},
        'instructions.take': {target: 'editing'},
      },
    },
    saved: {type: 'final'},
  },
})

export type ConversationInstructionsSnapshot = SnapshotFrom<typeof conversationInstructionsMachine>
