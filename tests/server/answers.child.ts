import type pg from 'pg'
import {apiRoutes} from '#server/ai/ai.routes.ts'
import {createAiService} from '#server/ai/ai-service.ts'
import {createAuthenticate} from '#server/auth/authenticate.ts'
import type {Config} from '#server/config.ts'
import type {ServerDeps} from '#server/deps.ts'
import {createRouter} from '#server/http/router.ts'
import {createJobs} from '#server/jobs/jobs.ts'
import {silentLog} from '#server/log.ts'
import type {Provider} from '#server/providers/provider.ts'
import {createProviderRegistry} from '#server/providers/registry.ts'
import {createSecrets} from '#server/secrets.ts'
import {openDatabase} from '#server/store/database.ts'
import {prepareRequestLogin} from '#server/store/request-login.ts'

/*
 * A server process of its own, to be killed: it asks itself one question, whose answer never ends, and prints each delta
 * its listener hears as a line of JSON.
 */

type Order = {connection: pg.PoolConfig; config: Config; token: string}
const {connection, config, token} = JSON.parse(process.env['ORDER'] ?? '') as Order // written by answers-kill.test.ts

const provider: Provider = {
  name: 'foo',
  kind: 'openai',
  local: false,
  models: () => Promise.resolve([{name: 'foo-model', group: 'chatgpt', provider: 'foo', enabled: true}]),
  chat: async function* () {
    for (let word = 1; ; word += 1) {
      yield {type: 'delta', text: `word ${word} `}
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
  },
}

const secrets = createSecrets(Buffer.from('test'))
const requests = await prepareRequestLogin(connection, secrets, undefined)
const deps: ServerDeps = {
  config,
  database: openDatabase({...connection, max: 10}, {...requests, max: 10}, silentLog),
  now: () => new Date(),
  log: silentLog,
  secrets,
}
const registry = createProviderRegistry({
  configured: [{provider, groups: ['chatgpt']}],
  detect: () => Promise.resolve([]),
  sandbox: undefined,
  now: deps.now,
  log: deps.log,
})
const service = createAiService(deps, {registry, workerId: () => jobs.workerId()})
const jobs = createJobs(deps, {tasks: service.tasks, onWorkersDead: service.workersDied})
const handle = createRouter(deps, {routes: apiRoutes(service), authenticate: createAuthenticate(deps)})
await jobs.start()
await service.start()

const response = await handle(
  new Request(`http://127.0.0.1:${config.port}/services/api/aichat/conversations`, {
    method: 'POST',
    headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream'},
    body: JSON.stringify({question: 'foo', model: 'foo-model'}),
  }),
)
const decoder = new TextDecoder()
for await (const bytes of response.body ?? []) process.stdout.write(decoder.decode(bytes, {stream: true}))
