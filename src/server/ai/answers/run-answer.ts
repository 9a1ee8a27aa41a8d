import {statusOfCode} from '#domain/error-kinds.ts'
import type {Log} from '../../log.ts'
import {ProviderFailure, type ChatEvent, type ChatInput, type Provider} from '../../providers/provider.ts'
import type {Tariff} from '../pricing.ts'
import {estimateTokens} from '#domain/token-estimate.ts'
import {endOfError, type EndReason} from '../../runs/failed-end.ts'
import {RunLost} from '../../runs/run-store.ts'
import {endless, interruptedEnd, stoppedEnd, tooLong, unstorable} from './answer-failure.ts'
import type {Settlement} from './answer-store.ts'
import {createDeltaCleaner, toDeltas} from './answer-text.ts'
import type {AnswerEnd} from './live-answer.ts'
import {createThoughtClock} from './thought-clock.ts'
import {unlessAborted} from '../../work/races.ts'

/** In bytes (security R38). */
const longestAnswer = 8 * 1024 * 1024

export type RunAsk = {
  provider: Provider
  input: ChatInput
  tariff: Tariff
  /** Estimate made when the answer was accepted, with what is known of the files since they were read. */
  promptTokens: () => number
  /** Resolves while the run is this worker's. */
  stillOurs: () => Promise<void>
  /** Each delta, cleaned, in order. */
  deliver: (text: string) => void
  now: () => Date
  log: Log
}

/** Asks the provider once. Returns the end and the costs. Never throws; `lost` ends without a settlement. */
export async function runAnswer(ask: RunAsk): Promise<Omit<Settlement, 'batch' | 'now'> | 'lost'> {
  const {provider, input, stillOurs, deliver} = ask
  const cleaner = createDeltaCleaner()
  const thoughtClock = createThoughtClock(ask.now)
  let text = ''
  let bytes = 0
  let usage: {promptTokens: number; completionTokens: number} | undefined
  let end: AnswerEnd = endless
  /** The error that stopped the handing on of text. It is ours: a provider only hears that it may leave. */
  let fault: {error: unknown} | undefined
  // asked for each word: `signal.aborted` takes longer
  let isAborted = input.signal.aborted
  input.signal.addEventListener('abort', () => (isAborted = true), {once: true})
  const takeText = (piece: string) => {
    text += piece
    thoughtClock.push(piece)
    bytes += Buffer.byteLength(piece)
    try {
      for (const delta of toDeltas(piece)) deliver(delta)
    } catch (error) {
      fault ??= {error}
    }
  }
  /** Nothing counts after a stop or the end. */
  const take = (event: ChatEvent): boolean => {
    if (isAborted || end !== endless || fault !== undefined) return false
    if (event.type === 'delta') takeText(cleaner.push(event.text))
    else if (event.type === 'usage') usage = event
    else {
      end = event.isTruncated ? {state: 'finished', outcome: 'truncated'} : {state: 'finished'}
      if (event.warning !== undefined)
        ask.log.info('an answer ended oddly', {provider: provider.name, warning: event.warning})
      return false
    }
    if (bytes > longestAnswer) end = tooLong
    return end === endless && fault === undefined
  }
  try {
    await stillOurs()
    await unlessAborted(input.signal, () => provider.chat(input, take))
    // it may have left in the very moment of a stop
    if (end === endless && fault === undefined) input.signal.throwIfAborted()
  } catch (error) {
    const reason = input.signal.aborted ? (input.signal.reason as EndReason) : undefined // only the runner aborts it
    if (reason === 'lost' || error instanceof RunLost) return 'lost'
    end = reason === undefined ? endOfError(error) : abortedEnd(reason)
    if (reason === undefined) logFailure(ask, error)
  }
  if (fault === undefined) takeText(cleaner.end())
  if (fault !== undefined) {
    end = unstorable
    ask.log.error('an answer could not be handed on', {error: describe(fault.error)})
  }
  return {end, text, thoughtMs: thoughtClock.took(), ...charge(ask, end, text, usage)}
}

const abortedEnd = (reason: Exclude<EndReason, 'lost'>): AnswerEnd =>
  ({stop: stoppedEnd, drain: interruptedEnd, broken: unstorable})[reason]

/** Usage as the provider counted it, else estimated. A failed answer without a word costs nothing. */
function charge(
  {tariff, promptTokens}: RunAsk,
  end: AnswerEnd,
  text: string,
  usage: {promptTokens: number; completionTokens: number} | undefined,
): Omit<Settlement, 'batch' | 'now' | 'end' | 'text' | 'thoughtMs'> {
  const tokenCounts = usage ?? {promptTokens: promptTokens(), completionTokens: estimateTokens(text)}
  const isFree = end.state === 'failed' && text === ''
  return {
    promptTokens: tokenCounts.promptTokens,
    completionTokens: tokenCounts.completionTokens,
    tokensEstimated: usage === undefined,
    charge: isFree ? undefined : tariff.cost(tokenCounts.promptTokens, tokenCounts.completionTokens),
    status: end.state === 'finished' || end.outcome === 'stopped' ? 200 : statusOfCode(end.error.code),
  }
}

/** Prompts and answers never reach the log: a known failure by its code and detail, an unknown one by its stack. */
function logFailure({log, provider, input}: RunAsk, error: unknown): void {
  const fields = {provider: provider.name, model: input.model}
  if (error instanceof ProviderFailure) {
    const {status} = error.options
    log.warn('a provider failed', {...fields, code: error.code, status, cause: describe(error.options.cause)})
  } else log.error('a provider failed unexpectedly', {...fields, error: describe(error)})
}

const describe = (error: unknown): string | undefined => {
  if (error === undefined) return undefined
  return error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)
}
