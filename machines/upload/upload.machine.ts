import {assign, enqueueActions, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import {fileFault, type FileFault, type FileRule} from '#domain/file-rules.ts'
import {promisePort, streamPort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import type {ChosenFile, Transfer, UploadContext, UploadEvent, UploadInput, UploadTag} from './upload.types.ts'

/**
 * One file of a form on its way to the server (expectations §3, security R29, R30): checked by name, type, size and
 * first bytes before the upload. Owned by `generation`, `siteForm` or `draftFiles`, which start it; ends when it is
 * removed.
 */
export const uploadMachine = setup({
  types: {
    input: {} as UploadInput,
    context: {} as UploadContext,
    events: {} as UploadEvent,
    tags: {} as UploadTag,
  },
  actors: {
    /** Looks at the first bytes. */
    checkContent: promisePort<FileFault | undefined, {file: ChosenFile; rule: FileRule}>('checkContent'),
    transfer: streamPort<Transfer, {file: ChosenFile}>('transfer'),
  },
  delays: {checkDeadline: 15_000, transferDeadline: 1_800_000},
  guards: {
    isRefused: ({context: {file, rule}}) => fileFault(file, rule) !== undefined,
    isFault: (_, {output}: {output: FileFault | undefined}) => output !== undefined,
    hasUrl: ({context}) => context.url !== undefined,
  },
  actions: {
    storeRuleFault: assign(({context: {file, rule}}) => ({fault: fileFault(file, rule)})),
    storeFault: assign((_, {output}: {output: FileFault | undefined}) => ({fault: output})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    clearFailure: assign({failure: undefined, percent: 0}),
    storePercent: assign((_, {percent}: {percent: number}) => ({percent})),
    storeUrl: assign((_, {url}: {url: string}) => ({url, percent: 100})),
    tellSettled: enqueueActions(({enqueue, context: {parentRef, file, field, url}}) => {
      if (url !== undefined) enqueue.sendTo(parentRef, {type: 'upload.settled', id: file.id, field, url})
    }),
    tellFailed: enqueueActions(({enqueue, context: {parentRef, file, field, fault, failure}}) => {
      const reason = {...(fault && {fault}), ...(failure && {failure})}
      enqueue.sendTo(parentRef, {type: 'upload.failed', id: file.id, field, ...reason})
    }),
  },
}).createMachine({
  id: 'upload',
  context: ({input}) => ({...input, percent: 0}),
  initial: 'queued',
  on: {'upload.discard': {target: '.discarded'}},
  states: {
    queued: {
      tags: ['busy'],
      always: {guard: 'isRefused', target: 'refused', actions: ['storeRuleFault']},
      on: {'upload.start': {target: 'checking'}},
    },
    checking: {
      tags: ['busy'],
      invoke: {
        id: 'checkContent',
        src: 'checkContent',
        input: ({context: {file, rule}}) => ({file, rule}),
        onDone: [
          {
            guard: {type: 'isFault', params: ({event}) => event},
            target: 'refused',
            actions: [{type: 'storeFault', params: ({event}) => event}],
          },
          {target: 'transferring'},
        ],
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {checkDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    transferring: {
      tags: ['busy'],
      invoke: {
        id: 'transfer',
        src: 'transfer',
        input: ({context: {file}}) => ({file}),
        onDone: [
          {guard: 'hasUrl', target: 'done'},
          {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]},
        ],
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {transferDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
      on: {
        'upload.progressed': {actions: [{type: 'storePercent', params: ({event}) => event}]},
        'upload.finished': {actions: [{type: 'storeUrl', params: ({event}) => event}]},
      },
    },
    failed: {
      tags: ['failed'],
      entry: ['tellFailed'],
      on: {'upload.retry': {target: 'checking', actions: ['clearFailure']}},
    },
    refused: {tags: ['refused'], entry: ['tellFailed']},
    done: {tags: ['done'], entry: ['tellSettled']},
    discarded: {type: 'final'},
  },
})

export type UploadActor = ActorRefFrom<typeof uploadMachine>
export type UploadSnapshot = SnapshotFrom<typeof uploadMachine>
