import sharp from 'sharp'
import {describe, expect, test} from 'vitest'
import {paint} from '#sandbox/media/art/scenes.ts'
import {seedAt} from '#sandbox/media/images.ts'
import {WorkStopped} from '#sandbox/media/media-job.ts'
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
