import {Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, setup, SimulatedClock, type AnyEventObject} from 'xstate'
import {markedTasks} from '#domain/favourites.ts'
import {lostContact} from '#domain/failure.ts'
import type {Intent, StoredIntent} from '#domain/intent.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import type {
  LeadershipFact,
  LeadershipInput,
  PeerReport,
  PollInput,
  PollOutput,
} from '#machines/task-poll/task-poll.types.ts'
import {submissionMachine} from '#machines/tasks/submission.machine.ts'
import type {Accepted, FindInput, PostInput, Preparation} from '#machines/tasks/submission.types.ts'
import {selectPending} from '#machines/tasks/request.selectors.ts'
import {endedOf, trayOf} from '#machines/tasks/tasks.rules.ts'
import {taskListMachine, type TaskListSnapshot} from '#machines/tasks/task-list.machine.ts'
import {selectCards, selectPageStatus, selectDays} from '#machines/tasks/tasks.selectors.ts'
import type {
  CachedTasks,
  NamedTasks,
  PageInput,
  TaskListEvent,
  TaskListInput,
  TaskPage,
  TaskRecord,
  ToolRef,
} from '#machines/tasks/tasks.types.ts'
import type {EventFixtures} from './graph.ts'
import {intent, record, ref} from './media-fixtures.ts'
import {describeRules} from './rules.ts'

const input: TaskListInput = {userId: 'u-1', ref, setUp: 'ready', isHidden: false, isOnline: true}
const failure = {code: 'unknown', detail: 'foo'}
const report: PeerReport = {records: [], watched: [], gone: [], isHidden: false, isLost: false, nextIn: 3_000}

const events = {
  'tasks.open': [{type: 'tasks.open'}],
  'tasks.refresh': [{type: 'tasks.refresh'}],
  'tasks.older': [{type: 'tasks.older'}],
  'task.select': [{type: 'task.select', id: 'a'}],
  'favourite.set': [
    {type: 'favourite.set', id: 'z/1', isOn: true, at: 1},
    {type: 'favourite.set', id: 'z/1', isOn: false, at: 2},
  ],
  'favourites.merged': [{type: 'favourites.merged', marks: {'z/1': 5}}],
  'favourites.find': [{type: 'favourites.find'}],
  'task.find': [{type: 'task.find', id: 'c'}],
  'task.reread': [{type: 'task.reread', id: 'a'}],
  'task.check': [{type: 'task.check'}, {type: 'task.check', id: 'a'}],
  'task.remove': [{type: 'task.remove', id: 'a'}],
  'task.restore': [{type: 'task.restore', key: 'a'}],
  'task.submit': [
    {type: 'task.submit', intent: intent('k')},
    {type: 'task.submit', intent: intent('k'), from: 'card'},
    {type: 'task.submit', intent: intent('l')},
  ],
  'submission.retry': [{type: 'submission.retry', key: 'k'}],
  'submission.discard': [{type: 'submission.discard', key: 'k'}],
  'submission.changed': [{type: 'submission.changed', key: 'k'}],
  'submission.lost': [{type: 'submission.lost', key: 'k'}],
  'submission.waiting': [{type: 'submission.waiting', key: 'k'}],
  'submission.ended': [{type: 'submission.ended', key: 'k'}],
  'task.claimed': [
    {type: 'task.claimed', key: 'k', task: 'a'},
    {type: 'task.claimed', key: 'l', task: 'a'},
  ],
  'submission.joined': [{type: 'submission.joined', key: 'k', task: 'b'}],
  'tasks.polled': [
    {type: 'tasks.polled', records: [record('a', 'succeeded')]},
    {type: 'tasks.polled', records: [record('a', 'failed')]},
  ],
  'tasks.named': [{type: 'tasks.named', tasks: [{id: 'a', created_at: 100}]}],
  'tasks.gone': [{type: 'tasks.gone', ids: ['a']}],
  'tasks.find': [{type: 'tasks.find', from: 100, to: 200}],
  'tasks.findMore': [{type: 'tasks.findMore'}],
  'contact.lost': [{type: 'contact.lost'}],
  'contact.restored': [{type: 'contact.restored'}],
  'peer.polled': [{type: 'peer.polled', ...report}],
  'removal.undone': [{type: 'removal.undone', key: 'a'}],
  'removal.done': [{type: 'removal.done', key: 'a'}],
  'removal.failed': [{type: 'removal.failed', key: 'a', failure}],
  'provision.ready': [{type: 'provision.ready'}],
  'provision.missing': [{type: 'provision.missing'}],
  'credits.added': [{type: 'credits.added'}],
  'page.hidden': [{type: 'page.hidden'}],
  'page.shown': [{type: 'page.shown'}],
  'page.leaving': [{type: 'page.leaving'}],
  'connection.lost': [{type: 'connection.lost'}],
  'connection.restored': [{type: 'connection.restored'}],
  [`xstate.error.actor.${''}`]: [
    {type: 'xstate.error.actor.submission/k', actorId: 'submission/k', error: new Error('foo')},
    {type: 'xstate.error.actor.removal/a', actorId: 'removal/a', error: new Error('foo')},
  ],
} satisfies EventFixtures<TaskListEvent>

