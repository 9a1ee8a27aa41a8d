import sharp from 'sharp'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import type {MediaTool, Medium} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {task as taskSchema} from '#contract/task.ts'
import {costOf} from '#domain/price-rules.ts'
import {taskStatus} from '#domain/task-status.ts'
import {mediaTools} from '#server/media/media-tools.ts'
import type {MadeFile} from '#server/providers/media-provider.ts'
import {operationCases} from '#tests/contract/media/operation-cases.ts'
import {tool as sketch} from '#tests/contract/media/sketch.ts'
import {createAsker, type Asker} from './ai.harness.ts'
import {
  createMediaServer,
  createScriptedMedia,
  imageFile,
  post,
  readFileAt,
  song,
  tasksOf,
  upload,
  video,
  type MediaServer,
} from './media.harness.ts'
import {until} from './until.ts'
import {pixel} from './pixel.ts'

/*
 * Every tool on the generic routes: what its form sends is understood, priced by its rules, and what was made for it is
 * read from the answer by the same tool. A tool that the server has never heard of needs nothing but its value.
 */

// as: the list of tools forgets the form of each
const fourteenth = sketch as unknown as MediaTool
const tools = [...mediaTools, fourteenth]
const media = createScriptedMedia()
let on: MediaServer
let asker: Asker
let image: string
beforeAll(async () => {
  on = await createMediaServer({tools, provider: media.provider})
  await on.server.createUser() // the operator
})
beforeEach(async () => {
  const user = await on.server.createUser()
  asker = await createAsker(on, '10000', user)
  image = await upload(on, user.accessToken)
})
afterAll(() => on.close())

/** The fields that a form needs beside a prompt before it may be sent. */
const needed: Record<string, () => Record<string, unknown>> = {
  headshots: () => ({template: 'wedding', image_urls: [image]}),
  qrart: () => ({content: 'https://foo.example/bar'}),
}
function submissionOf(tool: MediaTool) {
  const empty = z.parse(tool.form, {})
  const prompt = 'prompt' in empty ? {prompt: 'a red boat'} : {}
  const {form: filled} = tool.settle(z.parse(tool.form, {...prompt, ...needed[tool.identity.id]?.()}))
  expect(tool.faults(filled)).toEqual([])
  return tool.submit(filled)
}
/** Returns the body that an operation takes, beside what the form sends first. */
const bodyOf = ({identity}: MediaTool, operation: string) =>
  operationCases.find(([id, name]) => id === identity.id && name === operation)?.[2] ?? submissionOf(fourteenth).body
const made: Record<Medium, () => MadeFile> = {
  image: imageFile,
  video,
  audio: song,
  text: () => imageFile({medium: 'text', text: 'foo', title: 'bar', type: 'text/plain', name: 'foo.txt'}),
}

test('there are thirteen', () => {
  expect(mediaTools.map(({identity}) => identity.id).sort()).toEqual([
    'flux',
    'hailuo',
    'headshots',
    'kling',
    'luma',
    'midjourney',
    'nanobanana',
    'pika',
    'pixverse',
    'qrart',
    'sora',
    'suno',
    'veo',
  ])
})

test('each has a service that stays, with its price, our extensions and who makes it', async () => {
  const {rows} = await on.server.deps.database.pool.query<{id: string; title: string; unit: string}>(
    'select id, title, unit from services',
  )
  for (const {identity, price} of tools) {
    expect(rows).toContainEqual({id: identity.serviceId, title: identity.name, unit: 'Credit'})
    expect(on.service.catalogue.has(identity.serviceId)).toBe(true)
    expect(on.service.catalogue.metadataOf(identity.serviceId, {foo: 'bar'})).toMatchObject({
      foo: 'bar',
      price,
      capabilities: ['idempotency', 'async', 'delete'],
      available: true,
      provider: 'foo',
      sandbox: false,
    })
  }
})

test('each has one API that says what its form costs at first, by the prices of the operator if there are some', () => {
  const {apis, estimationOf} = on.service.catalogue
  for (const tool of tools) {
    const {serviceId} = tool.identity
    const own = apis.filter((api) => api.service_id === serviceId)
    const {operation, body} = tool.submit(z.parse(tool.form, {}))
    const [estimation, ...others] = own.flatMap((api) =>
      estimationOf(api, {}).map((line) => ({...line, name: api.name})),
    )
    expect([estimation?.name, estimation?.cost, others]).toEqual([
      `${tool.identity.service}/${operation}`,
      costOf(tool.price, body),
      [],
    ])
    const price = [
      {conditions: {'==': [{var: 'foo'}, 'bar']}, consumption: 1},
      {conditions: true, consumption: 0.25},
    ]
    expect(own.flatMap((api) => estimationOf(api, {price})).map(({cost}) => cost)).toEqual([0.25])
  }
  const kling = apis.find(({name}) => name === 'kling/videos')
  expect(kling && estimationOf(kling, {})[0]?.remark).toBe('model: kling-v1, mode: std, duration: 5')
})

