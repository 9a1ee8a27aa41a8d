import type {ServedModel} from '#contract/management.ts'
import type {ChatCatalogue} from '#server/platform/chat-catalogue.ts'
import {platformRoutes} from '#server/platform/platform.routes.ts'
import {createTestServer, type TestServer, type TestServerOptions} from './harness.ts'

export const base = '/services/platform/api/v1'

const models: ServedModel[] = [{name: 'gpt-4o', group: 'chatgpt', provider: 'sandbox', enabled: true}]
export const catalogue: ChatCatalogue = {models: async () => models, capabilities: ['resume', 'stop'], sandbox: true}

export const createPlatform = (options: Partial<TestServerOptions> = {}): Promise<TestServer> =>
  createTestServer({routes: (deps) => platformRoutes(deps, catalogue), ...options})

/** One request as the page sends it, with its answer read. */
export async function ask(
  server: TestServer,
  method: string,
  path: string,
  options: NonNullable<Parameters<TestServer['call']>[2]> = {},
) {
  const response = await server.call(method, base + path, options)
  const text = await response.text()
  return {status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers}
}
