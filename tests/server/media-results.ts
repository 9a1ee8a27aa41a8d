import {createHash} from 'node:crypto'
import sharp from 'sharp'
import {expect} from 'vitest'
import type {Artifact} from '#contract/media/media-tool.ts'
import {nameInAddress} from '#domain/name-in-address.ts'
import {packetsOf, probe, scanCode} from './media-probe.ts'
import {sourceSize, type Call, type Ended, type World} from './media-operations.harness.ts'

/* Compares the results with the request, file by file: each is opened by a program that is not ours. */

/** Seconds that the sandbox makes at a time, and of how much a song is. */
const mostVideoSeconds = 10
const songSeconds = [18, 40] as const

type File = {type: string | null; bytes: Uint8Array}

/** Reads the visible or audible content of a file, whatever its tags say. */
async function contentOf({type, bytes}: File): Promise<string> {
  const parts = type?.startsWith('image/') ? [await sharp(bytes).raw().toBuffer()] : await packetsOf(bytes)
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

async function filesOf(world: World, artifacts: readonly Artifact[]): Promise<File[]> {
  const files = await Promise.all(artifacts.map(({url}) => world.read(url)))
  expect(files.map(({status}) => status)).toEqual(files.map(() => 200))
  expect(new Set(await Promise.all(files.map(contentOf))).size, 'results that differ').toBe(files.length)
  return files
}

/** Decodes every pixel of an image. */
async function seeImage({type, bytes}: File) {
  const {width = 0, height = 0, format} = await sharp(bytes).metadata()
  expect(type).toBe(`image/${format}`)
  const {channels} = await sharp(bytes).stats()
  return {width, height, isPlain: channels.every(({stdev}) => stdev < 1)}
}

/** Named by the request, else that of the image it begins with. */
const askedRatio = ({aspectRatio: [across, down], followsSource, sources}: Call['plan']) =>
  followsSource && sources.length > 0 ? ratio(sourceSize) : across / down

const ratio = ({width = 0, height = 1}: {width?: number; height?: number}) => width / height

/** How the shape of an image is changed by what is done with it: the whole of it, and its width. */
const shapes: readonly [RegExp, shape: (before: number) => number, wider?: number][] = [
  [/^pan_(left|right)$/, (before) => before * 1.5],
  [/^pan_(up|down)$/, (before) => before / 1.5],
  [/^square$/, () => 1],
  [/^upscale_4x$/, (before) => before, 4],
  [/^upscale_/, (before) => before, 2],
  [/^(redo_upscale_|upscale\d)/, (before) => before, 1],
  [/./, (before) => before],
]

async function expectImages(world: World, {call, artifacts, source}: Ended) {
  const {plan} = call
  const [before] = source === undefined ? [] : await filesOf(world, source.artifacts.slice(0, 1))
  const old = before && (await seeImage(before))
  const [, shape = () => 0, wider] = shapes.find(([name]) => name.test(plan.action ?? 'new')) ?? []
  for (const [index, file] of (await filesOf(world, artifacts)).entries()) {
    const seen = await seeImage(file)
    if (plan.pixels !== undefined) expect([seen.width, seen.height]).toEqual(plan.pixels)
    expect(ratio(seen)).toBeCloseTo(old === undefined ? askedRatio(plan) : shape(ratio(old)), 2)
    if (old !== undefined && wider !== undefined) expect(seen.width).toBe(Math.min(4096, old.width * wider))
    const {width = seen.width, height = seen.height} = artifacts[index] ?? {}
    expect([seen.isPlain, seen.width, seen.height]).toEqual([false, width, height])
    if (plan.tiles === 4) await expectFour(file, seen)
    if (plan.code !== undefined)
      expect(await scanCode(file.bytes)).toBe(plan.code.content === '' ? world.codeContent : plan.code.content)
  }
}

/** A sheet holds four images that differ. */
async function expectFour({bytes}: File, {width, height}: {width: number; height: number}) {
  const half = {width: Math.floor(width / 2), height: Math.floor(height / 2)}
  const positions = [0, 1].flatMap((row) =>
    [0, 1].map((column) => ({left: column * half.width, top: row * half.height})),
  )
  const quarters = await Promise.all(
    positions.map((position) =>
      sharp(bytes)
        .extract({...position, ...half})
        .resize(32, 32, {fit: 'fill'})
        .removeAlpha()
        .raw()
        .toBuffer(),
    ),
  )
  for (const [index, one] of quarters.entries())
    for (const other of quarters.slice(index + 1)) {
      const far = one.reduce((sum, value, position) => sum + Math.abs(value - (other[position] ?? 0)), 0) / one.length
      expect(far).toBeGreaterThan(1)
    }
}

/** Seconds of a video: bounded, and with what it goes on from. */
function secondsOf({call: {plan}}: Ended, before: number): number {
  if (plan.action === 'get1080p' || plan.action === 'mp4') return before
  return before + Math.min(mostVideoSeconds, plan.durationSeconds ?? 0)
}

async function expectVideos(world: World, ended: Ended) {
  const {call, artifacts, source} = ended
  const {plan} = call
  const [before] = source === undefined ? [] : await filesOf(world, source.artifacts.slice(0, 1))
  const old = before && (await probe(before.bytes))
  for (const [index, {type, bytes}] of (await filesOf(world, artifacts)).entries()) {
    const {format, video, audio, seconds} = await probe(bytes)
    expect([type, format, video?.codec]).toEqual(['video/mp4', 'MP4', 'avc'])
    if (old === undefined && plan.lines !== undefined)
      expect(Math.min(video?.width ?? 0, video?.height ?? 0)).toBe(plan.lines)
    expect(ratio(video ?? {})).toBeCloseTo(old?.video ? ratio(old.video) : askedRatio(plan), 2)
    expect(seconds).toBeCloseTo(secondsOf(ended, old?.seconds ?? 0), 0)
    if (plan.action === 'get1080p') expect(Math.min(video?.width ?? 0, video?.height ?? 0)).toBe(1080)
    if (plan.action === 'mp4') expect([audio?.codec, audio?.rate]).toEqual([old?.audio?.codec, old?.audio?.rate])
    const said = {width: video?.width, height: video?.height, durationSeconds: seconds, ...artifacts[index]}
    expect([said.width, said.height]).toEqual([video?.width, video?.height])
    expect(said.durationSeconds).toBeCloseTo(seconds, 1)
  }
}

/** Returns the seconds that an extension keeps of its source. */
async function keptSeconds(world: World, extension: Ended | undefined): Promise<number> {
  const [first] = await filesOf(world, extension?.source?.artifacts.slice(0, 1) ?? [])
  const {seconds} = first === undefined ? {seconds: 0} : await probe(first.bytes)
  return Math.min(extension?.call.plan.song?.continueAt ?? seconds, seconds)
}

async function expectSongs(world: World, {call, sent, artifacts, source}: Ended) {
  const {plan} = call
  const isUpload = plan.action === 'upload'
  const [before] = source === undefined ? [] : await filesOf(world, source.artifacts.slice(0, 1))
  const old = before && (await probe(before.bytes))
  for (const [index, {type, bytes}] of (await filesOf(world, artifacts)).entries()) {
    const {format, audio, video, seconds, tags} = await probe(bytes)
    expect([type, format, audio?.codec, audio?.channels, video]).toEqual(['audio/mpeg', 'MP3', 'mp3', 2, null])
    const {title = tags.title, text = tags.lyrics, durationSeconds = seconds} = artifacts[index] ?? {}
    const name = isUpload ? nameInAddress(String(sent['audio_url'])).replace(/\.mp3$/, '') : tags.title
    expect([title, tags.lyrics, durationSeconds]).toEqual([name, text, expect.closeTo(seconds, 1)])
    // an answer without it was compared with the file itself above
    if (isUpload) expect(artifacts[index]?.durationSeconds).toBeCloseTo(seconds, 1)
    expect([title, text]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)])
    const cover = await sharp(tags.images?.[0]?.data).metadata()
    expect(ratio(cover)).toBe(1)
    const kept = plan.action === 'concat' ? await keptSeconds(world, source) : 0
    if (plan.action === 'concat') expect(kept).toBeGreaterThan(1)
    if (['stems', 'concat', 'upload'].includes(plan.action ?? ''))
      expect(Math.abs(seconds - kept - (old?.seconds ?? 0))).toBeLessThan(0.1)
    else {
      expect(seconds).toBeGreaterThanOrEqual(songSeconds[0])
      expect(seconds).toBeLessThanOrEqual(songSeconds[1] + 1)
    }
  }
}

