import {afterAll, describe, expect, test} from 'vitest'
import {errorKinds} from '#domain/error-kinds.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import {promptWithoutCommand, sandboxFault} from '#sandbox/media/faults.ts'
import {closeMediaPool, makeMedia} from '#sandbox/media/make-media.ts'
import {plainLook} from '#tests/contract/media/plain-look.ts'
import {first, planOf} from './media.harness.ts'

afterAll(closeMediaPool)

/** Waits that pass at once and are counted. */
const counted = () => {
  const pauses: number[] = []
  return {pauses, sleep: async (milliseconds: number) => void pauses.push(milliseconds)}
}
/** The size of an image whose size does not matter. */
const pixels = [320, 320] as const
const quiet = {signal: new AbortController().signal, onProgress: () => {}}

describe('a prompt that asks for a failure', () => {
  test.each([...errorKinds, 'forbidden'] as const)(
    '/error %s fails with it, wherever a tool puts its own words',
    async (code) => {
      const failure = {code, detail: `The sandbox fails with this error because you asked for it: /error ${code}`}
      expect(sandboxFault(`/error ${code}`)).toEqual(failure)
      expect(sandboxFault(`  /ERROR ${code.toUpperCase()} and more`)).toEqual(failure)
      expect(sandboxFault(`https://foo.example/a.png https://foo.example/b.png /error ${code} --version 6.1`)).toEqual(
        failure,
      )
      const thrown: unknown = await makeMedia(planOf({prompt: `/error ${code}`}), quiet).catch(
        (error: unknown) => error,
      )
      expect(thrown).toBeInstanceOf(ProviderFailure)
      expect(thrown).toMatchObject(failure)
    },
  )

  test.each(['/error', '/error foo', '/error toString'])('%s lists the kinds', (prompt) => {
    const fault = sandboxFault(prompt)
    expect(fault?.code).toBe('bad_request')
    for (const code of errorKinds) expect(fault?.detail).toContain(`/error ${code}`)
  })

  test.each(['an /error busy', 'error busy', '/errors busy', '', '/slow boat', 'foo/error busy'])(
    '"%s" is no such prompt',
    (prompt) => {
      expect(sandboxFault(prompt)).toBeUndefined()
    },
  )
})

describe('a prompt that asks for time', () => {
  test('/slow takes twenty seconds with progress, and then makes what stands after it', async () => {
    const {pauses, sleep} = counted()
    const percents: number[] = []
    const made = first(
      await makeMedia(planOf({prompt: '/slow a red boat', seed: 5, pixels}), {
        ...quiet,
        onProgress: (percent) => percents.push(percent),
        sleep,
      }),
    )
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(20_000)
    expect(percents).toHaveLength(20)
    expect(percents).toEqual([...percents].sort((one, other) => one - other))
    expect(made.name).toBe('a-red-boat-5.webp')
  })

  test('/never goes on until it is stopped', async () => {
    const stop = new AbortController()
    let steps = 0
    let most = 0
    const sleep = async () => {
      steps += 1
      if (steps === 500) stop.abort(new Error('foo'))
    }
    const never = makeMedia(planOf({prompt: '/never'}), {
      signal: stop.signal,
      onProgress: (percent) => (most = Math.max(most, percent)),
      sleep,
    })
    await expect(never).rejects.toThrow('foo')
    expect([steps, most < 100]).toEqual([500, true])
  })

  test('the command is no part of what is made', () => {
    expect(promptWithoutCommand('/slow  a boat\nat sea')).toBe('a boat\nat sea')
    expect(promptWithoutCommand('a /slow boat')).toBe('a /slow boat')
  })
})

describe('in threads', () => {
  test('what is made arrives whole, with a seed that was drawn and makes it again', async () => {
    const percents: number[] = []
    const made = first(
      await makeMedia(planOf({prompt: 'hills', pixels}), {...quiet, onProgress: (percent) => percents.push(percent)}),
    )
    expect(made.seed).toBeGreaterThan(0)
    expect(percents.at(-1)).toBe(100)
    const again = first(await makeMedia(planOf({prompt: 'hills', seed: made.seed, pixels}), quiet))
    expect(Buffer.compare(again.file, made.file)).toBe(0)
    expect(Buffer.compare(again.preview?.file ?? new Uint8Array(), made.preview?.file ?? new Uint8Array())).toBe(0)
  })

  test('every medium is made', async () => {
    const made = await Promise.all([
      makeMedia(planOf({medium: 'video', lines: 144, durationSeconds: 1}), quiet),
      makeMedia(planOf({medium: 'audio', song: {isInstrumental: true}}), quiet),
      makeMedia(planOf({medium: 'text'}), quiet),
      makeMedia(planOf({code: {content: 'foo', correction: 'M', strength: 2, look: plainLook}}), quiet),
    ])
    expect(made.map((files) => first(files).type)).toEqual(['video/mp4', 'audio/mpeg', 'text/plain', 'image/png'])
  })

  test('a refusal arrives with its code', async () => {
    const sourceFiles = [new TextEncoder().encode('foo')]
    await expect(makeMedia(planOf(), {...quiet, sourceFiles})).rejects.toHaveProperty('code', 'bad_request')
  })

  test('tiles become a grid', async () => {
    const grid = first(await makeMedia(planOf({tiles: 4, aspectRatio: [4, 3], pixels: [320, 240]}), quiet))
    expect([grid.width, grid.height]).toEqual([640, 480])
  })

  test('an abort ends the work and rejects with its reason', async () => {
    const stop = new AbortController()
    const running = makeMedia(planOf({medium: 'video', durationSeconds: 10}), {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('foo')),
    })
    await expect(running).rejects.toThrow('foo')
    await expect(makeMedia(planOf(), {...quiet, signal: stop.signal})).rejects.toThrow('foo')
    expect(await makeMedia(planOf({medium: 'text'}), quiet)).toHaveLength(1)
  })
})
