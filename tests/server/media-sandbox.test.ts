import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {MediaTool} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {task as taskSchema} from '#contract/task.ts'
import {taskStatus} from '#domain/task-status.ts'
import {createApplication, type Application} from '#server/handler.ts'
import {mediaTools} from '#server/media/media-tools.ts'
import {closeMediaPool} from '#server/providers/sandbox/media/make-media.ts'
import {createAsker, type Asker} from './ai.harness.ts'
import {createTestServer, type TestServer, type TestUser} from './harness.ts'
import {post, readFileAt, upload, type MediaServer} from './media.harness.ts'

/*
 * A tool of each kind on the whole server with its own job queue and the sandbox: what its form sends becomes real files,
 * which the tool reads in the answer. (`media-tools.test.ts` has all tools.)
 */

let server: TestServer
let application: Application
let person: TestUser
let asker: Asker
let image: string
beforeAll(async () => {
  server = await createTestServer({
    handler: (deps) => {
      application = createApplication(deps)
      return application.handle
    },
  })
  await application.start()
  person = await server.createUser()
})
afterAll(async () => {
  await application.stop()
  await closeMediaPool()
  await server.close()
})

const on = () => ({server}) as MediaServer

/** What a form needs beside a prompt before it may be sent. */
const needed: Record<string, () => Record<string, unknown>> = {
  headshots: () => ({template: 'wedding', image_urls: [image]}),
  qrart: () => ({content: 'https://foo.example/bar'}),
}

function submissionOf(tool: MediaTool, more: Record<string, unknown> = {}) {
  const empty = z.parse(tool.form, {})
  const prompt = 'prompt' in empty ? {prompt: 'a red boat on a calm sea'} : {}
  const {form} = tool.settle(z.parse(tool.form, {...prompt, ...needed[tool.identity.id]?.(), ...more}))
  expect([tool.identity.id, tool.faults(form)]).toEqual([tool.identity.id, []])
  return tool.submit(form)
}

const pathOf = (tool: MediaTool, {operation}: {operation: string}) => tool.operations[operation]?.path ?? ''

const mediumOf = (type: string | null) => (type === 'text/plain' ? 'text' : type?.split('/')[0])

describe('every tool', () => {
  beforeAll(async () => {
    image = await upload(on(), person.accessToken)
    asker = await createAsker({server}, '10', person)
  })

  test.each(mediaTools.map((tool) => [tool.identity.id, tool] as const))(
    '%s: what its form sends becomes files of the promised kind',
    async (_id, tool) => {
      const submission = submissionOf(tool)
      const {status, body} = await post(on(), asker, pathOf(tool, submission), submission.body)
      expect([status, body.error]).toEqual([200, undefined])
      expect(body).toMatchObject({success: true, provider: 'sandbox', sandbox: true})
      const retrieved = await post(on(), asker, `/${tool.identity.service}/tasks`, {
        action: 'retrieve',
        id: body.task_id,
      })
      const task = z.parse(taskSchema, retrieved.body)
      expect(task.response).toEqual(body)
      const reading = tool.read(task.response ?? {}, task.request ?? {})
      expect(taskStatus(task, reading)).toBe('succeeded')
      expect(reading.artifacts.length).toBeGreaterThan(0)
      for (const {url, medium, previewUrl} of reading.artifacts) {
        const file = await readFileAt(on(), url ?? '')
        expect([file.status, mediumOf(file.headers.get('content-type'))]).toEqual([200, medium])
        if (previewUrl !== undefined) expect((await readFileAt(on(), previewUrl)).status).toBe(200)
      }
    },
    120_000,
  )
})
