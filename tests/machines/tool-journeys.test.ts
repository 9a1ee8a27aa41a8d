import {NEVER} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {
  createActor,
  fromEventObservable,
  fromPromise,
  setup,
  SimulatedClock,
  waitFor,
  type AnyEventObject,
} from 'xstate'
import type {Application, Service} from '#contract/management.ts'
import {createGenerationMachine, type GenerationActor} from '#machines/generation/generation.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {provisioningMachine, type ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {ApplicationsInput, ApplicationsOutput} from '#machines/provisioning/provisioning.types.ts'
import {selectionMachine, type SelectionActor} from '#machines/selection/selection.machine.ts'
import {selectionId, type ListedFact} from '#machines/selection/selection.types.ts'
import {taskListMachine, type TaskListActor} from '#machines/task-list/task-list.machine.ts'
import type {PeerReport} from '#machines/task-poll/task-poll.types.ts'
import {formId, taskListId, toolProvisioningId} from '#machines/tasks/tasks.types.ts'
import type {CachedTasks} from '#machines/task-list/task-list.types.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import type {FormLogic} from '#machines/tool/tool.setup.ts'
import {chosenLogic} from '#app/logic/chosen-logic.ts'
import type {GenerationEvent, ResultFact} from '#machines/generation/generation.types.ts'
import type {FormOwner} from '#machines/tool/tool.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import {ref, rules} from './media-fixtures.ts'
import {machine, input, use} from './tool-fixture.ts'

type Peered = {type: 'peer.polled'} & PeerReport

type Fakes = {
  loadForm?: () => Promise<void>
  loadSelection?: () => Promise<void>
  isOnline?: boolean
  isSetUp?: boolean
  applications?: Application[]
}

const credential = {id: 'c-1', token: 'foo', host: input.host}

/** A tool below a parent that collects its facts. Its list breaks when a task is selected. */
function start(fakes: Fakes = {}) {
  const clock = new SimulatedClock()
  const environment = startEnvironment({isOnline: fakes.isOnline ?? true})
  const facts: AnyEventObject[] = []
  const logged: string[] = []
  const form: FormLogic = chosenLogic<
    ReturnType<typeof createGenerationMachine>,
    GenerationEvent,
    {tool: string; owner: FormOwner}
  >(({tool, owner}) => ({
    machine: createGenerationMachine(rules).provide({
      actors: {
        results: fromEventObservable<ResultFact, {tool: string}>(() => NEVER),
      },
      actions: {rememberForm: () => undefined},
    }),
    input: {tool, owner},
  }))
  const tool = machine.provide({
    actors: {
      list: taskListMachine.provide({
        actors: {
          readCached: fromPromise<CachedTasks, {ref: ToolRef; userId: string}>(() => new Promise(() => {})),
          readDeletions: fromPromise<string[], {ref: ToolRef}>(async () => []),
          peers: fromEventObservable<Peered, {ref: ToolRef; userId: string}>(() => NEVER),
        },
        actions: {
          select: () => {
            throw new Error('foo')
          },
        },
      }),
      provisioning: provisioningMachine.provide({
        actors: {
          getService: fromPromise<Service, {serviceId: string}>(() =>
            fakes.applications === undefined ? new Promise(() => {}) : Promise.resolve({id: ref.serviceId}),
          ),
          getApplications: fromPromise<ApplicationsOutput, ApplicationsInput>(async () => ({
            applications: fakes.applications ?? [],
            now: 1,
          })),
        },
      }),
      loadForm: fromPromise<void, {tool: string}>(fakes.loadForm ?? (async () => undefined)),
      form,
      loadSelection: fromPromise<void, undefined>(fakes.loadSelection ?? (async () => undefined)),
      selection: selectionMachine.provide({
        actors: {listed: fromEventObservable<ListedFact, {ref: ToolRef}>(() => NEVER)},
      }),
    },
    actions: {logCrash: (_, {child}) => void logged.push(child)},
  })
  const parent = setup({actors: {tool}}).createMachine({
    invoke: {
      id: 'tool',
      src: 'tool',
      input: ({self}) => ({
        ...input,
        environment,
        parentRef: self,
        session: self,
        ...(fakes.isSetUp ? {provision: {credential}} : {}),
      }),
    },
    on: {'*': {actions: ({event}) => void facts.push(event)}},
  })
  const root = createActor(parent, {clock}).start()
  const actor = root.getSnapshot().children.tool
  if (actor === undefined) throw new Error('The tool did not start')
  const list = () => findActor<TaskListActor>(actor.system, taskListId('foo'))
  return {
    root,
    actor,
    clock,
    environment,
    facts,
    logged,
    turn: () => new Promise<void>((resolve) => setImmediate(resolve)),
    list,
    requestKeys: () =>
      list()
        ?.getSnapshot()
        .children.requests?.getSnapshot()
        .context.requests.map(({key}) => key),
    provisioning: () => findActor<ProvisioningActor>(actor.system, toolProvisioningId('foo')),
    form: () => findActor<GenerationActor>(actor.system, formId('foo')),
    selection: () => findActor<SelectionActor>(actor.system, selectionId('foo')),
  }
}

