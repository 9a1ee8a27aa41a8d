import {assign, setup, type SnapshotFrom} from 'xstate'
import {refusalOf, type KeyRefusal} from '#domain/command-keys.ts'
import {unfilledAction} from '#machines/lib/ports.ts'

type Keys = Readonly<Record<string, string>>

export type CommandKeysEvent =
  /** The next press is to be the keys of this command. */
  | {type: 'keys.change'; command: string}
  | {type: 'keys.press'; chord: string}
  | {type: 'keys.cancel'}
  /** The keys that the command had at first; not while another command has them now. */
  | {type: 'keys.reset'; command: string}
  | {type: 'keys.resetAll'}
  /** The changed keys as they are stored now: another tab changes them too. */
  | {type: 'keys.stored'; changed: Keys}

export type CommandKeysInput = {
  /** Keys as the product comes, by command. */
  first: Keys
  /** The keys that the user changed, those of commands that only a newer build has among them. */
  changed: Keys
  /** Keys of views, which no command can have. */
  fixed: readonly string[]
}

type Context = CommandKeysInput & {
  /** The command that waits for its keys, or whose keys were refused. */
  command: string
  refusal?: KeyRefusal<string>
}

const keysNow = ({first, changed}: Pick<CommandKeysInput, 'first' | 'changed'>): Keys =>
  Object.fromEntries(Object.entries(first).map(([id, keys]) => [id, changed[id] ?? keys]))
const refusal = (context: Context, command: string, chord: string) =>
  refusalOf(chord, command, {
    keys: keysNow(context),
    own: context.first[command] ?? '',
    fixed: context.fixed,
  })

const without = (keys: Keys, command: string): Keys =>
  Object.fromEntries(Object.entries(keys).filter(([id]) => id !== command))

/**
 * The keys of commands, as the list of keys changes them: one command at a time waits for a press. Keys of the browser,
 * of a view and of another command are refused with the reason, and the next press counts. Owned by the list; ends with
 * it. What is chosen is stored at once.
 */
export const commandKeysMachine = setup({
  types: {input: {} as CommandKeysInput, context: {} as Context, events: {} as CommandKeysEvent},
  guards: {
    isKnown: ({context}, {command}: {command: string}) => Object.hasOwn(context.first, command),
    isRefused: ({context}, {chord}: {chord: string}) => refusal(context, context.command, chord) !== undefined,
    isFirstTaken: ({context}, {command}: {command: string}) =>
      refusal(context, command, context.first[command] ?? '') !== undefined,
  },
  actions: {
    storeCommand: assign((_, {command}: {command: string}) => ({command, refusal: undefined})),
    storeRefusal: assign(({context}, {chord}: {chord: string}) => ({
      refusal: refusal(context, context.command, chord),
    })),
    storeFirstTaken: assign(({context}, {command}: {command: string}) => ({
      command,
      refusal: refusal(context, command, context.first[command] ?? ''),
    })),
    change: assign(({context}, {chord}: {chord: string}) => ({
      changed:
        context.first[context.command] === chord
          ? without(context.changed, context.command)
          : {...context.changed, [context.command]: chord},
      refusal: undefined,
    })),
    reset: assign(({context}, {command}: {command: string}) => ({changed: without(context.changed, command)})),
    resetAll: assign({changed: {}}),
    adoptStored: assign((_, {changed}: {changed: Keys}) => ({changed})),
    clearRefusal: assign({refusal: undefined}),
    /** Port: stores the changed keys and applies them. */
    storeKeys: (_, _changed: {changed: Keys}) => unfilledAction('storeKeys'),
  },
}).createMachine({
  id: 'commandKeys',
  context: ({input}) => ({...input, command: ''}),
  initial: 'resting',
  on: {
    'keys.change': {
      guard: {type: 'isKnown', params: ({event}) => event},
      target: '.listening',
      actions: [{type: 'storeCommand', params: ({event}) => event}],
    },
    'keys.reset': [
      {
        guard: {type: 'isFirstTaken', params: ({event}) => event},
        target: '.refused',
        actions: [{type: 'storeFirstTaken', params: ({event}) => event}],
      },
      {
        target: '.resting',
        actions: [
          {type: 'reset', params: ({event}) => event},
          {type: 'storeKeys', params: ({context}) => context},
        ],
      },
    ],
    'keys.resetAll': {target: '.resting', actions: ['resetAll', {type: 'storeKeys', params: ({context}) => context}]},
    'keys.stored': {actions: [{type: 'adoptStored', params: ({event}) => event}]},
  },
  states: {
    resting: {entry: ['clearRefusal']},
    listening: {
      tags: ['listening'],
      on: {
        'keys.press': [
          {
            guard: {type: 'isRefused', params: ({event}) => event},
            actions: [{type: 'storeRefusal', params: ({event}) => event}],
          },
          {
            target: 'resting',
            actions: [
              {type: 'change', params: ({event}) => event},
              {type: 'storeKeys', params: ({context}) => context},
            ],
          },
        ],
        'keys.cancel': {target: 'resting'},
      },
    },
    /** The default keys could not be restored; the reason is shown beside the command. */
    refused: {on: {'keys.cancel': {target: 'resting'}}},
  },
})

export type CommandKeysSnapshot = SnapshotFrom<typeof commandKeysMachine>

/** The keys of a command as they are now. */
export const selectKeys = ({context}: CommandKeysSnapshot, command: string): string => keysNow(context)[command] ?? ''
/** Whether the user changed them. */
export const selectIsChanged = ({context}: CommandKeysSnapshot, command: string) =>
  Object.hasOwn(context.changed, command)
/**
 * Why the keys of a command do not run it: what else has them came later. Of commands with the same keys the first one
 * runs, in the order in which the product lists its keys; the note is beside the others.
 */
export const selectClash = (snapshot: CommandKeysSnapshot, command: string): KeyRefusal<string> | undefined => {
  const {first, fixed} = snapshot.context
  const all = keysNow(snapshot.context)
  const keys = all[command] ?? ''
  const by = Object.keys(all).find((id) => all[id] === keys)
  if (keys !== '' && by !== undefined && by !== command) return {reason: 'taken', keys, by}
  return selectIsChanged(snapshot, command)
    ? refusalOf(keys, command, {keys: {}, own: first[command] ?? '', fixed})
    : undefined
}
/** The note beside a command. */
export const selectSaying = (snapshot: CommandKeysSnapshot, command: string) => {
  const {context} = snapshot
  if (context.command !== command) return undefined
  return context.refusal ?? (snapshot.hasTag('listening') ? ('press' as const) : undefined)
}
