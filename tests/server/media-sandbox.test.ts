import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as kling} from '#contract/media/kling.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {costOf} from '#domain/price-rules.ts'
import {createApplication, type Backend} from '#server/handler.ts'
import {closeMediaPool} from '#sandbox/media/make-media.ts'
import {balanceOf, createAsker, type Asker} from './ai.harness.ts'
import {createTestServer, type TestServer, type TestUser} from './harness.ts'
import {post, readFileAt, type MediaServer} from './media.harness.ts'

/*
 * An image on the whole server with its own job queue and the sandbox: what its form sends becomes a real file, which
 * the tool reads in the answer. (`media-operations.test.ts` has what each tool makes.)
 */

let server: TestServer
let application: Backend
let user: TestUser
let asker: Asker
beforeAll(async () => {
  server = await createTestServer({
    handler: (deps) => {
      application = createApplication(deps)
      return application.handle
    },
  })
  await application.start()
})
beforeEach(async () => {
  user = await server.createUser({role: 'operator'})
  asker = await createAsker({server}, '10', user)
})
afterAll(async () => {
  await application.stop()
  await closeMediaPool()
  await server.close()
})

const on = () => ({server}) as MediaServer

const submissionOf = (tool: MediaTool, prompt: string) => {
  const {form} = tool.settle(z.parse(tool.form, {prompt}))
  return tool.submit(form)
}
const call = (tool: MediaTool, prompt: string, more: object = {}) => {
  const {operation, body} = submissionOf(tool, prompt)
  return post(on(), asker, tool.operations[operation]?.path ?? '', {...body, ...more})
}

test('an image is a real file, made without a model, free, and says so', async () => {
  const {status, body} = await call(flux, 'a red boat on a calm sea') // the form is not looked at
  expect([status, body.error]).toEqual([200, undefined])
  expect(body).toEqual({
    success: true,
    provider: 'sandbox',
    sandbox: true,
    data: [
      {
        seed: expect.any(Number),
        width: 1024,
        height: 1024,
        prompt: 'a red boat on a calm sea',
        image_url: expect.any(String),
      },
    ],
    task_id: expect.any(String),
    trace_id: expect.any(String),
  })
  const {artifacts} = flux.read(body, {})
  expect(artifacts.length).toBeGreaterThan(0)
  for (const {url = ''} of artifacts) {
    const file = await readFileAt(on(), url)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(Number(file.headers.get('content-length'))).toBeGreaterThan(1000)
  }
  expect(await balanceOf({server}, asker)).toEqual({remaining: '10.000000', used: '0.000000'})
}, 120_000)

test('a prompt can ask for each failure: those of a full purse or line at once, those of a provider as the end of the task', async () => {
  for (const code of ['used_up', 'not_applied', 'duplication', 'too_many_requests', 'content_too_large']) {
    const {status, body} = await call(flux, `/error ${code}`, {async: true}) // as above
    expect([status >= 400, body.error.code, body.task_id]).toEqual([true, code, undefined])
  }
  for (const code of ['api_error', 'busy', 'timeout', 'bad_request', 'unknown', 'forbidden']) {
    const {status, body} = await call(flux, `/error ${code}`) // as above
    expect([status >= 400, body.success, body.error.code, typeof body.task_id]).toEqual([true, false, code, 'string'])
  }
})

describe('the services of the tools', () => {
  const service = async (method: string, body?: object, id: string = kling.identity.serviceId) => {
    const response = await server.call(method, `/services/platform/api/v1/services/${id}`, {
      token: user.accessToken,
      body,
    })
    return {status: response.status, body: await response.json()}
  }

  test('say who makes it, what our server can, and what it costs', async () => {
    expect(await service('GET')).toMatchObject({
      status: 200,
      body: {
        title: 'Kling',
        unit: 'Credit',
        metadata: {
          capabilities: ['idempotency', 'async', 'delete'],
          provider: 'sandbox',
          sandbox: true,
          free: true,
          available: true,
        },
      },
    })
    const {body} = await service('GET')
    expect(costOf(body.metadata.price, {model: 'kling-v1', mode: 'std', duration: 5})).toBe(1.4)
  })

  test("stay, and keep the operator's prices", async () => {
    // its prices stay changed, and another test looks at those of another tool
    const id = flux.identity.serviceId
    expect((await service('DELETE', undefined, id)).status).toBe(409)
    const {body} = await service('GET', undefined, id)
    const price = [{conditions: true, consumption: 3}]
    expect((await service('PUT', {...body, metadata: {...body.metadata, price, sandbox: false}}, id)).status).toBe(200)
    expect((await service('GET', undefined, id)).body.metadata).toEqual({
      price,
      sandbox: true,
      free: true,
      provider: 'sandbox',
      available: true,
      capabilities: ['idempotency', 'async', 'delete'],
    })
  })
})
