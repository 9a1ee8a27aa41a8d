import type {ActorRefFrom, SnapshotFrom} from 'xstate'
import {generationSetup} from './generation.setup.ts'
import type {ToolRules} from './generation.rules.ts'

/**
 * The form of one media tool (docs/decisions/0010): one chart for all tools, given the rules of one. A child of its
 * tool, so that a form outlives its screen and ends with the session.
 *
 * Editing is possible in every state. A click brings the key of its request (security R45) and waits for uploads and
 * set-up. Then the request goes to the tool's `requests`, which knows a second press by its values, and the form is as
 * free as before: what became of the request is read from its submission (docs/decisions/0101).
 */
export const createGenerationMachine = (tool: ToolRules) => {
  const {rules, chart} = generationSetup(tool)
  const waiting = chart.createStateConfig({
    tags: ['waiting'],
    on: {'submit.cancel': {target: 'editing.last', actions: ['clearClick']}, 'form.submit': {}},
    after: {waitDeadline: {target: 'editing.last', actions: ['clearClick']}},
    initial: 'uploads',
    states: {
      uploads: {
        tags: ['uploading'],
        always: [
          {guard: 'hasFailedUpload', target: '#generation.editing.checked', actions: ['clearClick']},
          {guard: 'isAllThere', target: '#generation.deciding'},
        ],
      },
      setUp: {
        tags: ['needsSetup'],
        // there is no credential token (spec §5, `no token`): a step for the user, not a failure
        on: {'provision.ready': {target: '#generation.deciding'}},
      },
    },
  })

  const remember = {
    type: 'rememberForm' as const,
    params: ({context}: {context: {tool: string; form: Record<string, unknown>}}) => ({
      tool: context.tool,
      form: context.form,
    }),
  }

  return chart.createMachine({
    id: 'generation',
    context: ({input}) => {
      const {form} = rules.change(rules.defaults(), input.restored ?? {})
      return {
        tool: input.tool,
        owner: input.owner,
        form,
        faults: rules.faults(form),
        dropped: [],
        uploads: [],
        orders: {},
      }
    },
    initial: 'editing',
    invoke: {
      id: 'results',
      src: 'results',
      input: ({context: {tool: id}}) => ({tool: id}),
      // the form does without: the user takes the next step by hand
      onError: {},
    },
    on: {
      'field.change': {
        actions: [{type: 'changeForm', params: ({event: {field, value}}) => ({values: {[field]: value}})}, remember],
      },
      'form.fill': {actions: [{type: 'changeForm', params: ({event}) => event}, remember]},
      'form.reset': {actions: ['resetForm', remember]},
      'files.add': {actions: [{type: 'addFiles', params: ({event}) => event}, 'startUploads']},
      'file.remove': {
        guard: {type: 'isUpload', params: ({event}) => event},
        actions: [{type: 'removeFile', params: ({event}) => event}, 'startUploads', remember],
      },
      'file.retry': {
        guard: {type: 'isRepeatable', params: ({event}) => event},
        actions: [{type: 'retryFile', params: ({event}) => event}],
      },
      'file.move': {actions: [{type: 'moveFile', params: ({event}) => event}, remember]},
      'result.arrived': {actions: [{type: 'takeResult', params: ({event}) => event}]},
      'upload.settled': {
        guard: {type: 'isUpload', params: ({event}) => event},
        actions: [{type: 'storeFile', params: ({event}) => event}, 'startUploads', remember],
      },
      'upload.failed': {
        actions: [{type: 'markFailed', params: ({event}) => event}, 'startUploads'],
      },
      'result.use': {actions: [{type: 'takeUse', params: ({event}) => event}]},
      'xstate.error.actor.*': {actions: [{type: 'dropBroken', params: ({event}) => event}, 'startUploads']},
    },
    states: {
      editing: {
        tags: ['editing'],
        on: {
          'form.submit': {target: 'deciding', actions: [{type: 'storeClick', params: ({event}) => event}]},
          'form.reset': {target: '.untouched', actions: ['resetForm', remember]},
        },
        initial: 'untouched',
        states: {
          untouched: {},
          // the user pressed Generate on a form that cannot be sent: what is wrong is shown from then on
          checked: {tags: ['checked']},
          last: {type: 'history'},
        },
      },
      deciding: {
        always: [
          {guard: 'isUploading', target: 'waiting.uploads'},
          {guard: 'hasFailedUpload', target: 'editing.checked', actions: ['clearClick']},
          {guard: 'hasFaults', target: 'editing.checked', actions: ['clearClick']},
          {guard: 'canSend', target: 'editing', actions: ['sendRequest']},
          {target: 'waiting.setUp'},
        ],
      },
      waiting,
    },
  })
}

export type GenerationMachine = ReturnType<typeof createGenerationMachine>
export type GenerationActor = ActorRefFrom<GenerationMachine>
export type GenerationSnapshot = SnapshotFrom<GenerationMachine>
