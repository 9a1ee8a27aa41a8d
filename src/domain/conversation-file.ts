import {attachmentUrl, marksOf, messageReferences, messageText, type ConversationRecord} from './conversation.ts'
import {conversationTitle} from './conversation-title.ts'
import {cutText} from './cut-text.ts'
import {closed, readLines} from './open-block.ts'
import {withoutThoughts} from './without-thoughts.ts'
import type {ContentItem} from '#contract/chat.ts'
import type {ConversationTree} from '#contract/imports.ts'

/**
 * Name and version of our file of conversations, by which a reader knows it. A reader leaves out what it does not know
 * and refuses a newer version: only what it would misread is one, not what is added (docs/decisions/0206).
 */
export const fileFormat = {format: 'atrium-conversations', version: 3} as const

export type ExportForm = 'markdown' | 'json'

/** The words of the user's language that stand in a Markdown file. */
export type ExportWords = {untitled: string; user: string; assistant: string; system: string}

/** The path of each attachment beside the file, by its address; one without a path keeps its address. */
export type AttachmentPaths = ReadonlyMap<string, string>

/** Names that Windows keeps for devices, with any ending. */
const deviceName = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=\.|$)/i

/** A name that every file system takes, from a title in any language. */
export function fileNameFrom(title: string): string {
  const words = title.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const name = cutText(words.replace(/^-|-$/g, ''), 60).replace(/-$/, '')
  return deviceName.test(name) ? `conversation-${name}` : name || 'conversation'
}

/** The name of a file at this address: no path, whatever was encoded in it. */
function lastPart(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1)
  const part = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(part).split(/[/\\]/).at(-1) ?? ''
  } catch {
    // a name with a stray percent sign
    return part
  }
}

