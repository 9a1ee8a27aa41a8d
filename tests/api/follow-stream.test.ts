import {describe, expect, test, vi} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {createChatApi, type ChatApiDeps} from '#api/chat.ts'
import type {FeedEvent} from '#domain/answer.ts'
import {collected} from '#browser/streams/collected-body.ts'
import {createBody, createFakeFetch} from './fake-fetch.ts'

const frame = (more: object) => `data: ${JSON.stringify({id: 'c', message: 'm', attempt: 1, ...more})}\n\n`

async function follow(answer: Response | (() => Response), deps: Partial<ChatApiDeps> = {}) {
  const fake = createFakeFetch(answer instanceof Response ? () => answer : answer)
  const log = vi.fn()
  const chat = createChatApi({
    fetch: fake.fetch,
    baseUrl: 'https://api.test',
    headers: () => ({authorization: 'Bearer credential'}),
    log,
    now: () => 0,
    ...deps,
  })
  const events: FeedEvent[] = []
  let end: unknown = 'running'
  await new Promise<void>((resolve) =>
    chat.follow$().subscribe({
      next: (event) => events.push(event),
      error: (error: unknown) => {
        end = error
        resolve()
      },
      complete: () => {
        end = 'completed'
        resolve()
      },
    }),
  )
  return {events, log, end, seen: fake.seen}
}

describe('the stream of all running answers', () => {
  test('asks to follow and gives what came together as one event', async () => {
    const {events, end, seen} = await follow(
      () =>
        new Response(
          `: ping\n\n${frame({seq: 0, provider: 'sandbox'})}${frame({seq: 1, delta_answer: 'a'})}${frame({seq: 1, state: 'finished'})}`,
        ),
    )
    expect(seen[0]?.body).toEqual({action: 'follow'})
    expect(events).toEqual([
      {type: 'feed.connected'},
      {
        type: 'feed.received',
        pieces: [
          {id: 'c', message: 'm', attempt: 1, from: 1, texts: ['a'], provider: 'sandbox', end: {state: 'finished'}},
        ],
      },
    ])
    expect(end).toBe('completed')
  })

  test('a line that is no frame is logged and skipped', async () => {
    const {events, log} = await follow(() => new Response(`data: [DONE]\n\n${frame({seq: 1, delta_answer: 'a'})}`))
    expect(events.at(-1)).toEqual({
      type: 'feed.received',
      pieces: [{texts: ['a'], id: 'c', message: 'm', attempt: 1, from: 1}],
    })
    expect(log).toHaveBeenCalledTimes(1)
  })

  test('pings are signs of life, at most one every four seconds', async () => {
    let now = 0
    const body = createBody()
    const rest = async () => {
      now += 3_000
      if (now > 12_000) return body.close()
      body.write(': ping\n\n')
    }
    body.write(': ping\n\n')
    const answer = () => new Response(body.response.body && collected(body.response.body, rest), body.response)
    const {events} = await follow(answer, {now: () => now})
    expect(events.map(({type}) => type)).toEqual(['feed.connected', 'feed.pinged', 'feed.pinged'])
  })

  test('a refusal is an error with its status', async () => {
    const {end} = await follow(
      () => new Response('{"error":{"code":"too_many_requests","message":"foo"}}', {status: 429}),
    )
    expect(end).toEqual(new ApiError({code: 'too_many_requests', detail: 'foo', status: 429}))
  })
})
