import {beforeAll, describe, expect, test} from 'vitest'
import type {SandboxFile} from '#sandbox/media/media-job.ts'
import {encodeMp3, readMp3, wrapMp3} from '#sandbox/media/music/mp3.ts'
import {readRecipe} from '#sandbox/media/music/recipe.ts'
import {render, renderStems} from '#sandbox/media/music/render.ts'
import {factsOf, songFile} from '#sandbox/media/music/song-file.ts'
import {compose, coverOfTune, newTune, type Tune} from '#sandbox/media/music/tune.ts'
import {first, make} from './media.harness.ts'

/** The actions on a finished song: extend, cover, stems, concat. */

const quiet = {report: () => {}, checkpoint: () => {}}
const sung = {isInstrumental: false}
const work = (action: string, source: Uint8Array, song: object = sung, count = 1, earlier: Uint8Array[] = []) =>
  make(
    {medium: 'audio', prompt: '', action, count, durationSeconds: 20, song: {...sung, ...song}},
    {seed: 99, sourceFiles: [source, ...earlier]},
  )

async function heard({file}: SandboxFile) {
  const song = await readMp3(file)
  if (song === undefined) throw new Error('no song')
  return {...song, data: song.audio.packets.map(({data}) => Buffer.from(data).toString('base64'))}
}

let source: SandboxFile
let extension: SandboxFile
let foreign: Uint8Array
/** Few samples: what is made of them is as small, and takes a quarter of the time. */
const few = (tune: Tune) => encodeMp3(render(tune, 22_050, quiet), 1, quiet)
const recordingOf = async (tags: {title?: string; lyrics?: string}) => wrapMp3(await few(newTune('foo', 2, 20)), tags)

/** The same song of few samples, with all that its file says. */
async function smaller({file}: SandboxFile): Promise<SandboxFile> {
  const song = await readMp3(file)
  const tune = readRecipe(song?.tags.raw)?.[0]?.tune
  if (song === undefined || tune === undefined) throw new Error('no song of the sandbox')
  const audio = await few(tune)
  return songFile(audio, {...(await factsOf(song)), recipe: [{packets: audio.packets.length, tune}]})
}

let stems: SandboxFile[]
beforeAll(async () => {
  const song = {...sung, title: 'Foo', model: 'chirp-v5'}
  source = await smaller(first(await make({medium: 'audio', prompt: 'a song of the sea', durationSeconds: 20, song})))
  extension = first(await work('extend', source.file, {continueAt: 9}))
  stems = await work('stems', source.file, {}, 2)
  foreign = await recordingOf({title: 'Bar'})
}, 120_000)

test('its melody and its accompaniment, mixed, are the song sample by sample', () => {
  for (const seed of [3, 4]) {
    const tune = newTune('foo', seed, 20)
    const whole = render(tune, 8_000, quiet)
    const tracks = renderStems(tune, 8_000, quiet)
    expect(tracks).toHaveLength(2)
    const loudness = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, value) => sum + value ** 2, 0))
    for (const side of ['left', 'right'] as const) {
      const rest = whole[side].map(
        (value, index) => value - tracks.reduce((sum, track) => sum + (track[side][index] ?? 9), 0),
      )
      expect(loudness(rest)).toBeLessThan(loudness(whole[side]) * 1e-4)
      for (const track of tracks) expect(loudness(track[side])).toBeGreaterThan(loudness(whole[side]) * 0.05)
    }
  }
})

