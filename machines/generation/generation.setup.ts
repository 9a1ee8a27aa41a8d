import {assign, enqueueActions, setup} from 'xstate'
import type {FileFault} from '#domain/file-rules.ts'
import type {UsedResult} from '#domain/use-targets.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {logicPort, streamPort, unfilledAction} from '#machines/lib/ports.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import {fromForm} from '#machines/task-requests/task-requests.types.ts'
import {taskListId} from '#machines/tasks/tasks.types.ts'
import type {uploadMachine} from '#machines/upload/upload.machine.ts'
import {
  fieldOrders,
  formRules,
  inOrder,
  isSurplus,
  isTravelling,
  itemsOf,
  remainingUploads,
  withAdded,
  withFile,
  withMoved,
  withoutFile,
  type AddedFiles,
  type FormRules,
  type ToolRules,
} from './generation.rules.ts'
import type {
  FormUpload,
  FormValues,
  GenerationContext,
  GenerationEvent,
  GenerationInput,
  GenerationTag,
  ResultFact,
} from './generation.types.ts'

/** Files that travel at once. */
const mostTransfers = 3

export const uploadId = (id: string) => `upload/${id}` as const

type FormContext = Pick<GenerationContext, 'form' | 'uploads' | 'orders'>

/** Changes the form, its files included. `uploads`: as they are with the change. */
const changed = (rules: FormRules, {form: before, uploads: all, orders}: FormContext, values: FormValues) => {
  const {form, dropped} = rules.change(before, values)
  const uploads = remainingUploads(all, before, form)
  return {form, dropped, faults: rules.faults(form), uploads, orders: fieldOrders({form, uploads}, orders)}
}

/** The uploads of the form are others. */
const withUploads = ({form, orders}: FormContext, uploads: FormUpload[]) => ({
  uploads,
  orders: fieldOrders({form, uploads}, orders),
})

/** Files that left the form, whose upload has to end. */
const gone = (before: readonly FormUpload[], after: readonly FormUpload[]) =>
  before.filter(({id}) => after.every((upload) => upload.id !== id))

const marked = (uploads: readonly FormUpload[], id: string, changes: Partial<FormUpload>) =>
  uploads.map((upload) => (upload.id === id ? {...upload, ...changes} : upload))

/** Ports, children, guards and actions of a tool's form, apart from its files. */
const formSetup = (rules: FormRules) => {
  /** The files that would go with the request: those of fields that take part in it now. */
  const expected = ({form, uploads}: Pick<FormContext, 'form' | 'uploads'>) =>
    uploads.filter(({field}) => rules.takesPart(form, field))
  return setup({
    types: {
      input: {} as GenerationInput,
      context: {} as GenerationContext,
      events: {} as GenerationEvent,
      tags: {} as GenerationTag,
    },
    actors: {
      /** Tasks of this tool that succeed. */
      results: streamPort<ResultFact, {tool: string}>('results'),
      /** Loaded before the first file is added. */
      upload: logicPort<typeof uploadMachine>('upload'),
    },
    delays: {waitDeadline: 600_000},
    guards: {
      hasFaults: ({context}) => context.faults.length > 0,
      isUploading: ({context}) => expected(context).some(isTravelling),
      isAllThere: ({context}) => !expected(context).some(isTravelling),
      hasFailedUpload: ({context}) =>
        expected(context).some((upload) => upload.state === 'failed' && !isSurplus(upload)),
      /** Calls can be made, and the list that takes the request runs. */
      canSend: ({context: {owner, tool}}) =>
        findActor<TaskListActor>(owner.system, taskListId(tool))?.getSnapshot().hasTag('ready') === true,
      isUpload: ({context}, {id}: {id: string}) => context.uploads.some((upload) => upload.id === id),
      isRepeatable: ({context}, {id}: {id: string}) =>
        context.uploads.some((upload) => upload.id === id && upload.fault === undefined),
    },
    actions: {
      changeForm: enqueueActions(({enqueue, context}, {values}: {values: FormValues}) => {
        const change = changed(rules, context, values)
        for (const {id} of gone(context.uploads, change.uploads)) enqueue.stopChild(uploadId(id))
        enqueue.assign(change)
      }),
      /** A task that prepared something for the form succeeded. */
      takeResult: enqueueActions(({enqueue, context}, {reading, request}: Omit<ResultFact, 'type'>) => {
        const values = rules.next(reading, request, context.form)
        if (values !== undefined) enqueue.raise({type: 'form.fill', values})
      }),
      takeUse: enqueueActions(({enqueue, context}, {use}: {use: UsedResult}) => {
        enqueue.raise({type: 'form.fill', values: rules.used(context.form, use)})
      }),
      resetForm: enqueueActions(({enqueue, context}) => {
        for (const {id} of context.uploads) enqueue.stopChild(uploadId(id))
        const form = rules.defaults()
        enqueue.assign({form, faults: rules.faults(form), dropped: [], uploads: [], orders: {}})
      }),
      storeClick: assign((_, click: {key: string; at: number}) => ({click: {key: click.key, at: click.at}})),
      clearClick: assign({click: undefined}),
      sendRequest: enqueueActions(({enqueue, context: {tool: id, owner, form, click}}) => {
        if (click === undefined) return
        const intent = {...click, tool: id, submission: rules.submission(form), form}
        enqueue.sendTo(owner, {type: 'task.submit', from: fromForm, intent})
        enqueue.assign({click: undefined})
      }),
      /** Port: the form as it is, for the next visit. */
      rememberForm: (_, _params: {tool: string; form: FormValues}) => unfilledAction('rememberForm'),
    },
  })
}

