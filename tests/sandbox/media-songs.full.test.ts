import sharp from 'sharp'
import {beforeAll, describe, expect, test} from 'vitest'
import {WorkStopped, type SandboxFile} from '#sandbox/media/media-job.ts'
import {lyricNote, lyricOf} from '#sandbox/media/music/lyrics.ts'
import {encodeMp3, readMp3, wrapMp3} from '#sandbox/media/music/mp3.ts'
import {readRecipe} from '#sandbox/media/music/recipe.ts'
import {render} from '#sandbox/media/music/render.ts'
import {compose, newTune} from '#sandbox/media/music/tune.ts'
import {probe} from '#tests/server/media-probe.ts'
import {first, make} from './media.harness.ts'

const quiet = {report: () => {}, checkpoint: () => {}}
const song = {isInstrumental: false}

/** Two songs of one request: what comes of a song is made of the first. */
let folk: SandboxFile[]
beforeAll(async () => {
  folk = await make({medium: 'audio', prompt: 'folk', count: 2, song})
})

describe('a song', () => {
  test('is an MP3 of 20 to 40 seconds with cover, lyric and label', async () => {
    const made = first(await make({medium: 'audio', prompt: 'a sea shanty about the lighthouse', song}))
    const {format, seconds, audio, tags} = await probe(made.file)
    expect([format, audio?.codec, audio?.rate, audio?.channels]).toEqual(['MP3', 'mp3', 44_100, 2])
    expect(seconds).toBeGreaterThanOrEqual(20)
    expect(seconds).toBeLessThanOrEqual(40)
    expect(made.durationSeconds).toBeCloseTo(seconds, 3)
    expect([made.type, made.title, made.style]).toEqual([
      'audio/mpeg',
      'a sea shanty about the lighthouse',
      'sandbox tune',
    ])
    expect(tags).toMatchObject({
      title: 'a sea shanty about the lighthouse',
      artist: 'Atrium sandbox',
      genre: 'sandbox tune',
      lyrics: made.text,
    })
    expect(tags.comment).toMatch(/^Made by the sandbox of Atrium\. No model was used\. Seed 7, [A-G]/)
    const {width, height, format: cover} = await sharp(made.preview?.file).metadata()
    expect([made.preview?.type, cover, width, height]).toEqual(['image/jpeg', 'jpeg', 640, 640])
    expect(Buffer.from(tags.images?.[0]?.data ?? []).equals(made.preview?.file ?? new Uint8Array())).toBe(true)
  })

  test('keeps a title, style and lyric that are given', async () => {
    const given = {title: 'Foo', style: 'lo-fi', lyric: '[Verse]\nbar', isInstrumental: false}
    const made = first(await make({medium: 'audio', prompt: '', song: given}))
    expect([made.title, made.style, made.text]).toEqual(['Foo', 'lo-fi', '[Verse]\nbar'])
  })

  test('comes as two that differ, each made again by its seed', async () => {
    expect(folk.map(({seed}) => seed)).toEqual([7, 8])
    const again = first(await make({medium: 'audio', prompt: 'folk', song}, {seed: 8}))
    expect(Buffer.compare(again.file, folk[1]?.file ?? new Uint8Array())).toBe(0)
    expect(Buffer.compare(again.file, folk[0]?.file ?? new Uint8Array())).not.toBe(0)
  })

  test('stops in the middle', async () => {
    let checks = 0
    const checkpoint = () => {
      checks += 1
      if (checks > 5) throw new WorkStopped('stop')
    }
    await expect(make({medium: 'audio', song}, {work: {...quiet, checkpoint}})).rejects.toThrow(WorkStopped)
  })
})

describe('a tune', () => {
  test.each([undefined, 3, 20, 33, 300])('of %s seconds lasts 20 to 40', (seconds) => {
    for (const words of ['slow', 'foo', 'fast'])
      for (let seed = 1; seed < 30; seed += 1) {
        const made = compose(newTune(words, seed, seconds))
        expect(made.seconds).toBeGreaterThanOrEqual(18)
        expect(made.seconds).toBeLessThanOrEqual(40)
        const notes = [...made.melody, ...made.accompaniment]
        expect(notes.filter(({at}) => !(at >= 0 && at < made.seconds))).toEqual([])
      }
  })

  test('is slow or fast as the words say, and differs in key and melody by its seed', () => {
    expect(newTune('a slow song', 1).beatsPerMinute).toBeLessThan(newTune('dance', 1).beatsPerMinute)
    const melodies = Array.from({length: 20}, (_, seed) => JSON.stringify(compose(newTune('foo', seed)).melody))
    expect(new Set(melodies).size).toBe(20)
  })

  test.each([1, 2, 3])(
    'of seed %i sounds: neither silence nor clipping, both sides, and it fades to nothing',
    (seed) => {
      const {left, right} = render(newTune('foo', seed, 20), 22_050, quiet)
      const loudness = (samples: Float32Array) =>
        Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)
      for (const side of [left, right]) {
        expect(loudness(side)).toBeGreaterThan(0.08)
        expect(loudness(side)).toBeLessThan(0.3)
        expect(side.every((value) => Math.abs(value) <= 0.9)).toBe(true)
        expect(Math.abs(side.at(-1) ?? 1)).toBeLessThan(0.01)
      }
      expect(left.some((value, index) => value !== right[index])).toBe(true)
    },
  )
})

