import type {ContentItem, MessageContent} from '#contract/chat.ts'
import {attachmentUrl} from '#domain/conversation.ts'
import {formatSizeLimit} from '#domain/file-size.ts'
import {withoutReasoning} from '#domain/sent-answer.ts'
import {ProviderFailure, type ChatInput, type ProviderMessage, type StoredFile} from '../provider.ts'
import {longestText, mostFileBytes} from './models.ts'

/** Parts of a user's turn in the OpenAI form. */
export type WirePart =
  | {type: 'text'; text: string}
  | {type: 'image_url'; image_url: {url: string}}
  | {type: 'file'; file: {filename: string; file_data: string}}
export type WireMessage = {role: ProviderMessage['role']; content: string | WirePart[]}

/**
 * Our messages as an OpenAI-compatible server takes them: own stored files are read from disk and sent along, other
 * images pass as addresses that the model server loads or not (security R27), other files are named. Files over a limit
 * are refused in their question, and with later ones the model gets their names alone: the newest go along, as far as
 * there is room, so that no conversation ends with its files. Neighbouring turns of one role become one, since many
 * chat templates refuse two in a row; text-only turns are plain text.
 */
export async function toWireMessages(input: Pick<ChatInput, 'messages' | 'storedFile'>): Promise<WireMessage[]> {
  const wire: WireMessage[] = []
  for (const {role, parts} of await newestFirst(input)) {
    if (parts.length === 0) continue
    const last = wire.at(-1)
    if (last?.role === role) last.content = [...asParts(last.content), ...parts]
    else wire.push({role, content: parts})
  }
  return wire.map(({role, content}) => ({role, content: simplest(content)}))
}

type Turn = Pick<ProviderMessage, 'role'> & {parts: WirePart[]}

/**
 * The turns in their order, read from the last one back. Servers take files in questions alone: those of an answer, which
 * an import has, go along with the question after it.
 */
async function newestFirst({messages, storedFile}: Pick<ChatInput, 'messages' | 'storedFile'>): Promise<Turn[]> {
  const budget = {left: mostFileBytes}
  const turns: Turn[] = []
  for (const message of messages.toReversed()) {
    const {role, content} = message
    const reading = {role, storedFile, budget, isAsked: message === messages.at(-1)}
    const items = itemsOf(content)
    if (role !== 'assistant') {
      turns.unshift({role, parts: await toParts(items, reading)})
      continue
    }
    const question = turns.find((turn) => turn.role === 'user')
    const files = question && (await toParts(items.filter(isFile), reading))
    if (files !== undefined && files.length > 0) question?.parts.unshift(answerFilesNote, ...files)
    turns.unshift({
      role,
      parts: await toParts(
        items.filter((item) => !isFile(item)),
        reading,
      ),
    })
  }
  return turns
}

const answerFilesNote: WirePart = {type: 'text', text: 'Files of the answer before:'}
const isFile = ({type}: ContentItem) => type !== 'text'

const asParts = (content: string | WirePart[]): WirePart[] =>
  typeof content === 'string' ? [{type: 'text', text: content}] : content

function simplest(content: string | WirePart[]): string | WirePart[] {
  const texts = asParts(content).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === content.length ? texts.join('\n\n') : content
}

type Reading = Pick<ChatInput, 'storedFile'> &
  Pick<ProviderMessage, 'role'> & {budget: {left: number}; isAsked: boolean}

async function toParts(items: readonly ContentItem[], reading: Reading): Promise<WirePart[]> {
  const parts: WirePart[] = []
  for (const item of items.toReversed()) {
    if (item.type === 'text') {
      const text = reading.role === 'assistant' ? withoutReasoning(item.text) : item.text
      if (text !== '') parts.unshift({type: 'text', text})
      continue
    }
    const url = attachmentUrl(item.type === 'image_url' ? item.image_url : item.file_url)
    const fileContent = await reading.storedFile?.(url)
    if (fileContent !== undefined) parts.unshift(await storedPart(fileContent, reading))
    else if (item.type === 'image_url') parts.unshift({type: 'image_url', image_url: {url}})
    else parts.unshift({type: 'text', text: `Attached file: ${url}`})
  }
  return parts
}

const itemsOf = (content: MessageContent): readonly ContentItem[] =>
  typeof content === 'string' ? [{type: 'text', text: content}] : content

const isText = (type: string) =>
  /^(?:text\/|image\/svg)|[/+](?:json|xml|yaml|javascript|typescript|csv|sql)$/.test(type)

const leftOut = (name: string, reason: string): WirePart => ({type: 'text', text: `Attached file ${name}: ${reason}`})

const longestWords = formatSizeLimit(longestText, 'en')
const togetherWords = `over ${formatSizeLimit(mostFileBytes, 'en')} together`

async function storedPart(file: StoredFile, {budget, isAsked}: Reading): Promise<WirePart> {
  const isTooLong = isText(file.type) && file.size > longestText
  if (isTooLong && isAsked)
    throw new ProviderFailure(
      'content_too_large',
      `The file ${file.name} is over ${longestWords}, too long to be read as text.`,
    )
  if (isTooLong) return leftOut(file.name, 'too long to be read.')
  const hasRoom = file.size <= budget.left
  if (!hasRoom && isAsked)
    throw new ProviderFailure('content_too_large', `The attached files are ${togetherWords}. Attach fewer.`)
  if (!hasRoom) return leftOut(file.name, `left out, as the files are ${togetherWords}.`)
  budget.left -= file.size
  if (isText(file.type)) {
    const text = new TextDecoder().decode(await file.read())
    return {type: 'text', text: `Attached file ${file.name}:\n\n${text}`}
  }
  const data = `data:${file.type};base64,${Buffer.from(await file.read()).toString('base64')}`
  if (file.type.startsWith('image/')) return {type: 'image_url', image_url: {url: data}}
  return {type: 'file', file: {filename: file.name, file_data: data}}
}
