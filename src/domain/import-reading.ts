import {mostImportMessages, type ImportSource} from '#contract/imports.ts'
import {cutText} from './cut-text.ts'
import {
  textOf,
  type ImportConversation,
  type ImportFault,
  type ImportMessage,
  type ImportRead,
} from './import-conversation.ts'
import {bytesOf, longestMessage} from './import-size.ts'

/** A model that nobody named. */
const defaultModel = 'gpt-4o'
const longestId = 200

type SourceConversation = {
  id: string
  model: string
  facts: Pick<ImportConversation, 'created_at' | 'updated_at' | 'pinned' | 'archived' | 'labels' | 'preset'>
  messages: ImportMessage[]
  current: number | undefined
  lost: number
  leftOut?: number
}

/** `add` reads one conversation: what it throws is that conversation's alone. */
export type ImportReading = ImportRead & {add: (title: string, read: () => SourceConversation) => void}

/** Collects the conversations of a file; what cannot be imported is kept by its title, with the reason. */
export function createReading(source: ImportSource): ImportReading {
  const conversations: ImportConversation[] = []
  const faulty: ImportRead['faulty'] = []
  const ids = new Set<string>()
  const keep = (
    title: string,
    {id: givenId, model, facts, messages, current, lost, leftOut = 0}: SourceConversation,
  ) => {
    const id = cutText(textOf(givenId).trim(), longestId)
    const fault = faultOf(id, messages)
    // some files name a conversation twice
    if (ids.has(id)) return
    if (fault !== undefined) {
      faulty.push({title, fault})
      return
    }
    ids.add(id)
    const {labels, ...others} = facts
    conversations.push({
      source,
      source_id: id,
      ...(title === '' ? {} : {title}),
      model: model || defaultModel,
      ...defined(others),
      ...(labels === undefined || labels.length === 0 ? {} : {labels}),
      ...(current === undefined ? {} : {current}),
      messages,
      lost,
      ...(leftOut > 0 && {leftOut}),
    })
  }
  const add: ImportReading['add'] = (title, read) => {
    try {
      keep(title, read())
    } catch {
      faulty.push({title, fault: 'unreadable'})
    }
  }
  return {source, conversations, faulty, add}
}

const defined = <Facts extends object>(facts: Facts) =>
  // as: only entries without a value are left out
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Facts

/** Cheap for what is far from the bound: a character is at most six bytes of JSON. */
const isTooLong = (message: ImportMessage) => {
  const {content} = message
  const length = typeof content === 'string' ? content.length : JSON.stringify(content).length
  return length > longestMessage / 6 && bytesOf(message) > longestMessage
}

function faultOf(id: string, messages: readonly ImportMessage[]): ImportFault | undefined {
  if (id === '') return 'unreadable'
  if (messages.length === 0) return 'empty'
  if (messages.length > mostImportMessages) return 'tooMany'
  return messages.some(isTooLong) ? 'tooLong' : undefined
}
