import {describe, expect, test} from 'vitest'
import type {ServedModel} from '#contract/management.ts'
import {silentLog} from '#server/log.ts'
import {withBreaker} from '#server/providers/breaker.ts'
import {ProviderFailure, type Provider} from '#server/providers/provider.ts'
import {createProviderRegistry} from '#server/providers/registry.ts'
import {eventually} from '../eventually.ts'
import {collect} from './openai-peer.ts'

const served = (name: string, provider = 'foo'): ServedModel => ({name, group: 'chatgpt', provider, enabled: true})
const providerOf = (overrides: Partial<Provider>): Provider => ({
  name: 'foo',
  kind: 'openai',
  local: false,
  models: () => Promise.resolve([served('foo-model')]),
  chat: async (_, take) => void take({type: 'finished'}),
  ...overrides,
})

describe('breaker', () => {
  test('opens after five faults in a row, lets one probe through, waits longer after each failed one', async () => {
    let time = 0
    let asked = 0
    let error: Error | undefined = new ProviderFailure('api_error', 'down')
    const provider = withBreaker(
      providerOf({
        chat: async (_, take) => {
          asked += 1
          if (error !== undefined) throw error
          take({type: 'finished'})
        },
      }),
      () => new Date(time),
    )
    const run = async () => (await collect(provider)).failure?.code
    for (let call = 0; call < 4; call += 1) expect(await run()).toBe('api_error')
    error = new ProviderFailure('bad_request', 'your fault') // proves that the server is alive
    expect(await run()).toBe('bad_request')
    error = new ProviderFailure('timeout', 'down')
    for (let call = 0; call < 5; call += 1) expect(await run()).toBe('timeout')
    expect(asked).toBe(10)
    expect((await collect(provider)).failure).toEqual(
      new ProviderFailure('busy', 'foo has failed several times in a row. It is tried again in 15 s.', {
        retryAfterSeconds: 15,
      }),
    )
    expect(asked).toBe(10)

    for (const pause of [15_000, 30_000, 60_000, 60_000]) {
      time += pause - 1
      expect(await run()).toBe('busy')
      time += 1
      const probe = collect(provider)
      expect(await run()).toBe('busy') // one probe, not a crowd
      expect((await probe).failure?.code).toBe('timeout')
    }
    expect(asked).toBe(14)
    time += 60_000
    error = undefined
    expect(await run()).toBeUndefined()
    expect(await run()).toBeUndefined()
  })
})

describe('registry', () => {
  const options = {detect: () => Promise.resolve([]), sandbox: undefined, now: () => new Date(0), log: silentLog}

  test('the first provider that serves a model keeps it; what nobody serves is disabled with the reason', async () => {
    const first = providerOf({
      name: 'first',
      models: () => Promise.resolve([served('gpt-4o', 'first'), served('own', 'first')]),
    })
    const second = providerOf({name: 'second', models: () => Promise.resolve([served('gpt-4o', 'second')])})
    const local = providerOf({
      name: 'ollama',
      local: true,
      models: () => Promise.resolve([{...served('llama', 'ollama'), local: true}]),
    })
    const sandbox = providerOf({
      name: 'sandbox',
      kind: 'sandbox',
      models: () => Promise.resolve([served('sandbox-chatgpt', 'sandbox')]),
    })
    const registry = createProviderRegistry({
      ...options,
      configured: [
        {provider: first, groups: ['chatgpt']},
        {provider: second, groups: ['chatgpt']},
      ],
      detect: () => Promise.resolve([local]),
      sandbox,
    })
    const models = await registry.models()
    expect(models.filter(({enabled}) => enabled).map(({name, provider}) => `${provider}/${name}`)).toEqual([
      'first/gpt-4o',
      'first/own',
      'ollama/llama',
      'sandbox/sandbox-chatgpt',
    ])
    expect(models.find(({name}) => name === 'gpt-5-all')).toEqual({
      enabled: false,
      disabled: 'not_served',
      provider: 'first',
      name: 'gpt-5-all',
      group: 'chatgpt',
      isFileSupported: true,
      isImageSupported: true,
    })
    expect(models.find(({name}) => name === 'grok-4')).toEqual({
      enabled: false,
      disabled: 'not_configured',
      provider: 'none',
      name: 'grok-4',
      group: 'grok',
      isFileSupported: false,
      isImageSupported: false,
    })
    expect((await registry.find('gpt-4o'))?.name).toBe('first')
    expect(await registry.find('gpt-5-all')).toBeUndefined()
    expect(await registry.find('nobody')).toBeUndefined()
    expect(registry.isSandboxOnly()).toBe(false)
  })

  test('looks once a minute for many, at once for a new name, and keeps what a silent provider named', async () => {
    let time = 0
    let looks = 0
    let names = ['one']
    let isDown = false
    const provider = providerOf({
      models: () => {
        looks += 1
        return isDown ? Promise.reject(new Error('down')) : Promise.resolve(names.map((name) => served(name)))
      },
    })
    const registry = createProviderRegistry({
      ...options,
      now: () => new Date(time),
      configured: [{provider, groups: ['chatgpt']}],
    })
    await Promise.all([registry.models(), registry.models(), registry.find('one')])
    expect(looks).toBe(1)
    names = ['one', 'two']
    expect(await registry.find('two')).toBeUndefined() // asked a moment ago
    time += 5_000
    expect((await registry.find('two'))?.name).toBe('foo')
    isDown = true
    time += 60_000
    expect((await registry.models()).filter(({enabled}) => enabled).map(({name}) => name)).toEqual(['one', 'two'])
    expect(looks).toBe(3)
  })

  test('a provider that hangs holds up nobody who can be told what was known before, and is asked again soon', async () => {
    let time = 0
    let looks = 0
    let hangs = false
    let answer: (models: ServedModel[]) => void = () => undefined
    const provider = providerOf({
      models: () => {
        looks += 1
        return hangs ? new Promise((resolve) => (answer = resolve)) : Promise.resolve([served('one')])
      },
    })
    const registry = createProviderRegistry({
      ...options,
      now: () => new Date(time),
      configured: [{provider, groups: ['chatgpt']}],
      patience: 0,
    })
    const names = async () => (await registry.models()).filter(({enabled}) => enabled).map(({name}) => name)
    expect(await names()).toEqual(['one'])
    hangs = true
    time += 60_000
    expect(await names()).toEqual(['one'])
    expect(await names()).toEqual(['one'])
    expect(looks).toBe(2)
    answer([served('one'), served('two')])
    await eventually(async () => expect(await names()).toEqual(['one', 'two']))
  })

  test('a provider that was silent is asked again after five seconds', async () => {
    let time = 0
    let isDown = true
    const provider = providerOf({
      models: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve([served('one')])),
    })
    const registry = createProviderRegistry({
      ...options,
      now: () => new Date(time),
      configured: [{provider, groups: ['chatgpt']}],
    })
    expect((await registry.models()).filter(({enabled}) => enabled)).toEqual([])
    isDown = false
    expect((await registry.models()).filter(({enabled}) => enabled)).toEqual([])
    time += 5_000
    expect((await registry.models()).filter(({enabled}) => enabled)).toHaveLength(1)
  })

  test('with the sandbox alone the installation says so', async () => {
    const sandbox = providerOf({name: 'sandbox', kind: 'sandbox'})
    const registry = createProviderRegistry({...options, configured: [], sandbox})
    expect(registry.isSandboxOnly()).toBe(true)
    await registry.models()
    expect(registry.isSandboxOnly()).toBe(true)
  })
})
