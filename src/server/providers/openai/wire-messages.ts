import type {ContentItem, MessageContent} from '#contract/chat.ts'
import {attachmentUrl} from '#domain/conversation.ts'
import {ProviderFailure, type ChatInput, type ProviderMessage, type StoredFile} from '../provider.ts'
import {withoutReasoning} from './think.ts'

/** Parts of a user's turn in the OpenAI form. */
export type WirePart =
  | {type: 'text'; text: string}
  | {type: 'image_url'; image_url: {url: string}}
  | {type: 'file'; file: {filename: string; file_data: string}}
export type WireMessage = {role: ProviderMessage['role']; content: string | WirePart[]}

/** All files of one request together, in bytes; what is over is refused before anything is sent. */
const attachmentBudget = 20 * 1024 * 1024
const longestTextFile = 512 * 1024

/**
 * Our messages as an OpenAI-compatible server takes them: own stored files are read from disk and sent along, other
 * images pass as addresses that the model server loads or not (security R27), other files are named. A text that is too long is
 * refused in its question and only named to later ones. Neighbouring turns of one role become one, since many chat templates
 * refuse two in a row; text-only turns are plain text.
 */
export async function toWireMessages(input: Pick<ChatInput, 'messages' | 'storedFile'>): Promise<WireMessage[]> {
  const wire: WireMessage[] = []
  const budget = {left: attachmentBudget}
  for (const message of input.messages) {
    const isAsked = message === input.messages.at(-1)
    const parts = await toParts(message, {storedFile: input.storedFile, budget, isAsked})
    if (parts.length === 0) continue
    const last = wire.at(-1)
    if (last?.role === message.role) last.content = [...asParts(last.content), ...parts]
    else wire.push({role: message.role, content: parts})
  }
  return wire.map(({role, content}) => ({role, content: simplest(content)}))
}

const asParts = (content: string | WirePart[]): WirePart[] =>
  typeof content === 'string' ? [{type: 'text', text: content}] : content

function simplest(content: string | WirePart[]): string | WirePart[] {
  const texts = asParts(content).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === content.length ? texts.join('\n\n') : content
}

type Reading = Pick<ChatInput, 'storedFile'> & {budget: {left: number}; isAsked: boolean}

async function toParts({role, content}: ProviderMessage, reading: Reading): Promise<WirePart[]> {
  const items = itemsOf(content)
  const parts: WirePart[] = []
  for (const item of items) {
    if (item.type === 'text') {
      const text = role === 'assistant' ? withoutReasoning(item.text) : item.text
      if (text !== '') parts.push({type: 'text', text})
      continue
    }
    const url = attachmentUrl(item.type === 'image_url' ? item.image_url : item.file_url)
    const fileContent = await reading.storedFile?.(url)
    if (fileContent !== undefined) parts.push(await storedPart(fileContent, reading))
    else if (item.type === 'image_url') parts.push({type: 'image_url', image_url: {url}})
    else parts.push({type: 'text', text: `Attached file: ${url}`})
  }
  return parts
}

const itemsOf = (content: MessageContent): readonly ContentItem[] =>
  typeof content === 'string' ? [{type: 'text', text: content}] : content

const isText = (type: string) =>
  /^(?:text\/|image\/svg)|[/+](?:json|xml|yaml|javascript|typescript|csv|sql)$/.test(type)

async function storedPart(file: StoredFile, {budget, isAsked}: Reading): Promise<WirePart> {
  const isTooLong = isText(file.type) && file.size > longestTextFile
  if (isTooLong && isAsked)
    throw new ProviderFailure('content_too_large', `The file ${file.name} is over 512 KB, too long to be read as text.`)
  if (isTooLong) return {type: 'text', text: `Attached file ${file.name}: too long to be read.`}
  budget.left -= file.size
  if (budget.left < 0)
    throw new ProviderFailure(
      'content_too_large',
      'The attached files are over 20 MB together. Start a new conversation or attach less.',
    )
  if (isText(file.type)) {
    const text = new TextDecoder().decode(await file.read())
    return {type: 'text', text: `Attached file ${file.name}:\n\n${text}`}
  }
  const data = `data:${file.type};base64,${Buffer.from(await file.read()).toString('base64')}`
  if (file.type.startsWith('image/')) return {type: 'image_url', image_url: {url: data}}
  return {type: 'file', file: {filename: file.name, file_data: data}}
}
