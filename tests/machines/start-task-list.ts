import {Subject} from 'rxjs'
import type {LeadershipFact} from '#domain/leadership.ts'
import {createActor, fromEventObservable, fromPromise, setup, SimulatedClock, type AnyEventObject} from 'xstate'
import type {Intent, StoredIntent} from '#domain/intent.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {submissionMachine} from '#machines/submission/submission.machine.ts'
import type {TaskAcceptance, FindInput, PostInput, Preparation} from '#machines/submission/submission.types.ts'
import {taskDaysMachine} from '#machines/task-days/task-days.machine.ts'
import {taskFavouritesMachine} from '#machines/task-favourites/task-favourites.machine.ts'
import {listParts} from '#machines/task-list/list-parts.ts'
import {taskListMachine} from '#machines/task-list/task-list.machine.ts'
import {taskLookupMachine} from '#machines/task-lookup/task-lookup.machine.ts'
import {taskPagesMachine} from '#machines/task-pages/task-pages.machine.ts'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import type {LeadershipInput, PeerReport, PollInput, PollOutput} from '#machines/task-poll/task-poll.types.ts'
import {taskRequestsMachine} from '#machines/task-requests/task-requests.machine.ts'
import {selectSubmission} from '#machines/task-requests/task-requests.selectors.ts'
import {activeOf, selectCards, selectPending} from '#machines/task-list/task-list.selectors.ts'
import {newlyNamed} from '#machines/tasks/tasks.rules.ts'
import {
  taskRemovalId,
  type CachedTasks,
  type NamedTask,
  type NamedTasks,
  type PageInput,
  type TaskPage,
} from '#machines/task-list/task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {startEnvironment} from './environment-fixture.ts'
import {ref, type SetUp} from './media-fixtures.ts'

type Fakes = {
  task?: (id: string) => Promise<TaskRecord>
  named?: (ids: string[]) => Promise<NamedTasks>
  page?: (asked: PageInput) => Promise<TaskPage>
  cached?: Omit<CachedTasks, 'now'> & Partial<Pick<CachedTasks, 'now'>>
  post?: (sent: Intent) => Promise<TaskAcceptance>
  preparation?: Preparation
  found?: TaskRecord[]
  poll?: (ids: string[]) => Promise<PollOutput>
  /** Tasks that an earlier page deleted without hearing of it. */
  deletions?: string[]
  remove?: (id: string) => Promise<void>
}

