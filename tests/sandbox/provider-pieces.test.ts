import sharp from 'sharp'
import {describe, expect, test} from 'vitest'
import type {MessageContent} from '#contract/chat.ts'
import {realSleep} from '#sandbox/sleep.ts'
import type {StoredFile} from '#server/providers/provider.ts'
import {createProvider, inputOf, ask} from './provider.harness.ts'

describe('deltas', () => {
  test('are words, and together the text', async () => {
    const {deltas} = await ask('/echo one two\nthree')
    expect(deltas.slice(-3)).toEqual(['\n\none', ' two', '\nthree'])
  })

  test('text without spaces comes in pieces of whole characters', async () => {
    const long = '𠮷'.repeat(100)
    const {deltas} = await ask(`/echo ${long}`)
    expect(deltas.length).toBeGreaterThan(5)
    expect(deltas.join('')).toContain(long)
    for (const delta of deltas) expect(delta).not.toMatch(/\p{Surrogate}/u)
  })
})

describe('stopping', () => {
  test('ends the answer at once, with the reason of the signal', async () => {
    const controller = new AbortController()
    const reason = new Error('stopped')
    const {provider} = createProvider()
    let count = 0
    const read = provider.chat(inputOf('/long', {signal: controller.signal}), () => {
      count += 1
      if (count === 5) controller.abort(reason)
      return true
    })
    await expect(read).rejects.toBe(reason)
    expect(count).toBe(5)
  })

  test('wakes a real pause, also one that begins after it', async () => {
    const controller = new AbortController()
    const reason = new Error('stopped')
    const sleeping = realSleep(3_600_000, controller.signal)
    controller.abort(reason)
    await expect(sleeping).rejects.toBe(reason)
    await expect(realSleep(3_600_000, controller.signal)).rejects.toBe(reason)
  })
})

describe('attachments', () => {
  const storedFile = (files: Record<string, StoredFile>) => async (url: string) => files[url]
  const file = (name: string, type: string, bytes: Uint8Array): StoredFile => ({
    name,
    type,
    size: bytes.length,
    read: async () => bytes,
  })

  test('facts of images and texts of one’s own', async () => {
    const image = await sharp({create: {width: 320, height: 200, channels: 4, background: '#ff000080'}})
      .png()
      .toBuffer()
    const text = new TextEncoder().encode('one two\nthree')
    const {text: answer, end} = await ask(
      [
        {type: 'text', text: 'How do I add a provider?'},
        {type: 'image_url', image_url: {url: '/a'}},
        {type: 'file_url', file_url: '/b'},
      ],
      {
        storedFile: storedFile({
          '/a': file('fo|o*.png', 'image/png', image),
          '/b': file('bar.txt', 'text/plain', text),
        }),
      },
    )
    expect(end).toEqual({type: 'finished'})
    expect(answer).toContain('| fo\\|o\\*.png | image/png |')
    expect(answer).toContain('320 × 200 pixels, PNG, with transparency')
    expect(answer).toContain('| bar.txt | text/plain | 13 bytes | 2 lines, 3 words |')
    expect(answer).toContain('I cannot see what an image shows')
    expect(answer).toContain('**Add a provider**')
  })

  test('opens nothing that is not an upload of the asker', async () => {
    const content: MessageContent = [{type: 'image_url', image_url: 'https://evil.example/x.png'}]
    expect((await ask(content, {storedFile: storedFile({})})).text).toContain(
      'One address is not an upload of yours here, so nothing was opened.',
    )
    expect((await ask(content)).text).toContain('nothing was opened')
  })

  test('a broken image is said to be one', async () => {
    const broken = file('x.png', 'image/png', new Uint8Array([137, 80, 78, 71, 1, 2, 3]))
    const content: MessageContent = [{type: 'image_url', image_url: '/x'}]
    expect((await ask(content, {storedFile: storedFile({'/x': broken})})).text).toContain('not readable as an image')
  })
})
