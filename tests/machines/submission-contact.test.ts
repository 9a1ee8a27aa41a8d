import {describe, expect, test} from 'vitest'
import {startList} from './media-fixtures.ts'
import {start, lostError} from './submission-fixture.ts'

describe('a request and the network', () => {
  test('stored, then sent, then a task', async () => {
    let isStored = false
    const run = start({
      save: async () => void (isStored = true),
      post: async () => {
        expect(isStored).toBe(true)
        return {task: 't-1'}
      },
    })
    await run.turn()
    expect(run.states()).toEqual(['sending', 'joined'])
    expect(run.named('submission.joined')).toEqual([{type: 'submission.joined', key: 'k', task: 't-1'}])
  })

  test('a store that fails does not keep the request back', async () => {
    const run = start({save: () => Promise.reject(new Error('full')), post: async () => ({task: 't-1'})})
    await run.turn()
    expect(run.states().at(-1)).toBe('joined')
  })

  test.each(['provision.ready', 'submission.retry'] as const)(
    'a request of a page that was left is looked for before it is sent, also when its set-up failed first (%s)',
    async (type) => {
      const unready = () => Promise.reject(Object.assign(new Error('foo'), {code: 'not_applied', detail: 'no token'}))
      const run = start(
        {
          prepare: (call) => (call === 1 ? unready() : Promise.resolve()),
          preparation: {repeats: false},
          post: async () => ({task: 't-1'}),
        },
        {origin: 'stored'},
      )
      await run.turn()
      expect(run.states()).toEqual(['sending', 'unsure'])
      run.child.send({type})
      await run.turn()
      expect([run.states(), run.posted]).toEqual([['sending', 'unsure', 'sending', 'looking'], []])
    },
  )

  test('a request waits for set-up, and is sent when that stands', async () => {
    const run = start({post: async () => ({task: 't-1'})}, {list: startList('settling').list})
    await run.turn()
    expect([run.states(), run.posted]).toEqual([['sending'], []])
    run.child.send({type: 'provision.ready'})
    await run.turn()
    expect([run.states(), run.posted]).toEqual([['sending', 'joined'], ['k']])
  })

  test.each(['settling', 'missing'] as const)(
    'a request of a tool that is %s and then missing waits for the user',
    async (setUp) => {
      const run = start({post: async () => ({task: 't-1'})}, {list: startList(setUp).list})
      await run.turn()
      run.child.send({type: 'provision.missing'})
      const {failure} = run.child.getSnapshot().context
      expect([run.states(), failure?.code, run.posted]).toEqual([['sending', 'rejected'], 'not_applied', []])
      run.child.send({type: 'provision.ready'})
      expect(run.states().at(-1)).toBe(setUp === 'missing' ? 'rejected' : 'sending')
    },
  )

  test('a lost answer is asked for with the same key until it comes', async () => {
    const run = start({post: async (call) => (call < 3 ? Promise.reject(lostError()) : {task: 't-1'})})
    await run.turn()
    run.clock.increment(10_000)
    await run.turn()
    run.clock.increment(10_000)
    await run.turn()
    expect(run.posted).toEqual(['k', 'k', 'k'])
    expect(run.states()).toEqual(['sending', 'joined'])
  })

  test.each([true, false])('without a network it waits, and is sent once there is one (keys: %s)', async (repeats) => {
    const run = start({preparation: {repeats}, post: async () => ({task: 't-1'})}, {}, false)
    await run.turn()
    expect([run.states(), run.posted]).toEqual([['offline'], []])
    run.environment.send({type: 'connection.restored'})
    await run.turn()
    expect([run.states().slice(1), run.posted]).toEqual([['sending', 'joined'], ['k']])
  })

  test('the user may doubt that there is no network: the request is sent all the same', async () => {
    const run = start({post: async () => ({task: 't-1'})}, {}, false)
    await run.turn()
    expect(run.posted).toEqual([])
    run.child.send({type: 'submission.retry'})
    await run.turn()
    expect([run.states().at(-1), run.posted]).toEqual(['joined', ['k']])
  })

  test('a network that goes while it is sent is waited for as long as it takes', async () => {
    const run = start({post: async (call) => (call < 12 ? Promise.reject(lostError()) : {task: 't-1'})})
    run.environment.send({type: 'connection.lost'})
    await run.turn()
    for (let round = 0; round < 10; round += 1) {
      expect(run.states().at(-1)).toBe('offline')
      // the browser may be wrong about the network
      run.clock.increment(30_000)
      await run.turn()
    }
    run.environment.send({type: 'connection.restored'})
    await run.turn()
    run.clock.increment(10_000)
    await run.turn()
    expect([run.posted.length, run.states().at(-1)]).toEqual([12, 'joined'])
  })

  test('a retry waits for the network instead of its turn', async () => {
    const run = start({post: async (call) => (call === 1 ? Promise.reject(lostError()) : {task: 't-1'})})
    await run.turn()
    run.environment.send({type: 'connection.lost'})
    expect(run.states().at(-1)).toBe('offline')
    run.environment.send({type: 'connection.restored'})
    await run.turn()
    expect([run.posted.length, run.states().at(-1)]).toEqual([2, 'joined'])
  })

  test('where keys are unknown it is looked for, then waits for the user', async () => {
    const run = start({preparation: {repeats: false}, post: () => Promise.reject(lostError())})
    await run.turn()
    expect(run.states()).toEqual(['sending', 'looking'])
    for (let round = 0; round < 4; round += 1) run.clock.increment(5_000)
    expect(run.states().at(-1)).toBe('unsure')
    expect(run.posted).toHaveLength(1)
    run.child.send({type: 'submission.retry'})
    await run.turn()
    expect(run.posted).toHaveLength(2)
  })

  test('after a reload: with keys it is sent again, without it is looked for', async () => {
    const known = start({post: async () => ({task: 't-1'})}, {origin: 'stored'})
    await known.turn()
    expect(known.posted).toEqual(['k'])
    const unknown = start({preparation: {repeats: false}, post: async () => ({task: 't-1'})}, {origin: 'stored'})
    await unknown.turn()
    expect([unknown.posted, unknown.states()]).toEqual([[], ['sending', 'looking']])
  })

  test('a call that is held open is looked for in the list meanwhile, and not sent again', async () => {
    const run = start({preparation: {repeats: false, isHeld: true}, post: () => new Promise(() => undefined)})
    await run.turn()
    run.clock.increment(6_000)
    run.clock.increment(6_000)
    expect([run.states(), run.named('submission.lost').length]).toEqual([['sending', 'looking'], 2])
    expect(run.posted).toHaveLength(1)
  })
})
