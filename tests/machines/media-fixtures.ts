import {z} from '#contract/schema.ts'
import type {FormFault} from '#contract/media/media-tool.ts'
import type {ToolRules} from '#machines/generation/generation.rules.ts'
import type {GenerationInput} from '#machines/generation/generation.types.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import {taskListId} from '#machines/tasks/tasks.types.ts'
import type {Intent} from '#domain/intent.ts'
import type {TaskStatus} from '#domain/task-status.ts'
import {createActor, createMachine, sendTo, setup} from 'xstate'
import type {RequestsFact, TaskListContext} from '#machines/task-list/task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import type {ToolEvent} from '#machines/tool/tool.types.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {nobody} from './nobody.ts'

/** Whether calls can be made, as a list knows it. */
export type SetUp = 'settling' | 'ready' | 'missing'

export const ref: ToolRef = {tool: 'foo', service: 'foo-service', serviceId: 's-foo'}

export const record = (id: string, status: TaskStatus = 'running', createdAt = 100): TaskRecord => ({
  task: {
    id,
    created_at: createdAt,
    request: {prompt: id},
    ...(status === 'succeeded' ? {response: {success: true}, finished_at: createdAt + 9} : {}),
    ...(status === 'failed' ? {response: {success: false}, finished_at: createdAt + 9} : {}),
  },
  status,
  reading: {artifacts: status === 'succeeded' ? [{medium: 'image', url: `/${id}.png`}] : []},
})

export const intent = (key: string, at = 100): Intent => ({
  key,
  tool: 'foo',
  submission: {operation: 'make', body: {prompt: key}},
  at,
})

/**
 * A tool with a prompt that is needed, a model that decides which lengths there are, and files; a sketch goes with the
 * small one alone.
 */
export const rules: ToolRules = {
  form: z.object({
    prompt: z._default(z.string(), ''),
    model: z._default(z.enum(['small', 'large']), 'small'),
    length: z._default(z.number(), 5),
    picture: z._default(z.string(), ''),
    pictures: z._default(z.array(z.string()), []),
    sketch: z._default(z.string(), ''),
  }),
  settle: (form) =>
    form.model === 'small' && form.length === 25
      ? {form: {...form, length: 5}, dropped: ['length']}
      : {form: form.model === 'large' ? {...form, sketch: ''} : form, dropped: []},
  faults: ({prompt}): FormFault[] => (prompt === '' ? [{field: 'prompt', message: 'promptNeeded'}] : []),
  submit: ({prompt, model, length, picture: image, pictures: images, sketch}) => ({
    operation: 'make',
    body: {prompt, model, length, picture: image, pictures: images, sketch},
  }),
  next: (_reading, request, {sketch}) =>
    sketch !== '' && request.sketch === sketch ? {picture: 'prepared'} : undefined,
}

type Listed = Pick<TaskListContext, 'items' | 'removing' | 'removed'>

/** A list for one of its parts that a test runs alone: it holds these tasks, and collects what the part sends. */
export function startList(state: SetUp = 'ready', listed: Partial<Listed> = {}) {
  type Fact = {type: 'tasks.read'; records: readonly TaskRecord[]; total?: number} | RequestsFact
  const facts: Fact[] = []
  const machine = setup({
    types: {context: {} as Listed, events: {} as Fact, tags: {} as 'ready' | 'missing'},
  }).createMachine({
    context: {items: [], removing: [], removed: [], ...listed},
    initial: state,
    states: {settling: {}, ready: {tags: ['ready']}, missing: {tags: ['missing']}},
    on: {'*': {actions: ({event}) => void facts.push(event)}},
  })
  const list = createActor(machine).start()
  return {list, facts, input: {list, ref, userId: 'u-1'}}
}

type SubmitEvent = Extract<ToolEvent, {type: 'task.submit'}>
type OwnerParts = {requests?: ParentRef<SubmitEvent>; tool?: string}

/** A tool for its form that a test runs alone: its list says whether calls can be made, and it takes the requests. */
export function startOwner(isReady: boolean, {requests = nobody, tool = 'foo'}: OwnerParts = {}) {
  const sent: Intent[] = []
  const list = createMachine({
    initial: isReady ? 'ready' : 'missing',
    states: {missing: {on: {'provision.ready': {target: 'ready'}}}, ready: {tags: ['ready']}},
  })
  const machine = setup({types: {events: {} as SubmitEvent}, actors: {list}}).createMachine({
    invoke: {id: 'list', systemId: taskListId(tool), src: 'list'},
    on: {'task.submit': {actions: [({event}) => void sent.push(event.intent), sendTo(requests, ({event}) => event)]}},
  })
  const owner = createActor(machine).start()
  return {owner, sent, setUp: () => owner.getSnapshot().children.list?.send({type: 'provision.ready'})}
}

/** Whether calls can be made, as the list of this owner knows it. */
export const isSetUp = ({owner, tool}: Pick<GenerationInput, 'owner' | 'tool'>): boolean =>
  findActor<TaskListActor>(owner.system, taskListId(tool))?.getSnapshot().hasTag('ready') === true
