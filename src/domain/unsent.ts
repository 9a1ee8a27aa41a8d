import type {ConversationRecord} from './conversation.ts'
import type {StoredDrafts} from './draft.ts'

/** Counts of what a user has written and no server has: texts, and questions that wait to be sent. */
export type Unsent = {drafts: number; questions: number}

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

/** The questions that wait for their turn, and those of conversations whose last one never reached a server. */
export const countQuestions = (conversations: readonly Asked[]): number =>
  conversations.reduce((count, {messages, followUps = []}) => {
    const last = messages.findLast(({role}) => role === 'user')
    return count + followUps.length + (last?.unsent === true ? 1 : 0)
  }, 0)
