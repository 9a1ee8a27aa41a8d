import type pg from 'pg'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {createAuthenticate} from '#server/auth/authenticate.ts'
import type {Config} from '#server/config.ts'
import type {ServerDeps} from '#server/deps.ts'
import {createRouter} from '#server/http/router.ts'
import {createJobs} from '#server/jobs/jobs.ts'
import {silentLog} from '#server/log.ts'
import {createMediaService} from '#server/media/media-service.ts'
import {mediaRoutes} from '#server/media/media.routes.ts'
import type {MediaProvider} from '#server/providers/media-provider.ts'
import {createMediaRegistry} from '#server/providers/media-registry.ts'
import {realTimers} from '#server/providers/timers.ts'
import {createSecrets} from '#server/secrets.ts'
import {openDatabase} from '#server/store/database.ts'
import {prepareRequestLogin} from '#server/store/request-login.ts'
import {createConnections} from '#server/runs/connections.ts'

/*
 * A server process of its own, to be killed: it takes two generations through its own job queue, neither of which ends.
 * Images have a job at the provider, videos have none. Each is printed once it is as far as it gets.
 */

type Order = {connection: pg.PoolConfig; config: Config; token: string}
const {connection, config, token} = JSON.parse(process.env['ORDER'] ?? '') as Order // written by media-kill.test.ts

const provider: MediaProvider = {
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

const tools = [flux, kling]
const secrets = createSecrets(Buffer.from('test'))
const requests = await prepareRequestLogin(connection, secrets, undefined)
const deps: ServerDeps = {
  config,
  database: openDatabase({...connection, max: 10}, {...requests, max: 10}, silentLog),
  now: () => new Date(),
  log: silentLog,
  secrets,
}
const service = createMediaService(deps, {
  tools,
  registry: createMediaRegistry([{provider, tools: ['flux', 'kling']}]),
  workerId: () => jobs.workerId(),
  connections: createConnections({...deps, timers: realTimers, limitFactor: 1}),
})
const jobs = createJobs(deps, {tasks: service.tasks, onWorkersDead: service.workersDied})
const handle = createRouter(deps, {routes: mediaRoutes(service), authenticate: createAuthenticate(deps)})
await jobs.start()
await service.start()

for (const path of ['/flux/images', '/kling/videos'])
  await handle(
    new Request(`http://127.0.0.1:${config.port}/services/api${path}`, {
      method: 'POST',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: JSON.stringify({prompt: 'owl', async: true}),
    }),
  )
