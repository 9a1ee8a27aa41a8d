import {apiRoutes} from './ai/ai.routes.ts'
import {createAiService} from './ai/ai-service.ts'
import {authRoutes} from './auth/auth.routes.ts'
import {createAuthenticate} from './auth/authenticate.ts'
import type {ServerDeps} from './deps.ts'
import {createPageServer} from './http/page.ts'
import {createRouter, type Handle} from './http/router.ts'
import type {Route} from './http/route.ts'
import type {StaticFiles} from './http/static-files.ts'
import {createJobs} from './jobs/jobs.ts'
import {platformRoutes} from './platform/platform.routes.ts'
import {createProviders} from './providers/create-providers.ts'
import {createSandboxProvider} from './providers/sandbox/sandbox-provider.ts'
import type {ProviderRegistry} from './providers/registry.ts'

export type ApplicationOptions = {
  /** The built client; without it only the services answer. */
  client?: StaticFiles
  /** This process alone works on the database: what an earlier one left running is dead. */
  isOnlyProcess?: boolean
  /** Other providers than those of the configuration. */
  registry?: ProviderRegistry
}

export type Application = {
  handle: Handle
  /** Everything that is reachable. */
  routes: readonly Route[]
  /** Jobs and answers begin; before this, questions are not taken. */
  start: () => Promise<void>
  /** Ends streams, answers and jobs, in this order. The database stays open. */
  stop: () => Promise<void>
}

/** The whole server without a port: all services on one database. */
export function createApplication(deps: ServerDeps, options: ApplicationOptions = {}): Application {
  const {config, now, log} = deps
  const registry =
    options.registry ?? createProviders(config.providers, {sandbox: createSandboxProvider({now}), now, log})
  const ai = createAiService(deps, {registry, workerId: () => jobs.workerId()})
  const jobs = createJobs(deps, {
    tasks: ai.tasks,
    onWorkersDead: ai.workersDied,
    isOnlyProcess: options.isOnlyProcess,
  })
  const routes = [...authRoutes(deps), ...platformRoutes(deps, ai.catalogue), ...apiRoutes(ai)]
  return {
    routes,
    handle: createRouter(deps, {
      routes,
      authenticate: createAuthenticate(deps),
      servePage: options.client && createPageServer(deps, options.client),
    }),
    start: async () => {
      await jobs.start()
      await ai.start()
    },
    stop: async () => {
      await ai.stop()
      await jobs.stop()
    },
  }
}

/** The services' handler alone, for tests that ask no model. */
export const createHandler = (deps: ServerDeps): Handle => createApplication(deps).handle
