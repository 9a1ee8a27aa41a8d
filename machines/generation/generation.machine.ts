import type {ActorRefFrom, SnapshotFrom} from 'xstate'
import {generationSetup} from './generation.setup.ts'
import type {ToolRules} from './generation.rules.ts'

/**
 * The form of one media tool and the request it makes (docs/decisions/0010): one chart for all tools, given the rules of
 * one. A child of its tool, so that a form outlives its screen and ends with the session.
 *
 * Editing is possible in every state. A click makes the key of its request (security R45) and waits for uploads and
 * set-up; then the tool's list of tasks owns the request, stores it before it is sent, and reports here until it is
 * accepted. A refusal keeps the form: the same form again is the same request with the same key. Right after a request was
 * accepted the same form again is the end of a double click; other values are another request.
 */
export const createGenerationMachine = (tool: ToolRules) => {
  const {rules, chart} = generationSetup(tool)
  const known = {
    params: ({context}: {context: {tool: string; request?: {key: string}}}) => ({
      tool: context.tool,
      key: context.request?.key ?? '',
    }),
  }
  const repeat = {type: 'repeatRequest' as const, ...known}
  const discard = {type: 'discardRequest' as const, ...known}

  const waiting = chart.createStateConfig({
    tags: ['waiting'],
    on: {'submit.cancel': {target: 'editing', actions: ['clearClick']}, 'form.submit': {}},
    after: {waitDeadline: {target: 'editing', actions: ['clearClick']}},
    initial: 'uploads',
    states: {
      uploads: {
        tags: ['uploading'],
        always: [
          {guard: 'hasFailedUpload', target: '#generation.editing', actions: ['clearClick', 'showFaults']},
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

  const requested = chart.createStateConfig({
    // the submission of the list has the request, and is watched until it is accepted or discarded
    invoke: {
      id: 'submission',
      src: 'submission',
      input: ({context: {tool: id, form, request}}) => ({
        tool: id,
        form,
        ...(request ?? {key: '', at: 0, submission: {operation: '', body: {}}}),
      }),
      onDone: {target: 'editing', actions: ['clearRequest']},
      onError: {target: '.refused', actions: [{type: 'storeError', params: ({event}) => event}]},
    },
    initial: 'sending',
    on: {
      'submission.accepted': {guard: {type: 'isCurrent', params: ({event}) => event}, target: 'sent'},
      'submission.underway': {guard: {type: 'isCurrent', params: ({event}) => event}, target: 'sent'},
      'submission.resumed': {
        guard: {type: 'isCurrent', params: ({event}) => event},
        target: '.sending',
        actions: ['clearFailure'],
      },
      'submission.rejected': {guard: {type: 'isCurrent', params: ({event}) => event}, target: '.refused'},
    },
    states: {
      sending: {
        tags: ['busy'],
        // the request goes on in the list, and its card tells how
        after: {sendDeadline: {target: '#generation.editing', actions: ['clearRequest']}},
        on: {'form.submit': {}},
      },
      refused: {
        tags: ['editing', 'rejected'],
        // The form is kept. Why it was refused is told by the submission.
        on: {
          'submit.repeat': {target: 'sending', actions: ['clearFailure', repeat]},
          'form.submit': [
            {guard: 'isSameRequest', target: 'sending', actions: ['clearFailure', repeat]},
            {
              target: '#generation.deciding',
              actions: [discard, 'clearRequest', {type: 'storeClick', params: ({event}) => event}],
            },
          ],
          'submit.cancel': {target: '#generation.editing', actions: [discard, 'clearRequest']},
        },
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
        showsFaults: false,
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
        on: {'form.submit': {target: 'deciding', actions: [{type: 'storeClick', params: ({event}) => event}]}},
      },
      deciding: {
        always: [
          {guard: 'isUploading', target: 'waiting.uploads'},
          {guard: 'hasFailedUpload', target: 'editing', actions: ['clearClick', 'showFaults']},
          {guard: 'hasFaults', target: 'editing', actions: ['clearClick', 'showFaults']},
          {guard: 'isSetUp', target: 'requested', actions: ['composeRequest']},
          {target: 'waiting.setUp'},
        ],
      },
      waiting,
      requested,
      sent: {
        tags: ['sent'],
        exit: ['clearRequest'],
        after: {settleTime: {target: 'editing'}},
        on: {
          'form.submit': [
            // the second half of a double click is not a second request
            {guard: 'isSameRequest'},
            {target: 'deciding', actions: [{type: 'storeClick', params: ({event}) => event}]},
          ],
        },
      },
    },
  })
}

export type GenerationMachine = ReturnType<typeof createGenerationMachine>
export type GenerationActor = ActorRefFrom<GenerationMachine>
export type GenerationSnapshot = SnapshotFrom<GenerationMachine>
