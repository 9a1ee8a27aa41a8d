import {assign, enqueueActions, setup} from 'xstate'
import {toFailure, type Failure} from '#domain/failure.ts'
import type {FileRule} from '#domain/file-rules.ts'
import {isSameData} from '#domain/same-data.ts'
import {streamPort} from '#machines/lib/ports.ts'
import type {SetUp} from '#machines/tasks/tasks.types.ts'
import {uploadMachine} from '#machines/upload/upload.machine.ts'
import type {ChosenFile} from '#machines/upload/upload.types.ts'
import {formRules, isTravelling, withFile, withoutFile, type FormRules, type ToolRules} from './generation.rules.ts'
import type {
  FormUpload,
  FormValues,
  GenerationContext,
  GenerationEvent,
  GenerationInput,
  GenerationTag,
  SubmissionFact,
  SubmissionInput,
} from './generation.types.ts'

/** Files that travel at once. */
const mostTransfers = 3

export const uploadId = (id: string) => `upload/${id}` as const

const changed = (rules: FormRules, context: Pick<GenerationContext, 'form'>, values: FormValues) => {
  const {form, dropped} = rules.change(context.form, values)
  return {form, dropped, faults: rules.faults(form)}
}

const marked = (uploads: readonly FormUpload[], id: string, changes: Partial<FormUpload>) =>
  uploads.map((upload) => (upload.id === id ? {...upload, ...changes} : upload))

