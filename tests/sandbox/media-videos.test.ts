import sharp from 'sharp'
import {describe, expect, test} from 'vitest'
import {paint} from '#sandbox/media/art/scenes.ts'
import {WorkStopped} from '#sandbox/media/media-job.ts'
import {videoSize} from '#sandbox/media/sizes.ts'
import {createCamera} from '#sandbox/media/video/camera.ts'
import {packetsOf, probe as probeFile} from '#tests/server/media-probe.ts'
import {first, make} from './media.harness.ts'

/** A video whose size does not matter: a sixth of the usual one, made in a fraction of the time. */
const small = {medium: 'video', lines: 144, durationSeconds: 1} as const

/** Returns the facts that a player reads of a video. */
async function probe(file: Uint8Array) {
  const {video, audio, seconds, tags} = await probeFile(file)
  return {...video, seconds, audio: audio && audio.codec, tags, packets: await packetsOf(file)}
}

const boxAt = (file: Uint8Array, name: string) => Buffer.from(file).indexOf(name, 0, 'latin1')
const mean = async (file: Uint8Array) => (await sharp(file).stats()).channels.map((channel) => channel.mean)
const plain = (colour: string) =>
  sharp({create: {width: 640, height: 360, channels: 3, background: colour}})
    .png()
    .toBuffer()

/** Frames of the camera, as means of red, green and blue. */
async function framesOf(images: readonly Uint8Array[], times: readonly number[], seconds: number) {
  const size = {width: 64, height: 36}
  const draw = await createCamera(images, {seed: 7, size, seconds})
  return times.map((time) => {
    const frame = new Uint8Array(size.width * size.height * 4)
    draw(frame, time)
    const means = [0, 1, 2].map((channel) =>
      frame.filter((_, at) => at % 4 === channel).reduce((sum, value) => sum + value, 0),
    )
    return {frame, means: means.map((sum) => sum / (size.width * size.height))}
  })
}

describe('a video', () => {
  test.each([
    [[16, 9], undefined, 640, 360],
    [[9, 16], undefined, 360, 640],
    [[1, 1], undefined, 480, 480],
    [[4, 3], undefined, 552, 414],
    [[3, 4], undefined, 414, 552],
    [[16, 9], 540, 960, 540],
    [[9, 16], 720, 720, 1280],
    [[4, 3], 360, 480, 360],
    [[1, 1], 4320, 1080, 1080],
  ] as const)('at ratio %j with %s lines, at most 1080, is %i × %i', (aspectRatio, lines, width, height) => {
    expect(videoSize({aspectRatio, lines})).toEqual({width, height})
  })

  // neither width is whole blocks of the encoder
  test.each([
    [[3, 4], undefined, 414, 552],
    [[4, 3], 180, 240, 180],
  ] as const)(
    'at ratio %j with %s lines is H.264 in an MP4 whose index stands in front',
    async (aspectRatio, lines, width, height) => {
      const made = first(await make({medium: 'video', aspectRatio, lines, durationSeconds: 1}))
      expect([made.type, made.name, made.width, made.height]).toEqual([
        'video/mp4',
        'a-paper-boat-at-sunset-7.mp4',
        width,
        height,
      ])
      const seen = await probe(made.file)
      expect([seen.codec, seen.width, seen.height, seen.seconds, seen.audio]).toEqual(['avc', width, height, 1, null])
      expect(boxAt(made.file, 'moov')).toBeGreaterThan(0)
      expect(boxAt(made.file, 'moov')).toBeLessThan(boxAt(made.file, 'mdat'))
    },
  )

  test('lasts as long as asked for, at most ten seconds, and says so', async () => {
    const [long, usual] = [
      await make({...small, durationSeconds: 25}),
      await make({...small, durationSeconds: undefined}),
    ]
    expect([first(long).durationSeconds, first(usual).durationSeconds]).toEqual([10, 5])
    const {seconds, tags} = await probe(first(long).file)
    expect(seconds).toBeCloseTo(10, 5)
    expect(tags.comment).toContain('at most 10 s')
  })

  test('says what it is, and has its first frame as a poster', async () => {
    const {file, preview, seed} = first(await make(small))
    const {tags} = await probe(file)
    expect(tags).toEqual({
      title: 'a paper boat at sunset',
      artist: 'Atrium sandbox',
      description: 'a paper boat at sunset',
      raw: {
        '©nam': 'a paper boat at sunset',
        '©ART': 'Atrium sandbox',
        '©des': 'a paper boat at sunset',
        '©cmt': expect.any(String),
      },
      comment: expect.any(String),
    })
    expect(tags.comment).toMatch(/^Made by the sandbox of Atrium\. No model was used\. Seed 7,/)
    expect(seed).toBe(7)
    const {width, height, xmp} = await sharp(preview?.file).metadata()
    expect([preview?.type, width, height]).toEqual(['image/webp', 144, 144])
    expect(xmp?.toString()).toContain('algorithmicMedia')
  })

  test.each([
    ['https://files.test/a.png  A Paper\nBoat, at sunset --ar 16:9 --seed 4', 'A Paper Boat, at sunset'],
    ['--ar 16:9', 'Atrium sandbox'],
    [`${'word '.repeat(40)}end`, `${'word '.repeat(24).trim()}…`],
    ['', 'Atrium sandbox'],
  ])('of the prompt %j has the title %j', async (prompt, title) => {
    const {file} = first(await make({...small, prompt}))
    expect((await probe(file)).tags.title).toBe(title)
  })

  test('is the same for the same seed, and another for another', async () => {
    const frames = async (seed: number) =>
      (await probe(first(await make({...small, prompt: 'foo'}, {seed})).file)).packets.map((data) =>
        Buffer.from(data).toString('base64'),
      )
    const [one, again, other] = [await frames(7), await frames(7), await frames(8)]
    expect(again).toEqual(one)
    expect(other).not.toEqual(one)
  })

  test('moves', async () => {
    const [start, end] = await framesOf([paint('hills', 7, {width: 64, height: 36}).svg], [0, 4], 4)
    const moved = start?.frame.reduce((sum, value, index) => sum + Math.abs(value - (end?.frame[index] ?? 0)), 0) ?? 0
    expect(moved / (64 * 36 * 3)).toBeGreaterThan(1)
  })

  test('comes as often as asked for', async () => {
    const made = await make({...small, count: 2})
    expect(made.map(({seed}) => seed)).toEqual([7, 8])
  })

  test('reports rising progress to the end, and stops between two frames', async () => {
    const percents: number[] = []
    await make(small, {work: {report: (percent) => percents.push(percent), checkpoint: () => {}}})
    expect(percents).toEqual([...percents].sort((one, other) => one - other))
    expect(percents.at(-1)).toBe(100)
    let frames = 0
    const checkpoint = () => {
      frames += 1
      if (frames > 3) throw new WorkStopped('stop')
    }
    await expect(make({...small, durationSeconds: 10}, {work: {report: () => {}, checkpoint}})).rejects.toThrow(
      WorkStopped,
    )
    expect(frames).toBe(4)
    expect(await make(small)).toHaveLength(1)
  })
})

