import {assign, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {promisePort} from '#machines/lib/ports.ts'

export type ReadAloudEvent =
  /** `index`: position of the message in its conversation; `text`: in Markdown. */
  {type: 'reading.start'; index: number; text: string} | {type: 'reading.stop'} | {type: 'thread.left'}

type Reading = {index: number; text: string}

/**
 * The voice of a thread, which reads one answer at a time. Owned by the session from the first answer that is read
 * until the thread is left (`over`). Another answer that is started replaces the one that is read. `failed`: the
 * browser has no voice that could read.
 */
export const readAloudMachine = setup({
  types: {
    /** `index`: the message that is read, or could not be. */
    context: {} as {index: number | undefined; text: string},
    events: {} as ReadAloudEvent,
  },
  actors: {
    /** Resolves when the text was read to its end. */
    readText: promisePort<void, {text: string}>('readText'),
  },
  // an answer of 100,000 characters takes less; a voice that hangs ends here
  delays: {longestReading: 3 * 3_600_000},
  actions: {
    storeReading: assign((_, {index, text}: Reading) => ({index, text})),
    clearReading: assign({index: undefined, text: ''}),
  },
}).createMachine({
  id: 'readAloud',
  context: {index: undefined, text: ''},
  initial: 'silent',
  on: {
    'reading.start': {target: '.reading', reenter: true, actions: [{type: 'storeReading', params: ({event}) => event}]},
    'thread.left': {target: '.over'},
  },
  states: {
    silent: {entry: ['clearReading']},
    reading: {
      invoke: {
        id: 'readText',
        src: 'readText',
        input: ({context: {text}}) => ({text}),
        onDone: {target: 'silent'},
        onError: {target: 'failed'},
      },
      after: {longestReading: {target: 'silent'}},
      on: {'reading.stop': {target: 'silent'}},
    },
    failed: {on: {'reading.stop': {target: 'silent'}}},
    over: {type: 'final'},
  },
})

export type ReadAloudActor = ActorRefFrom<typeof readAloudMachine>
export type ReadAloudSnapshot = SnapshotFrom<typeof readAloudMachine>

export type ReadingPhase = 'reading' | 'failed' | undefined

/** How far the voice is with one message. */
export const selectPhase = (snapshot: ReadAloudSnapshot, index: number): ReadingPhase => {
  if (snapshot.context.index !== index) return undefined
  return snapshot.matches('failed') ? 'failed' : snapshot.matches('reading') ? 'reading' : undefined
}