/** The setup of a tool's form, its files included. */
export const generationSetup = (tool: ToolRules) => {
  const rules = formRules(tool)
  const chart = formSetup(rules).extend({
    actions: {
      addFiles: enqueueActions(({enqueue, context, self}, newFiles: AddedFiles) => {
        const addition = withAdded(context, newFiles)
        if (addition === undefined) return
        const {field, rule} = newFiles
        for (const {id} of gone(context.uploads, addition.uploads)) enqueue.stopChild(uploadId(id))
        for (const file of addition.taken)
          enqueue.spawnChild('upload', {id: uploadId(file.id), input: {parentRef: self, file, field, rule}})
        enqueue.assign(withUploads(context, addition.uploads))
      }),
      /** Gives waiting files the free slots. */
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
        const upload = context.uploads.find((each) => each.id === id)
        if (upload === undefined) return
        const uploads = context.uploads.filter((other) => other !== upload)
        const value = withoutFile(context.form[upload.field], upload.url)
        const change = changed(rules, {...context, uploads}, {[upload.field]: value})
        for (const {id: goneId} of gone(context.uploads, change.uploads)) enqueue.stopChild(uploadId(goneId))
        enqueue.assign(change)
      }),
      /** The list keeps the order in which its files were chosen or moved, not that in which their uploads end. */
      storeFile: enqueueActions(({enqueue, context}, {id, field, url}: {id: string; field: string; url: string}) => {
        const uploads = marked(context.uploads, id, {state: 'done', url})
        const value = withFile(
          context.form[field],
          url,
          context.uploads.find((candidate) => candidate.id === id)?.most ?? 1,
        )
        const orderedValue = inOrder(value, uploads, context.orders[field] ?? [])
        const change = changed(rules, {...context, uploads}, {[field]: orderedValue})
        for (const {id: goneId} of gone(context.uploads, change.uploads)) enqueue.stopChild(uploadId(goneId))
        enqueue.assign(change)
      }),
      moveFile: assign(({context}, {field, id, position}: {field: string; id: string; position: number}) => {
        const order = context.orders[field] ?? itemsOf(context.form[field]).map(String)
        const orders = {...context.orders, [field]: withMoved(order, id, position)}
        const value = inOrder(context.form[field], context.uploads, orders[field] ?? [])
        return changed(rules, {...context, orders}, {[field]: value})
      }),
      markFailed: assign(({context}, {id, fault}: {id: string; fault?: FileFault}) => ({
        uploads: marked(context.uploads, id, {state: 'failed', ...(fault && {fault})}),
      })),
      dropBroken: assign(({context}, {actorId}: {actorId: string}) =>
        withUploads(
          context,
          context.uploads.filter(({id}) => uploadId(id) !== actorId),
        ),
      ),
    },
  })
  return {rules, chart}
}