describe('task list', () => {
  const {edges, coverage} = describeRules(taskListMachine, {
    person: [
      // a set-up that failed is tried again by the user, in the machine of the set-up
      'provision.ready',
      'tasks.open',
      'tasks.refresh',
      'tasks.older',
      'task.select',
      'favourite.set',
      'favourites.find',
      'task.check',
      'task.remove',
      'task.restore',
      'task.submit',
      'submission.retry',
      'submission.discard',
      'tasks.find',
      'tasks.findMore',
    ],
    input,
    inputs: [
      {...input, setUp: 'settling'},
      {...input, setUp: 'missing'},
    ],
    events: Object.values(events).flat(),
    outputs: {
      readCached: [{records: [record('a')], total: 3, intents: []}],
      retrieveTasks: [{records: [record('a')], total: 2}],
      retrieveOlder: [
        {records: [record('0', 'succeeded', 1)], total: 2},
        {records: [record('a', 'running', 50)], total: 9},
      ],
      retrieveDays: [
        {records: [record('1', 'succeeded', 150)], total: 2},
        {records: [], total: 0},
      ],
      retrieveTask: [record('a')],
      retrieveNamed: [
        {records: [record('a')], missing: []},
        {records: [], missing: ['z']},
      ],
      taskPoll: [],
      peers: [undefined],
    },
    errors: [{status: 401, code: 'invalid_token', detail: 'foo'}, new Error('foo')],
    endless: ['taskPoll', 'peers'],
    key: ({context: {items, requests, keys, removing, gone, setUp, hasOlder, range, isLost, days, favourites}}) => [
      items.map(({task, status}) => [task.id, status]),
      requests.map(({key, from}) => [key, from]),
      keys,
      removing,
      gone,
      setUp,
      hasOlder,
      range,
      isLost,
      days?.hasMore,
      [...markedTasks(favourites)],
    ],
    // regions that do not touch each other: what is off its usual place is off alone
    stop: ({value, context: {items, requests, removing, gone, setUp, isLost, favourites}}) =>
      [
        value.cache === 'reading',
        !['none', 'success'].includes(value.page),
        value.older !== 'idle',
        value.days !== 'none',
        value.finding !== 'none',
        value.favourites !== 'none' || markedTasks(favourites).size > 0,
        value.poll !== 'running' || isLost,
        value.peers !== 'listening',
        // a walk of its own, on the shortest list
        markedTasks(favourites).size > 0 && (items.length > 1 || requests.length > 0 || setUp !== 'ready'),
        requests.length > 0,
        requests.length > 1,
        removing.length > 0,
        gone.length > 0,
      ].filter(Boolean).length > 1,
  })
  test('every transition is taken', () => {
    expect(coverage.missing(taskListMachine)).toEqual([])
  })
  test('a terminal task keeps its status', () => {
    const over = ({status}: TaskRecord) => status === 'succeeded' || status === 'failed'
    const changed = edges.filter(({state, nextState}) =>
      state.context.items.some(
        (before) =>
          over(before) &&
          nextState.context.items.some((after) => after.task.id === before.task.id && after.status !== before.status),
      ),
    )
    expect(changed).toEqual([])
  })
  test('what is said of set-up and connection is known, whatever waits for it', () => {
    const known = {
      'provision.ready': ({context}) => context.setUp === 'ready',
      'provision.missing': ({context}) => context.setUp === 'missing',
      'connection.restored': ({context}) => context.isOnline,
    } satisfies Record<string, (snapshot: TaskListSnapshot) => boolean>
    const told = edges.filter(({event}) => event.type in known)
    // as: just filtered by it
    const unheard = told.filter(({event, nextState}) => !known[event.type as keyof typeof known](nextState))
    expect(told.some(({state}) => state.matches({page: 'waiting'}))).toBe(true)
    expect(unheard).toEqual([])
  })
  test('items always ascend by time, one per id', () => {
    const wrong = edges.filter(
      ({
        nextState: {
          context: {items},
        },
      }) => {
        const isUnique = new Set(items.map(({task}) => task.id)).size === items.length
        return !isUnique || items.some(({task}, index) => task.created_at < (items[index - 1]?.task.created_at ?? 0))
      },
    )
    expect(wrong).toEqual([])
  })
})

type Fakes = {
  task?: (id: string) => Promise<TaskRecord>
  named?: (ids: string[]) => Promise<NamedTasks>
  page?: (asked: PageInput) => Promise<TaskPage>
  cached?: Omit<CachedTasks, 'now'> & Partial<Pick<CachedTasks, 'now'>>
  post?: (sent: Intent) => Promise<Accepted>
  preparation?: Preparation
  found?: TaskRecord[]
  poll?: (ids: string[]) => Promise<PollOutput>
}

