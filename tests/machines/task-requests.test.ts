import {describe, expect, test} from 'vitest'
import {lostContact} from '#domain/failure.ts'
import type {Intent} from '#domain/intent.ts'
import {selectKeys} from '#machines/task-list/task-list.selectors.ts'
import {taskRequestsMachine, type TaskRequestsSnapshot} from '#machines/task-requests/task-requests.machine.ts'
import {selectPendingRequests} from '#machines/task-requests/task-requests.selectors.ts'
import {type TaskRequestsEvent, type TaskRequestsInput} from '#machines/task-requests/task-requests.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {intent, record, startList} from './media-fixtures.ts'
import {describeRules} from './rules.ts'
import {startTaskList} from './start-task-list.ts'

const {input: listed} = startList('ready', {items: [record('a')]})
const input: TaskRequestsInput = {...listed, environment: startEnvironment()}
const events = {
  'task.submit': [
    {type: 'task.submit', intent: intent('k')},
    {type: 'task.submit', intent: intent('k'), from: 'card'},
    {type: 'task.submit', intent: intent('l')},
    {type: 'task.submit', intent: intent('m'), from: 'form'},
  ],
  'requests.restored': [{type: 'requests.restored', intents: [intent('k')], now: 1_000}],
  'tasks.arrived': [{type: 'tasks.arrived', records: [record('a')]}],
  'submission.changed': [{type: 'submission.changed', key: 'k'}],
  'submission.lost': [{type: 'submission.lost', key: 'k'}],
  'submission.ended': [{type: 'submission.ended', key: 'k'}],
  'submission.joined': [{type: 'submission.joined', key: 'k', task: 'b'}],
  'task.claimed': [
    {type: 'task.claimed', key: 'k', task: 'a'},
    {type: 'task.claimed', key: 'l', task: 'a'},
  ],
  'provision.ready': [{type: 'provision.ready'}],
  'provision.missing': [{type: 'provision.missing'}],
  'credits.added': [{type: 'credits.added', at: 1, left: 1}],
  'credits.listed': [{type: 'credits.listed', at: 1, left: 1}],
  'credits.look': [{type: 'credits.look'}],
  [`xstate.error.actor.${''}`]: [
    {type: 'xstate.error.actor.submission/k', actorId: 'submission/k', error: new Error('foo')},
  ],
} satisfies EventFixtures<TaskRequestsEvent>

describe('task requests', () => {
  const {edges, coverage} = describeRules(taskRequestsMachine, {
    user: ['task.submit'],
    lasting: [{}],
    input,
    events: Object.values(events).flat(),
    key: ({context: {requests, keys}}) => [requests.map(({key, from}) => [key, from]), keys],
  })
  test('every transition is taken', () => expect(coverage.missing(taskRequestsMachine)).toEqual([]))
  test('a task belongs to one request for ever, and a request to one task', () => {
    const wrong = edges.filter(({state, nextState}) => {
      const [before, after] = [state.context.keys, nextState.context.keys]
      const isMoved = Object.keys(before).some((task) => before[task] !== after[task])
      return isMoved || new Set(Object.values(after)).size !== Object.values(after).length
    })
    expect(edges.some(({nextState}) => Object.keys(nextState.context.keys).length > 1)).toBe(true)
    expect(wrong).toEqual([])
  })
  test('the form shows at most one request', () => {
    const shown = edges.map(({nextState}) => nextState.context.requests.filter(({from}) => from === 'form').length)
    expect(new Set(shown)).toEqual(new Set([0, 1]))
  })
})

