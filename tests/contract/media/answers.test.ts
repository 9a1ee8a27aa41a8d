import {expect, test} from 'vitest'
import {task as taskSchema} from '#contract/task.ts'
import {z} from '#contract/schema.ts'
import {taskStatus} from '#domain/task-status.ts'
import {toolNamed} from './all-tools.ts'
import {type Answer, video, answers} from './answers.cases.ts'
import {songAnswers} from './song-answers.cases.ts'

test.each([...answers, ...songAnswers])('%s %o → %o', (id, request, response, status, artifacts) => {
  const task = z.parse(taskSchema, {id: 'foo', created_at: 1_790_000_000.25, request, ...(response && {response})})
  const reading = toolNamed(id).tool.read(response ?? {}, request)
  expect(reading.artifacts).toEqual(artifacts)
  expect(taskStatus(task, response === undefined ? {artifacts: []} : reading)).toBe(status)
})

test('midjourney: known actions of the answer, and what is done with any finished image', () => {
  const {tool} = toolNamed('midjourney')
  const done = {progress: 100, image_url: 'https://files.test/a.png', actions: ['reroll', 'upscale1', 'mystery']}
  expect(tool.read(done, {}).actions).toEqual(['upscale1', 'reroll', 'animate', 'describe'])
  expect(tool.read({...done, progress: 35, actions: []}, {}).actions).toEqual([])
})

const nonsense: Answer[] = [
  {},
  {data: null},
  {data: 'foo'},
  {data: [null, 1, 'foo', [], {}]},
  {data: {data: {}}},
  {
    success: 'yes',
    state: 7,
    progress: 'half',
    video_url: 5,
    image_url: {},
    actions: 'all',
    video_urls: {},
    descriptions: {},
  },
]
test.each(nonsense)('no shape breaks a reader: %o', (response) => {
  for (const id of [
    'midjourney',
    'qrart',
    'luma',
    'pika',
    'kling',
    'veo',
    'sora',
    'pixverse',
    'flux',
    'hailuo',
    'headshots',
    'suno',
    'nanobanana',
  ]) {
    const {artifacts} = toolNamed(id).tool.read(response, {})
    expect(artifacts.filter(({text}) => text !== undefined)).toEqual([])
    expect(artifacts.every(({url}) => url === undefined || typeof url === 'string')).toBe(true)
  }
})

test.each([
  [{action: 'stems', audio_id: 'a1'}, [undefined, undefined]],
  [{action: 'concat', audio_id: 'a1'}, [undefined]],
  [{action: 'cover', audio_id: 'a1'}, ['chirp-v4-5', 'chirp-v4-5']],
  [{prompt: 'foo'}, ['chirp-v4-5', 'chirp-v4-5']],
])('songs on their way of %o are of no model that nobody asked for', (request, models) => {
  const {tool} = toolNamed('suno')
  const {body, respond} = tool.operations['audios'] ?? {}
  if (body === undefined) throw new Error('no operation')
  const parsed = z.parse(body, request)
  expect(tool.read(respond?.([], parsed, 0) ?? {}, request).artifacts.map(({model}) => model)).toEqual(models)
})

test('a half answer of a video shows no image as its result, whatever its request leaves out', () => {
  const answer = {task_id: 'v', success: true, image_url: 'https://files.test/start.png'}
  const task = {id: 'v', created_at: 1, finished_at: 2, type: 'videos', request: {prompt: 'a boat'}, response: answer}
  const found = toolNamed('midjourney').tool.read(answer, task.request, task.type)
  expect(found.artifacts).toEqual([])
  expect(taskStatus(task, found)).toBe('checking')
})

test.each([
  ['sora', {duration: 25, model: 'sora-2-pro', prompt: 'a'}],
  ['kling', {duration: 10, prompt: 'a'}],
  ['veo', {prompt: 'a'}],
  ['hailuo', {prompt: 'a'}],
  ['pixverse', {duration: 8, prompt: 'a'}],
])('what %s made is told with its own length and size, not with those that were asked for', (id, sent) => {
  const {tool} = toolNamed(id)
  const operation = tool.operations.videos
  if (operation === undefined) throw new Error('The tool has no such operation')
  const made = {id: '1', medium: 'video' as const, url: video('a'), durationSeconds: 4, width: 640, height: 360}
  const answer = operation.respond([made], z.parse(operation.body, sent), 100)
  expect(
    tool.read(answer, {}).artifacts.map(({durationSeconds, width, height}) => [durationSeconds, width, height]),
  ).toEqual([[4, 640, 360]])
})
