import {isList} from '#contract/is-list.ts'
import {lineOf, listOf, longestTitle, recordOf, textOf} from './import-conversation.ts'
import {fenced} from './import-fence.ts'
import {closed} from './open-block.ts'
import {parseJson} from './parse-json.ts'

/*
 * Documents that ChatGPT writes beside a conversation (canvas). A document is created by a message to one tool and
 * changed by messages to another: lists of a pattern, which is an expression of Python, and its replacement. The answer
 * of the tool, the next message, names the document.
 */

/** A document as it is after a message, with the ones before it. `isExact`: every change could be made. */
type Canvas = {
  id: string
  name: string
  type: string
  content: string
  isExact: boolean
  before: Canvas | undefined
}
type Node = {key: string; parent: string | undefined; message: Record<string, unknown>}

/** Versions that are looked through for the document that a change names. */
const mostVersions = 100
/** Characters that changed copies of documents may take. */
const mostCopied = 20_000_000

/** By node, the Markdown of its document; `leftOut`: changes that cannot be made exactly, and comments. */
export type CanvasReading = {texts: Map<string, string>; leftOut: number}

const isCanvasCall = ({recipient}: Record<string, unknown>) =>
  typeof recipient === 'string' && recipient.startsWith('canmore.')

const bodyOf = (message: Record<string, unknown>) => {
  const {text, parts} = recordOf(message.content)
  return recordOf(parseJson(typeof text === 'string' ? text : listOf(parts).map(textOf).join('')))
}

/** Nodes by the key of the one before them; undefined: of the first ones. */
function childrenOf(nodes: readonly Node[]) {
  const keys = new Set(nodes.map(({key}) => key))
  const children = new Map<string | undefined, Node[]>()
  for (const node of nodes) {
    const parent = node.parent !== undefined && keys.has(node.parent) ? node.parent : undefined
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [node])
    else siblings.push(node)
  }
  return children
}

export function readCanvas(mapping: Record<string, unknown>): CanvasReading {
  const reading: CanvasReading = {texts: new Map(), leftOut: 0}
  const nodes = Object.entries(mapping).map(([key, node]): Node => {
    const {parent, message} = recordOf(node)
    return {key, parent: typeof parent === 'string' ? parent : undefined, message: recordOf(message)}
  })
  if (!nodes.some(({message}) => isCanvasCall(message))) return reading
  const children = childrenOf(nodes)
  const room = {characters: mostCopied}
  const waiting = (children.get(undefined) ?? []).map((node) => ({node, before: undefined as Canvas | undefined}))
  // grows while it is walked, parents first
  for (const {node, before} of waiting) {
    const following = children.get(node.key) ?? []
    const answer = recordOf(recordOf(following[0]?.message.metadata).canvas)
    const isEffective = isCanvasCall(node.message) && answer.is_failure !== true
    const canvas = isEffective ? canvasAfter(node.message, answer, before, room) : undefined
    if (canvas?.isExact === true) reading.texts.set(node.key, toMarkdown(canvas))
    else if (isEffective) reading.leftOut += 1
    for (const child of following) waiting.push({node: child, before: canvas ?? before})
  }
  return reading
}

/** The document after a call; undefined for a call that is not understood. */
function canvasAfter(
  message: Record<string, unknown>,
  answer: Record<string, unknown>,
  before: Canvas | undefined,
  room: {characters: number},
): Canvas | undefined {
  const {name, type, content, updates} = bodyOf(message)
  const id = textOf(answer.textdoc_id)
  if (message.recipient === 'canmore.create_textdoc' && typeof content === 'string') {
    const title = lineOf(name, longestTitle) || lineOf(answer.title, longestTitle)
    return {id, name: title, type: textOf(type), content: textOf(content), isExact: true, before}
  }
  const document = message.recipient === 'canmore.update_textdoc' ? documentOf(before, id) : undefined
  if (document === undefined) return undefined
  const changed = isList(updates) ? contentAfter(document, updates.map(recordOf), room) : undefined
  const isExact = changed !== undefined
  return {...document, content: changed ?? document.content, isExact, before}
}

/** The document of this id; the newest where the answer names none. */
function documentOf(newest: Canvas | undefined, id: string): Canvas | undefined {
  let document = newest
  for (let count = 0; document !== undefined && count < mostVersions; count += 1) {
    if (id === '' || document.id === id) return document
    document = document.before
  }
  return undefined
}

/** The whole text: `.*` alone, which matches line breaks there. */
const wholes = new Set(['.*', '^.*$', '(?s).*', '(?s)^.*$', '[\\s\\S]*', '.+'])

/** The text after all changes; undefined where one of them cannot be made exactly. */
function contentAfter(
  {content, isExact}: Canvas,
  updates: readonly Record<string, unknown>[],
  room: {characters: number},
): string | undefined {
  let text = isExact ? content : undefined
  for (const {pattern, replacement, multiple} of updates) {
    if (typeof pattern !== 'string' || typeof replacement !== 'string') return undefined
    if (wholes.has(pattern)) text = textOf(replacement)
    else if (text !== undefined) text = replaced(text, literalOf(pattern), replacement, multiple === true)
    room.characters -= text?.length ?? 0
    if (room.characters < 0) return undefined
  }
  return text
}

function replaced(text: string, part: string | undefined, replacement: string, isEach: boolean): string | undefined {
  // Python reads a backslash of the replacement as a group or a control character
  if (part === undefined || part === '' || replacement.includes('\\') || !text.includes(part)) return undefined
  const by = textOf(replacement)
  return isEach ? text.replaceAll(part, () => by) : text.replace(part, () => by)
}

/** The text that a pattern without operators matches; undefined for any other pattern, which is never run. */
function literalOf(pattern: string): string | undefined {
  const pieces = pattern.match(/\\[\s\S]|[^\\]|\\/g) ?? []
  const characters = pieces.map((piece) => {
    if (piece === '\\n') return '\n'
    if (piece === '\\t') return '\t'
    if (piece.length === 2) return /[\p{L}\p{N}]/u.test(piece) ? undefined : piece.slice(1)
    return /[.^$*+?{}[\]|()\\]/.test(piece) ? undefined : piece
  })
  return characters.includes(undefined) ? undefined : textOf(characters.join(''))
}

const languages: ReadonlyMap<string, string> = new Map([
  ['react', 'jsx'],
  ['vue', 'vue'],
  ['commonlisp', 'lisp'],
  ['other', ''],
])

/** Its name, then its text: Markdown as it is, code in a fence. */
function toMarkdown({name, type, content}: Canvas): string {
  const [kind, language = ''] = type === 'webview' ? ['code', 'html'] : type.split('/')
  const body = kind === 'code' ? fenced(languages.get(language) ?? language, content) : closed(content)
  const title = name === '' ? '' : `**${name.replace(/[\\*_`[\]<>]/g, '\\$&')}**`
  return [title, body].filter((part) => part.trim() !== '').join('\n\n')
}