describe('a song that goes on', () => {
  test('is the new part alone, in the key and style of the source, and knows how much of it comes before', async () => {
    const before = first(folk)
    const after = first(
      await make(
        {medium: 'audio', prompt: '', song: {isInstrumental: true, continueAt: 12}},
        {seed: 99, sourceFiles: [before.file]},
      ),
    )
    const [old, part] = [await readMp3(before.file), await readMp3(after.file)]
    expect([before.title, after.title, after.style]).toEqual(['folk', 'folk', 'sandbox tune'])
    expect(after.durationSeconds).toBeGreaterThanOrEqual(18)
    expect(after.durationSeconds).toBeLessThan(42)
    expect(after.durationSeconds).toBeCloseTo((await probe(after.file)).seconds, 2)
    const kept = old?.audio.packets.filter(({timestamp}) => timestamp < 12) ?? []
    expect(kept.length).toBeGreaterThan(100)
    expect(readRecipe(part?.tags.raw)?.map(({follows}) => follows)).toEqual([kept.length])
    expect(part?.audio.packets[0]?.data).not.toEqual(old?.audio.packets[0]?.data)
    expect(part?.tags.beatsPerMinute).toBe(old?.tags.beatsPerMinute)
  })

  test('takes over the sample rate and channels of a file from elsewhere', async () => {
    const foreign = await wrapMp3(await encodeMp3(render(newTune('foo', 2, 20), 22_050, quiet), 1, quiet), {
      title: 'Bar',
    })
    const after = first(
      await make({medium: 'audio', song: {isInstrumental: true, continueAt: 5}}, {sourceFiles: [foreign]}),
    )
    const {audio, tags} = await probe(after.file)
    expect([audio?.rate, audio?.channels, tags.title]).toEqual([22_050, 1, 'Bar'])
    expect(audio?.seconds).toBeGreaterThan(18)
  })
})

describe('the video of a song', () => {
  test('is its cover in motion and its sound as it is', async () => {
    const source = first(folk)
    const made = first(await make({medium: 'video', prompt: '', song}, {sourceFiles: [source.file]}))
    const {format, video, audio, seconds, tags} = await probe(made.file)
    expect([format, made.type]).toEqual(['MP4', 'video/mp4'])
    expect(video).toEqual({codec: 'avc', width: 480, height: 480})
    expect([audio?.codec, audio?.rate, audio?.channels]).toEqual(['mp3', 44_100, 2])
    expect(Math.abs((audio?.seconds ?? 0) - (source.durationSeconds ?? 0))).toBeLessThan(0.1)
    expect(Math.abs(seconds - (made.durationSeconds ?? 0))).toBeLessThan(0.3)
    expect([made.title, tags.title, made.style]).toEqual(['folk', 'folk', 'sandbox tune'])
    expect(Buffer.from(made.file).indexOf('moov')).toBeLessThan(Buffer.from(made.file).indexOf('mdat'))
  })

  test('of a file that is no song is refused', async () => {
    const broken = new Uint8Array([0xff, 0xfb, 0x90, 0x64, 1, 2, 3])
    await expect(make({medium: 'video', song}, {sourceFiles: [broken]})).rejects.toHaveProperty('code', 'bad_request')
  })
})

describe('a lyric', () => {
  test('is about the words of the prompt, has verses and a chorus that comes back, and says what it is', () => {
    const lines = lyricOf('write me a song about rain and trains', 7).split('\n')
    expect(lines[0]).toBe(lyricNote)
    expect(lines.filter((line) => /^\[/.test(line)).slice(1)).toEqual([
      '[Verse 1]',
      '[Chorus]',
      '[Verse 2]',
      '[Chorus]',
    ])
    const own = lines.slice(1).filter((line) => line !== '' && !line.startsWith('['))
    for (const line of own) expect('write me a song about rain and trains').toContain(line.toLowerCase())
    const chorus = (from: number) => lines.slice(from + 1, from + 5)
    expect(chorus(lines.indexOf('[Chorus]'))).toEqual(chorus(lines.lastIndexOf('[Chorus]')))
    expect(lyricOf('write me a song about rain and trains', 8)).not.toBe(lines.join('\n'))
  })

  test('alone is a text with a title', async () => {
    const made = first(await make({medium: 'text', prompt: 'rain in Oslo'}))
    expect([made.medium, made.type, made.title]).toEqual(['text', 'text/plain', 'rain in Oslo'])
    expect(new TextDecoder().decode(made.file)).toBe(made.text)
  })
})
