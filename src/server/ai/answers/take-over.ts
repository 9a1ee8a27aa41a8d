import type {ProvidersConfig} from '../../config.ts'
import type {Database} from '../../store/database.ts'
import {estimateTokens} from '#domain/token-estimate.ts'
import {tariffOf} from '../pricing.ts'
import {interruptedEnd, stoppedEnd} from './answer-failure.ts'
import {takeRun} from '../../runs/run-store.ts'
import {answerRuns, endAnswer, storedText, type AnswerRow} from './answer-store.ts'

export type TakeOverParts = {database: Database; now: () => Date; providers: ProvidersConfig}

/**
 * Ends an answer that its worker does not end: with the text that is stored, as interrupted or (when the user asked for
 * it) stopped. The new fence shuts the old worker out, should it still live. The stored text is
 * charged from the hold; without text all of it is refunded. `false`: the answer had ended meanwhile.
 */
export async function takeOver(parts: TakeOverParts, answer: Pick<AnswerRow, 'id' | 'fence'>): Promise<boolean> {
  const {database, now, providers} = parts
  return database.asSystem(async (transaction) => {
    const row = await takeRun(transaction, answerRuns, answer)
    if (row === undefined) return false
    const text = await storedText(transaction, row.id)
    const promptTokens = row.promptTokens ?? 0
    const completionTokens = estimateTokens(text)
    // The ledger charges at most the hold, which is nothing for a free provider.
    const tariff = tariffOf(providers, {kind: 'openai', local: false}, row.model)
    return endAnswer(transaction, row, {
      end: row.stopRequestedAt === null ? interruptedEnd : stoppedEnd,
      text,
      thoughtMs: undefined,
      batch: undefined,
      promptTokens,
      completionTokens,
      tokensEstimated: true,
      charge: text === '' ? undefined : tariff.cost(promptTokens, completionTokens),
      status: row.startedAt === null ? undefined : row.stopRequestedAt === null ? 500 : 200,
      now: now(),
    })
  })
}