describe('a video from images', () => {
  test('begins with the first, goes through all and ends with the last', async () => {
    const images = await Promise.all(['#c02020', '#20c020', '#2020c0'].map(plain))
    const frames = await framesOf(images, [0, 1, 2], 2)
    for (const [index, {means}] of frames.entries()) expect(means.indexOf(Math.max(...means))).toBe(index)
  })

  test.each([
    [600, 600, undefined, 480, 480],
    [600, 600, 180, 180, 180],
    [450, 600, 180, 180, 240],
    [200, 2000, 180, 180, 720],
  ])('where no ratio is named, of %i × %i with %s lines is %i × %i', async (width, height, lines, ...size) => {
    const image = await sharp({create: {width, height, channels: 3, background: '#20c040'}})
      .png()
      .toBuffer()
    const asked = {medium: 'video', aspectRatio: [16, 9], followsSource: true, durationSeconds: 1, lines} as const
    const made = first(await make(asked, {sourceFiles: [image]}))
    const seen = await probe(made.file)
    expect([made.width, made.height, seen.width, seen.height]).toEqual([...size, ...size])
  })

  test('has the first image as its poster and is labelled as made from it', async () => {
    const made = first(await make(small, {sourceFiles: [await plain('#20c040')]}))
    const [red, green] = await mean(made.preview?.file ?? new Uint8Array())
    expect(green).toBeGreaterThan((red ?? 255) + 80)
    expect((await sharp(made.preview?.file).metadata()).xmp?.toString()).toContain('algorithmicallyEnhanced')
  })
})

describe('a video that goes on', () => {
  test('is the old one and the new part of the same scene', async () => {
    const before = first(await make({...small, aspectRatio: [16, 9], durationSeconds: 2, prompt: 'winter forest'}))
    const after = first(
      await make({medium: 'video', durationSeconds: 3, prompt: 'bar'}, {seed: 99, sourceFiles: [before.file]}),
    )
    const [old, whole] = [await probe(before.file), await probe(after.file)]
    expect([after.durationSeconds, after.width, after.height, after.seed]).toEqual([5, 256, 144, 7])
    expect(whole.seconds).toBeCloseTo(5, 5)
    expect(whole.packets.slice(0, old.packets.length).map((data) => Buffer.from(data).toString('base64'))).toEqual(
      old.packets.map((data) => Buffer.from(data).toString('base64')),
    )
    const further = first(await make(small, {sourceFiles: [after.file]}))
    expect(further.durationSeconds).toBe(6)
  })

  test('of another user’s file is a new one', async () => {
    const foreign = new TextEncoder().encode('\0\0\0\u0018ftypisom, and no more')
    const made = first(await make(small, {sourceFiles: [foreign]}))
    expect(made.durationSeconds).toBe(1)
  })
})
