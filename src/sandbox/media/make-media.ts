import {randomInt} from 'node:crypto'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import {realSleep, type Sleep} from '../sleep.ts'
import {promptWithoutCommand, sandboxFault, sandboxPace} from './faults.ts'
import type {SandboxFile} from './media-job.ts'
import {createMediaPool, type MediaPool} from './media-pool.ts'
import {workerAddress} from './worker-address.ts'

export {sandboxFault} from './faults.ts'

type MakeOptions = {
  /** Aborting stops the work; the promise rejects with the signal's reason. */
  signal: AbortSignal
  /** Whole percent, rising, at most 100. */
  onProgress: (percent: number) => void
  /** Bytes of those `plan.sources` that are our files, in their order. */
  sourceFiles?: readonly Uint8Array[]
  /** Tests pass one that does not wait. */
  sleep?: Sleep
}

/** Greatest seed the sandbox draws; a user may give larger ones. */
const largestDrawnSeed = 2 ** 31 - 1
const slowSteps = 20
const stepMilliseconds = 1000

/** One pool for the process, started with the first job. */
let pool: MediaPool | undefined
const thePool = () => (pool ??= createMediaPool({worker: new URL(workerAddress)}))

/** Ends the threads in tests; otherwise they end with the process. */
export async function closeMediaPool(): Promise<void> {
  const closing = pool
  pool = undefined
  await closing?.close()
}

/**
 * Makes the files of a plan without a model: images, videos, songs and texts that follow the prompt and the seed and
 * carry the sandbox's label. The same plan with the same seed gives the same files; a plan without a seed gets one,
 * which the files name. Songs last 20 to 40 s and videos at most 10 s; the files contain their actual length. Throws
 * `ProviderFailure` for unsupported plans and for failures that the prompt requests (`/error busy`).
 */
export async function makeMedia(plan: MediaPlan, options: MakeOptions): Promise<SandboxFile[]> {
  const {signal, onProgress, sourceFiles = []} = options
  signal.throwIfAborted()
  const fault = sandboxFault(plan.prompt)
  if (fault) throw new ProviderFailure(fault.code, fault.detail)
  const pace = sandboxPace(plan.prompt)
  if (pace === 'never') return waitForever(options)

  const job = {
    plan: {...plan, prompt: promptWithoutCommand(plan.prompt)},
    seed: plan.seed ?? randomInt(1, largestDrawnSeed),
    sourceFiles,
  }
  const isShort = plan.medium === 'image' || plan.medium === 'text'
  if (pace === 'slow') await walkSlowly(options)
  return thePool().run(job, {signal, onProgress: pace === 'slow' ? undefined : onProgress, isShort})
}

async function walkSlowly({signal, onProgress, sleep = realSleep}: MakeOptions): Promise<void> {
  for (let step = 1; step <= slowSteps; step += 1) {
    await sleep(stepMilliseconds, signal)
    signal.throwIfAborted()
    onProgress(Math.round((step / slowSteps) * 99))
  }
}

/** Progress that approaches the end without reaching it. Only the signal ends it. */
async function waitForever({signal, onProgress, sleep = realSleep}: MakeOptions): Promise<never> {
  for (let step = 1; ; step += 1) {
    await sleep(stepMilliseconds, signal)
    signal.throwIfAborted()
    onProgress(Math.min(99, Math.floor(100 * (1 - 1 / (1 + step / 20)))))
  }
}
