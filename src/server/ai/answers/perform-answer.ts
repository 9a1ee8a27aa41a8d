import {eq} from 'drizzle-orm'
import type {ProvidersConfig} from '../../config.ts'
import type {Log} from '../../log.ts'
import type {Provider, ProviderMessage, StoredFile} from '../../providers/provider.ts'
import {realTimers, type Timers} from '../../providers/timers.ts'
import type {EndReason} from '../../runs/failed-end.ts'
import type {RunnerParts} from '../../runs/runner.ts'
import type {Database} from '../../store/database.ts'
import {answers} from '../../store/schema/chat.ts'
import {confirmRun} from '../../runs/run-store.ts'
import {createBeat} from '../../work/beat.ts'
import {retryForAMinute} from '../../work/retry.ts'
import {whileAway} from '../../work/retry-while-away.ts'
import {tariffOf} from '../pricing.ts'
import {interruptedEnd, notServed} from './answer-failure.ts'
import {answerRuns, endAnswer, endOf, type AnswerRow, type Settlement} from './answer-store.ts'
import {createAnswerWriters} from './answer-writer.ts'
import {countFiles} from './file-tokens.ts'
import {LiveAnswer, type AnswerEnd} from './live-answer.ts'
import type {Naming} from './name-conversation.ts'
import {loadPrompt} from './prompt.ts'
import {runAnswer} from './run-answer.ts'

export type PerformAnswerParts = {
  database: Database
  log: Log
  now: () => Date
  timers: Timers
  providers: ProvidersConfig
  findProvider: (model: string) => Promise<Provider | undefined>
  storedFile: (userId: string, url: string) => Promise<StoredFile | undefined>
  naming: Naming
}

/** Input of an answer. `provider` is set if this process has just accepted the question. */
export type AnswerWorkInput = {prompt: readonly ProviderMessage[]; provider?: Provider}

export type AnswerWork = Pick<RunnerParts<AnswerRow, AnswerWorkInput>, 'prepare' | 'perform'> & {
  /** The answer in memory, when it runs in this process. */
  live: (answerId: string) => LiveAnswer | undefined
  /** The longest that text waited to be stored since the last call, in milliseconds. */
  longestWait: () => number
}

/** The work of answers: asks the provider, hands each delta to listeners and to the store, stores the end. */
export function createAnswerWork(parts: PerformAnswerParts): AnswerWork {
  const {database, log, now, timers} = parts
  const liveAnswers = new Map<string, LiveAnswer>()
  const writers = createAnswerWriters({database, timers, log})
  // by the real clock: how busy a process is follows no other one
  const beat = createBeat({timers: realTimers})

  const storeEnd = (row: AnswerRow, settlement: Settlement) =>
    database.asSystem((transaction) => endAnswer(transaction, row, settlement))

  /** Asks for the answer and stores its end. */
  const answer = async (
    row: AnswerRow,
    {prompt, provider}: AnswerWorkInput,
    controller: AbortController,
    live: LiveAnswer,
  ): Promise<AnswerEnd> => {
    const chosenProvider = provider ?? (await parts.findProvider(row.model))
    // Only the provider that was promised at the submit answers, never another one.
    if (chosenProvider === undefined || chosenProvider.name !== row.provider) {
      await storeEnd(row, refusalOf(row, now()))
      return storedEnd(database, row.id)
    }
    const {signal} = controller
    const abort = (reason: EndReason) => controller.abort(reason)
    const writer = writers.open(row, {
      lost: () => abort('lost'),
      stopRequested: () => abort('stop'),
      broken: () => abort('broken'),
    })
    /** After a wait, and before the provider is asked: another process may have ended the answer, and refunded it. */
    const stillOurs = () => whileAway({timers, log}, signal, () => confirmRun(database, answerRuns, row))
    const tariff = tariffOf(parts.providers, chosenProvider, row.model)
    const files = countFiles(fileReader(row.userId, parts.storedFile, stillOurs))
    const {storedFile} = files
    const result = await runAnswer({
      provider: chosenProvider,
      tariff,
      promptTokens: () => (row.promptTokens ?? 0) + files.more(),
      log,
      input: {run: row.id, model: row.model, messages: prompt, answerCap: tariff.answerCap, signal, storedFile},
      stillOurs,
      now,
      deliver: (text) => {
        live.push(text)
        writer.add(text)
      },
    })
    const hasEnded = await retryForAMinute({timers, log}, 'ending an answer', async () => {
      const batch = await writer.close()
      return result !== 'lost' && storeEnd(row, {...result, batch, now: now()})
    })
    if (!hasEnded || result === 'lost') return storedEnd(database, row.id)
    if (result.end.state === 'finished') parts.naming.begin({row, prompt, provider: chosenProvider, text: result.text})
    return result.end
  }

  return {
    live: (answerId) => liveAnswers.get(answerId),
    longestWait: writers.longestWait,
    prepare: async (transaction, row) => ({prompt: await loadPrompt(transaction, row)}),
    perform: async (row, input, controller) => {
      const live = new LiveAnswer(beat)
      liveAnswers.set(row.id, live)
      try {
        live.finish(await answer(row, input, controller, live))
      } catch (error) {
        live.finish(interruptedEnd)
        throw error
      } finally {
        liveAnswers.delete(row.id)
      }
    },
  }
}

/** Finds files of a user, whose bytes take a moment to read: the run may be another worker's then. */
const fileReader =
  (userId: string, storedFile: PerformAnswerParts['storedFile'], stillOurs: () => Promise<void>) =>
  async (url: string): Promise<StoredFile | undefined> => {
    const file = await storedFile(userId, url)
    if (file === undefined) return undefined
    const read = async () => {
      const bytes = await file.read()
      await stillOurs()
      return bytes
    }
    return {...file, read}
  }

async function storedEnd(database: Database, answerId: string): Promise<AnswerEnd> {
  const [row] = await database.asSystem((transaction) =>
    transaction.select().from(answers).where(eq(answers.id, answerId)),
  )
  return (row && endOf(row)) ?? interruptedEnd
}

/** The end of an answer that no provider gives: nothing was used, nothing is charged. */
const refusalOf = (row: AnswerRow, now: Date): Settlement => ({
  end: notServed(row.model),
  text: '',
  thoughtMs: undefined,
  batch: undefined,
  promptTokens: row.promptTokens ?? 0,
  completionTokens: 0,
  tokensEstimated: true,
  charge: undefined,
  status: undefined,
  now,
})
