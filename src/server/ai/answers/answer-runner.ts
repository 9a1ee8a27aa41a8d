import {and, asc, count, eq, inArray, isNotNull, isNull, sql} from 'drizzle-orm'
import type {ProvidersConfig} from '../../config.ts'
import {describeError} from '../../http/boundary.ts'
import type {Ledger} from '../../ledger/ledger.ts'
import type {Log} from '../../log.ts'
import type {Provider, ProviderMessage, StoredFile} from '../../providers/provider.ts'
import type {Timers} from '../../providers/timers.ts'
import type {Database, Transaction} from '../../store/database.ts'
import {answers, messages} from '../../store/schema/chat.ts'
import {tariffOf} from '../pricing.ts'
import type {EndReason} from '../../runs/failure-end.ts'
import {waitAtMost} from '../../work/races.ts'
import {retryForAMinute} from '../../work/retry.ts'
import {interrupted, notServed} from './answer-failure.ts'
import {endAnswer, endOf, type AnswerRow, type Run, type Settlement} from './answer-store.ts'
import {createAnswerWriter} from './answer-writer.ts'
import {LiveAnswer} from './live-answer.ts'
import type {Naming} from './name-conversation.ts'
import {loadPrompt} from './prompt.ts'
import {runAnswer} from './run-answer.ts'

export type RunnerParts = {
  database: Database
  ledger: Ledger
  log: Log
  now: () => Date
  timers: Timers
  /** Names this process among the workers; its heartbeat says that its answers are alive. */
  workerId: () => string
  providers: ProvidersConfig
  findProvider: (model: string) => Promise<Provider | undefined>
  storedFile: (userId: string, url: string) => Promise<StoredFile | undefined>
  naming: Naming
  /** How many answers of one person run at once; more wait in line (security R33). */
  perUser: number
}

export type AnswerRunner = {
  /** The live answer when it runs here. */
  live: (answerId: string) => LiveAnswer | undefined
  /** Says that `answerId` is being accepted by this process, so that nobody takes it for an orphan. Undo with the result. */
  reserve: (answerId: string) => () => void
  isHere: (answerId: string) => boolean
  /** Asks the provider for an answer that this worker holds. Returns at once. */
  start: (row: AnswerRow, prompt: readonly ProviderMessage[], provider: Provider) => void
  /** Takes a waiting answer, unless its person already has enough running ones, and starts it. */
  claim: (answerId: string) => Promise<void>
  /** Ends a running answer as stopped; resolves when that is stored. `false`: it does not run here. */
  stop: (answerId: string) => Promise<boolean>
  /** Takes no more answers, lets the running ones end for this long, then interrupts them with their text. */
  drain: (milliseconds: number) => Promise<void>
}

type Running = {controller: AbortController; live: LiveAnswer; done: Promise<void>}

