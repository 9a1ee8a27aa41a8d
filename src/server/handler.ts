import {accountRoutes} from './account/account.routes.ts'
import {createEraseTask, eraseJob} from './account/delete-account.ts'
import {createGiveUpOrders} from './account/give-up-orders.ts'
import {createStopRuns} from './account/stop-runs.ts'
import {answerDetailsRoutes} from './ai/answers/answer-details.routes.ts'
import {apiRoutes} from './ai/ai.routes.ts'
import {createAiService} from './ai/ai-service.ts'
import {authRoutes} from './auth/auth.routes.ts'
import {createAuthenticate} from './auth/authenticate.ts'
import type {ServerDeps} from './deps.ts'
import {createFileService} from './files/file-service.ts'
import {sweepLimits} from './http/limits.ts'
import {createPageServer} from './http/page.ts'
import {createRouter, type Handle} from './http/router.ts'
import type {Health} from './http/health.ts'
import type {Route} from './http/route.ts'
import type {StaticFiles} from './http/static-files.ts'
import {createJobs, type JobsOptions} from './jobs/jobs.ts'
import {createMediaService} from './media/media-service.ts'
import {mediaTools} from './media/media-tools.ts'
import {mediaRoutes} from './media/media.routes.ts'
import {createOrderService} from './orders/order-service.ts'
import {orderRoutes} from './orders/orders.routes.ts'
import {paymentRoutes} from './payments/payments.routes.ts'
import {platformRoutes} from './platform/platform.routes.ts'
import {createProviders} from './providers/create-providers.ts'
import {createMediaProviders, type MediaRegistry} from './providers/media-registry.ts'
import type {ProviderRegistry} from './providers/registry.ts'
import {createSandboxMediaProvider, createSandboxProvider} from './providers/sandbox.ts'
import {realTimers} from './providers/timers.ts'
import {createPeriodicJobs} from './work/periodic-jobs.ts'
import {createLoadWatch, loadMilliseconds} from './work/watch-load.ts'

const sweepMilliseconds = 60_000

export type ApplicationOptions = {
  /** The built client; without it only the services answer. */
  client?: StaticFiles
  /** This process alone works on the database: what an earlier one left running is dead. */
  isOnlyProcess?: boolean
  /** Other providers than those of the configuration. */
  registry?: ProviderRegistry
  mediaRegistry?: MediaRegistry
  /** Whether the process can live with the present database, and what is done after the start when it cannot. */
  schema?: Pick<JobsOptions, 'confirmSchema' | 'onRefused'>
}

export type Backend = {
  handle: Handle
  /** Everything that is reachable. */
  routes: readonly Route[]
  /** Jobs, answers and media tasks begin; before this, questions are not taken. */
  start: () => Promise<void>
  health: () => Health
  /**
   * First step of a stop, while requests are still served: nothing new begins here, the clients of streams resume at
   * another node, and answers and tasks end within DRAIN_SECONDS, or `mostMilliseconds`, or are handed over.
   */
  drain: (mostMilliseconds?: number) => Promise<void>
  /** Ends what is left, then the signs of life. The database stays open. */
  stop: () => Promise<void>
}

/** The whole server without a port: all services on one database. */
export function createApplication(deps: ServerDeps, options: ApplicationOptions = {}): Backend {
  const {config, now, log} = deps
  const registry = options.registry ?? createProviders(config.providers, {sandbox: createSandboxProvider(), now, log})
  let isDraining = false
  const worker = {workerId: () => jobs.workerId(), holdsLease: () => !isDraining && jobs.holdsLease()}
  const ai = createAiService(deps, {registry, ...worker})
  const media = createMediaService(deps, {
    tools: mediaTools,
    registry:
      options.mediaRegistry ??
      createMediaProviders(config.providers, {tools: mediaTools, sandbox: createSandboxMediaProvider(), now, log}),
    ...worker,
    connections: ai.answers.connections,
  })
  const orders = createOrderService(deps, {tools: mediaTools})
  const fileService = createFileService(deps)
  const account = {
    deps,
    stopRuns: createStopRuns({ai, media}),
    giveUpOrders: createGiveUpOrders(deps, orders.payments),
  }
  const jobs = createJobs(deps, {
    tasks: {...ai.tasks, ...media.tasks, ...fileService.tasks, [eraseJob]: createEraseTask(account)},
    onWorkersDead: async (ids) => {
      await Promise.all([ai.workersDied(ids), media.workersDied(ids)])
    },
    onLeaseLost: ai.answers.connections.closeAll,
    isOnlyProcess: options.isOnlyProcess,
    ...options.schema,
  })
  const periodicJobs = createPeriodicJobs({timers: realTimers, log})
  const watchLoad = createLoadWatch({
    log,
    loadOf: () => ({
      answers: ai.runner.size(),
      tasks: media.runner.size(),
      streams: ai.answers.connections.size(),
      textMilliseconds: Math.round(ai.longestWait()),
    }),
  })
  const routes = [
    ...authRoutes(deps),
    ...platformRoutes(deps, ai.catalogue, media.catalogue, orders.packages),
    ...orderRoutes(orders),
    ...paymentRoutes(orders),
    ...accountRoutes(account),
    ...apiRoutes(ai),
    ...answerDetailsRoutes(deps),
    ...mediaRoutes(media),
  ]
  const drain = async (mostMilliseconds?: number) => {
    isDraining = true
    ai.answers.connections.endAll()
    // jobs first: what is let go after them is for the queue of another node
    const draining = jobs.drain()
    await Promise.all([draining, ai.drain(mostMilliseconds), media.drain(mostMilliseconds)])
  }
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
      await media.start()
      periodicJobs.every(sweepMilliseconds, 'sweeping the limits', () => sweepLimits(deps))
      periodicJobs.every(loadMilliseconds, 'looking at the load', async () => watchLoad())
      if (config.role === 'api') return
      orders.start()
      fileService.start()
    },
    health: () => (isDraining ? 'draining' : jobs.holdsLease() ? 'ready' : 'no_database'),
    drain,
    stop: async () => {
      await drain()
      await Promise.all([periodicJobs.stop(), ai.stop(), media.stop(), orders.stop(), fileService.stop()])
      await jobs.stop()
    },
  }
}
