import {assign, setup, type ActorRefFrom} from 'xstate'
import type {SavedPrompt} from '#contract/prompts.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

export type SavedPromptsRecord = {prompts: SavedPrompt[]; instructions: string}

/** One change, which the server takes before it shows. */
export type PromptChange =
  | {type: 'prompt.save'; prompt: SavedPrompt}
  | {type: 'prompt.remove'; id: string}
  | {type: 'instructions.save'; text: string}

export type SavedPromptsEvent = PromptChange | {type: 'prompts.load'} | {type: 'prompt.restore'}

type Context = SavedPromptsRecord & {
  change?: PromptChange
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

/**
 * The saved prompts and the instructions of a user, as the server keeps them (capability `prompts`). One change at a
 * time; it shows once the server has it, and a refusal says why. Started by the first view that needs it, for a session;
 * each view that opens asks to load, which shows what is there until the server has answered.
 */
export const savedPromptsMachine = setup({
  types: {context: {} as Context, events: {} as SavedPromptsEvent},
  actors: {
    loadKept: promisePort<SavedPromptsRecord>('loadKept'),
    writeChange: promisePort<void, PromptChange>('writeChange'),
  },
  delays: {callDeadline: 15_000},
  guards: {hasRemoved: ({context}) => context.removed.length > 0},
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
    applyChange: assign(({context}) => ({
      ...(context.change === undefined ? {} : changed(context, context.change)),
      change: undefined,
    })),
  },
}).createMachine({
  id: 'savedPrompts',
  context: {prompts: [], instructions: '', removed: []},
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
        onDone: {target: 'ready', actions: ['applyChange']},
        onError: {target: 'ready', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'ready', actions: [{type: 'storeFailure', params: timeout}]}},
    },
  },
})

export type SavedPromptsActor = ActorRefFrom<typeof savedPromptsMachine>