/** Ports, children, guards and actions of a tool's form. */
export const generationSetup = (tool: ToolRules) => {
  const rules = formRules(tool)
  return {
    rules,
    chart: setup({
      types: {
        input: {} as GenerationInput,
        context: {} as GenerationContext,
        events: {} as GenerationEvent,
        tags: {} as GenerationTag,
      },
      actors: {
        /** Hands the request to the tool's list of tasks and reports what becomes of it. */
        submission: streamPort<SubmissionFact, SubmissionInput>('submission'),
        upload: uploadMachine,
      },
      delays: {settleTime: 1_000, waitDeadline: 600_000, sendDeadline: 60_000},
      guards: {
        hasFaults: ({context}) => context.faults.length > 0,
        isUploading: ({context}) => context.uploads.some(isTravelling),
        isAllThere: ({context}) => !context.uploads.some(isTravelling),
        hasFailedUpload: ({context}) => context.uploads.some(({state}) => state === 'failed'),
        isSetUp: ({context}) => context.setUp === 'ready',
        isCurrent: ({context}, {key}: {key: string}) => context.request?.key === key,
        isUsedUp: ({context}, {key, failure}: {key: string; failure: Failure}) =>
          context.request?.key === key && failure.code === 'used_up',
        /** The same form again is the same request: a retry, not a new one (security R45). */
        isSameRequest: ({context}) =>
          context.request !== undefined && isSameData(rules.submission(context.form), context.request.submission),
        isUpload: ({context}, {id}: {id: string}) => context.uploads.some((upload) => upload.id === id),
      },
      actions: {
        changeField: assign(({context}, {field, value}: {field: string; value: unknown}) =>
          changed(rules, context, {[field]: value}),
        ),
        fillForm: assign(({context}, {values}: {values: FormValues}) => changed(rules, context, values)),
        resetForm: enqueueActions(({enqueue, context}) => {
          for (const {id} of context.uploads) enqueue.stopChild(uploadId(id))
          const form = rules.defaults()
          enqueue.assign({form, faults: rules.faults(form), dropped: [], uploads: [], showsFaults: false})
        }),
        showFaults: assign({showsFaults: true}),
        hideFaults: assign({showsFaults: false}),
        storeClick: assign((_, click: {key: string; at: number}) => ({click: {key: click.key, at: click.at}})),
        clearClick: assign({click: undefined}),
        composeRequest: assign(({context}) =>
          context.click === undefined
            ? {}
            : {
                request: {...context.click, submission: rules.submission(context.form)},
                click: undefined,
                failure: undefined,
                showsFaults: false,
              },
        ),
        clearRequest: assign({request: undefined, failure: undefined}),
        storeFailure: assign((_, {failure}: {failure: Failure}) => ({failure})),
        storeError: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
        clearFailure: assign({failure: undefined}),
        storeSetUp: assign((_, {setUp}: {setUp: SetUp}) => ({setUp})),
        addFiles: enqueueActions(
          ({enqueue, context}, added: {field: string; files: readonly ChosenFile[]; rule: FileRule; most: number}) => {
            const {field, files, rule, most} = added
            const isList = Array.isArray(context.form[field])
            const own = context.uploads.filter((upload) => upload.field === field)
            const isKnown = (url: unknown) => own.some((upload) => upload.url === url)
            const value = context.form[field]
            const others = Array.isArray(value) ? value.filter((url) => !isKnown(url)).length : 0
            const room = isList ? Math.max(0, most - own.length - others) : 1
            const taken = files.filter(({id}) => own.every((upload) => upload.id !== id)).slice(0, room)
            if (taken.length === 0) return
            // a single field holds one file: the new one takes the place of the old
            const replaced = isList ? [] : own
            for (const {id} of replaced) enqueue.stopChild(uploadId(id))
            for (const file of taken) enqueue.spawnChild('upload', {id: uploadId(file.id), input: {file, field, rule}})
            enqueue.assign({
              uploads: [
                ...context.uploads.filter((upload) => !replaced.includes(upload)),
                ...taken.map(({id, name}) => ({id, field, name, most: isList ? most : 1, state: 'queued' as const})),
              ],
            })
          },
        ),
        /** Gives waiting files a place. */
        startUploads: enqueueActions(({enqueue, context}) => {
          const free = mostTransfers - context.uploads.filter(({state}) => state === 'running').length
          const next = context.uploads.filter(({state}) => state === 'queued').slice(0, Math.max(0, free))
          if (next.length === 0) return
          enqueue.assign({
            uploads: context.uploads.map((upload) =>
              next.includes(upload) ? {...upload, state: 'running' as const} : upload,
            ),
          })
          for (const {id} of next) enqueue.sendTo(uploadId(id), {type: 'upload.start'})
        }),
        retryFile: enqueueActions(({enqueue, context}, {id}: {id: string}) => {
          enqueue.assign({uploads: marked(context.uploads, id, {state: 'running'})})
          enqueue.sendTo(uploadId(id), {type: 'upload.retry'})
        }),
        removeFile: enqueueActions(({enqueue, context}, {id}: {id: string}) => {
          const upload = context.uploads.find((known) => known.id === id)
          if (upload === undefined) return
          enqueue.stopChild(uploadId(id))
          enqueue.assign({
            ...changed(rules, context, {[upload.field]: withoutFile(context.form[upload.field], upload.url)}),
            uploads: context.uploads.filter((known) => known !== upload),
          })
        }),
        storeFile: assign(({context}, {id, field, url}: {id: string; field: string; url: string}) => ({
          ...changed(rules, context, {
            [field]: withFile(context.form[field], url, context.uploads.find((known) => known.id === id)?.most ?? 1),
          }),
          uploads: marked(context.uploads, id, {state: 'done', url}),
        })),
        markFailed: assign(({context}, {id}: {id: string}) => ({
          uploads: marked(context.uploads, id, {state: 'failed'}),
        })),
        dropBroken: assign(({context}, {actorId}: {actorId: string}) => ({
          uploads: context.uploads.filter(({id}) => uploadId(id) !== actorId),
        })),
        /** Port: the form as it is, for the next visit. */
        rememberForm: (_, _kept: {tool: string; form: FormValues}) => {},
        /** Port: the same request with the same key, once more. */
        repeatRequest: (_, _known: {tool: string; key: string}) => {},
        /** Port: a refused request is put aside. */
        discardRequest: (_, _known: {tool: string; key: string}) => {},
      },
    }),
  }
}
