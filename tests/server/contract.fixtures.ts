import {createChatApi} from '#api/chat.ts'
import {createHostFetch} from '#api/credential-fetch.ts'
import {createFilesApi} from '#api/files.ts'
import {managementHeaders} from '#api/management.ts'
import {createOAuthApi} from '#api/oauth.ts'
import type {Config} from '#server/config.ts'
import {createApplication, type Backend} from '#server/handler.ts'
import {createProviderRegistry} from '#server/providers/registry.ts'
import {createWholeManagement} from '../api/whole-management.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {createTestServer, testOrigin, type TestServer} from './harness.ts'

/** A request as it left a client, for tests of what is on the wire. */
export type SentRequest = {method: string; path: string; headers: Headers}

/** The whole server in one process, with its jobs and a model server under the test's hand. */
export async function createContractServer(config?: Partial<Config>) {
  const model = createScriptedProvider({}, ['gpt-4o'])
  let application: Backend | undefined
  const server = await createTestServer({
    config,
    handler: (deps) => {
      const registry = createProviderRegistry({
        configured: [{provider: model.provider, groups: ['chatgpt']}],
        detect: () => Promise.resolve([]),
        sandbox: undefined,
        now: deps.now,
        log: deps.log,
      })
      application = createApplication(deps, {registry})
      return application.handle
    },
  })
  await application?.start()
  return {
    server,
    model,
    close: async () => {
      await application?.stop()
      await server.close()
    },
  }
}

/** The app's own clients on a server's `handle`, as the page of that server calls it. */
export function createClients(server: TestServer, access: {token?: string; credential?: string}) {
  const sent: SentRequest[] = []
  const rejected: (string | undefined)[] = []
  const request: typeof fetch = (input, init) => {
    const outgoing = new Request(input, init)
    outgoing.headers.set('origin', testOrigin)
    const {pathname, search} = new URL(outgoing.url)
    sent.push({method: outgoing.method, path: pathname + search, headers: outgoing.headers})
    return server.handle(outgoing)
  }
  const log = () => undefined
  const common = {fetch: request, log, headers: () => ({})}
  return {
    sent,
    rejected,
    management: createWholeManagement({
      ...common,
      baseUrl: `${testOrigin}/services/platform`,
      headers: () => managementHeaders({accessToken: access.token, language: 'de', fingerprint: 'foo', userId: 'bar'}),
      onUnauthorized: ({bearer}) => rejected.push(bearer),
    }),
    oauth: createOAuthApi({...common, baseUrl: `${testOrigin}/services/auth`}),
    chat: createChatApi({
      ...common,
      fetch: createHostFetch(request, {
        token: () => access.credential,
        renew: () => Promise.reject(new Error('There is no other key here.')),
      }),
      baseUrl: `${testOrigin}/services/api`,
    }),
    files: createFilesApi({
      createRequest: () => new HandleRequest(server) as unknown as XMLHttpRequest, // the part of it an upload uses
      config: {platform: `${testOrigin}/services/platform`, capabilities: ['upload-keys']},
      accessToken: () => access.token,
      onUnauthorized: ({bearer}) => rejected.push(bearer),
    }),
  }
}

/** An `XMLHttpRequest` whose other end is a server's `handle`. */
class HandleRequest {
  status = 0
  responseText = ''
  onload: (() => void) | null = null
  onerror: (() => void) | null = null
  upload: {onprogress: ((event: {loaded: number; total: number; lengthComputable: boolean}) => void) | null} = {
    onprogress: null,
  }
  private readonly headers = new Headers({origin: testOrigin})
  private url = ''
  private method = ''

  constructor(private readonly server: TestServer) {}

  open(method: string, url: string): void {
    Object.assign(this, {method, url})
  }

  setRequestHeader(name: string, value: string): void {
    this.headers.set(name, value)
  }

  abort(): void {
    this.onload = this.onerror = null
  }

  send(body: FormData): void {
    const answer = async () => {
      const response = await this.server.handle(
        new Request(this.url, {method: this.method, headers: this.headers, body}),
      )
      this.status = response.status
      this.responseText = await response.text()
      this.upload.onprogress?.({loaded: 1, total: 1, lengthComputable: true})
      this.onload?.()
    }
    answer().catch(() => this.onerror?.())
  }
}