describe('stems', () => {
  test('are two files as long as the song, of its seed, melody and accompaniment', async () => {
    const made = stems
    expect(made.map(({title}) => title)).toEqual(['Foo (Melody)', 'Foo (Accompaniment)'])
    expect(made.map(({seed}) => seed)).toEqual([7, 7])
    expect(made.map(({text}) => text)).toEqual([source.text, '[Instrumental]'])
    const [whole, ...tracks] = await Promise.all([source, ...made].map(heard))
    for (const track of tracks) {
      expect([track.seconds, track.rate, track.data.length]).toEqual([whole?.seconds, whole?.rate, whole?.data.length])
      expect(track.data).not.toEqual(whole?.data)
    }
    expect(tracks[0]?.data).not.toEqual(tracks[1]?.data)
  })

  test('of an extension are as long as it is; of both joined, of both parts', async () => {
    const alone = await work('stems', extension.file, {}, 2)
    expect(alone.map(({durationSeconds}) => durationSeconds?.toFixed(3))).toEqual(
      alone.map(() => extension.durationSeconds?.toFixed(3)),
    )
    const [whole] = await work('concat', extension.file, {}, 1, [source.file])
    const made = await work('stems', whole?.file ?? foreign, {}, 2)
    const of = await heard(whole ?? extension)
    const [own] = stems
    const [voice, first] = await Promise.all([made[0] ?? extension, own ?? source].map(heard))
    expect(made.map(({durationSeconds}) => durationSeconds?.toFixed(3))).toEqual([
      of.seconds.toFixed(3),
      of.seconds.toFixed(3),
    ])
    const kept = readRecipe(of.tags.raw)?.[0]?.packets ?? 0
    expect(kept).toBeGreaterThan(100)
    expect(voice?.data.slice(0, kept)).toEqual(first?.data.slice(0, kept))
  })

  test('of a song that was not composed here are refused', async () => {
    await expect(work('stems', foreign, {}, 2)).rejects.toHaveProperty('code', 'bad_request')
    const [voice] = stems
    await expect(work('stems', voice?.file ?? foreign, {}, 2)).rejects.toHaveProperty('code', 'bad_request')
  })
})

describe('an extension', () => {
  test('without a second goes on from the end, also of a recording, and is the new part alone', async () => {
    for (const [action, file] of [
      ['extend', source.file],
      ['upload_extend', foreign],
    ] as const) {
      const before = await heard({file} as SandboxFile) // as: only its bytes are heard
      const made = first(await work(action, file))
      const after = await heard(made)
      expect(after.data.slice(0, 200)).not.toEqual(before.data.slice(0, 200))
      expect(after.seconds).toBeGreaterThan(18)
      expect(after.seconds).toBeLessThan(42)
      const joined = await heard(first(await work('concat', made.file, {}, 1, [file])))
      expect(joined.data).toEqual([...before.data, ...after.data])
      expect(joined.seconds).toBeCloseTo(before.seconds + after.seconds, 3)
    }
  })

  test('comes in two ways, of which both keep key and tempo', async () => {
    const [one, other] = await Promise.all((await work('extend', source.file, {continueAt: 9}, 2)).map(heard))
    expect(one?.data.length).toBeGreaterThan(0)
    expect(one?.data).toEqual((await heard(extension)).data)
    expect(other?.data).not.toEqual(one?.data)
    expect(other?.tags.comment).toBe(one?.tags.comment)
  })

  test('keeps key and tempo of a song whose prompt says more than one thing', async () => {
    const [before, after] = [await heard(source), await heard(extension)]
    expect(after.tags.beatsPerMinute).toBe(before.tags.beatsPerMinute)
    expect(after.tags.comment).toBe(before.tags.comment)
  })

  test('and what it extends up to that second are joined to one song, longer than both', async () => {
    const made = await work('concat', extension.file, {}, 1, [source.file])
    expect(made.map(({title, seed}) => [title, seed])).toEqual([['Foo', 7]])
    const [before, whole, joined] = [await heard(source), await heard(extension), await heard(first(made))]
    const parts = readRecipe(joined.tags.raw)?.map(({packets}) => packets) ?? []
    expect(parts.reduce((sum, packets) => sum + packets, 0)).toBe(joined.data.length)
    expect(joined.data.slice(0, parts[0])).toEqual(before.data.slice(0, parts[0]))
    expect(joined.data.slice(parts[0])).toEqual(whole.data)
    expect(joined.seconds).toBeCloseTo(9 + whole.seconds, 1)
    expect(joined.seconds).toBeGreaterThan(whole.seconds)
    expect(made[0]?.durationSeconds).toBeCloseTo(joined.seconds, 3)
  })

  test('of an extension is joined with both songs before it; without one of them it is refused', async () => {
    const next = first(await work('extend', extension.file, {continueAt: 6}))
    const [before, middle, last] = [await heard(source), await heard(extension), await heard(next)]
    const made = first(await work('concat', next.file, {}, 1, [extension.file, source.file]))
    const joined = await heard(made)
    const [one = 0, two = 0] = readRecipe(joined.tags.raw)?.map(({packets}) => packets) ?? []
    expect(joined.data).toEqual([...before.data.slice(0, one), ...middle.data.slice(0, two), ...last.data])
    expect(joined.seconds).toBeCloseTo(9 + 6 + last.seconds, 0)
    await expect(work('concat', next.file, {}, 1, [extension.file])).rejects.toHaveProperty('code', 'bad_request')
    await expect(work('concat', made.file, {}, 1, [source.file])).rejects.toHaveProperty('code', 'bad_request')
  })

  test('joined with what it extends carries the lyrics of all parts in order, each once', async () => {
    const opening = await recordingOf({lyrics: '[Verse]\nfoo'})
    const same = first(await work('extend', opening, {continueAt: 9}))
    const next = first(await work('extend', same.file, {continueAt: 6, lyric: '[Verse 2]\nbar'}))
    const silent = first(await work('extend', next.file, {continueAt: 6, isInstrumental: true}))
    const last = first(await work('extend', silent.file, {continueAt: 6, lyric: '[Outro]\nbaz'}))
    const parts = [...[silent, next, same].map(({file}) => file), opening]
    const made = first(await work('concat', last.file, {}, 1, parts))
    const whole = '[Verse]\nfoo\n\n[Verse 2]\nbar\n\n[Instrumental]\n\n[Outro]\nbaz'
    expect([made.text, (await heard(made)).tags.lyrics]).toEqual([whole, whole])
  })

  test('its stems and the whole are of the model that was asked for', async () => {
    const next = first(await work('extend', source.file, {continueAt: 9, model: 'chirp-v4'}))
    const made = [next, ...stems, ...(await work('concat', next.file, {}, 1, [source.file]))]
    expect(made.map(({model}) => model)).toEqual(['chirp-v4', 'chirp-v5', 'chirp-v5', 'chirp-v4'])
  })

  test.each(['extend', 'upload_extend', 'cover', 'upload_cover', 'stems', 'concat', 'upload'])(
    '%s without a song is refused',
    async (action) => {
      await expect(make({medium: 'audio', action, song: sung})).rejects.toHaveProperty('code', 'bad_request')
    },
  )

  test('is needed to join anything', async () => {
    for (const file of [source.file, foreign])
      await expect(work('concat', file)).rejects.toHaveProperty('code', 'bad_request')
  })
})