/** One person's answers are counted and claimed one after the other. Ends with the transaction. */
export const lockAnswersOf = (transaction: Transaction, userId: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`answers:${userId}`}, 0))`)

export async function countRunning(transaction: Transaction, userId: string): Promise<number> {
  const [row] = await transaction
    .select({running: count()})
    .from(answers)
    .where(
      and(eq(answers.userId, userId), inArray(answers.state, ['pending', 'answering']), isNotNull(answers.workerId)),
    )
  return row?.running ?? 0
}

/** Produces answers in this process, whether or not somebody listens (security R40, R41). */
export function createAnswerRunner(parts: RunnerParts): AnswerRunner {
  const {database, ledger, log, now, timers, workerId} = parts
  const running = new Map<string, Running>()
  const reserved = new Set<string>()
  const claiming = new Set<Promise<void>>()
  let draining = false

  const reserve = (answerId: string) => {
    reserved.add(answerId)
    return () => void reserved.delete(answerId)
  }

  const start: AnswerRunner['start'] = (row, prompt, provider) => {
    const controller = new AbortController()
    const live = new LiveAnswer()
    const done = produce(row, prompt, provider, controller, live)
      .catch((error: unknown) => {
        log.error('an answer could not be ended', {answer: row.id, ...describeError(error)})
        live.finish(interrupted)
      })
      .finally(() => running.delete(row.id))
      .then(() => claimNext(row.userId))
      .catch((error: unknown) => log.error('the next answer in line could not be started', describeError(error)))
    running.set(row.id, {controller, live, done})
  }

  const produce = async (
    row: AnswerRow,
    prompt: readonly ProviderMessage[],
    provider: Provider,
    controller: AbortController,
    live: LiveAnswer,
  ): Promise<void> => {
    const run: Run = {answerId: row.id, userId: row.userId, fence: row.fence}
    const abort = (reason: EndReason) => controller.abort(reason)
    const writer = createAnswerWriter({database, timers, log}, run, {
      lost: () => abort('lost'),
      stopRequested: () => abort('stop'),
      broken: () => abort('broken'),
    })
    const tariff = tariffOf(parts.providers, provider, row.model)
    const result = await runAnswer({
      provider,
      tariff,
      promptTokens: row.promptTokens ?? 0,
      log,
      input: {
        model: row.model,
        messages: prompt,
        answerCap: tariff.answerCap,
        signal: controller.signal,
        storedFile: (url) => parts.storedFile(row.userId, url),
      },
      deliver: (text) => {
        live.push(text)
        writer.add(text)
      },
    })
    const ended = await retryForAMinute({timers, log}, 'ending an answer', async () => {
      const batch = await writer.close()
      if (result === 'lost') return false
      return database.asSystem((transaction) => endAnswer(transaction, ledger, run, {...result, batch, now: now()}))
    })
    live.finish(ended && result !== 'lost' ? result.end : await storedEnd(run.answerId))
    if (ended && result !== 'lost' && result.end.state === 'finished')
      parts.naming.begin({row, prompt, provider, text: result.text})
  }

  const storedEnd = async (answerId: string) => {
    const [row] = await database.asSystem((transaction) =>
      transaction.select().from(answers).where(eq(answers.id, answerId)),
    )
    return (row && endOf(row)) ?? interrupted
  }

  const claim: AnswerRunner['claim'] = async (answerId) => {
    if (draining || running.has(answerId)) return
    const claimed = takeAndStart(answerId).finally(() => claiming.delete(claimed))
    claiming.add(claimed)
    await claimed
  }

  const takeAndStart = async (answerId: string): Promise<void> => {
    const release = reserve(answerId)
    try {
      const taken = await database.asSystem((transaction) => take(transaction, answerId))
      if (taken === undefined) return
      const provider = await parts.findProvider(taken.row.model)
      // Whoever was promised at the submit answers, or nobody: never a silent replacement.
      if (provider === undefined || provider.name !== taken.row.provider) await refuse(taken.row)
      else start(taken.row, taken.prompt, provider)
    } finally {
      release()
    }
  }

  const take = async (transaction: Transaction, answerId: string) => {
    const isWaiting = and(eq(answers.id, answerId), eq(answers.state, 'pending'), isNull(answers.workerId))
    const [waiting] = await transaction.select({userId: answers.userId}).from(answers).where(isWaiting)
    if (waiting === undefined) return undefined
    await lockAnswersOf(transaction, waiting.userId)
    if ((await countRunning(transaction, waiting.userId)) >= parts.perUser) return undefined
    const [row] = await transaction
      .update(answers)
      .set({workerId: workerId(), fence: sql`${answers.fence} + 1`, state: 'answering', startedAt: now()})
      .where(isWaiting)
      .returning()
    if (row === undefined) return undefined
    await transaction.update(messages).set({state: 'answering'}).where(eq(messages.id, row.messageId))
    return {row, prompt: await loadPrompt(transaction, row)}
  }

  const refuse = async (row: AnswerRow): Promise<void> => {
    const settlement: Settlement = {
      end: notServed(row.model),
      text: '',
      batch: undefined,
      promptTokens: row.promptTokens ?? 0,
      completionTokens: 0,
      tokensEstimated: true,
      charge: undefined,
      status: undefined,
      now: now(),
    }
    const run = {answerId: row.id, userId: row.userId, fence: row.fence}
    await database.asSystem((transaction) => endAnswer(transaction, ledger, run, settlement))
  }

  const claimNext = async (userId: string): Promise<void> => {
    if (draining) return
    const [next] = await database.asSystem((transaction) =>
      transaction
        .select({id: answers.id})
        .from(answers)
        .where(and(eq(answers.userId, userId), eq(answers.state, 'pending'), isNull(answers.workerId)))
        .orderBy(asc(answers.createdAt))
        .limit(1),
    )
    if (next !== undefined) await claim(next.id)
  }

  return {
    live: (answerId) => running.get(answerId)?.live,
    reserve,
    isHere: (answerId) => running.has(answerId) || reserved.has(answerId),
    start,
    claim,
    stop: async (answerId) => {
      const entry = running.get(answerId)
      if (entry === undefined) return false
      entry.controller.abort('stop' satisfies EndReason)
      await ended(entry.live)
      return true
    },
    drain: async (milliseconds) => {
      draining = true
      const all = () => Promise.all([...running.values()].map(({done}) => done))
      // what is taken in the moment of the stop runs before the rest is ended
      const claimed = Promise.allSettled(claiming)
      await waitAtMost(timers, milliseconds, claimed.then(all))
      await claimed
      for (const {controller} of running.values()) controller.abort('drain' satisfies EndReason)
      await all()
    },
  }
}

const ended = (live: LiveAnswer): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (live.end === undefined) live.onceChanged(look)
      else resolve()
    }
    look()
  })
