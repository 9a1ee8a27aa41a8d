import {describe, expect, test, vi} from 'vitest'
import {createHostFetch} from '#api/credential-fetch.ts'
import {ApiError} from '#api/api-error.ts'
import {createFakeFetch, json} from './fake-fetch.ts'

const address = 'https://api.test/foo'
const init = {method: 'POST', headers: {'x-foo': 'bar'}, body: '{"foo":1}'}
const refused = () => json({error: {code: 'invalid_token', message: 'no'}}, 401)

/** @param tokens the one that there is, and the one that a renewal brings */
function setUp(answers: Response[], [token, renewed]: [string | undefined, string | undefined]) {
  const fake = createFakeFetch(...answers)
  const renew = vi.fn(async () => {
    if (renewed === undefined) throw new ApiError({code: 'not_applied', detail: 'foo'})
    return renewed
  })
  const fetch = createHostFetch(fake.fetch, {token: () => token, renew})
  const bearers = () => fake.seen.map(({headers}) => headers.authorization)
  return {fetch, renew, bearers, seen: fake.seen}
}

describe('fetch with a credential', () => {
  test('adds it to what is sent', async () => {
    const {fetch, seen, renew} = setUp([json({})], ['one', undefined])
    await fetch(address, init)
    expect(seen).toEqual([
      {
        url: address,
        method: 'POST',
        headers: {authorization: 'Bearer one', 'x-foo': 'bar'},
        body: {foo: 1},
        keepalive: false,
      },
    ])
    expect(renew).not.toHaveBeenCalled()
  })

  test('what is refused is sent once more with another one', async () => {
    const {fetch, seen, bearers, renew} = setUp([refused(), json({foo: 2})], ['one', 'two'])
    const {signal} = new AbortController()
    const answer = await fetch(address, {...init, signal})
    expect(await answer.json()).toEqual({foo: 2})
    expect(bearers()).toEqual(['Bearer one', 'Bearer two'])
    expect(seen[1]).toEqual({
      method: 'POST',
      headers: {'x-foo': 'bar', authorization: 'Bearer two'},
      body: {foo: 1},
      url: 'https://api.test/foo',
      signal: expect.any(AbortSignal),
      keepalive: false,
    })
    expect(renew.mock.calls).toEqual([['one', signal]])
  })

  test.each([
    ['the other one is refused as well', 'two', 2],
    ['there is no other one', undefined, 1],
  ])('a refusal is the answer where %s', async (_name, renewed, sent) => {
    const {fetch, bearers} = setUp([refused(), refused()], ['one', renewed])
    const answer = await fetch(address, init)
    expect([answer.status, await answer.json(), bearers().length]).toEqual([
      401,
      {error: {code: 'invalid_token', message: 'no'}},
      sent,
    ])
  })

  test('waits for one while there is none; without one nothing is sent', async () => {
    const {fetch, bearers} = setUp([json({})], [undefined, 'two'])
    await fetch(address, init)
    expect(bearers()).toEqual(['Bearer two'])
    const missing = setUp([json({})], [undefined, undefined])
    await expect(missing.fetch(address, init)).rejects.toEqual(new ApiError({code: 'not_applied', detail: 'no token'}))
    expect(missing.seen).toEqual([])
  })

  test('nothing is sent again for a caller that has left meanwhile', async () => {
    const {fetch, bearers, renew} = setUp([refused(), json({})], ['one', 'two'])
    const caller = new AbortController()
    renew.mockImplementation(async () => {
      caller.abort()
      return 'two'
    })
    expect((await fetch(address, init, caller.signal)).status).toBe(401)
    expect(bearers()).toEqual(['Bearer one'])
  })
})