/** Its name in an archive, which is unpacked on any system. */
function archivedName(address: string): string {
  const name = lastPart(address).replace(/[\p{Cc}<>:"|?*\\]/gu, '-')
  if (name === '' || name === '.' || name === '..') return 'file'
  return deviceName.test(name) ? `file-${name}` : name
}

type WithContent = readonly Pick<ConversationRecord['messages'][number], 'content'>[]

/** Attachments of conversations, each once, with the name each may have in an archive. */
export const attachmentsOf = (
  conversations: readonly {messages: WithContent; unsentVersions?: readonly WithContent[] | undefined}[],
): {url: string; name: string}[] => {
  const messages = conversations.flatMap(({messages: shown, unsentVersions = []}) => [shown, ...unsentVersions].flat())
  const urls = new Set(messages.flatMap(({content}) => messageReferences(content)))
  return [...urls].map((url) => ({url, name: archivedName(url)}))
}

const escaped = (text: string) => text.replace(/[[\]\\]/g, '\\$&')

const textOf = ({role, content}: ConversationRecord['messages'][number]) =>
  role === 'assistant' ? withoutThoughts(messageText(content)) : messageText(content)

/** An answer that is being written, or that ended before its first word. */
const isWordless = (message: ConversationRecord['messages'][number]) =>
  message.role === 'assistant' && textOf(message).trim() === '' && messageReferences(message.content).length === 0

/**
 * A text as it is, but for what would be read as part of the file: a heading as messages have it is escaped, and a block
 * that is still open at the end is closed.
 */
function apart(markdown: string, isName: (heading: string) => boolean): string {
  const {lines} = readLines(markdown)
  const texts = lines.map(({text, end, isFree}, index) => {
    const before = lines[index - 1]
    const isUnderlined = before?.isFree === true && isName(before.text.trim()) && /^ {0,3}-+[ \t]*$/.test(text)
    const [, heading] = /^ {0,3}##[ \t]+(\S.*)$/.exec(text) ?? []
    const isForged = isUnderlined || (heading !== undefined && isName(withoutClosing(heading)))
    return (isFree && isForged ? text.replace(/[#-]/, '\\$&') : text) + end
  })
  return closed(texts.join(''))
}

/** A heading without the marks that may end it. */
function withoutClosing(heading: string): string {
  const text = heading.trimEnd()
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  return /[ \t]/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text
}

/**
 * A conversation to read: a heading for each message that says something, its text as it is, its attachments as links.
 * Reasoning is not in it: its tags are no Markdown, and readers show them or swallow what is between. JSON has it.
 */
export function toMarkdown(record: ConversationRecord, words: ExportWords, paths: AttachmentPaths = new Map()): string {
  const title = (conversationTitle(record) || words.untitled).replace(/\s+/g, ' ')
  const names = new Set([words.user, words.assistant, words.system])
  const isName = (heading: string) =>
    names.has(heading) || (heading.startsWith(`${words.assistant} (`) && heading.endsWith(')'))
  const wordedMessages = record.messages.filter((message) => !isWordless(message))
  const messages = wordedMessages.map((message) => {
    const {role, content, model} = message
    const name = role === 'assistant' && model ? `${words.assistant} (${model})` : words[role]
    const links = messageReferences(content).map(
      (url) => `[${escaped(lastPart(url) || url)}](<${paths.get(url) ?? url}>)`,
    )
    return [`## ${name}`, apart(textOf(message), isName), ...links].filter((part) => part.trim() !== '').join('\n\n')
  })
  return `${[`# ${title}`, ...messages].join('\n\n')}\n`
}

const withPaths = (content: ConversationRecord['messages'][number]['content'], paths: AttachmentPaths) =>
  typeof content === 'string'
    ? content
    : content.map((item): ContentItem => {
        if (item.type === 'text') return item
        const url = attachmentUrl(item.type === 'image_url' ? item.image_url : item.file_url)
        const path = paths.get(url) ?? url
        return item.type === 'image_url' ? {type: 'image_url', image_url: path} : {type: 'file_url', file_url: path}
      })

/** Conversations to take along: everything that a reader needs to have them again. Dates as ISO text. */
export const toExportFile = (
  records: readonly ConversationRecord[],
  exportedAt: string,
  paths: AttachmentPaths = new Map(),
  trees: ConversationTrees = new Map(),
) => ({
  ...fileFormat,
  exported_at: exportedAt,
  conversations: records.map((record) => {
    const tree = trees.get(record.id ?? record.key)
    return {
      id: record.id ?? record.key,
      ...(record.title === undefined ? {} : {title: record.title}),
      model: record.model,
      updated_at: isoTime(record.updatedAt),
      ...marksOf(record),
      ...(tree === undefined
        ? {messages: record.messages.map((message) => fileMessage(message, paths))}
        : fileTree(withUnsent(tree, record), paths)),
    }
  }),
})

/** Conversations with all versions of their messages, by id; of the others the shown path alone is known. */
export type ConversationTrees = ReadonlyMap<string, ConversationTree>

const isoTime = (seconds: number) => new Date(Math.round(seconds * 1_000)).toISOString()

type FileMessage = Pick<
  ConversationRecord['messages'][number],
  'role' | 'content' | 'state' | 'outcome' | 'model' | 'sandbox' | 'thought_ms'
>

const fileMessage = (
  {role, content, state, outcome, model, sandbox, thought_ms: thoughtMs}: FileMessage,
  paths: AttachmentPaths,
) => ({
  role,
  content: withPaths(content, paths),
  ...(state == null ? {} : {state}),
  ...(outcome == null ? {} : {outcome}),
  ...(model == null ? {} : {model}),
  ...(sandbox === true && {sandbox}),
  ...(thoughtMs == null ? {} : {thought_ms: thoughtMs}),
})

/**
 * The tree with the versions that no server has, each beside those that it was to join. A question without one of them
 * goes on behind the shown path; an answer that was to be given again has no words, and is left out. A server that names
 * no messages gives them no position.
 */
function withUnsent(tree: ConversationTree, {unsentVersions = [], updatedAt}: ConversationRecord): ConversationTree {
  const messages = [...tree.messages]
  const isNamed = messages.every(({id}) => id != null)
  let {current} = tree
  for (const version of unsentVersions) {
    const [first] = version
    const sibling = messages.find(({id}) => id != null && first?.versions?.includes(id) === true)
    const isAlone = sibling === undefined
    if (isAlone && (!isNamed || first?.role !== 'user')) continue
    let parent = isAlone ? (current ?? null) : sibling.parent
    for (const {role, content, state, outcome, error, model, created_at: at} of version) {
      messages.push({
        role,
        content,
        state,
        outcome: outcome ?? undefined,
        error,
        model,
        parent,
        created_at: at ?? updatedAt,
      })
      parent = messages.length - 1
    }
    if (isAlone) current = parent
  }
  return {...tree, current, messages}
}

/** `parent`: index of the message before, null for a first one; `current`: of the last one on the shown path. */
const fileTree = ({preset, created_at: createdAt, current, messages}: ConversationTree, paths: AttachmentPaths) => ({
  ...(preset == null ? {} : {preset}),
  created_at: isoTime(createdAt),
  ...(current == null ? {} : {current}),
  messages: messages.map(({parent, error, created_at: at, hidden_at: hiddenAt, ...message}) => ({
    ...fileMessage(message, paths),
    parent,
    ...(error == null ? {} : {error}),
    created_at: isoTime(at),
    ...(hiddenAt == null ? {} : {hidden_at: isoTime(hiddenAt)}),
  })),
})
