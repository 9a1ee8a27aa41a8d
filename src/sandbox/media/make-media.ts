import {randomInt} from 'node:crypto'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import {realSleep, type Sleep} from '../sleep.ts'
import {promptWithoutCommand, sandboxFault, sandboxPace} from './faults.ts'
import type {MadeFile} from './media-job.ts'
import {createMediaPool, type MediaPool} from './media-pool.ts'
import {workerAddress} from './worker-address.ts'

export {sandboxFault} from './faults.ts'

type MakeOptions = {
  /** Aborting ends the work; the promise rejects with the signal's reason. */
  signal: AbortSignal
  /** Whole percent, rising, at most 100. */
  onProgress: (percent: number) => void
  /** Bytes of `plan.sources` as far as they are ours, in their order. */
  sourceFiles?: readonly Uint8Array[]
  /** Tests take one that does not wait. */
  sleep?: Sleep
}

/** Seeds that the sandbox draws; a user may give larger ones. */
const largestDrawnSeed = 2 ** 31 - 1
const slowSteps = 20
const stepMilliseconds = 1000

/** One pool for the process, started with the first job. */
let pool: MediaPool | undefined
const thePool = () => (pool ??= createMediaPool({worker: new URL(workerAddress)}))

/** Ends the threads, for tests: with the process they end by themselves. */
export async function closeMediaPool(): Promise<void> {
  const closing = pool
  pool = undefined
  await closing?.close()
}

/**
 * Makes the files of a plan, really and without any model: images, videos, songs and texts that follow the prompt's
 * words and the seed and are labelled as the sandbox's. The same plan with the same seed makes the same again; a plan
 * without a seed gets one, which the files name. Songs last 20 to 40 s and videos at most 10 s: what they really last is
 * in the files. Throws `ProviderFailure` for what cannot be made and for what the prompt asks to fail (`/error busy`).
 */
export async function makeMedia(plan: MediaPlan, options: MakeOptions): Promise<MadeFile[]> {
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

/** Progress that nears the end and never reaches it. Only the signal ends it. */
async function waitForever({signal, onProgress, sleep = realSleep}: MakeOptions): Promise<never> {
  for (let step = 1; ; step += 1) {
    await sleep(stepMilliseconds, signal)
    signal.throwIfAborted()
    onProgress(Math.min(99, Math.floor(100 * (1 - 1 / (1 + step / 20)))))
  }
}
