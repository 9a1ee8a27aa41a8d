import sharp from 'sharp'
import {describe, expect, test} from 'vitest'
import {WorkStopped} from '#server/providers/sandbox/media/media-job.ts'
import {packetsOf, probe as probeFile} from './media-probe.ts'
import {first, make} from './sandbox-media.harness.ts'

/** What a player sees of a video. */
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

/** A VP8 key frame in the wrapping of a WebP, which sharp can read. */
function asPicture(frame: Uint8Array): Buffer {
  const head = Buffer.alloc(20)
  head.write('RIFF', 0)
  head.writeUInt32LE(12 + frame.length + (frame.length % 2), 4)
  head.write('WEBPVP8 ', 8)
  head.writeUInt32LE(frame.length, 16)
  return Buffer.concat([head, frame, Buffer.alloc(frame.length % 2)])
}

describe('a video', () => {
  test.each([
    [[16, 9], 640, 360],
    [[9, 16], 360, 640],
    [[1, 1], 480, 480],
    [[4, 3], 552, 414],
    [[3, 4], 414, 552],
  ] as const)('at ratio %j is H.264 in an MP4 whose index stands in front', async (aspectRatio, width, height) => {
    const made = first(await make({medium: 'video', aspectRatio, durationSeconds: 1}))
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
  })

  test.each([
    [[16, 9], 540, 960, 540],
    [[9, 16], 720, 720, 1280],
    [[4, 3], 360, 480, 360],
    [[1, 1], 1080, 1080, 1080],
    [[16, 9], 4320, 1920, 1080],
  ] as const)('at ratio %j has the %i lines that were asked for, at most 1080', async (aspectRatio, lines, ...size) => {
    const made = first(await make({medium: 'video', aspectRatio, lines, durationSeconds: 1}))
    const seen = await probe(made.file)
    expect([made.width, made.height, seen.width, seen.height]).toEqual([...size, ...size])
  })

  test('lasts as long as asked for, at most ten seconds, and says so', async () => {
    const [long, usual] = [await make({medium: 'video', durationSeconds: 25}), await make({medium: 'video'})]
    expect([first(long).durationSeconds, first(usual).durationSeconds]).toEqual([10, 5])
    const {seconds, tags} = await probe(first(long).file)
    expect(seconds).toBeCloseTo(10, 5)
    expect(tags.comment).toContain('at most 10 s')
  })

  test('says what it is, and has its first frame as a poster', async () => {
    const {file, preview, seed} = first(await make({medium: 'video', durationSeconds: 1}))
    const {tags} = await probe(file)
    expect(tags).toMatchObject({
      title: 'a paper boat at sunset',
      artist: 'Atrium sandbox',
      description: 'a paper boat at sunset',
    })
    expect(tags.comment).toMatch(/^Made by the sandbox of Atrium\. No model was used\. Seed 7,/)
    expect(seed).toBe(7)
    const {width, height, xmp} = await sharp(preview?.file).metadata()
    expect([preview?.type, width, height]).toEqual(['image/webp', 480, 480])
    expect(xmp?.toString()).toContain('algorithmicMedia')
  })

  test.each([
    ['https://files.test/a.png  A Paper\nBoat, at sunset --ar 16:9 --seed 4', 'A Paper Boat, at sunset'],
    ['--ar 16:9', 'Atrium sandbox'],
    [`${'word '.repeat(40)}end`, `${'word '.repeat(24).trim()}…`],
    ['', 'Atrium sandbox'],
  ])('of the prompt %j has the title %j', async (prompt, title) => {
    const {file} = first(await make({medium: 'video', prompt, durationSeconds: 1}))
    expect((await probe(file)).tags.title).toBe(title)
  })

  test('is the same for the same seed, and another for another', async () => {
    const frames = async (seed: number) =>
      (await probe(first(await make({medium: 'video', prompt: 'foo', durationSeconds: 1}, {seed})).file)).packets.map(
        (data) => Buffer.from(data).toString('base64'),
      )
    const [one, again, other] = [await frames(7), await frames(7), await frames(8)]
    expect(again).toEqual(one)
    expect(other).not.toEqual(one)
  })

  test('moves', async () => {
    const {packets} = await probe(first(await make({medium: 'video', durationSeconds: 2}, {videoCodec: 'vp8'})).file)
    const [start, end] = await Promise.all(
      [packets[0], packets.at(-1)].map((frame) =>
        sharp(asPicture(frame ?? new Uint8Array()))
          .resize(80, 80)
          .raw()
          .toBuffer(),
      ),
    )
    const moved = start?.reduce((sum, value, index) => sum + Math.abs(value - (end?.[index] ?? 0)), 0) ?? 0
    expect(moved / (80 * 80 * 3)).toBeGreaterThan(1)
  })

  test('comes as often as asked for', async () => {
    const made = await make({medium: 'video', count: 2, durationSeconds: 1})
    expect(made.map(({seed}) => seed)).toEqual([7, 8])
  })

  test('reports rising progress to the end, and stops between two frames', async () => {
    const percents: number[] = []
    await make(
      {medium: 'video', durationSeconds: 1},
      {work: {report: (percent) => percents.push(percent), checkpoint: () => {}}},
    )
    expect(percents).toEqual([...percents].sort((one, other) => one - other))
    expect(percents.at(-1)).toBe(100)
    let frames = 0
    const checkpoint = () => {
      frames += 1
      if (frames > 3) throw new WorkStopped('stop')
    }
    await expect(make({medium: 'video', durationSeconds: 10}, {work: {report: () => {}, checkpoint}})).rejects.toThrow(
      WorkStopped,
    )
    expect(frames).toBe(4)
    expect(await make({medium: 'video', durationSeconds: 1})).toHaveLength(1)
  })

  test('can be VP8 in WebM, where the encoder of H.264 is not wanted', async () => {
    const made = first(await make({medium: 'video', aspectRatio: [16, 9], durationSeconds: 1}, {videoCodec: 'vp8'}))
    const {codec, width, height, packets} = await probe(made.file)
    expect([made.type, made.name.split('.').at(-1), codec, width, height, packets.length]).toEqual([
      'video/webm',
      'webm',
      'vp8',
      640,
      360,
      12,
    ])
  })
})

