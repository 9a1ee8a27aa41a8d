import {expect, test} from 'vitest'
import {task as taskSchema} from '#contract/task.ts'
import {z} from '#contract/schema.ts'
import {taskStatus, type TaskStatus} from '#domain/task-status.ts'
import {toolNamed} from './all-tools.ts'

/* Answers in the shapes of contract/media §2, what is read out of them, and the status they mean. */

type Answer = Record<string, unknown>
const video = (name: string) => `https://files.test/${name}.mp4`

type Case = [tool: string, request: Answer, response: Answer | undefined, status: TaskStatus, artifacts: Answer[]]
const answers: Case[] = [
  ['midjourney', {action: 'generate', prompt: 'boat'}, undefined, 'queued', []],
  [
    'midjourney',
    {action: 'generate', prompt: 'boat'},
    {task_id: 't', success: true, progress: 40, image_id: '900', image_url: 'https://files.test/a.webp', actions: []},
    'running',
    [{medium: 'image', url: 'https://files.test/a.webp', previewUrl: 'https://files.test/a.webp', id: '900'}],
  ],
  [
    'midjourney',
    {action: 'generate', prompt: 'boat'},
    {
      success: true,
      progress: 100,
      image_id: '9223372036854775999',
      image_url: 'https://files.test/s.png',
      image_width: 512,
      raw_image_url: 'https://files.test/l.png',
      raw_image_width: 2048,
      raw_image_height: 1024,
      actions: ['reroll', 'upscale1', 'mystery'],
    },
    'succeeded',
    [
      {
        medium: 'image',
        url: 'https://files.test/l.png',
        previewUrl: 'https://files.test/s.png',
        id: '9223372036854775999',
        width: 2048,
        height: 1024,
      },
    ],
  ],
  ['midjourney', {prompt: 'waves', resolution: '480p'}, {success: true, progress: 12}, 'running', []],
  [
    'midjourney',
    {prompt: 'waves', resolution: '480p'},
    {
      type: 'videos',
      success: true,
      progress: 100,
      video_id: '77',
      video_urls: [video('1'), video('2')],
      image_url: 'https://files.test/f.png',
    },
    'succeeded',
    [
      {medium: 'video', url: video('1'), id: '77', previewUrl: 'https://files.test/f.png'},
      {medium: 'video', url: video('2'), id: '77', previewUrl: 'https://files.test/f.png'},
    ],
  ],
  [
    'midjourney',
    {image_url: 'https://files.test/a.png'},
    {descriptions: ['one', 'two']},
    'succeeded',
    [
      {medium: 'text', text: 'one'},
      {medium: 'text', text: 'two'},
    ],
  ],
  ['midjourney', {image_url: 'https://files.test/a.png'}, {trace_id: 'tr'}, 'failed', []],
  [
    'qrart',
    {type: 'link', content: 'https://shop.example'},
    {success: true, image_url: 'https://files.test/q.png', image_width: 768, image_height: 768, seed: 4242},
    'succeeded',
    [{medium: 'image', url: 'https://files.test/q.png', width: 768, height: 768, seed: 4242}],
  ],
  [
    'luma',
    {prompt: 'fog'},
    {
      success: true,
      task_id: 'l',
      video_id: 'v-1',
      video_url: video('l'),
      state: 'completed',
      thumbnail_url: 'https://files.test/l.jpg',
    },
    'succeeded',
    [{medium: 'video', url: video('l'), id: 'v-1', previewUrl: 'https://files.test/l.jpg'}],
  ],
  ['luma', {prompt: 'fog'}, {task_id: 'l', state: 'processing'}, 'running', []],
  ['luma', {prompt: 'fog'}, {task_id: 'l', state: 'failed'}, 'failed', []],
  [
    'luma',
    {prompt: 'fog'},
    {task_id: 'l', success: true, state: 'dreaming', video_url: video('l')},
    'checking',
    [{medium: 'video', url: video('l')}],
  ],
  [
    'pika',
    {prompt: 'fox'},
    {
      success: true,
      data: [{id: 'x', video_url: video('p'), image_url: 'https://files.test/p.jpg', duration: 5, state: 'succeeded'}],
    },
    'succeeded',
    [{medium: 'video', url: video('p'), id: 'x', previewUrl: 'https://files.test/p.jpg', durationSeconds: 5}],
  ],
  ['pika', {prompt: 'fox'}, {task_id: 'p', data: []}, 'running', []],
  [
    'kling',
    {prompt: 'kite'},
    {success: true, task_id: 'k', video_id: 'kv', video_url: video('k'), duration: '5.1', state: 'succeed'},
    'succeeded',
    [{medium: 'video', url: video('k'), id: 'kv', durationSeconds: 5.1}],
  ],
  ['kling', {prompt: 'kite'}, {task_id: 'k', state: 'submitted'}, 'queued', []],
  ['kling', {prompt: 'kite'}, {task_id: 'k', success: true, state: 'completed'}, 'running', []],
  [
    'veo',
    {prompt: 'harbor'},
    {success: true, data: [{id: 'vid', video_url: video('v'), state: 'succeeded', created_at: '2026-09-21 10:00:00'}]},
    'succeeded',
    [{medium: 'video', url: video('v'), id: 'vid'}],
  ],
  [
    'veo',
    {prompt: 'harbor'},
    {success: true, data: [{id: 'vid', state: 'running'}]},
    'running',
    [{medium: 'video', id: 'vid'}],
  ],
  [
    'sora',
    {prompt: 'tram'},
    {task_id: 's', data: [{id: 'sv', state: 'pending'}]},
    'queued',
    [{medium: 'video', id: 'sv'}],
  ],
  [
    'pixverse',
    {prompt: 'moth'},
    {
      success: true,
      data: [
        {
          id: 320_000_000_000_031,
          video_url: video('px'),
          duration: 5,
          first_frame: 'https://files.test/f.jpg',
          video_width: 960,
        },
      ],
    },
    'succeeded',
    [
      {
        medium: 'video',
        url: video('px'),
        id: '320000000000031',
        durationSeconds: 5,
        previewUrl: 'https://files.test/f.jpg',
        width: 960,
      },
    ],
  ],
  [
    'flux',
    {prompt: 'owl', model: 'flux-dev'},
    {success: true, data: [{prompt: 'owl', image_url: 'https://files.test/f1.png', seed: 7, timings: {inference: 1}}]},
    'succeeded',
    [{medium: 'image', url: 'https://files.test/f1.png', seed: 7, model: 'flux-dev'}],
  ],
  ['flux', {prompt: 'owl'}, {success: true, data: []}, 'checking', []],
  [
    'hailuo',
    {prompt: 'surf'},
    {success: false, task_id: 'h', error: {code: 'forbidden', message: 'content refused'}},
    'failed',
    [],
  ],
  ['hailuo', {prompt: 'surf'}, {data: [{state: 'processing', prompt: 'surf'}]}, 'running', []],
  ['headshots', {template: 'wedding'}, {task_id: 'hs', status: 'unknown', data: []}, 'running', []],
  [
    'headshots',
    {template: 'wedding'},
    {success: true, status: 'unknown', data: [{id: '1', image_url: 'https://files.test/h.jpg', template: 'Wedding'}]},
    'succeeded',
    [{medium: 'image', url: 'https://files.test/h.jpg', id: '1', title: 'Wedding'}],
  ],
  [
    'suno',
    {prompt: 'sea shanty'},
    {
      success: true,
      data: [
        {
          id: 'a1',
          title: 'Tide',
          audio_url: 'https://files.test/a1.mp3',
          video_url: '',
          image_url: 'https://files.test/a1.jpg',
          lyric: 'yo',
          style: 'folk',
          model: 'chirp-v4-5',
          duration: 151.2,
          state: 'succeeded',
        },
      ],
    },
    'succeeded',
    [
      {
        medium: 'audio',
        url: 'https://files.test/a1.mp3',
        id: 'a1',
        previewUrl: 'https://files.test/a1.jpg',
        title: 'Tide',
        text: 'yo',
        style: 'folk',
        model: 'chirp-v4-5',
        durationSeconds: 151.2,
      },
    ],
  ],
  [
    'suno',
    {prompt: 'sea shanty'},
    {
      success: true,
      data: [
        {id: 'a', audio_url: 'https://files.test/a.mp3', state: 'succeeded'},
        {id: 'b', state: 'running'},
      ],
    },
    'running',
    [
      {medium: 'audio', url: 'https://files.test/a.mp3', id: 'a'},
      {medium: 'audio', id: 'b'},
    ],
  ],
  // a song that failed takes nothing from the other one, be that done or not
  ...(
    [
      ['running', 'running'],
      ['succeeded', 'succeeded'],
    ] as const
  ).map(([state, status]): Case => [
    'suno',
    {prompt: 'sea shanty'},
    {
      success: true,
      data: [
        {id: 'a', state: 'error'},
        {id: 'b', audio_url: 'https://files.test/b.mp3', state},
      ],
    },
    status,
    [{medium: 'audio', url: 'https://files.test/b.mp3', id: 'b'}],
  ]),
  [
    'suno',
    {prompt: 'sea shanty'},
    {success: true, data: [{id: 'a', state: 'error'}]},
    'failed',
    [{medium: 'audio', id: 'a'}],
  ],
  [
    'suno',
    {prompt: 'idea'},
    {success: true, data: [{text: 'la', title: 'Song', status: 'complete', tags: []}]},
    'succeeded',
    [{medium: 'text', text: 'la', title: 'Song'}],
  ],
  [
    'suno',
    {prompt: 'idea'},
    {success: true, data: {text: 'la', title: 'Song', status: 'complete'}},
    'succeeded',
    [{medium: 'text', text: 'la', title: 'Song'}],
  ],
  [
    'suno',
    {audio_url: 'https://files.test/own.mp3'},
    {success: true, data: {audio_id: 'up', mood: 'calm'}},
    'succeeded',
    [{medium: 'audio', id: 'up', url: 'https://files.test/own.mp3'}],
  ],
  [
    'suno',
    {audio_url: 'https://files.test/own.mp3'},
    {success: true, data: {audio_id: 'up', title: 'own', duration: 12.5}},
    'succeeded',
    [{medium: 'audio', id: 'up', url: 'https://files.test/own.mp3', title: 'own', durationSeconds: 12.5}],
  ],
  [
    'suno',
    {audio_id: 'a1'},
    {success: true, data: {video_url: video('a1')}},
    'succeeded',
    [{medium: 'video', url: video('a1')}],
  ],
  [
    'nanobanana',
    {action: 'edit', prompt: 'hat'},
    {success: true, data: [{prompt: 'hat', image_url: 'https://files.test/cat2.png'}]},
    'succeeded',
    [{medium: 'image', url: 'https://files.test/cat2.png'}],
  ],
]

test.each(answers)('%s %o → %o', (id, request, response, status, artifacts) => {
  const task = z.parse(taskSchema, {id: 'foo', created_at: 1_790_000_000.25, request, ...(response && {response})})
  const reading = toolNamed(id).tool.read(response ?? {}, request)
  expect(reading.artifacts).toEqual(artifacts)
  expect(taskStatus(task, response === undefined ? {artifacts: []} : reading)).toBe(status)
})

test('midjourney: known actions of the answer, and what is done with any finished picture', () => {
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

test('a half answer of a video shows no picture as its result, whatever its request leaves out', () => {
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
  expect(tool.read(answer, {}).artifacts).toMatchObject([{durationSeconds: 4, width: 640, height: 360}])
})
