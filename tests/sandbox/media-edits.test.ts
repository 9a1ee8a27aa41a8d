import sharp from 'sharp'
import {describe, expect, test} from 'vitest'
import {drawGrid} from '#sandbox/media/grid.ts'
import {MediaRefusal, type SandboxFile} from '#sandbox/media/media-job.ts'
import {first, make} from './media.harness.ts'

/** Difference of two images, from 0, the same, to 255. */
async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes).resize(64, 64, {fit: 'fill'}).removeAlpha().raw().toBuffer()),
  )
  if (!a || !b) throw new Error('no pixels')
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
}

/** The size of an image whose size does not matter: a tenth of the usual one, made in a tenth of the time. */
const pixels = [320, 320] as const

const part = (file: Uint8Array, region: {left: number; top: number; width: number; height: number}) =>
  sharp(file).extract(region).png().toBuffer()

describe('an image from images', () => {
  const source = async (colour: string, width = 800, height = 600) =>
    sharp({create: {width, height, channels: 3, background: '#202020'}})
      .composite([
        {
          input: Buffer.from(
            `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><circle cx="${width / 2}" cy="${height / 2}" r="${height / 3}" fill="${colour}"/></svg>`,
          ),
        },
      ])
      .png()
      .toBuffer()
  const edited = async (action: string | undefined, file: Uint8Array, prompt = 'foo') =>
    first(await make({prompt, aspectRatio: [4, 3], action}, {sourceFiles: [file]}))
  const centre = async (file: Uint8Array) => {
    const {width, height} = await sharp(file).metadata()
    const {data} = await sharp(file)
      .extract({left: Math.floor(width / 2), top: Math.floor(height / 2), width: 4, height: 4})
      .resize(1, 1)
      .raw()
      .toBuffer({resolveWithObject: true})
    return [...data]
  }

  test('an edit keeps what is seen, in the ratio of the plan, and is labelled as changed by an algorithm', async () => {
    const [green, red] = [await source('#10c040'), await source('#e02010')]
    const [ofGreen, ofRed] = [await edited(undefined, green), await edited(undefined, red)]
    expect([ofGreen.width, ofGreen.height]).toEqual([1184, 888])
    const [g, r] = [await centre(ofGreen.file), await centre(ofRed.file)]
    expect(g[1]).toBeGreaterThan(g[0] ?? 255)
    expect(r[0]).toBeGreaterThan(r[1] ?? 255)
    expect(await difference(ofGreen.file, green)).toBeGreaterThan(3)
    expect((await sharp(ofGreen.file).metadata()).xmp?.toString()).toContain('algorithmicallyEnhanced')
  })

  test('a further image is laid in', async () => {
    const [one, two] = [await source('#10c040'), await source('#e02010')]
    const alone = first(await make({pixels}, {sourceFiles: [one]}))
    const both = first(await make({pixels}, {sourceFiles: [one, two]}))
    expect(await difference(alone.file, both.file)).toBeGreaterThan(0.8)
  })

  test.each([
    [1376, 774, 1376, 774],
    [300, 900, 592, 1776],
    [64, 640, 512, 2048],
  ])('where no ratio is named, an edit of %i × %i is %i × %i', async (width, height, ...size) => {
    const asked = {aspectRatio: [1, 1], followsSource: true} as const
    const made = first(await make(asked, {sourceFiles: [await source('#10c040', width, height)]}))
    const seen = await sharp(made.file).metadata()
    expect([made.width, made.height, seen.width, seen.height]).toEqual([...size, ...size])
  })

  test('an image of another ratio is not cut to pieces', async () => {
    const tall = await source('#10c040', 300, 900)
    const made = first(await make({aspectRatio: [16, 9]}, {sourceFiles: [tall]}))
    expect([made.width, made.height]).toEqual([1376, 774])
  })

  test.each([
    ['upscale_2x', 400, 300],
    ['upscale_4x', 800, 600],
    ['upscale3', 200, 150],
    ['redo_upscale_2x', 200, 150],
    ['variation_subtle', 200, 150],
    ['variation1', 100, 75],
    ['zoom_out_2x', 200, 150],
    ['zoom_out_1_5x', 200, 150],
    ['pan_left', 300, 150],
    ['pan_down', 200, 225],
    ['square', 200, 200],
  ] as const)('%s has its size', async (action, width, height) => {
    const made = await edited(action, await source('#10c040', 200, 150))
    expect([made.width, made.height]).toEqual([width, height])
    expect((await sharp(made.file).metadata()).width).toBe(width)
  })

  test('nothing grows beyond 4096 pixels', async () => {
    const made = await edited('upscale_4x', await source('#10c040', 1600, 160))
    expect([made.width, made.height]).toEqual([4096, 410])
  })

  test('zooming out by two shows the image at half its width, with its own colours around', async () => {
    const file = await source('#10c040')
    const {file: zoomed} = await edited('zoom_out_2x', file)
    const inner = await part(zoomed, {left: 240, top: 180, width: 320, height: 240})
    const original = await part(file, {left: 80, top: 60, width: 640, height: 480})
    expect(await difference(inner, original)).toBeLessThan(6)
  })

  test('a variation is the same motif in other light', async () => {
    const file = first(await make({prompt: 'city at night', pixels})).file
    const {file: subtle} = await edited('variation_subtle', file)
    const {file: strong} = await edited('variation_strong', file)
    expect(await difference(file, subtle)).toBeGreaterThan(1)
    expect(await difference(file, strong)).toBeGreaterThan(await difference(file, subtle))
  })

  test.each([
    ['text', new TextEncoder().encode('foo')],
    ['half a PNG', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])],
  ])('refuses %s with a sentence', async (_name, bytes) => {
    const failure: unknown = await make({}, {sourceFiles: [bytes]}).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MediaRefusal)
    expect(failure).toHaveProperty('code', 'bad_request')
  })

  test('four images become a grid, and a cell of it is each of them again', async () => {
    const images = await Promise.all(
      ['#c01010', '#10c010', '#1010c0', '#c0c010'].map((colour) => source(colour, 300, 300)),
    )
    const made = images.map((file): SandboxFile => ({
      medium: 'image',
      file,
      type: '',
      name: '',
      width: 300,
      height: 300,
    }))
    const grid = await drawGrid(made)
    expect([grid.width, grid.height]).toEqual([600, 600])
    for (const [index, image] of images.entries()) {
      const cell = await edited(`upscale${index + 1}`, grid.file)
      const [own, original] = [await centre(cell.file), await centre(image)]
      for (const [channel, value] of own.entries())
        expect(Math.abs(value - (original[channel] ?? 999))).toBeLessThan(14)
    }
  })
})

describe('descriptions of an image', () => {
  test('are four, and name what can be measured', async () => {
    const file = await sharp({create: {width: 640, height: 360, channels: 3, background: '#1d3f8f'}})
      .png()
      .toBuffer()
    const made = await make({medium: 'text', prompt: '', sources: ['foo']}, {sourceFiles: [file]})
    expect(made).toHaveLength(4)
    expect(made.map(({type}) => type)).toEqual(Array.from({length: 4}, () => 'text/plain'))
    expect(new TextDecoder().decode(made[0]?.file)).toBe(made[0]?.text)
    expect(made[0]?.text).toMatch(/^Image in landscape format, dark, mostly (navy|blue)/)
    expect(made[1]?.text).toContain('the mean of all is')
    for (const {text} of made) expect(text).toContain('--ar 16:9')
  })

  test('of an image that is not here are refused', async () => {
    await expect(make({medium: 'text', sources: ['https://foo.example/bar.png']})).rejects.toHaveProperty(
      'code',
      'bad_request',
    )
  })
})
