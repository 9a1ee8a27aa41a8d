import sharp from 'sharp'
import {afterAll, describe, expect, test} from 'vitest'
import {tool as midjourney} from '#contract/media/midjourney.ts'
import {tool as pixverse} from '#contract/media/pixverse.ts'
import {tool as suno} from '#contract/media/suno.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {readXmp} from '#sandbox/media/labels.ts'
import {closeMediaPool} from '#sandbox/media/make-media.ts'
import {encodeMp3, readMp3, wrapMp3} from '#sandbox/media/music/mp3.ts'
import {render} from '#sandbox/media/music/render.ts'
import {newTune} from '#sandbox/media/music/tune.ts'
import {createSandboxMedia} from '#sandbox/media.ts'
import {all} from '#tests/contract/media/all-tools.ts'
import {operationCases} from '#tests/contract/media/operation-cases.ts'
import {long} from '../long.ts'

/* The sandbox makes the action of a result as it is called, or refuses it before anything is held. */

afterAll(closeMediaPool)
const sandbox = createSandboxMedia()
const quiet = {report: () => {}, checkpoint: () => {}}
const planned = (tool: MediaTool, operation: string, body: object) => {
  const found = tool.operations[operation]
  if (found === undefined) throw new Error(`no operation ${operation}`)
  return {operation: found, plan: found.plan(z.parse(found.body, body))}
}
const check = (tool: MediaTool, name: string, body: object) => {
  sandbox.check(tool, planned(tool, name, body).plan)
}
// as: the list of tools forgets the form of each
const [imagine, songs, videos] = [midjourney, suno, pixverse] as unknown as [MediaTool, MediaTool, MediaTool]

test.each(operationCases)('%s %s %o is made', (id, operation, body) => {
  const tool = all.find((each) => each.id === id)?.tool
  if (tool === undefined) throw new Error(`no tool ${id}`)
  expect(() => check(tool, operation, body)).not.toThrow()
})

test.each([
  [imagine, 'imagine', {action: 'variation_region', image_id: '1', mask: 'foo'}],
  [songs, 'audios', {action: 'replace_section', audio_id: '1'}],
  [songs, 'audios', {action: 'remaster', audio_id: '1'}],
  [songs, 'audios', {action: 'all_stems', audio_id: '1'}],
  [videos, 'videos', {action: 'extend', prompt: 'foo'}],
] as const)('%# what it cannot make is refused', (tool, operation, body) => {
  expect(() => check(tool, operation, body)).toThrow(expect.objectContaining({code: 'bad_request'}))
})

type Source = {name: string; type: string; bytes: Uint8Array}

/** The first of the files that a tool's operation makes. */
const makeOf = async (tool: MediaTool, name: string, body: object, sources: readonly Source[]) => {
  const {operation, plan} = planned(tool, name, body)
  const made = await sandbox.make({
    run: 'foo-run',
    tool,
    operation,
    body: {...body},
    plan,
    job: undefined,
    storeJob: async () => {},
    onProgress: () => {},
    sourceFiles: async () =>
      sources.map(({bytes, ...facts}) => ({...facts, size: bytes.length, read: async () => bytes})),
    publicAddress: () => undefined,
    signal: new AbortController().signal,
  })
  const [first] = made.kind === 'files' ? made.files : []
  if (!(first?.file instanceof Uint8Array)) throw new Error('no file')
  return {...first, file: first.file}
}

test('a recording is kept as it is, named by its file, as long as it is', async () => {
  // smaller than a song of the sandbox, whose length tests/server/media-operations.test.ts looks at
  const bytes = await wrapMp3(await encodeMp3(render(newTune('sea', 2, 20), 22_050, quiet), 1, quiet), {title: 'Sea'})
  const {seconds = 0} = (await readMp3(bytes)) ?? {}
  expect(seconds).toBeGreaterThan(19)
  const upload = (name: string, content: Uint8Array) =>
    makeOf(songs, 'upload', {audio_url: 'https://files.test/own.mp3'}, [{name, type: 'audio/mpeg', bytes: content}])
  const kept = await upload('Mein Lied.v2.mp3', bytes)
  expect(kept.file).toEqual(bytes)
  expect(kept).toEqual({
    name: 'Mein Lied.v2.mp3',
    type: 'audio/mpeg',
    title: 'Mein Lied.v2',
    medium: 'audio',
    file: expect.any(Uint8Array),
    durationSeconds: expect.any(Number),
  })
  expect(kept.durationSeconds).toBeCloseTo(seconds, 1)
  // of what is no MP3 file nobody here can tell the length
  const wave = Buffer.from('RIFF    WAVEfmt ')
  expect(await upload('wave', wave)).toEqual({
    medium: 'audio',
    file: wave,
    type: 'audio/mpeg',
    name: 'wave',
    title: 'wave',
  })
})

describe('a sheet of midjourney', () => {
  const ask = async (body: object, sources: readonly Uint8Array[]) => {
    const images = sources.map((bytes) => ({name: 'foo.webp', type: 'image/webp', bytes}))
    const {file} = await makeOf(imagine, 'imagine', body, images)
    const {width, height, xmp} = await sharp(file).metadata()
    return {file, width, height, own: readXmp(xmp?.toString() ?? '')}
  }

  test(
    'is rolled again from its own words, in its shape, with another seed; an enlarged cell keeps the words',
    {...long, timeout: 120_000},
    async () => {
      const sheet = await ask({prompt: 'a <b>fox</b> & hills --aspect 4:3 --seed 9'}, [])
      expect(sheet.own).toEqual({seed: 9, prompt: 'a <b>fox</b> & hills --aspect 4:3 --seed 9', isEdited: false})
      const again = await ask({action: 'reroll', image_id: '1'}, [sheet.file])
      expect([again.width, again.height]).toEqual([sheet.width, sheet.height])
      expect(again.own).toEqual({prompt: sheet.own?.prompt, isEdited: false, seed: expect.any(Number)})
      expect(again.own?.seed).not.toBe(9)
      const single = await ask({action: 'upscale2', image_id: '1'}, [sheet.file])
      expect(single.own).toEqual({prompt: sheet.own?.prompt, isEdited: true, seed: expect.any(Number)})
    },
  )

  test('has cells that are enlarged, and enlarged again', async () => {
    const cell = await sharp({create: {width: 160, height: 120, channels: 3, background: '#204060'}})
      .webp()
      .toBuffer()
    const larger = await ask({action: 'upscale_2x', image_id: '1'}, [cell])
    expect([larger.width, larger.height]).toEqual([320, 240])
    const redone = await ask({action: 'redo_upscale_2x', image_id: '1'}, [larger.file])
    expect([redone.width, redone.height]).toEqual([320, 240])
  }, 120_000)

  test('works on the result, not on a reference beside it; without it nothing is made', async () => {
    const [reference, result] = await Promise.all(
      [64, 200].map((side) =>
        sharp({create: {width: side, height: side, channels: 3, background: '#204060'}})
          .png()
          .toBuffer(),
      ),
    )
    if (!reference || !result) throw new Error('no pictures')
    const body = {action: 'upscale_2x', image_id: '1', prompt: 'https://files.test/a.png foo'}
    expect((await ask(body, [reference, result])).width).toBe(400)
    await expect(ask(body, [])).rejects.toHaveProperty('code', 'bad_request')
  }, 120_000)
})
