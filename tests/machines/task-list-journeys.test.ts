import {describe, expect, test} from 'vitest'
import type {PeerReport} from '#machines/task-poll/task-poll.types.ts'
import {endedOf, type Card} from '#machines/task-list/task-list.selectors.ts'
import {record, ref} from './media-fixtures.ts'
import {startTaskList} from './start-task-list.ts'

/** A card of a task of which only the name is known, made 100 seconds after 1970. */
const bare: Omit<Card, 'state' | 'prompt'> = {
  key: 'a',
  id: 'a',
  traceId: undefined,
  tool: 'foo',
  type: undefined,
  request: {},
  reading: {artifacts: []},
  at: 100,
  finishedAt: undefined,
  failure: undefined,
  isDue: false,
  provider: undefined,
  isSandbox: false,
  credits: undefined,
}

const report: PeerReport = {records: [], watched: [], gone: [], isHidden: false, isLost: false, nextIn: 3_000}

describe('task list journeys', () => {
  test('what is kept shows at once; opening reads the newest page and its count', async () => {
    const run = startTaskList({
      cached: {records: [record('a', 'succeeded')], total: 9, intents: []},
      page: async () => ({records: [record('b', 'succeeded', 200)], total: 12}),
    })
    await run.turn()
    expect([run.ids(), run.context().total, run.readPages]).toEqual([['a'], 9, []])
    run.pages.send({type: 'tasks.open'})
    await run.turn()
    expect([run.ids(), run.context().total, run.pages.getSnapshot().context.hasOlder]).toEqual([['a', 'b'], 12, true])
    expect(run.readPages).toEqual([{ref, userId: 'u-1'}])
  })

  test('the end of a task is told once, and is not asked for again', async () => {
    const run = startTaskList({
      cached: {records: [record('a')], total: 1, intents: []},
      poll: async () => ({records: [record('a', 'succeeded')], missing: [], age: 1}),
    })
    await run.turn()
    expect(run.named('task.settled')).toEqual([{type: 'task.settled', tool: 'foo', id: 'a', status: 'succeeded'}])
    run.clock.increment(100_000)
    await run.turn()
    expect(run.asked).toHaveLength(1)
    expect(run.named('list.changed').at(-1)).toEqual({type: 'list.changed', tool: 'foo', running: 0})
    expect([run.active(), endedOf(run.cards())]).toEqual([
      [],
      [{id: 'a', status: 'succeeded', endedAt: 109, preview: {medium: 'image', url: '/a.png'}, prompt: 'a', at: 100}],
    ])
  })

  test('a task that is only named is in the tray at once, asked for by its id, and followed to its end', async () => {
    const answers = [record('a'), record('a', 'succeeded')]
    const run = startTaskList({poll: async () => ({records: answers.splice(0, 1), missing: [], age: 1})})
    run.name([{id: 'a', created_at: 100}])
    expect(run.named('list.changed').at(-1)).toEqual({type: 'list.changed', tool: 'foo', running: 1})
    expect(run.active()).toEqual([{...bare, state: 'queued', prompt: ''}])
    await run.turn()
    expect(run.active()).toEqual([{...bare, state: 'running', prompt: 'a', request: {prompt: 'a'}}])
    run.clock.increment(3_000)
    await run.turn()
    expect([run.asked, run.active(), run.readPages]).toEqual([[['a'], ['a']], [], []])
    expect(run.named('task.settled')).toEqual([{id: 'a', status: 'succeeded', type: 'task.settled', tool: 'foo'}])
  })

  test('what is known of a task is not put aside for its name', async () => {
    const run = startTaskList({cached: {records: [record('a', 'succeeded'), record('b')], total: 2, intents: []}})
    await run.turn()
    const {items} = run.context()
    run.name(['a', 'b'].map((id) => ({id, created_at: 100})))
    expect(run.context().items).toBe(items)
  })

  test('a name that comes before the cache is read gives way to what is kept', async () => {
    const kept = [record('a', 'succeeded'), record('b', 'queued')]
    const run = startTaskList({cached: {records: kept, total: 2, intents: []}})
    run.name(['a', 'b'].map((id) => ({id, created_at: 100})))
    await run.turn()
    expect(run.context().items).toEqual(kept)
  })

  test('a task that turns from succeeded to pending stays succeeded', async () => {
    const run = startTaskList()
    run.list.send({type: 'tasks.polled', records: [record('a', 'succeeded')]})
    run.list.send({type: 'tasks.polled', records: [record('a', 'running')]})
    expect(run.context().items.map(({status}) => status)).toEqual(['succeeded'])
  })

  test('a poll with nothing new changes no reference', async () => {
    const run = startTaskList({cached: {records: [record('a'), record('b', 'succeeded', 200)], total: 2, intents: []}})
    await run.turn()
    const before = {items: run.context().items, cards: run.cards()}
    run.list.send({type: 'tasks.polled', records: [record('a')]})
    run.peers.next({type: 'peer.polled', ...report, records: [record('b', 'succeeded', 200)]})
    const after = {items: run.context().items, cards: run.cards()}
    expect(after.items).toBe(before.items)
    expect(after.cards).toBe(before.cards)
  })

  test('one task that changes leaves the other cards the same objects', async () => {
    const run = startTaskList({cached: {records: [record('a'), record('b', 'succeeded', 200)], total: 2, intents: []}})
    await run.turn()
    const [second, first] = run.cards()
    run.list.send({type: 'tasks.polled', records: [record('a', 'failed')]})
    const [same, changed] = run.cards()
    expect(changed).not.toBe(first)
    expect(same).toBe(second)
  })

  test('a vanished task is gone, is told, is not asked for any more, and can be asked for once more', async () => {
    const run = startTaskList({cached: {records: [record('a')], total: 1, intents: []}})
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
    const run = startTaskList({cached: {records: [record('a')], total: 1, intents: []}})
    await run.turn()
    run.list.send({type: 'tasks.gone', ids: ['a']})
    expect(run.watched()).toEqual([])
    run.peers.next({type: 'peer.polled', ...report, records: [record('a')]})
    expect([run.context().gone, run.watched()]).toEqual([[], ['a']])
    run.list.send({type: 'tasks.gone', ids: ['a']})
    run.peers.next({type: 'peer.polled', ...report, records: [record('a', 'succeeded')]})
    expect([run.context().gone, run.active().map(({state}) => state)]).toEqual([[], []])
  })

  test('what another tab knows to be gone is gone here', async () => {
    const run = startTaskList({cached: {records: [record('a')], total: 1, intents: []}})
    await run.turn()
    run.peers.next({type: 'peer.polled', ...report, gone: ['a']})
    expect([run.active().map(({state}) => state), run.watched()]).toEqual([['gone'], []])
  })

  test.each([['another tab said so', 'peer'] as const, ['its own poller broke', 'broken'] as const])(
    'lost contact ends with the next answer, when %s',
    async (_name, by) => {
      const run = startTaskList({cached: {records: [record('a')], total: 1, intents: []}})
      await run.turn()
      if (by === 'peer') run.peers.next({type: 'peer.polled', ...report, isLost: true})
      else run.list.send({type: 'contact.lost'})
      expect(run.list.getSnapshot().hasTag('lost')).toBe(true)
      run.list.send({type: 'task.check'})
      await run.turn()
      expect(run.list.getSnapshot().hasTag('lost')).toBe(false)
    },
  )

  test('the tray tells lost contact and what is gone instead of a clock that goes on', async () => {
    const run = startTaskList({cached: {records: [record('a'), record('b', 'running', 200)], total: 2, intents: []}})
    await run.turn()
    const states = () => run.active().map(({id, state}) => `${id} ${state}`)
    const reportCount = () => run.named('list.changed').length
    expect(states()).toEqual(['b running', 'a running'])
    const before = reportCount()
    run.list.send({type: 'contact.lost'})
    expect(states()).toEqual(['b lost', 'a lost'])
    expect(reportCount()).toBe(before + 1)
    run.list.send({type: 'tasks.polled', records: []})
    expect(states()).toEqual(['b running', 'a running'])
    run.list.send({type: 'tasks.gone', ids: ['a']})
    expect(states()).toEqual(['b running', 'a gone'])
    expect(run.watched()).toEqual(['b'])
    run.list.send({type: 'task.check', id: 'a'})
    expect(states()).toEqual(['b running', 'a running'])
  })

  test('a user who deletes a task is told whether it is due all the same', async () => {
    const priced = record('a')
    const due = {...priced, task: {...priced.task, started_at: 1, credits: {held: 2}}}
    const run = startTaskList({cached: {records: [due, record('b', 'running', 200)], total: 2, intents: []}})
    await run.turn()
    run.list.send({type: 'task.remove', id: 'a'})
    run.list.send({type: 'task.remove', id: 'b'})
    expect(run.named('task.removed').map(({id, isDue}) => [id, isDue])).toEqual([
      ['a', true],
      ['b', false],
    ])
  })

  test('a removed task can be taken back for eight seconds, then the server is told by service and id', async () => {
    const run = startTaskList({cached: {records: [record('a', 'succeeded')], total: 1, intents: []}})
    await run.turn()
    const shown = () => run.cards().length
    run.list.send({type: 'task.remove', id: 'a'})
    expect(shown()).toBe(0)
    run.restore('a')
    expect(shown()).toBe(1)
    run.list.send({type: 'task.remove', id: 'a'})
    run.clock.increment(8_000)
    await run.turn()
    expect([run.removed, run.ids(), run.context().total]).toEqual([['foo-service/a'], [], 0])
    run.list.send({type: 'tasks.polled', records: [record('a', 'succeeded')]})
    expect(run.ids()).toEqual([])
  })

  test('a page that is left sends its deletions, and knows which answers it may not hear', async () => {
    const run = startTaskList({cached: {records: [record('a', 'succeeded')], total: 1, intents: []}})
    await run.turn()
    run.list.send({type: 'task.remove', id: 'a'})
    expect(run.context().unconfirmed).toEqual([])
    run.list.send({type: 'page.leaving'})
    expect(run.context().unconfirmed).toEqual(['a'])
    await run.turn()
    expect([run.removed, run.context().unconfirmed]).toEqual([['foo-service/a'], []])
  })

  test('a task that an earlier page deleted stays away, and the deletion is sent once more with the set-up', async () => {
    const deleted = record('a', 'succeeded')
    const run = startTaskList({deletions: ['a'], page: async () => ({records: [deleted], total: 1})}, 'settling')
    await run.turn()
    run.list.send({type: 'tasks.read', records: [deleted], total: 1})
    expect([run.ids(), run.cards(), run.removed]).toEqual([['a'], [], []])
    run.list.send({type: 'provision.ready'})
    await run.turn()
    expect([run.removed, run.ids(), run.context().unconfirmed]).toEqual([['foo-service/a'], [], []])
  })

  test('a deletion of an earlier page that the server refuses brings its task back', async () => {
    const run = startTaskList({
      deletions: ['a'],
      cached: {records: [record('a', 'succeeded')], total: 1, intents: []},
      remove: () => Promise.reject(new Error('foo')),
    })
    await run.turn()
    expect([run.cards().length, run.context().unconfirmed, run.named('task.removeFailed').length]).toEqual([1, [], 1])
  })

  test('10,000 tasks: one that changes is one new object', async () => {
    const many = Array.from({length: 10_000}, (_, index) => record(String(index), 'succeeded', index))
    const run = startTaskList({
      cached: {records: [...many, record('z', 'running', 20_000)], total: 10_001, intents: []},
    })
    await run.turn()
    const before = run.context().items
    run.list.send({type: 'tasks.polled', records: [record('z', 'succeeded', 20_000)]})
    const after = run.context().items
    expect([after.length, after.filter((item, index) => item !== before[index]).length]).toEqual([10_001, 1])
  })

  test.each(['pages', 'days', 'lookup', 'favourites', 'requests'] as const)(
    'a list whose part %s breaks breaks with it, so that its owner starts both again',
    async (part) => {
      const broken: unknown[] = []
      const run = startTaskList()
      run.list.subscribe({error: (error: unknown) => broken.push(error)})
      run.list.send({type: `xstate.error.actor.${part}`, actorId: part, error: new Error('foo')})
      await run.turn()
      expect([run.list.getSnapshot().status, broken]).toEqual(['error', [new Error('foo')]])
    },
  )
})
