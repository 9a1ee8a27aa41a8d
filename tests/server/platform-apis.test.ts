import {afterAll, beforeAll, expect, test} from 'vitest'
import {chatServiceId} from '#contract/chat.ts'
import type {ServedModel} from '#contract/management.ts'
import {platformRoutes} from '#server/platform/platform.routes.ts'
import {apiIdOf, chatApi} from '#server/platform/service-apis.ts'
import {createTestServer, type TestServer} from './harness.ts'
import {ask} from './platform.fixtures.ts'

const priced = (name: string, prompt: string): ServedModel => ({
  name,
  group: 'chatgpt',
  provider: 'foo',
  price: {prompt, completion: '0', most_tokens: 100},
})

let server: TestServer
beforeAll(async () => {
  const models = async () => [priced('foo', '2'), priced('bar', '0.5'), priced('baz', '1')]
  server = await createTestServer({
    routes: (deps) => platformRoutes(deps, {models, capabilities: [], sandbox: false}),
  })
})
afterAll(() => server.close())

test.each([
  ['the list', '/apis/', (body: {items: unknown[]}) => body.items[0]],
  ['its own address', `/apis/${apiIdOf(chatApi)}`, (body: unknown) => body],
  ['its service', `/services/${chatServiceId}/apis/`, (body: {items: unknown[]}) => body.items[0]],
])('the chat says what an answer costs of its cheapest and its dearest model: %s', async (_, path, find) => {
  const {accessToken: token} = await server.createUser()
  const {status, body} = await ask(server, 'GET', path, {token})
  expect([status, find(body)]).toEqual([
    200,
    {
      name: chatApi,
      estimation: [
        {name: 'bar', cost: 0.5, remark: 'prompt: 1000, completion: 100 tokens'},
        {name: 'foo', cost: 2, remark: 'prompt: 1000, completion: 100 tokens'},
      ],
      id: expect.any(String),
      title: 'AI Chat',
      service_id: expect.any(String),
    },
  ])
})
