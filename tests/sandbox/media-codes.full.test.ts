import QRCode from 'qrcode'
import sharp from 'sharp'
import {describe, expect, test} from 'vitest'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {MediaRefusal} from '#sandbox/media/media-job.ts'
import {plainLook} from '#tests/contract/media/plain-look.ts'
import {scanCode} from '#tests/server/media-probe.ts'
import {first, make} from './media.harness.ts'

type Code = NonNullable<MediaPlan['code']>
const look = plainLook
const drawn = async (code: Partial<Code>, changes: Partial<MediaPlan> = {}, seed = 7) =>
  first(
    await make(
      {
        prompt: 'lemon grove',
        ...changes,
        code: {content: 'https://shop.example', correction: 'H', strength: 2, look, ...code},
      },
      {seed},
    ),
  )

const ratios = [
  [1, 1],
  [4, 3],
  [3, 4],
  [16, 9],
  [9, 16],
] as const

describe('a code image decodes', () => {
  test.each(ratios.map((ratio, index) => [ratio, (['L', 'M', 'Q', 'H', 'H'] as const)[index]] as const))(
    'at ratio %j with correction %s',
    async (aspectRatio, correction) => {
      const {file, width = 0, height = 1} = await drawn({correction}, {aspectRatio})
      expect(width / height).toBeCloseTo(aspectRatio[0] / aspectRatio[1], 10)
      expect(await scanCode(file)).toBe('https://shop.example')
    },
  )

  test.each([
    ['text', 'Grüße aus Köln, 你好, مرحبا 🙂'],
    ['link', 'https://shop.example/a/b?c=d&e=%20f#g'],
    ['email', 'mailto:foo@bar.example?subject=Hello%20you'],
    ['phone', 'tel:+4915112345678'],
    ['sms', 'SMSTO:+4915112345678:Hello you'],
    ['long text', 'x0'.repeat(400)],
    ['one letter', 'a'],
  ])('for %s', async (_kind, content) => {
    const {file} = await drawn({content, correction: 'M'})
    expect(await scanCode(file)).toBe(content)
  })

  test.each([1.5, 2.2, 3, 99])('at strength %s', async (strength) => {
    expect(await scanCode((await drawn({strength})).file)).toBe('https://shop.example')
  })

  test.each(['night sky', 'white snow', 'abstract silk', 'black sea'])(
    'on %s, also from the small preview',
    async (prompt) => {
      const {file, preview} = await drawn({strength: 1.5}, {prompt})
      expect(await scanCode(file)).toBe('https://shop.example')
      expect(await scanCode(preview?.file ?? new Uint8Array())).toBe('https://shop.example')
    },
  )

  test('and stays an image: a weak code changes less of it than a strong one', async () => {
    const plain = first(await make({prompt: 'lemon grove'})).file
    const far = async (strength: number) => {
      const [a, b] = await Promise.all(
        [plain, (await drawn({strength})).file].map((file) =>
          sharp(file).resize(256, 256).removeAlpha().raw().toBuffer(),
        ),
      )
      return a?.reduce((sum, value, index) => sum + Math.abs(value - (b?.[index] ?? 0)), 0) ?? 0
    }
    expect(await far(1.5)).toBeLessThan(await far(3))
  })
})

test('an image of a code is taken over with its content', async () => {
  const source = await QRCode.toBuffer('foo bar', {width: 400, color: {dark: '#204080', light: '#ffffe0'}})
  const made = first(
    await make({prompt: 'hills', code: {content: '', correction: 'M', strength: 2, look}}, {sourceFiles: [source]}),
  )
  expect(await scanCode(made.file)).toBe('foo bar')
})

test('several differ in their art, not in their content', async () => {
  const made = await make({prompt: 'foo', count: 2, code: {content: 'bar', correction: 'Q', strength: 2, look}})
  expect(await Promise.all(made.map(({file}) => scanCode(file)))).toEqual(['bar', 'bar'])
  expect(Buffer.compare(made[0]?.file ?? new Uint8Array(), made[1]?.file ?? new Uint8Array())).not.toBe(0)
})

test.each([
  ['x'.repeat(3000), 'content_too_large'],
  ['', 'bad_request'],
])('a content that makes no code is refused', async (content, code) => {
  const failure: unknown = await drawn({content}).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(MediaRefusal)
  expect(failure).toHaveProperty('code', code)
})
