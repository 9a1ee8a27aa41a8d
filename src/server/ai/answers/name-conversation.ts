import {and, eq, isNull} from 'drizzle-orm'
import {messageText} from '#domain/conversation.ts'
import {plainTitle} from '#domain/conversation-title.ts'
import {cutText} from '#domain/cut-text.ts'
import {withoutThoughts} from '#domain/without-thoughts.ts'
import {describeError} from '../../http/boundary.ts'
import type {Log} from '../../log.ts'
import type {ChatEvent, Provider, ProviderMessage} from '../../providers/provider.ts'
import type {Timers} from '../../providers/timers.ts'
import type {Database} from '../../store/database.ts'
import {conversations} from '../../store/schema/chat.ts'
import {unlessAborted} from '../../work/races.ts'
import type {AnswerRow} from './answer-store.ts'
import {namingInstruction} from './naming-instruction.ts'

/* A conversation is named by one short call when its first answer has ended well (docs/decisions/0031). */

const namingMilliseconds = 20_000
/** Tokens: models that reason do so before they name. */
const answerCap = 512
/** Characters of a question, and of an answer, that a name is made from. */
const longestPart = 2_000
/** Characters of an answer that are read for a name. */
const longestReply = 8_000

type NamingParts = {database: Database; log: Log; timers: Timers; isOn: boolean}

/** The first answer of a conversation, as it ended. */
export type FirstAnswer = {row: AnswerRow; prompt: readonly ProviderMessage[]; provider: Provider; text: string}

export type Naming = {
  /** Names the conversation if it has no name. Returns at once; a failure is logged, and the first question stands. */
  begin: (first: FirstAnswer) => void
  /** Aborts the requests under way. */
  stop: () => Promise<void>
}

/** The name in the text of a model, as one line of plain text. Empty if there is none. */
export function nameIn(reply: string): string {
  const line = withoutThoughts(reply)
    .replace(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? character : ' '))
    .split('\n')
    .map(plainTitle)
    .find((each) => each !== '')
  return (line ?? '').replace(/^["'“”„«»‘’「『]+|(?<!["'“”„«»‘’」』.。])["'“”„«»‘’」』.。]+$/gu, '').trim()
}

const isFirst = (prompt: readonly ProviderMessage[]) => !prompt.some(({role}) => role === 'assistant')

export function createNaming({database, log, timers, isOn}: NamingParts): Naming {
  const running = new Map<AbortController, Promise<void>>()

  const ask = async ({row, prompt, provider, text}: FirstAnswer, signal: AbortSignal): Promise<string> => {
    const question = messageText(prompt.findLast(({role}) => role === 'user')?.content ?? '')
    const material = `${cutText(question, longestPart)}\n\n---\n\n${cutText(withoutThoughts(text), longestPart)}`
    const messages: ProviderMessage[] = [
      {role: 'system', content: namingInstruction},
      {role: 'user', content: material},
    ]
    const input = {run: `${row.id}-name`, model: row.model, messages, answerCap, signal}
    let reply = ''
    const take = (event: ChatEvent): boolean => {
      if (event.type === 'delta') reply += event.text
      return event.type !== 'finished' && reply.length <= longestReply
    }
    await unlessAborted(signal, () => provider.chat(input, take))
    signal.throwIfAborted()
    return nameIn(reply)
  }

  const name = async (first: FirstAnswer, signal: AbortSignal): Promise<void> => {
    const title = await ask(first, signal)
    if (title === '') return
    // no name is replaced: neither one that the user gave meanwhile, nor an earlier one
    const isUnnamed = and(eq(conversations.id, first.row.conversationId), isNull(conversations.title))
    await database.asSystem((transaction) => transaction.update(conversations).set({title}).where(isUnnamed))
  }

  return {
    begin: (first) => {
      if (!isOn || first.provider.kind === 'sandbox' || !isFirst(first.prompt)) return
      const controller = new AbortController()
      const cancel = timers.after(namingMilliseconds, () => controller.abort())
      const naming = name(first, controller.signal)
        .catch((error: unknown) => {
          const fields = {provider: first.provider.name, model: first.row.model}
          log.info('a conversation was not named', {...fields, ...describeError(error)})
        })
        .finally(() => {
          cancel()
          controller.abort()
          running.delete(controller)
        })
      running.set(controller, naming)
    },
    stop: async () => {
      for (const controller of running.keys()) controller.abort()
      await Promise.all(running.values())
    },
  }
}
