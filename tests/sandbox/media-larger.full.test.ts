import {ALL_FORMATS, BufferSource, Input} from 'mediabunny'
import sharp from 'sharp'
import {describe, expect, test} from 'vitest'
import type {SandboxFile} from '#sandbox/media/media-job.ts'
import {fullHdSize} from '#sandbox/media/sizes.ts'
import {readOwnVideo} from '#sandbox/media/video/own-video.ts'
import {first, make} from './media.harness.ts'

/** `get1080p`: the video as it is, drawn larger. */

async function factsOf({file}: SandboxFile) {
  using input = new Input({source: new BufferSource(file), formats: ALL_FORMATS})
  const track = await input.getPrimaryVideoTrack()
  return {
    width: await track?.getDisplayWidth(),
    height: await track?.getDisplayHeight(),
    seconds: await input.computeDuration(),
    tags: await input.getMetadataTags(),
  }
}
const larger = async (file: Uint8Array, seed = 99) =>
  first(await make({medium: 'video', action: 'get1080p', prompt: '', durationSeconds: 8}, {seed, sourceFiles: [file]}))
const plain = (background: string) =>
  sharp({create: {width: 64, height: 36, channels: 3, background}})
    .png()
    .toBuffer()
/** How far two images are apart, from 0 to 255. */
async function difference(one: SandboxFile, other: SandboxFile): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map(({preview}) => sharp(preview?.file).resize(64, 64, {fit: 'fill'}).removeAlpha().raw().toBuffer()),
  )
  if (!a || !b) throw new Error('no pixels')
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
}

describe('1080p', () => {
  test('of a video: the same scene, seed and length', async () => {
    const wish = {medium: 'video', aspectRatio: [16, 9], durationSeconds: 1, prompt: 'winter forest'} as const
    const before = first(await make(wish))
    const after = await larger(before.file)
    expect(await factsOf(after)).toMatchObject({
      width: 1920,
      height: 1080,
      seconds: 1,
      tags: {description: 'winter forest', comment: (await factsOf(before)).tags.comment},
    })
    expect([after.width, after.height, after.durationSeconds, after.seed]).toEqual([1920, 1080, 1, 7])
    expect([after.style, after.name]).toEqual([before.style, before.name])
    const other = first(await make(wish, {seed: 8}))
    expect(await difference(before, after)).toBeLessThan((await difference(before, other)) / 3)
  }, 120_000)

  test('of a video of given images shows these again, from the file, which keeps them when it is extended', async () => {
    const before = first(
      await make({medium: 'video', aspectRatio: [16, 9], durationSeconds: 1}, {sourceFiles: [await plain('#20c040')]}),
    )
    const after = await larger(before.file)
    expect(await factsOf(after)).toMatchObject({width: 1920, height: 1080, seconds: 1})
    expect(await difference(before, after)).toBeLessThan(6)
    const extended = first(
      await make({medium: 'video', action: 'extend', durationSeconds: 1}, {sourceFiles: [before.file]}),
    )
    const own = await readOwnVideo(extended.file)
    expect([own?.durationSeconds, own?.imageSeconds, own?.images.length]).toEqual([2, 1, 1])
  }, 120_000)

  test.each([
    [
      {width: 640, height: 360},
      {width: 1920, height: 1080},
    ],
    [
      {width: 360, height: 640},
      {width: 1080, height: 1920},
    ],
    [
      {width: 480, height: 480},
      {width: 1080, height: 1080},
    ],
    [
      {width: 552, height: 414},
      {width: 1440, height: 1080},
    ],
  ])('of %j is %j', (size, expected) => {
    expect(fullHdSize(size)).toEqual(expected)
  })

  test.each(['get1080p', 'extend'])('%s of another user’s video is refused', async (action) => {
    const foreign = new TextEncoder().encode('\0\0\0\u0018ftypisom, and no more')
    for (const sourceFiles of [[foreign], []])
      await expect(make({medium: 'video', action}, {sourceFiles})).rejects.toHaveProperty('code', 'bad_request')
  })
})
