import type pg from 'pg'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {apiRoutes} from '#server/ai/ai.routes.ts'
import {createAiService} from '#server/ai/ai-service.ts'
import {createAuthenticate} from '#server/auth/authenticate.ts'
import type {Config} from '#server/config.ts'
import type {ServerDeps} from '#server/deps.ts'
import {localFileStores} from '#server/files/file-stores.ts'
import {createRouter} from '#server/http/router.ts'
import {createJobs} from '#server/jobs/jobs.ts'
import {silentLog} from '#server/log.ts'
import {createMediaService} from '#server/media/media-service.ts'
import {mediaRoutes} from '#server/media/media.routes.ts'
import type {MediaProvider} from '#server/providers/media-provider.ts'
import {createMediaRegistry} from '#server/providers/media-registry.ts'
import type {Provider} from '#server/providers/provider.ts'
import {createProviderRegistry} from '#server/providers/registry.ts'
import {createSecrets} from '#server/secrets.ts'
import {openDatabase} from '#server/store/database.ts'
import {prepareRequestLogin} from '#server/store/request-login.ts'

/*
 * A server process of its own, to be killed at work that never ends. It asks itself one question and prints each delta
 * that its listener hears as a line of JSON; or it takes two generations through its own job queue and prints the
 * medium of each once it is as far as it gets: images have a job at the provider, videos have none.
 */

type Order = {connection: pg.PoolConfig; config: Config; token: string; work: 'answer' | 'task'}
const {connection, config, token, work} = JSON.parse(process.env['ORDER'] ?? '') as Order // written by runs-kill.test.ts

const provider: Provider = {
  name: 'foo',
  kind: 'openai',
  local: false,
  models: () => Promise.resolve([{name: 'foo-model', group: 'chatgpt', provider: 'foo', enabled: true}]),
  chat: async (_, take) => {
    for (let word = 1; take({type: 'delta', text: `word ${word} `}); word += 1) {
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
  },
}
const mediaProvider: MediaProvider = {
  name: 'foo',
  kind: 'openai',
  local: false,
  isRepeatable: false,
  sources: 'read',
  check: () => undefined,
  make: async ({plan, storeJob}) => {
    if (plan.medium === 'image') await storeJob('job-of-a-killed-process')
    process.stdout.write(`${plan.medium}\n`)
    return new Promise(() => undefined)
  },
}

const secrets = createSecrets(Buffer.from('test'))
const requests = await prepareRequestLogin(connection, secrets)
const deps: ServerDeps = {
  config,
  database: openDatabase({...connection, max: 10}, {...requests, max: 10}, silentLog),
  fileStores: localFileStores(config),
  now: () => new Date(),
  log: silentLog,
  secrets,
}
const ai = createAiService(deps, {
  registry: createProviderRegistry({
    configured: [{provider, groups: ['chatgpt']}],
    detect: () => Promise.resolve([]),
    sandbox: undefined,
    now: deps.now,
    log: deps.log,
  }),
  workerId: () => jobs.workerId(),
})
const media = createMediaService(deps, {
  tools: [flux, kling],
  registry: createMediaRegistry([{provider: mediaProvider, tools: ['flux', 'kling']}]),
  workerId: () => jobs.workerId(),
  connections: ai.answers.connections,
})
const jobs = createJobs(deps, {tasks: {...ai.tasks, ...media.tasks}})
const routes = [...apiRoutes(ai), ...mediaRoutes(media)]
const handle = createRouter(deps, {routes, authenticate: createAuthenticate(deps)})
await jobs.start()
await ai.start()
await media.start()

const post = (path: string, accept: string, body: object) =>
  handle(
    new Request(`http://127.0.0.1:${config.port}/services/api${path}`, {
      method: 'POST',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json', accept},
      body: JSON.stringify(body),
    }),
  )

if (work === 'answer') {
  const response = await post('/aichat/conversations', 'text/event-stream', {question: 'foo', model: 'foo-model'})
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) process.stdout.write(decoder.decode(bytes, {stream: true}))
} else
  for (const path of ['/flux/images', '/kling/videos'])
    await post(path, 'application/json', {prompt: 'owl', async: true})