function expectTexts({call, artifacts}: Ended) {
  const texts = artifacts.map(({text = ''}) => text)
  expect(new Set(texts).size).toBe(call.plan.count)
  for (const text of texts) expect(text.length).toBeGreaterThan(20)
}

/** The files of a task are what was asked for. */
export async function expectResults(world: World, ended: Ended): Promise<void> {
  const {call, artifacts} = ended
  expect(artifacts.map(({medium}) => medium)).toEqual(Array.from({length: call.plan.count}, () => call.plan.medium))
  for (const {previewUrl} of artifacts)
    if (previewUrl !== undefined) expect((await seeImage(await world.read(previewUrl))).isPlain).toBe(false)
  switch (call.plan.medium) {
    case 'image':
      return expectImages(world, ended)
    case 'video':
      return expectVideos(world, ended)
    case 'audio':
      return expectSongs(world, ended)
    case 'text':
      return expectTexts(ended)
  }
}

/**
 * The task in `/{service}/tasks` is as the contract has it, made by the sandbox and free (contract/media §1.5, §1.6).
 */
export function expectTask(world: World, {call, sent, lines, task, artifacts}: Ended): void {
  const last = lines.at(-1) ?? {}
  const {task_id: id, trace_id: trace} = last
  expect(task).toEqual({
    id,
    ...(call.operation.taskType === undefined ? {} : {type: call.operation.taskType}),
    created_at: expect.any(Number),
    started_at: expect.any(Number),
    finished_at: expect.any(Number),
    elapsed: expect.any(Number),
    application_id: world.asker.applicationId,
    credential_id: world.asker.credentialId,
    user_id: world.asker.userId,
    trace_id: trace,
    credits: {held: 0, settled: 0},
    request: sent,
    response: last,
  })
  const {created_at: created, started_at: started, finished_at: finished, elapsed} = task as Record<string, number>
  expect([created, started, finished].toSorted((one = 0, other = 0) => one - other)).toEqual([
    created,
    started,
    finished,
  ])
  expect(elapsed).toBeCloseTo((finished ?? 0) - (started ?? 0), 3)
  expect([last.success, last.provider, last.sandbox]).toEqual([true, 'sandbox', true])
  expect(lines.slice(0, -1).filter((line) => 'success' in line || line['task_id'] !== id)).toEqual([])
  const said = lines.flatMap(({progress}) => (typeof progress === 'number' ? [progress] : []))
  expect(said).toEqual(said.toSorted((one, other) => one - other))
  expect(JSON.stringify(artifacts)).not.toContain('atrium-file:')
}
