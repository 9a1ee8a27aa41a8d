import {describe, expect, test, vi} from 'vitest'
import {createTasksApi} from '#api/tasks.ts'
import {createFakeFetch, json} from './fake-fetch.ts'

const setUp = (fake: ReturnType<typeof createFakeFetch>) => {
  const log = vi.fn()
  const tasks = createTasksApi({
    fetchFor: () => fake.fetch,
    baseUrl: 'https://api.test',
    headers: () => ({'accept-language': 'de'}),
    log,
    sleep: async () => undefined,
  })
  return {tasks, log}
}

const task = {id: 't-1', created_at: 1_790_000_000.25, request: {prompt: 'foo'}, response: {success: true}}

describe('tasks', () => {
  test('a page is asked for as the contract says, and only with what is known', async () => {
    const fake = createFakeFetch(json({items: [task], count: 7}))
    const {tasks} = setUp(fake)
    const page = await tasks.retrieveBatch({
      service: 'nano-banana',
      ids: [],
      userId: 'u-1',
      type: '',
      limit: 5,
      offset: 0,
      createdAtMax: 9,
    })
    expect(page).toEqual({
      count: 7,
      items: [{id: 't-1', created_at: 1_790_000_000.25, request: {prompt: 'foo'}, response: {success: true}}],
    })
    expect(fake.seen[0]).toEqual({
      url: 'https://api.test/nano-banana/tasks',
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'accept-language': 'de',
        'x-record-exempt': 'true',
      },
      body: {action: 'retrieve_batch', user_id: 'u-1', limit: 5, offset: 0, created_at_max: 9},
      signal: expect.any(AbortSignal),
      keepalive: false,
    })
  })

  test('one unreadable task costs only itself, a strange answer only the answer', async () => {
    const items = [
      task,
      'nonsense',
      {id: 't-2'},
      {id: 't-3', created_at: '1790000001', trace_id: 7, response: {success: 'perhaps', state: 'odd'}},
      {
        id: 't-4',
        created_at: 1_790_000_002,
        request: {prompt: 'bar'},
        response: {error: 'plain text', video_url: '/a'},
      },
    ]
    const {tasks, log} = setUp(createFakeFetch(json({items, count: '5'})))
    const page = await tasks.retrieveBatch({service: 'flux'})
    expect(page.items.map(({id, created_at}) => [id, created_at])).toEqual([
      ['t-1', 1_790_000_000.25],
      ['t-3', 1_790_000_001],
      ['t-4', 1_790_000_002],
    ])
    expect(page.items[2]).toEqual({
      request: {prompt: 'bar'},
      response: {video_url: '/a'},
      id: 't-4',
      created_at: 1790000002,
    })
    expect(log).toHaveBeenCalledTimes(1)
  })

  test('a read is asked again, a deletion is not and outlives the page', async () => {
    const busy = json({error: {code: 'busy'}}, 500)
    const reading = createFakeFetch(busy, json({items: [], count: 0}))
    await setUp(reading).tasks.retrieveBatch({service: 'flux'})
    expect(reading.seen).toHaveLength(2)
    const removing = createFakeFetch(busy)
    await expect(setUp(removing).tasks.remove({service: 'flux', id: 't-1'})).rejects.toHaveProperty('code', 'busy')
    expect(removing.seen).toHaveLength(1)
    expect(removing.seen[0]).toEqual({
      keepalive: true,
      body: {action: 'delete', id: 't-1'},
      url: 'https://api.test/flux/tasks',
      method: 'POST',
      headers: {
        accept: 'application/json',
        'accept-language': 'de',
        'content-type': 'application/json',
        'x-record-exempt': 'true',
      },
      signal: expect.any(AbortSignal),
    })
  })

  test('a caller that has a backoff of its own asks once', async () => {
    const busy = createFakeFetch(json({error: {code: 'busy'}}, 500))
    const {tasks} = setUp(busy)
    await expect(tasks.retrieveBatch({service: 'flux', ids: ['t-1']}, {once: true})).rejects.toHaveProperty(
      'status',
      500,
    )
    expect(busy.seen).toHaveLength(1)
    await expect(tasks.retrieve({service: 'flux', id: 't-1'}, {once: true})).rejects.toHaveProperty('status', 500)
    expect(busy.seen).toHaveLength(2)
  })

  test('a task the server does not know is a 404', async () => {
    const {tasks} = setUp(createFakeFetch(json({error: {code: 'not_found', message: 'foo'}}, 404)))
    await expect(tasks.retrieve({service: 'flux', id: 't-1'})).rejects.toHaveProperty('status', 404)
  })
})