/** A list below a parent that collects its facts, with a server and other tabs in the hands of the test. */
function start(fakes: Fakes = {}, more: Partial<TaskListInput> = {}) {
  const facts: AnyEventObject[] = []
  const pages: PageInput[] = []
  const asked: string[][] = []
  const removed: string[] = []
  const forgotten: string[] = []
  const kept: StoredIntent[] = []
  const peers = new Subject<{type: 'peer.polled'} & PeerReport>()
  const machine = taskListMachine.provide({
    actors: {
      readCached: fromPromise<CachedTasks, {ref: ToolRef; userId: string}>(async () => ({
        records: [],
        total: 0,
        intents: [],
        now: 1_000,
        ...fakes.cached,
      })),
      retrieveTasks: fromPromise<TaskPage, PageInput>(({input: page}) => {
        pages.push(page)
        return fakes.page?.(page) ?? Promise.resolve({records: [], total: 0})
      }),
      retrieveTask: fromPromise<TaskRecord, {ref: ToolRef; id: string}>(
        ({input: {id}}) => fakes.task?.(id) ?? Promise.reject(new Error('foo')),
      ),
      retrieveNamed: fromPromise<NamedTasks, {ref: ToolRef; ids: string[]}>(
        ({input: {ids}}) => fakes.named?.(ids) ?? Promise.reject(new Error('foo')),
      ),
      peers: fromEventObservable(() => peers),
      taskPoll: taskPollMachine.provide({
        actions: {tellPeers: () => undefined},
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
      submission: submissionMachine.provide({
        actors: {
          saveIntent: fromPromise<void, {userId: string; intent: Intent}>(async () => undefined),
          prepareRequest: fromPromise<Preparation, {ref: ToolRef; intent: Intent}>(
            async () => fakes.preparation ?? {repeats: true, isHeld: false, isOld: false},
          ),
          findTasks: fromPromise<TaskRecord[], FindInput>(async () => fakes.found ?? []),
          postRequest: fromPromise<Accepted, PostInput>(({input: {intent: sent}}) => {
            return fakes.post?.(sent) ?? Promise.resolve({task: `task of ${sent.key}`})
          }),
        },
        actions: {
          forgetIntent: (_, {key}) => void forgotten.push(key),
          keepIntent: (_, {stored}) => void kept.push(stored),
        },
      }),
      removal: removalMachine.provide({
        actors: {remove: fromPromise<void, {id: string}>(async ({input: {id}}) => void removed.push(id))},
      }),
    },
  })
  const clock = new SimulatedClock()
  const parent = setup({actors: {child: machine}}).createMachine({
    invoke: {id: 'child', src: 'child', input: ({self}) => ({...input, ...more, parentRef: self})},
    on: {'*': {actions: ({event}) => void facts.push(event)}},
  })
  const list = createActor(parent, {clock}).start().getSnapshot().children.child
  if (list === undefined) throw new Error('The child did not start')
  const turn = async () => {
    for (let round = 0; round < 6; round += 1) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const context = () => list.getSnapshot().context
  const ids = () => context().items.map(({task}) => task.id)
  const named = (type: string) => facts.filter((fact) => fact.type === type)
  const pending = () => selectPending(list.getSnapshot())
  const tray = () => trayOf(context(), pending())
  return {pending, tray, list, clock, facts, pages, asked, removed, forgotten, kept, peers, turn, context, ids, named}
}

describe('task list journeys', () => {
  test('what is kept shows at once; opening reads the newest page and its count', async () => {
    const run = start({
      cached: {records: [record('a', 'succeeded')], total: 9, intents: []},
      page: async () => ({records: [record('b', 'succeeded', 200)], total: 12}),
    })
    await run.turn()
    expect([run.ids(), run.context().total, run.pages]).toEqual([['a'], 9, []])
    run.list.send({type: 'tasks.open'})
    await run.turn()
    expect([run.ids(), run.context().total, run.context().hasOlder]).toEqual([['a', 'b'], 12, true])
    expect(run.pages).toEqual([{ref, userId: 'u-1'}])
  })

  test('favourites that are not listed are asked for, and those the server does not know go', async () => {
    const asked: string[][] = []
    const run = start({
      cached: {
        records: [record('a', 'succeeded')],
        total: 9,
        intents: [],
        favourites: {a: 1, 'old/1': 2, deleted: 3, never: -4},
      },
      named: async (ids) => {
        asked.push(ids)
        return {records: [record('old', 'succeeded', 20)], missing: ['deleted']}
      },
    })
    await run.turn()
    run.list.send({type: 'favourites.find'})
    await run.turn()
    expect([asked, run.ids()]).toEqual([[['deleted', 'old']], ['old', 'a']])
    expect([...markedTasks(run.context().favourites)].toSorted()).toEqual(['a', 'old'])
    run.list.send({type: 'favourites.find'})
    await run.turn()
    expect(asked).toHaveLength(1)
  })

  test('a deleted task is no favourite any more, one whose deletion is taken back still is', async () => {
    const run = start({cached: {records: [record('a', 'succeeded')], total: 1, intents: [], favourites: {a: 5, b: 6}}})
    await run.turn()
    run.list.send({type: 'task.remove', id: 'a'})
    run.list.send({type: 'task.restore', key: 'a'})
    expect(markedTasks(run.context().favourites)).toEqual(new Set(['a', 'b']))
    run.list.send({type: 'task.remove', id: 'a'})
    run.clock.increment(8_000)
    await run.turn()
    expect([run.removed, [...markedTasks(run.context().favourites)]]).toEqual([['foo-service/a'], ['b']])
  })

  test('older pages come before the oldest task until one leads no further', async () => {
    const older = [[record('b', 'succeeded', 20)], [record('b', 'succeeded', 20)]]
    const run = start({
      page: async ({createdAtMax}) =>
        createdAtMax === undefined
          ? {records: [record('c', 'succeeded', 30)], total: 9}
          : {records: older.shift() ?? [], total: 9},
    })
    run.list.send({type: 'tasks.open'})
    await run.turn()
    run.list.send({type: 'tasks.older'})
    await run.turn()
    expect([run.ids(), run.context().hasOlder]).toEqual([['b', 'c'], true])
    run.list.send({type: 'tasks.older'})
    await run.turn()
    expect([run.pages.at(-1)?.createdAtMax, run.context().hasOlder]).toEqual([20, false])
    run.list.send({type: 'tasks.older'})
    await run.turn()
    expect(run.pages).toHaveLength(3)
  })

  /** `most` tasks a page of those from 1 to `count`, made at 1, 2, … */
  const server =
    (count: number, most: number) =>
    async ({createdAtMax = Number.POSITIVE_INFINITY}: PageInput): Promise<TaskPage> => {
      const all = Array.from({length: count}, (_, index) => record(`${index + 1}`, 'succeeded', index + 1))
      const within = all.filter(({task}) => task.created_at <= createdAtMax)
      return {records: within.slice(-most).reverse(), total: within.length}
    }
  const olderUntilEnd = async (run: ReturnType<typeof start>) => {
    const totals = [run.context().total]
    for (let press = 0; run.context().hasOlder && press < 500; press += 1) {
      run.list.send({type: 'tasks.older'})
      await run.turn()
      await run.turn()
      totals.push(run.context().total)
    }
    return totals
  }

  test.each([
    {name: 'the newest of long ago', from: 200, to: 300, count: 500},
    {name: 'some of each kind', from: 340, to: 355, count: 360},
    {name: 'all there is', from: 1, to: 120, count: 120},
    {name: 'nothing', from: 1, to: 0, count: 130},
  ])('whatever the cache holds ($name), every task can be reached and the total stays', async ({from, to, count}) => {
    const cached = Array.from({length: Math.max(0, to - from + 1)}, (_, index) =>
      record(`${from + index}`, 'succeeded', from + index),
    )
    const run = start({cached: {records: cached, total: 7, intents: []}, page: server(count, 50)})
    await run.turn()
    run.list.send({type: 'tasks.open'})
    await run.turn()
    const totals = await olderUntilEnd(run)
    expect(run.ids()).toEqual(Array.from({length: count}, (_, index) => `${index + 1}`))
    expect(new Set(totals)).toEqual(new Set([count]))
  })

  test('a press for older tasks passes over what is known already', async () => {
    const cached = Array.from({length: 40}, (_, index) => record(`${index + 61}`, 'succeeded', index + 61))
    const run = start({cached: {records: cached, total: 100, intents: []}, page: server(100, 10)})
    run.list.send({type: 'tasks.open'})
    await run.turn()
    run.list.send({type: 'tasks.older'})
    for (let round = 0; round < 6; round += 1) await run.turn()
    expect([run.ids()[0], run.list.getSnapshot().value.older]).toEqual(['55', 'idle'])
  })

  test('more new tasks than a page holds are no hole', async () => {
    let count = 60
    const run = start({page: (asked) => server(count, 50)(asked)})
    run.list.send({type: 'tasks.open'})
    await run.turn()
    await olderUntilEnd(run)
    count = 200
    run.list.send({type: 'tasks.refresh'})
    await run.turn()
    await olderUntilEnd(run)
    expect(run.ids()).toHaveLength(200)
  })

  test('two clicks on one button of a card are one request, a later one is another', async () => {
    const run = start()
    const click = (key: string) => run.list.send({type: 'task.submit', from: 'card', intent: {...intent('same'), key}})
    click('k-1')
    click('k-2')
    await run.turn()
    click('k-3')
    await run.turn()
    expect(run.ids()).toEqual(['task of k-1'])
    run.clock.increment(1_000)
    click('k-4')
    await run.turn()
    expect(run.ids()).toEqual(['task of k-1', 'task of k-4'])
  })

  test('other buttons of a card, and the same one of another card, are requests of their own', async () => {
    const run = start()
    run.list.send({type: 'task.submit', from: 'card', intent: intent('k-1')})
    run.list.send({type: 'task.submit', from: 'card', intent: intent('k-2')})
    run.list.send({type: 'task.submit', from: 'other', intent: {...intent('k-1'), key: 'k-3'}})
    await run.turn()
    expect(run.ids()).toEqual(['task of k-1', 'task of k-2', 'task of k-3'])
  })

  test('requests without a network wait for it, whenever it went, and are sent when it is back', async () => {
    const sent: string[] = []
    const run = start(
      {
        post: async ({key}) => {
          sent.push(key)
          return {task: `task of ${key}`}
        },
      },
      {isOnline: false},
    )
    run.list.send({type: 'task.submit', intent: intent('k-1')})
    await run.turn()
    const shown = () => run.pending().map(({state}) => state)
    expect([shown(), sent]).toEqual([['offline'], []])
    run.list.send({type: 'connection.restored'})
    await run.turn()
    run.list.send({type: 'connection.lost'})
    run.list.send({type: 'task.submit', intent: intent('k-2')})
    await run.turn()
    expect([shown(), sent]).toEqual([['offline'], ['k-1']])
    run.list.send({type: 'connection.restored'})
    await run.turn()
    expect([shown(), sent]).toEqual([[], ['k-1', 'k-2']])
  })

  test('the button of a request that was refused sends that request again', async () => {
    let isRefused = true
    const sent: string[] = []
    const run = start({
      post: async ({key}) => {
        sent.push(key)
        if (isRefused) throw Object.assign(new Error('foo'), {status: 400, code: 'bad_request', detail: 'foo'})
        return {task: 't-1'}
      },
    })
    run.list.send({type: 'task.submit', from: 'card', intent: intent('k')})
    await run.turn()
    isRefused = false
    run.list.send({type: 'task.submit', from: 'card', intent: {...intent('k'), key: 'other'}})
    await run.turn()
    expect([sent, run.ids()]).toEqual([['k', 'k'], ['t-1']])
  })

  test.each(['rejected', 'usedUp'] as const)(
    'a %s request of last time is not sent before the person says so',
    async (state) => {
      const sent: string[] = []
      const refusal = {code: 'used_up', detail: 'foo', status: 403}
      const run = start({
        cached: {records: [], total: 0, intents: [{...intent('k'), state, failure: refusal}]},
        post: async ({key}) => {
          sent.push(key)
          return {task: 't-1'}
        },
      })
      await run.turn()
      expect([sent, run.pending()]).toEqual([[], [{...intent('k'), state, failure: refusal}]])
      run.list.send({type: 'submission.retry', key: 'k'})
      await run.turn()
      expect([sent, run.ids(), run.forgotten]).toEqual([['k'], ['t-1'], ['k']])
    },
  )

  test('bought credits send nothing of an earlier visit', async () => {
    const intents = [{...intent('k'), state: 'usedUp' as const}]
    const run = start({cached: {records: [], total: 0, intents, now: 100 + 60 * 60}})
    await run.turn()
    run.list.send({type: 'credits.added'})
    await run.turn()
    expect([run.ids(), run.pending().map(({state}) => state)]).toEqual([[], ['usedUp']])
  })

  test('but what was refused within the last hour goes on: credits are bought on another page', async () => {
    const refused = {...intent('k'), state: 'usedUp' as const}
    const sentAgain = {...refused, key: 'l', at: 100, sentAt: 3_000}
    const other = {...refused, key: 'm', state: 'rejected' as const}
    const run = start({cached: {records: [], total: 0, intents: [refused, sentAgain, other], now: 99 + 60 * 60}})
    await run.turn()
    run.list.send({type: 'credits.added'})
    await run.turn()
    expect([run.forgotten, run.pending().map(({key}) => key)]).toEqual([['k', 'l'], ['m']])
  })

  test('who comes back to a request that waits for credits has them looked for', async () => {
    const run = start({cached: {records: [], total: 0, intents: [{...intent('k'), state: 'usedUp'}]}})
    run.list.send({type: 'tasks.open'})
    expect(run.named('credits.missed')).toEqual([])
    await run.turn()
    run.list.send({type: 'tasks.open'})
    expect(run.named('credits.missed')).toMatchObject([{tool: 'foo'}])
  })

  test('a request of long ago is looked for at its time, and never sent by itself', async () => {
    const sent: string[] = []
    const old = {repeats: true, isHeld: false, isOld: true}
    const post = async ({key}: Intent) => {
      sent.push(key)
      return {task: 't-1'}
    }
    const task = {...record('t-9'), task: {...record('t-9').task, request: {prompt: 'k'}}}
    const cachedIntents = {records: [], total: 0, intents: [intent('k')]}
    const found = start({cached: cachedIntents, preparation: old, post, found: [task]})
    await found.turn()
    expect([sent, found.context().keys, found.pending(), found.forgotten]).toEqual([[], {'t-9': 'k'}, [], ['k']])
    const lost = start({cached: cachedIntents, preparation: old, post})
    await lost.turn()
    expect([sent, lost.pending().map(({state}) => state)]).toEqual([[], ['unsure']])
    lost.list.send({type: 'submission.retry', key: 'k'})
    await lost.turn()
    expect([sent, lost.ids()]).toEqual([['k'], ['t-1']])
  })

  test('without a token nothing is asked; it is a step of set-up, and goes on by itself', async () => {
    const run = start({}, {setUp: 'missing'})
    run.list.send({type: 'tasks.open'})
    await run.turn()
    expect([run.pages, selectPageStatus(run.list.getSnapshot()), run.context().failure]).toEqual([
      [],
      'error',
      {code: 'not_applied', detail: 'no token'},
    ])
    run.list.send({type: 'provision.ready'})
    await run.turn()
    expect(selectPageStatus(run.list.getSnapshot())).toBe('success')
  })

  test('a request is a card at once and stays the same card as a task', async () => {
    const run = start()
    run.list.send({type: 'task.submit', intent: intent('k')})
    const keys = () => selectCards(run.list.getSnapshot()).map(({key, kind}) => [key, kind])
    expect(keys()).toEqual([['k', 'request']])
    await run.turn()
    expect(keys()).toEqual([['k', 'task']])
    expect([run.ids(), run.asked[0], run.forgotten]).toEqual([['task of k'], ['task of k'], ['k']])
    expect(run.named('submission.accepted')).toHaveLength(1)
  })

  test.each([
    ['refused', {status: 403, code: 'used_up', detail: 'foo'}],
    ['lost', lostContact('foo')],
  ])('a request that is %s gives the list another snapshot, so that views read it again', async (_name, failure) => {
    const run = start({
      preparation: {repeats: false, isHeld: false, isOld: false},
      post: () => Promise.reject(Object.assign(new Error('foo'), failure)),
    })
    const states = new Map<TaskListSnapshot, Set<string>>()
    run.list.subscribe((snapshot) => {
      const seen = states.get(snapshot) ?? new Set<string>()
      states.set(snapshot, seen.add(selectPending(snapshot)[0]?.state ?? 'none'))
    })
    run.list.send({type: 'task.submit', intent: intent('k')})
    await run.turn()
    expect([...states.values()].map((seen) => seen.size)).toEqual([...states].map(() => 1))
    expect(states.size).toBeGreaterThan(1)
  })

  test('the same key twice is one request', async () => {
    let posts = 0
    const run = start({
      post: async () => {
        posts += 1
        return {task: 't-1'}
      },
    })
    run.list.send({type: 'task.submit', intent: intent('k')})
    run.list.send({type: 'task.submit', intent: intent('k')})
    await run.turn()
    run.list.send({type: 'task.submit', intent: intent('k')})
    await run.turn()
    expect([posts, run.ids()]).toEqual([1, ['t-1']])
  })

  test('a request the page was left with is taken up again', async () => {
    const run = start({cached: {records: [], total: 0, intents: [intent('k')]}})
    await run.turn()
    expect([run.ids(), run.pending(), run.forgotten]).toEqual([['task of k'], [], ['k']])
  })

  test('where keys are unknown a lost request joins the task that is found, once', async () => {
    const found = {...record('t-9'), task: {...record('t-9').task, request: {prompt: 'k'}}}
    const run = start({
      preparation: {repeats: false, isHeld: false, isOld: false},
      post: () => Promise.reject(Object.assign(new Error('foo'), lostContact('foo'))),
      page: async () => ({records: [found], total: 1}),
    })
    run.list.send({type: 'task.submit', intent: intent('k')})
    run.list.send({type: 'task.submit', intent: intent('other')})
    await run.turn()
    expect([run.context().keys, run.pending().map(({key}) => key)]).toEqual([{'t-9': 'k'}, ['other']])
  })

  test.each([
    ['was sent again joins the task of then', 9_000, {'t-9': 'k'}],
    ['was not takes no task of much later', undefined, {}],
  ])('a lost request that %s', async (_what, now, keys) => {
    const found = {
      ...record('t-9', 'running', 9_100),
      task: {...record('t-9', 'running', 9_100).task, request: {prompt: 'k'}},
    }
    const run = start({
      preparation: {repeats: false, isHeld: false, isOld: false, ...(now && {now})},
      post: () => Promise.reject(Object.assign(new Error('foo'), lostContact('foo'))),
      page: async () => ({records: [found], total: 1}),
    })
    run.list.send({type: 'task.submit', intent: intent('k')})
    await run.turn()
    expect(run.context().keys).toEqual(keys)
    expect(run.kept.at(-1)).toMatchObject({key: 'k', at: 100, ...(now && {sentAt: now})})
  })

  test('the end of a task is told once, and is not asked for again', async () => {
    const run = start({
      cached: {records: [record('a')], total: 1, intents: []},
      poll: async () => ({records: [record('a', 'succeeded')], missing: [], age: 1}),
    })
    await run.turn()
    expect(run.named('task.settled')).toEqual([
      {type: 'task.settled', tool: 'foo', id: 'a', key: 'a', status: 'succeeded'},
    ])
    run.clock.increment(100_000)
    await run.turn()
    expect(run.asked).toHaveLength(1)
    expect(run.named('list.changed').at(-1)).toEqual({type: 'list.changed', tool: 'foo', running: 0})
    expect([run.tray(), endedOf(run.context())]).toMatchObject([
      [],
      [{id: 'a', status: 'succeeded', endedAt: 109, preview: {medium: 'image', url: '/a.png'}}],
    ])
  })

  test('a task that is only named is in the tray at once, asked for by its id, and followed to its end', async () => {
    const answers = [record('a'), record('a', 'succeeded')]
    const run = start({poll: async () => ({records: answers.splice(0, 1), missing: [], age: 1})})
    run.list.send({type: 'tasks.named', tasks: [{id: 'a', created_at: 100}]})
    expect(run.named('list.changed').at(-1)).toEqual({type: 'list.changed', tool: 'foo', running: 1})
    expect(run.tray()).toEqual([{tool: 'foo', key: 'a', id: 'a', state: 'queued', prompt: '', at: 100}])
    await run.turn()
    expect(run.tray()).toEqual([{tool: 'foo', key: 'a', id: 'a', state: 'running', prompt: 'a', at: 100}])
    run.clock.increment(3_000)
    await run.turn()
    expect([run.asked, run.tray(), run.pages]).toEqual([[['a'], ['a']], [], []])
    expect(run.named('task.settled')).toMatchObject([{id: 'a', status: 'succeeded'}])
  })

  test('what is known of a task is not put aside for its name', async () => {
    const run = start({cached: {records: [record('a', 'succeeded'), record('b')], total: 2, intents: []}})
    await run.turn()
    const {items} = run.context()
    run.list.send({type: 'tasks.named', tasks: ['a', 'b'].map((id) => ({id, created_at: 100}))})
    expect(run.context().items).toBe(items)
  })

  test('a name that comes before the cache is read gives way to what is kept', async () => {
    const kept = [record('a', 'succeeded'), record('b', 'queued')]
    const run = start({cached: {records: kept, total: 2, intents: []}})
    run.list.send({type: 'tasks.named', tasks: ['a', 'b'].map((id) => ({id, created_at: 100}))})
    await run.turn()
    expect(run.context().items).toEqual(kept)
  })

  test('a task that turns from succeeded to pending stays succeeded', async () => {
    const run = start()
    run.list.send({type: 'tasks.polled', records: [record('a', 'succeeded')]})
    run.list.send({type: 'tasks.polled', records: [record('a', 'running')]})
    expect(run.context().items.map(({status}) => status)).toEqual(['succeeded'])
  })

  test('a poll with nothing new changes no reference', async () => {
    const run = start({cached: {records: [record('a'), record('b', 'succeeded', 200)], total: 2, intents: []}})
    await run.turn()
    const before = {items: run.context().items, cards: selectCards(run.list.getSnapshot())}
    run.list.send({type: 'tasks.polled', records: [record('a')]})
    run.peers.next({type: 'peer.polled', ...report, records: [record('b', 'succeeded', 200)]})
    const after = {items: run.context().items, cards: selectCards(run.list.getSnapshot())}
    expect(after.items).toBe(before.items)
    expect(after.cards).toBe(before.cards)
  })

  test('one task that changes leaves the other cards the same objects', async () => {
    const run = start({cached: {records: [record('a'), record('b', 'succeeded', 200)], total: 2, intents: []}})
    await run.turn()
    const [first, second] = selectCards(run.list.getSnapshot())
    run.list.send({type: 'tasks.polled', records: [record('a', 'failed')]})
    const [changed, same] = selectCards(run.list.getSnapshot())
    expect(changed).not.toBe(first)
    expect(same).toBe(second)
  })

  test('a vanished task is gone, is told, is not asked for any more, and can be asked for once more', async () => {
    const run = start({cached: {records: [record('a')], total: 1, intents: []}})
    await run.turn()
    run.list.send({type: 'tasks.gone', ids: ['a']})
    const polls = run.asked.length
    run.clock.increment(100_000)
    await run.turn()
    expect([run.named('task.gone').length, run.asked.length]).toEqual([1, polls])
    run.list.send({type: 'task.check', id: 'a'})
    await run.turn()
    expect(run.asked.length).toBe(polls + 1)
  })

  test('a task that vanished and comes back by itself is followed again to its end', async () => {
    const run = start({cached: {records: [record('a')], total: 1, intents: []}})
    await run.turn()
    run.list.send({type: 'tasks.gone', ids: ['a']})
    expect(run.context().watched).toEqual([])
    run.peers.next({type: 'peer.polled', ...report, records: [record('a')]})
    expect([run.context().gone, run.context().watched]).toEqual([[], ['a']])
    run.list.send({type: 'tasks.gone', ids: ['a']})
    run.peers.next({type: 'peer.polled', ...report, records: [record('a', 'succeeded')]})
    expect([run.context().gone, run.tray().map(({state}) => state)]).toEqual([[], []])
  })

  test('what another tab knows to be gone is gone here', async () => {
    const run = start({cached: {records: [record('a')], total: 1, intents: []}})
    await run.turn()
    run.peers.next({type: 'peer.polled', ...report, gone: ['a']})
    expect([run.tray().map(({state}) => state), run.context().watched]).toEqual([['gone'], []])
  })

  test.each([['another tab said so', 'peer'] as const, ['its own poller broke', 'broken'] as const])(
    'lost contact ends with the next answer, when %s',
    async (_name, by) => {
      const run = start({cached: {records: [record('a')], total: 1, intents: []}})
      await run.turn()
      if (by === 'peer') run.peers.next({type: 'peer.polled', ...report, isLost: true})
      else run.list.send({type: 'contact.lost'})
      expect(run.context().isLost).toBe(true)
      run.list.send({type: 'task.check'})
      await run.turn()
      expect(run.context().isLost).toBe(false)
    },
  )

  test('the tray tells lost contact and what is gone instead of a clock that goes on', async () => {
    const run = start({cached: {records: [record('a'), record('b', 'running', 200)], total: 2, intents: []}})
    await run.turn()
    const states = () => run.tray().map(({id, state}) => `${id} ${state}`)
    const told = () => run.named('list.changed').length
    expect(states()).toEqual(['a running', 'b running'])
    const before = told()
    run.list.send({type: 'contact.lost'})
    expect(states()).toEqual(['a lost', 'b lost'])
    expect(told()).toBe(before + 1)
    run.list.send({type: 'contact.restored'})
    expect(states()).toEqual(['a running', 'b running'])
    run.list.send({type: 'tasks.gone', ids: ['a']})
    expect(states()).toEqual(['a gone', 'b running'])
    expect(run.context().watched).toEqual(['b'])
    run.list.send({type: 'task.check', id: 'a'})
    expect(states()).toEqual(['a running', 'b running'])
  })

  test('who deletes a task is told whether it is due all the same', async () => {
    const priced = record('a')
    const due = {...priced, task: {...priced.task, started_at: 1, credits: {held: 2}}}
    const run = start({cached: {records: [due, record('b', 'running', 200)], total: 2, intents: []}})
    await run.turn()
    run.list.send({type: 'task.remove', id: 'a'})
    run.list.send({type: 'task.remove', id: 'b'})
    expect(run.named('task.removed').map(({id, isDue}) => [id, isDue])).toEqual([
      ['a', true],
      ['b', false],
    ])
  })

  test('a task that the person goes to is asked for when it is not listed', async () => {
    const asked: string[] = []
    const run = start({
      cached: {records: [record('b', 'succeeded', 200)], total: 2, intents: []},
      task: async (id) => {
        asked.push(id)
        return record(id, 'succeeded', 50)
      },
    })
    await run.turn()
    run.list.send({type: 'task.find', id: 'b'})
    run.list.send({type: 'task.find', id: 'a'})
    await run.turn()
    expect([asked, run.ids(), run.context().range]).toEqual([['a'], ['a', 'b'], undefined])
    expect(run.named('task.unfound')).toEqual([])
  })

  test('a task that has ended is read again, and what the server says now counts', async () => {
    const renewed = record('b', 'succeeded', 200)
    const changed = {
      ...renewed,
      task: {...renewed.task, response: {...renewed.task.response, image_url: 'https://foo.test/new.png'}},
    }
    const run = start({
      cached: {records: [record('b', 'succeeded', 200)], total: 1, intents: []},
      task: async () => changed,
    })
    await run.turn()
    run.list.send({type: 'task.reread', id: 'b'})
    await run.turn()
    expect(run.context().items).toEqual([changed])
  })

  test('a task that is not there is told of; without set-up nothing is asked', async () => {
    const failure = {status: 404, code: 'not_found', detail: 'foo'}
    const run = start({task: () => Promise.reject(Object.assign(new Error('foo'), failure))})
    run.list.send({type: 'task.find', id: 'a'})
    await run.turn()
    expect(run.named('task.unfound')).toMatchObject([{tool: 'foo', id: 'a', failure}])
    const early = start({}, {setUp: 'settling'})
    early.list.send({type: 'task.find', id: 'a'})
    await early.turn()
    expect(early.named('task.unfound')).toEqual([])
  })

  test('days are asked for by their times, page by page, and change neither count nor end of the list', async () => {
    const run = start({
      page: async ({createdAtMin, createdAtMax}) =>
        createdAtMin === undefined
          ? {records: [record('z', 'succeeded', 900)], total: 50}
          : createdAtMax === 299
            ? {records: [record('c', 'succeeded', 250), record('b', 'succeeded', 220)], total: 3}
            : {records: [record('b', 'succeeded', 220), record('a', 'succeeded', 210)], total: 2},
    })
    run.list.send({type: 'tasks.open'})
    await run.turn()
    run.list.send({type: 'tasks.find', from: 200, to: 299})
    expect(selectDays(run.list.getSnapshot())).toBe('loading')
    await run.turn()
    expect([run.ids(), selectDays(run.list.getSnapshot())]).toEqual([['b', 'c', 'z'], 'some'])
    run.list.send({type: 'tasks.findMore'})
    await run.turn()
    expect([run.ids(), selectDays(run.list.getSnapshot())]).toEqual([['a', 'b', 'c', 'z'], 'none'])
    expect(run.pages.slice(1).map(({createdAtMin, createdAtMax}) => [createdAtMin, createdAtMax])).toEqual([
      [200, 299],
      [200, 220],
    ])
    expect([run.context().total, run.context().hasOlder]).toEqual([50, true])
    run.list.send({type: 'tasks.findMore'})
    expect(run.pages).toHaveLength(3)
  })

  test('days asked for while the tool is set up are read once it is, the last of them', async () => {
    const run = start({page: async () => ({records: [record('a', 'succeeded', 210)], total: 1})}, {setUp: 'settling'})
    run.list.send({type: 'tasks.find', from: 100, to: 199})
    run.list.send({type: 'tasks.find', from: 200, to: 299})
    await run.turn()
    expect(run.pages).toEqual([])
    run.list.send({type: 'provision.ready'})
    expect(selectDays(run.list.getSnapshot())).toBe('loading')
    await run.turn()
    expect(run.pages.map(({createdAtMin, createdAtMax}) => [createdAtMin, createdAtMax])).toEqual([[200, 299]])
    expect([run.ids(), selectDays(run.list.getSnapshot())]).toEqual([['a'], 'none'])
    run.list.send({type: 'provision.ready'})
    expect(run.pages).toHaveLength(1)
  })

  test.each(['settling', 'missing'] as const)(
    'days asked for while set-up is %s are not told as empty, and can be asked for again',
    async (setUp) => {
      const run = start({page: async () => ({records: [record('a', 'succeeded', 210)], total: 1})}, {setUp})
      const shown = () => selectDays(run.list.getSnapshot())
      run.list.send({type: 'tasks.find', from: 200, to: 299})
      expect(shown()).toBe(setUp === 'missing' ? 'failed' : 'loading')
      run.clock.increment(30_000)
      expect(shown()).toBe('failed')
      run.list.send({type: 'tasks.findMore'})
      expect(shown()).toBe(setUp === 'missing' ? 'failed' : 'loading')
      run.list.send({type: 'provision.missing'})
      expect([shown(), run.pages]).toEqual(['failed', []])
      run.list.send({type: 'provision.ready'})
      await run.turn()
      expect([run.ids(), shown()]).toEqual([['a'], 'none'])
    },
  )

  test('days that could not be had are asked for again', async () => {
    let fails = true
    const run = start({
      page: async () => {
        if (fails) throw new Error('foo')
        return {records: [record('a', 'succeeded', 210)], total: 1}
      },
    })
    run.list.send({type: 'tasks.find', from: 200, to: undefined})
    await run.turn()
    expect(selectDays(run.list.getSnapshot())).toBe('failed')
    fails = false
    run.list.send({type: 'tasks.findMore'})
    await run.turn()
    expect([run.ids(), selectDays(run.list.getSnapshot())]).toEqual([['a'], 'none'])
  })

  test('used up keeps the request; bought credits send it again', async () => {
    let credits = 0
    const run = start({
      post: async () => {
        if (credits === 0) throw Object.assign(new Error('foo'), {status: 403, code: 'used_up', detail: 'foo'})
        return {task: 't-1'}
      },
    })
    run.list.send({type: 'task.submit', intent: intent('k')})
    await run.turn()
    expect(run.pending().map(({state}) => state)).toEqual(['usedUp'])
    expect(run.forgotten).toEqual([])
    credits = 1
    run.list.send({type: 'credits.added'})
    await run.turn()
    expect([run.ids(), run.forgotten]).toEqual([['t-1'], ['k']])
  })

  test('a removed task can be taken back for eight seconds, then the server is told by service and id', async () => {
    const run = start({cached: {records: [record('a', 'succeeded')], total: 1, intents: []}})
    await run.turn()
    const shown = () => selectCards(run.list.getSnapshot()).length
    run.list.send({type: 'task.remove', id: 'a'})
    expect(shown()).toBe(0)
    run.list.send({type: 'task.restore', key: 'a'})
    expect(shown()).toBe(1)
    run.list.send({type: 'task.remove', id: 'a'})
    run.clock.increment(8_000)
    await run.turn()
    expect([run.removed, run.ids(), run.context().total]).toEqual([['foo-service/a'], [], 0])
    run.list.send({type: 'tasks.polled', records: [record('a', 'succeeded')]})
    expect(run.ids()).toEqual([])
  })

  test('a request that breaks waits for the person and can be tried again', async () => {
    let posts = 0
    const run = start({
      post: () => {
        posts += 1
        return posts === 1 ? new Promise(() => undefined) : Promise.resolve({task: 't-1'})
      },
    })
    run.list.send({type: 'task.submit', intent: intent('k')})
    await run.turn()
    run.list.send({type: 'xstate.error.actor.submission/k', actorId: 'submission/k', error: new Error('foo')})
    await run.turn()
    expect([posts, run.pending().map(({state, failure: why}) => [state, why?.detail])]).toEqual([
      1,
      [['unsure', 'foo']],
    ])
    run.list.send({type: 'submission.retry', key: 'k'})
    await run.turn()
    expect([posts, run.ids()]).toEqual([2, ['t-1']])
  })

  test('of two lost requests that look the same each joins a task of its own', async () => {
    const same = (id: string, at: number) => ({
      ...record(id, 'running', at),
      task: {...record(id, 'running', at).task, request: {prompt: 'k'}},
    })
    const run = start({
      preparation: {repeats: false, isHeld: false, isOld: false},
      post: () => Promise.reject(Object.assign(new Error('foo'), lostContact('foo'))),
      page: async () => ({records: [same('t-1', 100), same('t-2', 101)], total: 2}),
    })
    run.list.send({type: 'task.submit', intent: intent('k')})
    run.list.send({type: 'task.submit', intent: {...intent('k'), key: 'l'}})
    await run.turn()
    expect([run.context().keys, run.pending()]).toEqual([{'t-1': 'k', 't-2': 'l'}, []])
  })

  test('10,000 tasks: one that changes is one new object', async () => {
    const many = Array.from({length: 10_000}, (_, index) => record(String(index), 'succeeded', index))
    const run = start({cached: {records: [...many, record('z', 'running', 20_000)], total: 10_001, intents: []}})
    await run.turn()
    const before = run.context().items
    run.list.send({type: 'tasks.polled', records: [record('z', 'succeeded', 20_000)]})
    const after = run.context().items
    expect([after.length, after.filter((item, index) => item !== before[index]).length]).toEqual([10_001, 1])
  })
})