const ready = {type: 'provision.ready', serviceId: ref.serviceId} as const

describe('tool journeys', () => {
  test('a click before set-up is sent when set-up stands, and the form reads it from the list', async () => {
    const {root, actor, form, turn, requestKeys} = start()
    actor.send({type: 'form.open'})
    await turn()
    form()?.send({type: 'field.change', field: 'prompt', value: 'bar'})
    form()?.send({type: 'form.submit', key: 'k', at: 1})
    expect(form()?.getSnapshot().matches({waiting: 'setUp'})).toBe(true)
    actor.send(ready)
    expect([form()?.getSnapshot().value, requestKeys()]).toEqual([{editing: 'untouched'}, ['k']])
    root.stop()
  })

  test('a click while the list is started again waits for it, and is sent once', async () => {
    const {root, actor, form, list, clock, turn, requestKeys} = start({isSetUp: true})
    actor.send({type: 'form.open'})
    await turn()
    form()?.send({type: 'field.change', field: 'prompt', value: 'bar'})
    list()?.send({type: 'task.select', id: 'a'})
    form()?.send({type: 'form.submit', key: 'k', at: 1})
    expect([list(), form()?.getSnapshot().matches({waiting: 'setUp'})]).toEqual([undefined, true])
    clock.increment(5_000)
    expect([form()?.getSnapshot().value, requestKeys()]).toEqual([{editing: 'untouched'}, ['k']])
    root.stop()
  })

  test('a list that is started again is told of set-up', async () => {
    const {root, list, clock, logged, facts} = start({isSetUp: true})
    list()?.send({type: 'task.select', id: 'a'})
    expect([list(), logged]).toEqual([undefined, ['list']])
    // nobody follows what it told of
    expect(facts.filter(({type}) => type === 'list.changed').at(-1)).toEqual({
      type: 'list.changed',
      tool: 'foo',
      running: 0,
    })
    clock.increment(30_000)
    expect(list()?.getSnapshot().hasTag('ready')).toBe(true)
    root.stop()
  })

  test('a list that is started again is told that set-up needs the user', async () => {
    const {root, list, clock, provisioning} = start({applications: []})
    const setUp = provisioning()
    if (setUp !== undefined) await waitFor(setUp, (snapshot) => snapshot.hasTag('needsApplication'))
    list()?.send({type: 'task.select', id: 'a'})
    expect(list()).toBeUndefined()
    clock.increment(30_000)
    expect(list()?.getSnapshot().hasTag('missing')).toBe(true)
    root.stop()
  })

  test('a list that breaks is started again three times and then waits; asked for twice, it is started once', () => {
    const {root, actor, clock, logged, list, provisioning} = start()
    const setUp = provisioning()
    for (let round = 1; round <= 4; round += 1) {
      list()?.send({type: 'task.select', id: 'a'})
      expect(list()).toBeUndefined()
      clock.increment(30_000)
    }
    expect([logged, actor.getSnapshot().hasTag('down')]).toEqual([['list', 'list', 'list', 'list'], true])
    expect([list(), provisioning()]).toEqual([undefined, setUp])
    actor.send({type: 'child.restart', child: 'list'})
    const revived = list()
    actor.send({type: 'child.restart', child: 'list'})
    expect([actor.getSnapshot().hasTag('down'), list(), revived?.getSnapshot().status]).toEqual([
      false,
      revived,
      'active',
    ])
    root.stop()
  })

  test('each screen that opens has the newest page read, and so has a list that is started again', async () => {
    const {root, actor, list, clock, turn} = start()
    const newest = () => list()?.getSnapshot().children.pages?.getSnapshot().value.newest
    expect(newest()).toBe('none')
    actor.send({type: 'form.open'})
    await turn()
    expect(newest()).toBe('waiting')
    actor.send(ready)
    expect(newest()).toBe('request')
    await turn()
    expect(newest()).toBe('error')
    actor.send({type: 'form.open', use})
    expect(newest()).toBe('error')
    actor.send({type: 'form.open'})
    expect(newest()).toBe('request')
    list()?.send({type: 'task.select', id: 'a'})
    expect(list()).toBeUndefined()
    clock.increment(30_000)
    expect(newest()).toBe('waiting')
    actor.send(ready)
    expect(newest()).toBe('request')
    root.stop()
  })

  test('a result goes into a form that is not there yet, once, and into one that is', async () => {
    const {root, actor, form, turn} = start()
    actor.send({type: 'form.open', use})
    await turn()
    expect(form()?.getSnapshot().context.form.picture).toBe('/result.png')
    form()?.send({type: 'field.change', field: 'picture', value: ''})
    actor.send({type: 'form.open'})
    expect(form()?.getSnapshot().context.form.picture).toBe('')
    actor.send({type: 'form.open', use})
    expect(form()?.getSnapshot().context.form.picture).toBe('/result.png')
    root.stop()
  })

  test('a load that fails is tried again when the user asks, and what was to go into the form is not lost', async () => {
    let calls = 0
    const {root, actor, form, turn, logged} = start({
      loadForm: () => ((calls += 1) === 1 ? Promise.reject(new Error('foo')) : Promise.resolve()),
    })
    actor.send({type: 'form.open', use})
    await turn()
    expect([actor.getSnapshot().hasTag('failed'), logged]).toEqual([true, ['form']])
    actor.send({type: 'form.open'})
    await turn()
    expect(form()?.getSnapshot().context.form.picture).toBe('/result.png')
    root.stop()
  })

  test('a load without a network goes on when it is back', async () => {
    const {root, actor, clock, environment, form, turn} = start({
      isOnline: false,
      loadForm: () =>
        environment.getSnapshot().matches({network: 'online'}) ? Promise.resolve() : new Promise(() => {}),
    })
    actor.send({type: 'form.open'})
    clock.increment(45_000)
    expect([actor.getSnapshot().value.form, actor.getSnapshot().hasTag('failed')]).toEqual(['offline', false])
    environment.send({type: 'connection.restored'})
    await turn()
    expect(form()?.getSnapshot().status).toBe('active')
    root.stop()
  })

  test('the first event begins the choice of several results; one that cannot be loaded is told of', async () => {
    let calls = 0
    const {root, actor, selection, facts, turn} = start({
      loadSelection: () => ((calls += 1) === 1 ? Promise.reject(new Error('foo')) : Promise.resolve()),
    })
    const choose = () => actor.send({type: 'selection.send', event: {type: 'task.toggle', id: 'a'}})
    choose()
    await turn()
    expect([selection(), facts.at(-1)]).toEqual([undefined, {type: 'tool.unopened', tool: 'foo'}])
    choose()
    await turn()
    expect(selection()?.getSnapshot().context.chosen).toEqual(['a'])
    choose()
    expect(selection()?.getSnapshot().matches('selecting')).toBe(true)
    expect(selection()?.getSnapshot().context.chosen).toEqual([])
    root.stop()
  })
})
