import type {ConversationRecord} from './conversation.ts'
import type {StoredDrafts} from './draft.ts'

/**
 * Counts of what a user has in this browser alone: texts, questions that no server took, and requests of the media
 * tools whose task no server has named.
 */
export type Unsent = {drafts: number; questions: number; tasks: number}

/** Beside a draft: the model of the next question, and what typed instructions began from. */
const isNoText = (name: string) => /^(model|instructing-from)\//.test(name) || name === 'prompting/id'

/** One draft has several records: the files of an edited message, and name and text of a saved prompt. */
const draftOf = (name: string) => name.replace(/^files\//, '').replace(/^prompting\/.*/, 'prompting')

/** The drafts with text or files. What several tabs typed in one field counts for each. */
export function countDrafts(drafts: StoredDrafts): number {
  const names = Object.entries(drafts).flatMap(([key, {text, references}]) => {
    const [others = ''] = /^(other\/)*/.exec(key) ?? []
    const name = key.slice(others.length)
    return isNoText(name) || (text.trim() === '' && references.length === 0) ? [] : [others + draftOf(name)]
  })
  return new Set(names).size
}

type Asked = Pick<ConversationRecord, 'messages' | 'followUps'>

/** Refused or stopped before a server took it, or on its way while no server has named its answer. */
const isLastUnsent = (messages: Asked['messages']) => {
  const {state, attempt} = messages.at(-1) ?? {}
  const question = messages.findLast(({role}) => role === 'user')
  return question?.unsent === true || (state === 'pending' && attempt == null)
}

/** The questions that wait for their turn, and those of conversations whose last one no server took. */
export const countQuestions = (conversations: readonly Asked[]): number =>
  conversations.reduce(
    (count, {messages, followUps = []}) => count + followUps.length + (isLastUnsent(messages) ? 1 : 0),
    0,
  )
