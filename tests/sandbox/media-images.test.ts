import sharp from 'sharp'
import {describe, expect, test} from 'vitest'
import {paint} from '#sandbox/media/art/scenes.ts'
import {drawGrid} from '#sandbox/media/grid.ts'
import {seedAt} from '#sandbox/media/images.ts'
import {MediaRefusal, WorkStopped, type SandboxFile} from '#sandbox/media/media-job.ts'
import {imageSize} from '#sandbox/media/sizes.ts'
import {first, make} from './media.harness.ts'
import {long} from '../long.ts'

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

describe('an image from words', () => {
  const hasRatio = async (aspectRatio: readonly [number, number], width: number, height: number) => {
    const made = first(await make({aspectRatio}))
    const data = await sharp(made.file).metadata()
    expect({width: data.width, height: data.height, format: data.format}).toEqual({width, height, format: 'webp'})
    expect([made.width, made.height, made.type]).toEqual([width, height, 'image/webp'])
    expect(width / height).toBeCloseTo(aspectRatio[0] / aspectRatio[1], 10)
  }
  test.each([
    [[3, 4], 888, 1184],
    [[16, 9], 1376, 774],
  ] as const)('has the ratio %j', hasRatio)
  test.each([
    [[1, 1], 1024, 1024],
    [[4, 3], 1184, 888],
    [[9, 16], 774, 1376],
    [[3, 2], 1254, 836],
    [[2, 3], 836, 1254],
  ] as const)('has the ratio %j', long, hasRatio)

  test.each([
    [0, [0, 1, 2]],
    [Number.MAX_SAFE_INTEGER - 1, [Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER, 0]],
    [Number.MAX_SAFE_INTEGER, [Number.MAX_SAFE_INTEGER, 0, 1]],
  ])('has the seed after that of the one before; the greatest is followed by 0 (from %i)', (seed, seeds) => {
    expect([0, 1, 2].map((index) => seedAt(seed, index))).toEqual(seeds)
  })

  test('has the very pixels that were asked for, also when it is an edit', async () => {
    const [drawn] = await make({aspectRatio: [512, 1024], pixels: [512, 1024]})
    const source = await sharp({create: {width: 300, height: 200, channels: 3, background: '#336699'}})
      .png()
      .toBuffer()
    const [edited] = await make({aspectRatio: [640, 480], pixels: [640, 480]}, {sourceFiles: [source]})
    const sizes = [drawn, edited].map(async (made) => {
      const {width, height} = await sharp(made?.file).metadata()
      return [made?.width, made?.height, width, height]
    })
    expect(await Promise.all(sizes)).toEqual([
      [512, 1024, 512, 1024],
      [640, 480, 640, 480],
    ])
  })

  test('is encoded as well as was asked for: the less, the fewer bytes', async () => {
    const bytes: number[] = []
    for (const quality of [10, 50, undefined, 100]) bytes.push(first(await make({quality, pixels})).file.length)
    expect(bytes).toEqual(bytes.toSorted((one, other) => one - other))
    expect(new Set(bytes).size).toBe(4)
  })

  test('is drawn four times as wide as high at most', async () => {
    const {width, height} = await sharp(first(await make({aspectRatio: [100, 1]})).file).metadata()
    expect(width / height).toBeCloseTo(4, 2)
  })

  test.each([
    [[1366, 768], 1366 / 768],
    [[100, 1], 4],
    [[1, 100], 1 / 4],
    [[0, 5], 1],
  ] as const)('a ratio of %j is met as near as pixels allow, within four to one', (aspectRatio, expected) => {
    const {width, height} = imageSize({aspectRatio})
    expect(width / height).toBeCloseTo(expected, 2)
  })

  test('comes as often as asked for, each with a seed that makes it again', async () => {
    const made = await make({count: 3, prompt: 'hills', pixels})
    expect(made.map(({seed}) => seed)).toEqual([7, 8, 9])
    expect(await difference(made[0]?.file ?? new Uint8Array(), made[1]?.file ?? new Uint8Array())).toBeGreaterThan(2)
    const again = first(await make({prompt: 'hills', pixels}, {seed: 9}))
    expect(Buffer.compare(again.file, made[2]?.file ?? new Uint8Array())).toBe(0)
  })

  test('says what it is: EXIF, XMP with IPTC’s word for art of an algorithm, and a name without the flags of the prompt', async () => {
    const {file, name} = first(
      await make({prompt: 'https://foo.example/a.png a <b>fox</b> & bar --version 6.1', pixels}),
    )
    const {exif, xmp} = await sharp(file).metadata()
    expect(exif?.toString('latin1')).toContain('Atrium sandbox')
    expect(exif?.toString('latin1')).toContain('Made by the sandbox of Atrium. No model was used. Seed 7')
    expect(xmp?.toString()).toContain('digitalsourcetype/algorithmicMedia')
    expect(xmp?.toString()).toContain('a &#60;b&#62;fox')
    expect(name).toBe('a-b-fox-b-bar-7.webp')
  })

  test('bears the word SANDBOX in its corner and nowhere else', async () => {
    const {file, width = 0, height = 0} = first(await make({prompt: 'a calm sea'}))
    const painting = paint('a calm sea', 7, {width, height})
    const plain = await sharp(painting.svg).png().toBuffer()
    const corner = {left: 0, top: height - 70, width: 190, height: 70}
    const elsewhere = {left: 0, top: 0, width, height: height - 80}
    expect(await difference(await part(file, corner), await part(plain, corner))).toBeGreaterThan(12)
    expect(await difference(await part(file, elsewhere), await part(plain, elsewhere))).toBeLessThan(2)
  })

  test('has a small preview', async () => {
    const {preview} = first(await make({aspectRatio: [16, 9], pixels: [640, 360]}))
    const {width, height} = await sharp(preview?.file).metadata()
    expect({type: preview?.type, width, height}).toEqual({type: 'image/webp', width: 512, height: 288})
  })

  test.each([
    ['a lighthouse by the sea', 'water', 'ocean'],
    ['snowy mountains', 'landscape', 'winter'],
    ['silk ribbons', 'curves', undefined],
  ])('the words "%s" decide scene and colours', (prompt, style, mood) => {
    const styles = Array.from({length: 12}, (_, seed) => paint(prompt, seed, {width: 64, height: 64}))
    expect(styles.map((painting) => painting.style)).toContain(style)
    if (mood !== undefined) expect(new Set(styles.map(({palette}) => palette.name))).toEqual(new Set([mood]))
  })

  test('words that name nothing get many styles by their seed', () => {
    const styles = Array.from({length: 60}, (_, seed) => paint('foo', seed, {width: 64, height: 64}).style)
    expect(new Set(styles).size).toBe(3)
  })

  test('colours that are named are the colours of the image', async () => {
    const {file} = first(await make({prompt: 'abstract red silk', pixels}))
    const {channels} = await sharp(file).stats()
    const [red, green, blue] = channels.map(({mean}) => mean)
    expect(red).toBeGreaterThan((green ?? 0) * 1.15)
    expect(red).toBeGreaterThan((blue ?? 0) * 1.15)
  })

  test('stops between two images when nobody waits any more', async () => {
    let checks = 0
    const checkpoint = () => {
      checks += 1
      if (checks > 2) throw new WorkStopped('stop')
    }
    const percents: number[] = []
    await expect(
      make({count: 4, pixels}, {work: {checkpoint, report: (percent) => percents.push(percent)}}),
    ).rejects.toThrow(WorkStopped)
    expect(percents).toEqual([25, 50])
  })
})

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
    expect(failure).toMatchObject({code: 'bad_request'})
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
    await expect(make({medium: 'text', sources: ['https://foo.example/bar.png']})).rejects.toMatchObject({
      code: 'bad_request',
    })
  })
})