/** A list below a parent that collects its facts, with a server and other tabs in the hands of the test. */
export function startTaskList(fakes: Fakes = {}, setUp: SetUp = 'ready', isOnline = true) {
  const environment = startEnvironment({isOnline})
  const facts: AnyEventObject[] = []
  const readPages: PageInput[] = []
  const asked: string[][] = []
  const removed: string[] = []
  const forgotten: string[] = []
  const kept: StoredIntent[] = []
  const peers = new Subject<{type: 'peer.polled'} & PeerReport>()
  const retrieveTasks = fromPromise<TaskPage, PageInput>(({input: page}) => {
    readPages.push(page)
    return fakes.page?.(page) ?? Promise.resolve({records: [], total: 0})
  })
  const machine = taskListMachine.provide({
    actors: {
      readCached: fromPromise<CachedTasks, {ref: ToolRef; userId: string}>(async () => ({
        records: [],
        total: 0,
        intents: [],
        now: 1_000,
        ...fakes.cached,
      })),
      readDeletions: fromPromise<string[], {ref: ToolRef}>(async () => fakes.deletions ?? []),
      pages: taskPagesMachine.provide({actors: {retrieveTasks}}),
      days: taskDaysMachine.provide({actors: {retrieveTasks}}),
      lookup: taskLookupMachine.provide({
        actors: {
          retrieveTask: fromPromise<TaskRecord, {ref: ToolRef; id: string}>(
            ({input: {id}}) => fakes.task?.(id) ?? Promise.reject(new Error('foo')),
          ),
        },
      }),
      favourites: taskFavouritesMachine.provide({
        actors: {
          retrieveNamed: fromPromise<NamedTasks, {ref: ToolRef; ids: string[]}>(
            ({input: {ids}}) => fakes.named?.(ids) ?? Promise.reject(new Error('foo')),
          ),
        },
      }),
      peers: fromEventObservable(() => peers),
      taskPoll: taskPollMachine.provide({
        actions: {sendToPeers: () => undefined},
        actors: {
          leadership: fromEventObservable<LeadershipFact, LeadershipInput>(() => {
            const line = new Subject<LeadershipFact>()
            setImmediate(() => line.next({type: 'leader.won'}))
            return line
          }),
          pollTasks: fromPromise<PollOutput, PollInput>(({input: {ids}}) => {
            asked.push(ids)
            return fakes.poll?.(ids) ?? Promise.resolve({records: [], missing: [], age: 1})
          }),
        },
      }),
      requests: taskRequestsMachine.provide({
        actors: {
          submission: submissionMachine.provide({
            actors: {
              saveIntent: fromPromise<void, {userId: string; intent: Intent}>(async () => undefined),
              prepareRequest: fromPromise<Preparation, {ref: ToolRef; intent: Intent}>(
                async () => fakes.preparation ?? {repeats: true, isHeld: false, isOld: false},
              ),
              findTasks: fromPromise<TaskRecord[], FindInput>(async () => fakes.found ?? []),
              postRequest: fromPromise<TaskAcceptance, PostInput>(({input: {intent: sent}}) => {
                return fakes.post?.(sent) ?? Promise.resolve({task: `task of ${sent.key}`})
              }),
            },
            actions: {
              forgetIntent: (_, {key}) => void forgotten.push(key),
              keepIntent: (_, {stored}) => void kept.push(stored),
            },
          }),
        },
      }),
      removal: removalMachine.provide({
        actors: {
          remove: fromPromise<void, {id: string}>(async ({input: {id}}) => {
            removed.push(id)
            await fakes.remove?.(id)
          }),
        },
      }),
    },
  })
  const clock = new SimulatedClock()
  const parent = setup({actors: {child: machine}}).createMachine({
    invoke: {
      id: 'child',
      src: 'child',
      input: ({self}) => ({userId: 'u-1', ref, environment, parentRef: self, session: self}),
    },
    on: {'*': {actions: ({event}) => void facts.push(event)}},
  })
  const list = createActor(parent, {clock}).start().getSnapshot().children.child
  if (list === undefined) throw new Error('The child did not start')
  if (setUp !== 'settling') list.send({type: setUp === 'ready' ? 'provision.ready' : 'provision.missing'})
  const turn = async () => {
    for (let round = 0; round < 6; round += 1) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const context = () => list.getSnapshot().context
  const ids = () => context().items.map(({task}) => task.id)
  const named = (type: string) => facts.filter((fact) => fact.type === type)
  const pending = () => selectPending(list.getSnapshot())
  const cards = () => selectCards(list.getSnapshot())
  return {
    ...listParts(list),
    /** The actor of a request that has no task yet. */
    submission: (key: string) => selectSubmission(listParts(list).requests.getSnapshot(), key),
    list,
    environment,
    clock,
    facts,
    /** Pages that were asked for. */
    readPages,
    asked,
    removed,
    forgotten,
    kept,
    peers,
    turn,
    context,
    ids,
    named,
    pending,
    cards,
    /** The cards that run or wait for the user. */
    active: () => activeOf(cards()),
    watched: () => list.getSnapshot().children.taskPoll?.getSnapshot().context.watched,
    restore: (id: string) => list.system.get(taskRemovalId(ref.tool, id))?.send({type: 'removal.undo'}),
    /** Names tasks as running, as the server does. */
    name: (tasks: NamedTask[]) => list.send({type: 'tasks.read', records: newlyNamed(context(), tasks)}),
  }
}