describe('a video from pictures', () => {
  test('begins with the first and ends with the last', async () => {
    const sources = [await plain('#c02020'), await plain('#2020c0')]
    const made = first(
      await make(
        {medium: 'video', aspectRatio: [16, 9], durationSeconds: 2},
        {sourceFiles: sources, videoCodec: 'vp8'},
      ),
    )
    const {packets} = await probe(made.file)
    const [start, end] = [
      await mean(asPicture(packets[0] ?? new Uint8Array())),
      await mean(asPicture(packets.at(-1) ?? new Uint8Array())),
    ]
    expect(start[0]).toBeGreaterThan(150)
    expect(start[2]).toBeLessThan(70)
    expect(end[0]).toBeLessThan(70)
    expect(end[2]).toBeGreaterThan(150)
  })

  test.each([
    [600, 600, undefined, 480, 480],
    [600, 600, 720, 720, 720],
    [450, 600, undefined, 414, 552],
    [200, 2000, undefined, 240, 960],
  ])('where no ratio is named, of %i × %i with %s lines is %i × %i', async (width, height, lines, ...size) => {
    const picture = await sharp({create: {width, height, channels: 3, background: '#20c040'}})
      .png()
      .toBuffer()
    const asked = {medium: 'video', aspectRatio: [16, 9], followsSource: true, durationSeconds: 1, lines} as const
    const made = first(await make(asked, {sourceFiles: [picture]}))
    const seen = await probe(made.file)
    expect([made.width, made.height, seen.width, seen.height]).toEqual([...size, ...size])
  })

  test('has the first picture as its poster and is labelled as made from it', async () => {
    const made = first(await make({medium: 'video', durationSeconds: 1}, {sourceFiles: [await plain('#20c040')]}))
    const [red, green] = await mean(made.preview?.file ?? new Uint8Array())
    expect(green).toBeGreaterThan((red ?? 255) + 80)
    expect((await sharp(made.preview?.file).metadata()).xmp?.toString()).toContain('algorithmicallyEnhanced')
  })
})

describe('a video that goes on', () => {
  test('is the old one and the new part of the same scene', async () => {
    const before = first(
      await make({medium: 'video', aspectRatio: [16, 9], durationSeconds: 2, prompt: 'winter forest'}),
    )
    const after = first(
      await make({medium: 'video', durationSeconds: 3, prompt: 'bar'}, {seed: 99, sourceFiles: [before.file]}),
    )
    const [old, whole] = [await probe(before.file), await probe(after.file)]
    expect([after.durationSeconds, after.width, after.height, after.seed]).toEqual([5, 640, 360, 7])
    expect(whole.seconds).toBeCloseTo(5, 5)
    expect(whole.packets.slice(0, old.packets.length).map((data) => Buffer.from(data).toString('base64'))).toEqual(
      old.packets.map((data) => Buffer.from(data).toString('base64')),
    )
    const further = first(await make({medium: 'video', durationSeconds: 1}, {sourceFiles: [after.file]}))
    expect(further.durationSeconds).toBe(6)
  })

  test('of somebody else’s file is a new one', async () => {
    const foreign = new TextEncoder().encode('\0\0\0\u0018ftypisom, and no more')
    const made = first(await make({medium: 'video', durationSeconds: 1}, {sourceFiles: [foreign]}))
    expect(made.durationSeconds).toBe(1)
  })
})
