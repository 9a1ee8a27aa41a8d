import {eq} from 'drizzle-orm'
import type {ProvidersConfig} from '../../config.ts'
import type {Ledger} from '../../ledger/ledger.ts'
import type {Log} from '../../log.ts'
import type {Provider, ProviderMessage, StoredFile} from '../../providers/provider.ts'
import {realTimers, type Timers} from '../../providers/timers.ts'
import type {EndReason} from '../../runs/failure-end.ts'
import type {RunnerParts} from '../../runs/runner.ts'
import type {Database} from '../../store/database.ts'
import {answers} from '../../store/schema/chat.ts'
import {confirmRun} from '../../runs/run-store.ts'
import {createBeat} from '../../work/beat.ts'
import {retryForAMinute} from '../../work/retry.ts'
import {whileAway} from '../../work/while-away.ts'
import {tariffOf} from '../pricing.ts'
import {interrupted, notServed} from './answer-failure.ts'
import {answerRuns, endAnswer, endOf, type AnswerRow, type Settlement} from './answer-store.ts'
import {createAnswerWriters} from './answer-writer.ts'
import {LiveAnswer, type AnswerEnd} from './live-answer.ts'
import type {Naming} from './name-conversation.ts'
import {loadPrompt} from './prompt.ts'
import {runAnswer} from './run-answer.ts'

export type PerformAnswerParts = {
  database: Database
  ledger: Ledger
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
  const {database, ledger, log, now, timers} = parts
  const liveAnswers = new Map<string, LiveAnswer>()
  const writers = createAnswerWriters({database, timers, log})
  // by the real clock: how busy a process is follows no other one
  const beat = createBeat({timers: realTimers})

  /** Asks for the answer and stores its end. */
  const answer = async (
    row: AnswerRow,
    {prompt, provider}: AnswerWorkInput,
    controller: AbortController,
    live: LiveAnswer,
  ): Promise<AnswerEnd> => {
    const asked = provider ?? (await parts.findProvider(row.model))
    // Only the provider that was promised at the submit answers, never another one.
    if (asked === undefined || asked.name !== row.provider) return refuse(row)
    const abort = (reason: EndReason) => controller.abort(reason)
    const writer = writers.open(row, {
      lost: () => abort('lost'),
      stopRequested: () => abort('stop'),
      broken: () => abort('broken'),
    })
    /** After a wait, and before the provider is asked: another process may have ended the answer, and refunded it. */
    const stillOurs = () => whileAway({timers, log}, controller.signal, () => confirmRun(database, answerRuns, row))
    const tariff = tariffOf(parts.providers, asked, row.model)
    const result = await runAnswer({
      provider: asked,
      tariff,
      promptTokens: row.promptTokens ?? 0,
      log,
      input: {
        run: row.id,
        model: row.model,
        messages: prompt,
        answerCap: tariff.answerCap,
        signal: controller.signal,
        storedFile: async (url) => {
          const file = await parts.storedFile(row.userId, url)
          if (file === undefined) return undefined
          const read = async () => {
            const bytes = await file.read()
            await stillOurs()
            return bytes
          }
          return {...file, read}
        },
      },
      stillOurs,
      now,
      deliver: (text) => {
        live.push(text)
        writer.add(text)
      },
    })
    const hasEnded = await retryForAMinute({timers, log}, 'ending an answer', async () => {
      const batch = await writer.close()
      if (result === 'lost') return false
      return database.asSystem((transaction) => endAnswer(transaction, ledger, row, {...result, batch, now: now()}))
    })
    if (!hasEnded || result === 'lost') return storedEnd(row.id)
    if (result.end.state === 'finished') parts.naming.begin({row, prompt, provider: asked, text: result.text})
    return result.end
  }

  const storedEnd = async (answerId: string): Promise<AnswerEnd> => {
    const [row] = await database.asSystem((transaction) =>
      transaction.select().from(answers).where(eq(answers.id, answerId)),
    )
    return (row && endOf(row)) ?? interrupted
  }

  const refuse = async (row: AnswerRow): Promise<AnswerEnd> => {
    const settlement: Settlement = {
      end: notServed(row.model),
      text: '',
      thoughtMs: undefined,
      batch: undefined,
      promptTokens: row.promptTokens ?? 0,
      completionTokens: 0,
      tokensEstimated: true,
      charge: undefined,
      status: undefined,
      now: now(),
    }
    await database.asSystem((transaction) => endAnswer(transaction, ledger, row, settlement))
    return storedEnd(row.id)
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
        live.finish(interrupted)
        throw error
      } finally {
        liveAnswers.delete(row.id)
      }
    },
  }
}
