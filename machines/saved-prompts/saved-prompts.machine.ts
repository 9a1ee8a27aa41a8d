import {assign, enqueueActions, setup, type ActorRefFrom} from 'xstate'
import type {SavedPrompt} from '#contract/prompts.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

export type SavedPromptsRecord = {prompts: SavedPrompt[]; instructions: string}

/** One change, which the server takes before it shows. */
export type PromptChange =
  | {type: 'prompt.save'; prompt: SavedPrompt}
  | {type: 'prompt.remove'; id: string}
  | {type: 'instructions.save'; text: string}

export type SavedPromptsEvent =
  | PromptChange
  /** A view opens. `draft`: a prompt that was being written, and is neither saved nor cancelled. */
  | {type: 'prompts.load'; draft?: SavedPrompt | undefined}
  | {type: 'prompt.restore'}
  /** Writes a prompt: a new one, or one that is there. */
  | {type: 'prompt.edit'; prompt: SavedPrompt}
  | {type: 'prompt.type'; prompt: SavedPrompt}
  | {type: 'prompt.cancel'}
  /** Raised by the chart itself: the server has it. */
  | {type: 'change.taken'; change: PromptChange}

type Context = SavedPromptsRecord & {
  change?: PromptChange
  /** The prompt that is being written, as typed. */
  edited?: SavedPrompt
  /** Removed prompts that can be restored, the last one first. */
  removed: readonly SavedPrompt[]
  failure?: Failure
}

const byName = (prompts: readonly SavedPrompt[]) => [...prompts].sort((a, b) => a.name.localeCompare(b.name))

/** The prompts after a change that the server accepted. */
function changed({prompts, instructions, removed}: Context, change: PromptChange): Partial<Context> {
  if (change.type === 'instructions.save') return {instructions: change.text}
  const id = change.type === 'prompt.save' ? change.prompt.id : change.id
  const others = prompts.filter((prompt) => prompt.id !== id)
  const removedBefore = removed.filter((prompt) => prompt.id !== id)
  if (change.type === 'prompt.save')
    return {prompts: byName([...others, change.prompt]), removed: removedBefore, instructions}
  return {prompts: others, removed: [...prompts.filter((prompt) => prompt.id === id), ...removedBefore]}
}

const promptsSetup = setup({
  types: {context: {} as Context, events: {} as SavedPromptsEvent},
  actors: {
    loadKept: promisePort<SavedPromptsRecord>('loadKept'),
    writeChange: promisePort<void, PromptChange>('writeChange'),
  },
  delays: {callDeadline: 15_000},
  guards: {
    hasRemoved: ({context}) => context.removed.length > 0,
    hasDraft: (_, {draft}: {draft?: SavedPrompt | undefined}) => draft !== undefined,
    isOfForm: ({context: {edited}}, {change}: {change: PromptChange}) =>
      change.type === 'prompt.save' && change.prompt.id === edited?.id,
  },
  actions: {
    storeKept: assign(({context}, {output}: {output: SavedPromptsRecord}) => ({
      ...output,
      removed: context.removed.filter(({id}) => output.prompts.every((prompt) => prompt.id !== id)),
      failure: undefined,
    })),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    plan: assign((_, change: PromptChange) => ({change, failure: undefined})),
    planRestore: assign(
      ({
        context: {
          removed: [prompt],
        },
      }) => ({
        change: prompt && {type: 'prompt.save' as const, prompt},
        failure: undefined,
      }),
    ),
    tellTaken: enqueueActions(({enqueue, context: {change}}) => {
      if (change !== undefined) enqueue.raise({type: 'change.taken', change})
    }),
    applyChange: assign(({context}) => ({
      ...(context.change === undefined ? {} : changed(context, context.change)),
      change: undefined,
    })),
    storeEdited: assign((_, {prompt}: {prompt: SavedPrompt | undefined}) => ({edited: prompt})),
    clearEdited: assign({edited: undefined}),
    /** Port: keeps the prompt that is being written for the next page; `undefined`: none is. */
    keepDraft: (_, _draft: {prompt: SavedPrompt | undefined}) => unfilledAction('keepDraft'),
  },
})

/** The prompts that the server keeps, and the change that it is asked for. */
const server = promptsSetup.createStateConfig({
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'loadKept',
        src: 'loadKept',
        onDone: {target: 'ready', actions: [{type: 'storeKept', params: ({event}) => event}]},
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    failed: {on: {'prompts.load': {target: 'loading'}}},
    ready: {
      initial: 'still',
      on: {
        'prompt.save': {target: 'writing', actions: [{type: 'plan', params: ({event}) => event}]},
        'prompt.remove': {target: 'writing', actions: [{type: 'plan', params: ({event}) => event}]},
        'instructions.save': {target: 'writing', actions: [{type: 'plan', params: ({event}) => event}]},
        'prompt.restore': {guard: 'hasRemoved', target: 'writing', actions: ['planRestore']},
      },
      states: {
        still: {on: {'prompts.load': {target: 'reloading'}}},
        reloading: {
          description: 'Other tabs and devices may have changed them. A change leaves this state: its answer is newer.',
          invoke: {
            id: 'loadKept',
            src: 'loadKept',
            onDone: {target: 'still', actions: [{type: 'storeKept', params: ({event}) => event}]},
            onError: {target: 'still', actions: [{type: 'storeFailure', params: ({event}) => event}]},
          },
          after: {callDeadline: {target: 'still', actions: [{type: 'storeFailure', params: timeout}]}},
        },
      },
    },
    writing: {
      invoke: {
        id: 'writeChange',
        src: 'writeChange',
        input: ({context: {change}}) => change ?? {type: 'instructions.save', text: ''},
        onDone: {target: 'ready', actions: ['tellTaken', 'applyChange']},
        onError: {target: 'ready', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'ready', actions: [{type: 'storeFailure', params: timeout}]}},
    },
  },
})

const form = promptsSetup.createStateConfig({
  initial: 'closed',
  states: {
    closed: {
      on: {
        'prompts.load': {
          guard: {type: 'hasDraft', params: ({event}) => event},
          target: 'open',
          actions: [{type: 'storeEdited', params: ({event}) => ({prompt: event.draft})}],
        },
        'prompt.edit': {target: 'open', actions: [{type: 'storeEdited', params: ({event}) => event}]},
      },
    },
    open: {
      on: {
        'prompt.type': {
          actions: [
            {type: 'storeEdited', params: ({event}) => event},
            {type: 'keepDraft', params: ({event}) => event},
          ],
        },
        'prompt.cancel': {target: 'closed'},
        'change.taken': {guard: {type: 'isOfForm', params: ({event}) => event}, target: 'closed'},
      },
      exit: ['clearEdited', {type: 'keepDraft', params: {prompt: undefined}}],
    },
  },
})

/**
 * The saved prompts and the instructions of a user, as the server keeps them (capability `prompts`). One change at a
 * time; it shows once the server has it, and a refusal says why. The form of a prompt closes once the server has that
 * prompt, or when it is cancelled; its draft is kept until then. Started by the first view that needs it, for a
 * session; each view that opens asks to load, which shows what is there until the server has answered.
 */
export const savedPromptsMachine = promptsSetup.createMachine({
  id: 'savedPrompts',
  context: {prompts: [], instructions: '', removed: []},
  type: 'parallel',
  states: {server, form},
})

export type SavedPromptsActor = ActorRefFrom<typeof savedPromptsMachine>
