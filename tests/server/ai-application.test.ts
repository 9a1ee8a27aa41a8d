import {afterAll, beforeAll, expect, test} from 'vitest'
import {chatServiceId} from '#contract/chat.ts'
import {createApplication, type Backend} from '#server/handler.ts'
import {chatPath, headOf, openStream, textOf} from './ai.harness.ts'
import {createTestServer, testOrigin, type TestServer} from './harness.ts'
import {servedCapabilities} from './chat-capabilities.ts'

/* The whole server with its real job queue and the sandbox: what a fresh installation does. */

let server: TestServer
let application: Backend | undefined

beforeAll(async () => {
  server = await createTestServer({
    handler: (deps) => {
      application = createApplication(deps)
      return application.handle
    },
  })
  await application?.start()
})
afterAll(async () => {
  await application?.stop()
  await server.close()
})

const json = async (response: Response) => {
  expect(response.status, await response.clone().text()).toBeLessThan(300)
  return response.json()
}

test('sign in, accept, take a key, ask a model that is really there, stop it, come back to it', async () => {
  const {accessToken, user} = await server.createUser()
  const api = '/services/platform/api/v1'
  const service = await json(await server.call('GET', `${api}/services/${chatServiceId}`, {token: accessToken}))
  expect([service.metadata.capabilities, service.metadata.sandbox]).toEqual([servedCapabilities, true])
  const offered = service.metadata.models.filter((model: {enabled?: boolean}) => model.enabled)
  expect(offered.map((model: {provider: string}) => model.provider)).toEqual(offered.map(() => 'sandbox'))
  expect(offered[0].price).toEqual({prompt: '0', completion: '0'})
  expect(service.metadata.models.find((model: {name: string}) => model.name === 'gpt-4o')).toEqual({
    enabled: false,
    disabled: 'not_configured',
    name: 'gpt-4o',
    group: 'chatgpt',
    provider: 'none',
    isFileSupported: false,
    isImageSupported: true,
  })

  const body = {type: 'Usage', scope: 'Global'}
  const {id: applicationId, remaining_amount: credits} = await json(
    await server.call('POST', `${api}/applications/`, {token: accessToken, body}),
  )
  const credential = {application_id: applicationId, host: testOrigin}
  const {token} = await json(await server.call('POST', `${api}/credentials/`, {token: accessToken, body: credential}))

  const post = (command: unknown, accept = 'application/json') =>
    server.call('POST', chatPath, {token, body: command, headers: {accept}})
  const model = offered[0].name
  const first = openStream(await post({question: 'what is Atrium?', model, stateful: true}, 'text/event-stream'))
  const {id} = await headOf(first)
  const frames = await first.rest()
  expect(frames.at(-1)?.data).toBe('[DONE]')
  expect(textOf(frames)).toContain('Sandbox')

  const second = openStream(await post({question: '/stream 5000', model, id, stateful: true}, 'text/event-stream'))
  const head = await headOf(second)
  await second.next()
  expect(await json(await post({action: 'stop', id}))).toEqual({id, message: head.message, state: 'failed'})
  const heard = await second.rest()
  expect(heard.at(-1)?.data).toEqual({
    outcome: 'stopped',
    id: expect.any(String),
    error: {code: 'canceled', message: 'The answer was stopped.'},
  })

  const {messages} = await json(await post({action: 'retrieve', id}))
  expect(messages.map((message: {state: string}) => message.state)).toEqual([
    'finished',
    'finished',
    'finished',
    'failed',
  ])
  expect(messages[1]).toMatchObject({provider: 'sandbox', sandbox: true, content: textOf(frames)})
  const after = await json(await server.call('GET', `${api}/applications/${applicationId}`, {token: accessToken}))
  expect(after.remaining_amount).toBe(credits)
  expect(after.user_id).toBe(user.id)
})
