import {describe, expect, test} from 'vitest'
import {task as taskSchema} from '#contract/task.ts'
import {z} from '#contract/schema.ts'
import {taskStatus} from '#domain/task-status.ts'
import {all, made, toolNamed} from './all-tools.ts'
import {operationCases} from './operation-cases.ts'

/* Each operation of each tool: what it plans, and that its own answers read back to what was made. */

const operationOf = (id: string, name: string) => {
  const operation = toolNamed(id).tool.operations[name]
  if (operation === undefined) throw new Error(`${id} has no operation "${name}"`)
  return operation
}

describe.each(operationCases)('%s %s %o', (id, name, request, expected) => {
  const {tool} = toolNamed(id)
  const operation = operationOf(id, name)
  const body = z.parse(operation.body, request)
  const plan = operation.plan(body)
  const things = Array.from({length: plan.count}, (_, index) => made(plan.medium, index + 1))
  const task = (response: Record<string, unknown>) => ({
    reading: tool.read(response, request),
    task: z.parse(taskSchema, {id: 'foo', type: operation.taskType, created_at: 1, started_at: 2, request, response}),
  })
  const statusOf = (response: Record<string, unknown>) => {
    const read = task(response)
    return taskStatus(read.task, read.reading)
  }

  test('plans it', () => {
    expect(plan).toMatchObject(expected)
  })

  test('is under way until it is whole', () => {
    for (const progress of [0, 50, 99]) {
      const answer = {task_id: 'foo', trace_id: 'bar', ...operation.respond([], body, progress)}
      expect(['queued', 'running']).toContain(statusOf(answer))
    }
    const common = {task_id: 'foo', trace_id: 'bar'}
    // what is complete in itself is never shown as done before the whole is
    expect(statusOf({...common, ...operation.respond(things, body, 50)})).not.toBe('succeeded')
  })

  test('its answer reads back to what was made', () => {
    const response = {success: true, task_id: 'foo', trace_id: 'bar', ...operation.respond(things, body, 100)}
    const {reading} = task(JSON.parse(JSON.stringify(response)) as Record<string, unknown>)
    expect(statusOf(response)).toBe('succeeded')
    const words = plan.medium === 'text'
    const addresses = plan.action === 'upload' ? plan.sources : things.map(({url}) => url)
    expect(reading.artifacts.map(({medium, url, text}) => ({medium, from: words ? text : url}))).toEqual(
      things.map(({medium, text}, index) => ({medium, from: words ? text : addresses[index]})),
    )
  })
})

test('every operation of every tool has a case', () => {
  const covered = new Set(operationCases.map(([id, name]) => `${id} ${name}`))
  const operations = all.flatMap(({id, tool}) => Object.keys(tool.operations).map((name) => `${id} ${name}`))
  expect(operations.filter((name) => !covered.has(name))).toEqual([])
})

test('midjourney offers what comes next: of the sheet, of one image, of an enlarged one', () => {
  const operation = operationOf('midjourney', 'imagine')
  const next = (body: Record<string, unknown>) =>
    operation.respond([made('image')], z.parse(operation.body, body), 100).actions
  const sheet = [
    'upscale1',
    'upscale2',
    'upscale3',
    'upscale4',
    'variation1',
    'variation2',
    'variation3',
    'variation4',
    'reroll',
  ]
  expect(next({prompt: 'boat'})).toEqual(sheet)
  expect(next({action: 'pan_left', image_id: '1'})).toEqual(sheet)
  expect(next({action: 'upscale1', image_id: '1'})).toEqual([
    'upscale_subtle',
    'upscale_creative',
    'upscale_2x',
    'upscale_4x',
    'variation_subtle',
    'variation_strong',
    'zoom_out_2x',
    'zoom_out_1_5x',
    'square',
    'pan_left',
    'pan_right',
    'pan_up',
    'pan_down',
  ])
  expect(next({action: 'upscale_4x', image_id: '1'})).toEqual([
    'redo_upscale_4x',
    'zoom_out_2x',
    'zoom_out_1_5x',
    'square',
    'pan_left',
    'pan_right',
    'pan_up',
    'pan_down',
  ])
})

test('pixverse answers the quality of what was made, not of what was asked for', () => {
  const {operation, body} = {
    operation: toolNamed('pixverse').tool.operations['videos'],
    body: {prompt: 'moth', quality: '1080p'},
  }
  const asked = z.parse(operation?.body ?? z.never(), body)
  const answer = (width?: number, height?: number) =>
    operation?.respond(
      [{id: 'a', medium: 'video', url: '/a.mp4', ...(width && {width}), ...(height && {height})}],
      asked,
      100,
    )
  expect(answer(640, 360)).toEqual({
    data: [
      {
        quality: '360p',
        video_width: 640,
        video_height: 360,
        prompt: 'moth',
        model: 'v3.5',
        motion: 'normal',
        style: '',
        aspect_ratio: '16:9',
        duration: 5,
        id: 314,
        video_url: '/a.mp4',
      },
    ],
  })
  expect(answer(1080, 1920)).toEqual({
    data: [
      {
        quality: '1080p',
        prompt: 'moth',
        model: 'v3.5',
        motion: 'normal',
        style: '',
        aspect_ratio: '16:9',
        duration: 5,
        id: 314,
        video_url: '/a.mp4',
        video_width: 1080,
        video_height: 1920,
      },
    ],
  })
  expect(answer()).toEqual({
    data: [
      {
        quality: '1080p',
        prompt: 'moth',
        model: 'v3.5',
        motion: 'normal',
        style: '',
        aspect_ratio: '16:9',
        duration: 5,
        id: 314,
        video_url: '/a.mp4',
      },
    ],
  })
})