describe('task requests journeys', () => {
  test('two clicks on one button of a card are one request, a later one is another', async () => {
    const run = startTaskList()
    const click = (key: string) =>
      run.requests.send({type: 'task.submit', from: 'card', intent: {...intent('same'), key}})
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
    const run = startTaskList()
    run.requests.send({type: 'task.submit', from: 'card', intent: intent('k-1')})
    run.requests.send({type: 'task.submit', from: 'card', intent: intent('k-2')})
    run.requests.send({type: 'task.submit', from: 'other', intent: {...intent('k-1'), key: 'k-3'}})
    await run.turn()
    expect(run.ids()).toEqual(['task of k-1', 'task of k-2', 'task of k-3'])
  })

  test('requests without a network wait for it, whenever it went, and are sent when it is back', async () => {
    const sent: string[] = []
    const run = startTaskList(
      {
        post: async ({key}) => {
          sent.push(key)
          return {task: `task of ${key}`}
        },
      },
      'ready',
      false,
    )
    run.requests.send({type: 'task.submit', intent: intent('k-1')})
    await run.turn()
    const shown = () => run.pending().map(({state}) => state)
    expect([shown(), sent]).toEqual([['offline'], []])
    run.environment.send({type: 'connection.restored'})
    await run.turn()
    run.environment.send({type: 'connection.lost'})
    run.requests.send({type: 'task.submit', intent: intent('k-2')})
    await run.turn()
    expect([shown(), sent]).toEqual([['offline'], ['k-1']])
    run.environment.send({type: 'connection.restored'})
    await run.turn()
    expect([shown(), sent]).toEqual([[], ['k-1', 'k-2']])
  })

  test('the button of a request that was refused sends that request again', async () => {
    let isRefused = true
    const sent: string[] = []
    const run = startTaskList({
      post: async ({key}) => {
        sent.push(key)
        if (isRefused) throw Object.assign(new Error('foo'), {status: 400, code: 'bad_request', detail: 'foo'})
        return {task: 't-1'}
      },
    })
    run.requests.send({type: 'task.submit', from: 'card', intent: intent('k')})
    await run.turn()
    isRefused = false
    run.requests.send({type: 'task.submit', from: 'card', intent: {...intent('k'), key: 'other'}})
    await run.turn()
    expect([sent, run.ids()]).toEqual([['k', 'k'], ['t-1']])
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
    const found = startTaskList({cached: cachedIntents, preparation: old, post, found: [task]})
    await found.turn()
    expect([sent, selectKeys(found.list.getSnapshot()), found.pending(), found.forgotten]).toEqual([
      [],
      {'t-9': 'k'},
      [],
      ['k'],
    ])
    const lost = startTaskList({cached: cachedIntents, preparation: old, post})
    await lost.turn()
    expect([sent, lost.pending().map(({state}) => state)]).toEqual([[], ['unsure']])
    lost.submission('k')?.send({type: 'submission.retry'})
    await lost.turn()
    expect([sent, lost.ids()]).toEqual([['k'], ['t-1']])
  })

  test('a request is a card at once and stays the same card as a task', async () => {
    const run = startTaskList()
    run.requests.send({type: 'task.submit', intent: intent('k')})
    const keys = () => run.cards().map(({key, id}) => [key, id])
    expect(keys()).toEqual([['k', undefined]])
    await run.turn()
    expect(keys()).toEqual([['k', 'task of k']])
    expect([run.ids(), run.asked[0], run.forgotten]).toEqual([['task of k'], ['task of k'], ['k']])
    expect(run.named('balance.check')).toHaveLength(1)
  })

  test.each([
    ['refused', {status: 403, code: 'used_up', detail: 'foo'}],
    ['lost', lostContact('foo')],
  ])('a request that is %s gives `requests` another snapshot, and the list other cards', async (_name, failure) => {
    const run = startTaskList({
      preparation: {repeats: false, isHeld: false, isOld: false},
      post: () => Promise.reject(Object.assign(new Error('foo'), failure)),
    })
    const states = new Map<TaskRequestsSnapshot, Set<string>>()
    const shown = new Set<string>()
    run.requests.subscribe((snapshot) => {
      const seen = states.get(snapshot) ?? new Set<string>()
      states.set(snapshot, seen.add(selectPendingRequests(snapshot)[0]?.state ?? 'none'))
      for (const {state} of run.cards()) shown.add(state)
    })
    run.requests.send({type: 'task.submit', intent: intent('k')})
    await run.turn()
    expect([...states.values()].map((seen) => seen.size)).toEqual([...states].map(() => 1))
    expect(states.size).toBeGreaterThan(1)
    expect([...shown]).toEqual([...new Set([...states.values()].flatMap((seen) => [...seen]))])
  })

  test('the same key twice is one request', async () => {
    let posts = 0
    const run = startTaskList({
      post: async () => {
        posts += 1
        return {task: 't-1'}
      },
    })
    run.requests.send({type: 'task.submit', intent: intent('k')})
    run.requests.send({type: 'task.submit', intent: intent('k')})
    await run.turn()
    run.requests.send({type: 'task.submit', intent: intent('k')})
    await run.turn()
    expect([posts, run.ids()]).toEqual([1, ['t-1']])
  })

  test('a request the page was left with is taken up again', async () => {
    const run = startTaskList({cached: {records: [], total: 0, intents: [intent('k')]}})
    await run.turn()
    expect([run.ids(), run.pending(), run.forgotten]).toEqual([['task of k'], [], ['k']])
  })

  test('where keys are unknown a lost request joins the task that is found, once', async () => {
    const found = {...record('t-9'), task: {...record('t-9').task, request: {prompt: 'k'}}}
    const run = startTaskList({
      preparation: {repeats: false, isHeld: false, isOld: false},
      post: () => Promise.reject(Object.assign(new Error('foo'), lostContact('foo'))),
      page: async () => ({records: [found], total: 1}),
    })
    run.requests.send({type: 'task.submit', intent: intent('k')})
    run.requests.send({type: 'task.submit', intent: intent('other')})
    await run.turn()
    expect([selectKeys(run.list.getSnapshot()), run.pending().map(({key}) => key)]).toEqual([{'t-9': 'k'}, ['other']])
  })

  test('a request that breaks waits for the user and can be tried again', async () => {
    let posts = 0
    const run = startTaskList({
      post: () => {
        posts += 1
        return posts === 1 ? new Promise(() => undefined) : Promise.resolve({task: 't-1'})
      },
    })
    run.requests.send({type: 'task.submit', intent: intent('k')})
    await run.turn()
    run.requests.send({type: 'xstate.error.actor.submission/k', actorId: 'submission/k', error: new Error('foo')})
    await run.turn()
    expect([posts, run.pending().map(({state, failure: why}) => [state, why?.detail])]).toEqual([
      1,
      [['unsure', 'foo']],
    ])
    run.submission('k')?.send({type: 'submission.retry'})
    await run.turn()
    expect([posts, run.ids()]).toEqual([2, ['t-1']])
  })

  test('each of two lost requests that look the same joins a task of its own', async () => {
    const same = (id: string, at: number) => ({
      ...record(id, 'running', at),
      task: {...record(id, 'running', at).task, request: {prompt: 'k'}},
    })
    const run = startTaskList({
      preparation: {repeats: false, isHeld: false, isOld: false},
      post: () => Promise.reject(Object.assign(new Error('foo'), lostContact('foo'))),
      page: async () => ({records: [same('t-1', 100), same('t-2', 101)], total: 2}),
    })
    run.requests.send({type: 'task.submit', intent: intent('k')})
    run.requests.send({type: 'task.submit', intent: {...intent('k'), key: 'l'}})
    await run.turn()
    expect([selectKeys(run.list.getSnapshot()), run.pending()]).toEqual([{'t-1': 'k', 't-2': 'l'}, []])
  })

  test.each([
    ['was sent again joins the task of then', 9_000, {'t-9': 'k'}],
    ['was not takes no task of much later', undefined, {}],
  ])('a lost request that %s', async (_what, now, keys) => {
    const found = {
      ...record('t-9', 'running', 9_100),
      task: {...record('t-9', 'running', 9_100).task, request: {prompt: 'k'}},
    }
    const run = startTaskList({
      preparation: {repeats: false, isHeld: false, isOld: false, ...(now && {now})},
      post: () => Promise.reject(Object.assign(new Error('foo'), lostContact('foo'))),
      page: async () => ({records: [found], total: 1}),
    })
    run.requests.send({type: 'task.submit', intent: intent('k')})
    await run.turn()
    expect(selectKeys(run.list.getSnapshot())).toEqual(keys)
    expect(run.kept.at(-1)).toEqual({...intent('k'), ...(now && {sentAt: now})})
  })
})
