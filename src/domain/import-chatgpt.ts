import {isList} from '#contract/is-list.ts'
import {
  attachmentOf,
  contentOf,
  lineOf,
  listOf,
  longestModel,
  longestTitle,
  recordOf,
  secondsOf,
  textOf,
  type ImportAttachment,
  type ImportMessage,
} from './import-conversation.ts'
import {readCanvas, type CanvasReading} from './import-canvas.ts'
import {fenced} from './import-fence.ts'
import {createReading, type ImportReading} from './import-reading.ts'
import {joinAnswers, toTree, type ImportNode} from './import-tree.ts'

/*
 * ChatGPT's export: a list of conversations, each a tree of nodes by id (`mapping`) with the node that is shown last
 * (`current_node`). Files lie in the archive under names that begin with their id.
 */

const isConversation = (value: unknown) => Object.keys(recordOf(recordOf(value).mapping)).length > 0

/** The whole list, or one conversation of it. */
export const isChatgptFile = (file: unknown) => isConversation(file) || listOf(file).some(isConversation)

export function readChatgpt(file: unknown): ImportReading {
  const reading = createReading('chatgpt')
  for (const entry of isList(file) ? file : [file]) {
    const conversation = recordOf(entry)
    reading.add(lineOf(conversation.title, longestTitle), () => {
      const mapping = recordOf(conversation.mapping)
      const canvas = readCanvas(mapping)
      const {messages, current} = joinAnswers(toTree(nodesOf(mapping, canvas), textOf(conversation.current_node)))
      const lastAnswer = messages.findLast(({role, model}) => role === 'assistant' && model !== undefined)
      return {
        id: textOf(conversation.conversation_id ?? conversation.id),
        model: lineOf(conversation.default_model_slug, longestModel) || (lastAnswer?.model ?? ''),
        facts: {
          created_at: secondsOf(conversation.create_time),
          updated_at: secondsOf(conversation.update_time),
          ...(conversation.is_archived === true && {archived: true}),
          ...(conversation.is_starred === true && {pinned: true}),
        },
        messages,
        current,
        lost: 0,
        leftOut: canvas.leftOut + Object.values(mapping).reduce((sum: number, node) => sum + leftOutOf(node), 0),
      }
    })
  }
  return reading
}

/** Versions stand in the order in which their parent names them. */
function nodesOf(mapping: Record<string, unknown>, canvas: CanvasReading): ImportNode[] {
  const entries = Object.entries(mapping)
  const indexes = new Map(
    entries.flatMap(([, node]) => listOf(recordOf(node).children).map((child, index) => [child, index] as const)),
  )
  return entries
    .map(([key, node]): ImportNode => {
      const {parent, message} = recordOf(node)
      return {
        key,
        parent: typeof parent === 'string' ? parent : undefined,
        message: messageOf(recordOf(message), canvas.texts.get(key)),
      }
    })
    .sort((a, b) => (indexes.get(a.key) ?? 0) - (indexes.get(b.key) ?? 0))
}

const isHidden = ({metadata, weight}: Record<string, unknown>) =>
  recordOf(metadata).is_visually_hidden_from_conversation === true || weight === 0
const isForTool = ({recipient}: Record<string, unknown>) => typeof recipient === 'string' && recipient !== 'all'

/** The question or answer of a node; undefined for a message between the app and its tools, but for a document. */
function messageOf(message: Record<string, unknown>, document: string | undefined): ImportNode['message'] {
  const metadata = recordOf(message.metadata)
  const role = recordOf(message.author).role
  if (document !== undefined) {
    const time = secondsOf(message.create_time)
    return {
      role: 'assistant',
      content: document,
      ...(time === undefined ? {} : {created_at: time}),
      ...answerOf(message, metadata),
    }
  }
  if (isHidden(message) || isForTool(message) || (role !== 'user' && role !== 'assistant' && role !== 'tool'))
    return undefined
  const attachments = attachmentsOf(message, metadata)
  // a tool's words are not for the user, its images are
  const text = role === 'tool' ? '' : shownText(recordOf(message.content))
  if (text.trim() === '' && attachments.length === 0) return undefined
  const time = secondsOf(message.create_time)
  const commonFields = {content: contentOf(text, attachments), ...(time === undefined ? {} : {created_at: time})}
  return role === 'user'
    ? {role, ...commonFields}
    : {role: 'assistant', ...commonFields, ...answerOf(message, metadata)}
}