describe.each(tools.map((tool) => [tool.identity.id, tool] as const))('%s', (_id, tool) => {
  const retrieve = async (id: unknown) => {
    const {body} = await post(on, asker, `/${tool.identity.service}/tasks`, {action: 'retrieve', id})
    return z.parse(taskSchema, body)
  }
  const statusOf = (task: Awaited<ReturnType<typeof retrieve>>) =>
    taskStatus(task, tool.read(task.response ?? {}, task.request ?? {}))

  test('is queued, runs and succeeds in its own words, at its price', async () => {
    const {operation: name, body} = submissionOf(tool)
    const operation = tool.operations[name]
    if (operation === undefined) throw new Error(`${name} is no operation`)
    const {body: queued} = await post(on, asker, operation.path, {...body, async: true})
    expect(queued).toEqual({task_id: expect.any(String), trace_id: expect.any(String)})
    expect(statusOf(await retrieve(queued.task_id))).toBe('queued')
    const row = (await tasksOf(on, asker.userId)).find(({id}) => id === queued.task_id)
    expect(Number(row?.held)).toBeCloseTo(costOf(tool.price, z.parse(operation.body, body) as typeof body) ?? -1, 6) // a body is an object
    expect(Number(row?.held)).toBeGreaterThan(0)

    await on.work()
    const {ask, finish} = await media.next()
    expect(['queued', 'running']).toContain(statusOf(await retrieve(queued.task_id)))
    finish(Array.from({length: ask.plan.count}, made[ask.plan.medium]))
    await until(async () => (await retrieve(queued.task_id)).finished_at !== undefined)
    const task = await retrieve(queued.task_id)
    expect(task.response?.success).toBe(true)
    expect(statusOf(task)).toBe('succeeded')
    const {artifacts} = tool.read(task.response ?? {}, task.request ?? {})
    expect(artifacts.length).toBeGreaterThan(0)
    for (const {url, previewUrl} of artifacts)
      for (const address of [url, previewUrl])
        if (address !== undefined) expect((await readFileAt(on, address)).status).toBe(200)
  })

  test('every operation refuses an unknown key by name', async () => {
    const tasksBefore = (await tasksOf(on, asker.userId)).length
    for (const [name, {path, body: schema}] of Object.entries(tool.operations)) {
      const valid = bodyOf(tool, name)
      expect([name, z.safeParse(schema, valid).success]).toEqual([name, true])
      const {status, body} = await post(on, asker, path, {...valid, fooBar: 1, async: true})
      expect([name, status, body.error.code]).toEqual([name, 400, 'bad_request'])
      expect(body.error.message).toContain('fooBar')
    }
    expect(await tasksOf(on, asker.userId)).toHaveLength(tasksBefore)
  })

  test('a failure is read as one', async () => {
    const {operation: name, body} = submissionOf(tool)
    const {body: queued} = await post(on, asker, tool.operations[name]?.path ?? '', {...body, async: true})
    await on.work()
    ;(await media.next()).fail(new Error('foo'))
    await until(async () => (await retrieve(queued.task_id)).finished_at !== undefined)
    expect(statusOf(await retrieve(queued.task_id))).toBe('failed')
  })
})

describe('what is said of a small image beside a result', () => {
  const large = () =>
    sharp({create: {width: 64, height: 36, channels: 3, background: '#206080'}})
      .png()
      .toBuffer()
  const preview = {file: pixel, type: 'image/png'}
  const ask = async (path: string, file: MadeFile) => {
    const {body: queued} = await post(on, asker, path, {prompt: 'a', async: true})
    await on.work()
    ;(await media.next()).finish([file])
    const ended = async () =>
      (await tasksOf(on, asker.userId)).find(({id, finishedAt}) => id === queued.task_id && finishedAt !== null)
    await until(async () => (await ended()) !== undefined)
    return (await ended())?.response ?? {}
  }

  test('is about that image, whose name has one extension', async () => {
    const answer = await ask('/midjourney/imagine', imageFile({file: await large(), name: 'fog.png', preview}))
    expect(answer).toMatchObject({image_width: 1, image_height: 1, raw_image_width: 64, raw_image_height: 36})
    expect(answer['image_url']).toMatch(/\/fog-preview\.png$/)
    const videoAnswer = await ask('/luma/videos', video({width: 1280, height: 720}))
    expect(videoAnswer).toEqual({
      video_width: 1280,
      video_height: 720,
      thumbnail_width: 1,
      thumbnail_height: 1,
      state: 'completed',
      prompt: 'a',
      video_id: expect.any(String),
      video_url: expect.any(String),
      thumbnail_url: expect.any(String),
    })
  })

  test('is about the result where there is none', async () => {
    const answer = await ask('/midjourney/imagine', imageFile({file: await large()}))
    expect([answer.image_width, answer.image_height, answer.raw_image_width]).toEqual([64, 36, 64])
    const videoAnswer = await ask('/luma/videos', video({width: 1280, height: 720, preview: undefined}))
    expect(videoAnswer['thumbnail_width']).toBeUndefined()
  })
})
