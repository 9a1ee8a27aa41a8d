import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {withMediaBreaker} from '#server/providers/breaker.ts'
import type {MediaAsk} from '#server/providers/media-provider.ts'
import {download} from '#server/providers/outbound.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import {isPublicAddress} from '#server/providers/public-address.ts'
import {StartFailure} from '#server/start-failure.ts'
import {createScriptedMedia} from './media.harness.ts'
import {createUpstream, tools} from './media-upstream.ts'

const upstream = createUpstream()
const {entry, registryOf} = upstream
beforeAll(upstream.listen)
afterAll(upstream.close)
beforeEach(upstream.reset)

describe('who makes what', () => {
  test('a configured provider the tools it names, acedata all, the sandbox the rest, no other instead', () => {
    const registry = registryOf([entry({media: {flux: 'foo-image'}})], true)
    expect([registry.find('flux')?.name, registry.find('kling')?.name]).toEqual(['foo', 'sandbox'])
    expect(registryOf([entry({media: {flux: 'foo-image'}})]).find('kling')).toBeUndefined()
    const passing = registryOf([entry({name: 'acedata', kind: 'acedata'})], true)
    expect(tools.map(({identity}) => passing.find(identity.id)?.name)).toEqual(tools.map(() => 'acedata'))
    expect(passing.byName('flux', 'foo')).toBeUndefined()
    expect(registryOf([entry({})], true).find('flux')?.name).toBe('sandbox')
  })

  test('a tool that does not exist stops the start', () => {
    expect(() => registryOf([entry({media: {foo: 'bar'}})])).toThrow(StartFailure)
  })
})

describe('what is fetched (R27)', () => {
  const fetchIt = (address: string, resolve?: () => Promise<{address: string; family: number}[]>) =>
    download({upstream: 'foo', address, ownOrigin: upstream.origin, signal: new AbortController().signal, resolve})

  test.each([
    'http://example.org/a.png',
    'https://127.0.0.1/a.png',
    'https://[::1]/a.png',
    'https://[::ffff:127.0.0.1]/a.png',
    'https://10.0.0.1/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/a.png',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'foo',
  ])('%s is refused unasked', async (address) => {
    await expect(fetchIt(address)).rejects.toHaveProperty('code', 'api_error')
  })

  const inside = new ProviderFailure('api_error', 'foo left what it made at an address that is not fetched from here.')

  test('a name that leads inside, also with one of its addresses, is refused', async () => {
    const both = [
      {address: '93.184.216.34', family: 4},
      {address: '192.168.1.1', family: 4},
    ]
    await expect(fetchIt('https://foo.example/a.png', async () => both)).rejects.toEqual(inside)
    await expect(fetchIt('https://foo.example/a.png', async () => [])).rejects.toHaveProperty('code', 'api_error')
  })

  test('redirects are checked one by one, and end', async () => {
    upstream.answer = ({path}) =>
      path === '/in'
        ? {status: 302, headers: {location: 'http://127.0.0.2:9/a.png'}}
        : {status: 302, headers: {location: '/again'}}
    await expect(fetchIt(`${upstream.origin}/in`)).rejects.toEqual(inside)
    upstream.asked = []
    await expect(fetchIt(`${upstream.origin}/again`)).rejects.toHaveProperty('code', 'api_error')
    expect(upstream.asked).toHaveLength(4)
  })

  test.each([
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['100.64.0.1', false],
    ['198.18.0.1', false],
    ['0.0.0.0', false],
    ['255.255.255.255', false],
    ['fe80::1', false],
    ['fc00::1', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['foo', false],
  ])('%s is public: %s', (address, is) => expect(isPublicAddress(address)).toBe(is))
})

test('a provider that fails five times in a row is left alone; a job that is bought is asked for all the same', async () => {
  let time = 0
  const media = createScriptedMedia({make: () => Promise.reject(new ProviderFailure('api_error', 'down'))})
  const provider = withMediaBreaker(media.provider, () => new Date(time))
  const busyFor = (seconds: number) =>
    new ProviderFailure('busy', `foo has failed several times in a row. It is tried again in ${seconds} s.`, {
      retryAfterSeconds: seconds,
    })
  const make = (job?: string) => provider.make({job} as MediaAsk) // nothing else of it is looked at
  for (let index = 0; index < 5; index += 1) await expect(make()).rejects.toHaveProperty('code', 'api_error')
  await expect(make()).rejects.toEqual(busyFor(15))
  await expect(make('job')).rejects.toHaveProperty('code', 'api_error')
  time = 15_000
  await expect(make()).rejects.toHaveProperty('code', 'api_error')
  await expect(make()).rejects.toEqual(busyFor(30))
})