function answerOf({status}: Record<string, unknown>, metadata: Record<string, unknown>): Partial<ImportMessage> {
  const model = lineOf(metadata.model_slug, longestModel)
  const modelField = model === '' ? {} : {model}
  if (status === 'in_progress') return {...modelField, state: 'failed', outcome: 'interrupted'}
  return {
    ...modelField,
    state: 'finished',
    ...(recordOf(metadata.finish_details).type === 'max_tokens' && {outcome: 'truncated' as const}),
  }
}

/**
 * Marks of sources: between private characters, which no font has, or in brackets. None holds the beginning of another
 * one: a text of beginnings alone is then read once, not once for each of them.
 */
const marks = ['\uE200[^\uE200\uE201]*\uE201', '【\\d{1,9}[^【】†]{0,200}†[^【】]{0,200}】'].map(
  // with the space before it, at the end of a sentence or before another space
  (mark) => new RegExp(`[ \\t]${mark}(?=[\\s\\p{P}\uE200]|$)|${mark}`, 'gu'),
)
const withoutMarks = (text: string) => marks.reduce((rest, mark) => rest.replace(mark, ''), text)

function shownText(content: Record<string, unknown>): string {
  switch (content.content_type) {
    case 'text':
    case 'multimodal_text':
      return withoutMarks(listOf(content.parts).map(partText).filter(Boolean).join('\n\n'))
    case 'code':
      return fenced(textOf(content.language), textOf(content.text))
    case 'thoughts':
      return thoughts(listOf(content.thoughts))
    default:
      return ''
  }
}

/** Content without anything to show, and parts that are shown or attached. */
const silentTypes: ReadonlySet<unknown> = new Set([
  'reasoning_recap',
  'user_editable_context',
  'model_editable_context',
])
const takenTypes: ReadonlySet<unknown> = new Set(['text', 'multimodal_text', 'code', 'thoughts'])
const takenParts: ReadonlySet<unknown> = new Set(['audio_transcription', 'image_asset_pointer'])

/** Number of parts of a shown message that have no form here: recordings, and kinds that are not known. */
function leftOutOf(node: unknown): number {
  const message = recordOf(recordOf(node).message)
  const {role} = recordOf(message.author)
  if ((role !== 'user' && role !== 'assistant') || isHidden(message) || isForTool(message)) return 0
  const {content_type: type, parts} = recordOf(message.content)
  if (type === undefined || silentTypes.has(type)) return 0
  if (!takenTypes.has(type)) return 1
  return listOf(parts).filter((part) => typeof part === 'object' && !takenParts.has(recordOf(part).content_type)).length
}

const partText = (part: unknown) =>
  typeof part === 'string'
    ? textOf(part)
    : recordOf(part).content_type === 'audio_transcription'
      ? textOf(recordOf(part).text)
      : ''

/** As models here write what they thought. */
function thoughts(values: readonly unknown[]): string {
  const texts = values
    .map(recordOf)
    .map(({summary, content}) =>
      [textOf(summary) === '' ? '' : `**${textOf(summary)}**`, textOf(content)].filter(Boolean).join('\n\n'),
    )
  const text = texts.filter(Boolean).join('\n\n')
  return text === '' ? '' : `<think>\n${text}\n</think>`
}

/** Images of the text, then files that were sent with it. */
function attachmentsOf({content}: Record<string, unknown>, metadata: Record<string, unknown>): ImportAttachment[] {
  const images = listOf(recordOf(content).parts)
    .map(recordOf)
    .filter(({content_type: type}) => type === 'image_asset_pointer')
    .map(({asset_pointer: pointer}) => assetId(textOf(pointer)))
  const isShown = new Set(images)
  const files = listOf(metadata.attachments)
    .map((file) => assetId(textOf(recordOf(file).id)))
    .filter((id) => !isShown.has(id))
  return [...images.map((id) => attachmentOf('image', id)), ...files.map((id) => attachmentOf('file', id))].filter(
    (item) => item !== undefined,
  )
}

/** `file-service://file-abc`, `sediment://file_abc#page` and `file-abc` are one file. */
const assetId = (pointer: string) => pointer.replace(/^[a-z-]+:\/\//, '').split(/[#?]/, 1)[0] ?? ''