describe('a cover', () => {
  test('is the same song in its key at another tempo, with the style that was asked for', async () => {
    const [one, other] = await work('cover', source.file, {style: 'techno'}, 2)
    const comments = await Promise.all(
      [source, one ?? source, other ?? source].map(async (made) => (await heard(made)).tags.comment ?? ''),
    )
    const keys = comments.map((comment) => /, ([A-G][♯♭]? \w+), \d+ beats/.exec(comment)?.[1])
    expect(keys[0]).toMatch(/^[A-G][♯♭]? \w+$/)
    expect(keys).toEqual([keys[0], keys[0], keys[0]])
    expect([one?.title, one?.style]).toEqual(['Foo', 'techno'])
    expect((await heard(one ?? source)).data).not.toEqual((await heard(other ?? source)).data)
  })

  test('keeps the melody, and two covers differ in tempo', () => {
    const own = newTune('foo', 5, 30)
    const covers = [6, 7].map((seed) => coverOfTune(own, 'fast', seed))
    const melody = (tune: typeof own) => compose(tune).melody.map(({pitch}) => pitch)
    for (const cover of covers) expect(melody(cover).slice(0, 12)).toEqual(melody(own).slice(0, 12))
    const tempos = [own, ...covers].map(({beatsPerMinute}) => beatsPerMinute)
    expect(new Set(tempos).size).toBe(3)
    expect(melody(newTune('foo', 8, 30)).slice(0, 12)).not.toEqual(melody(own).slice(0, 12))
  })

  test('of a recording is refused', async () => {
    for (const action of ['cover', 'upload_cover'])
      await expect(work(action, foreign)).rejects.toHaveProperty('code', 'bad_request')
  })
})

test('a video of no song is refused', async () => {
  await expect(make({medium: 'video', action: 'mp4'})).rejects.toHaveProperty('code', 'bad_request')
})
