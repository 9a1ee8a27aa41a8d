import {messageText} from './conversation.ts'
import {contentOf, type ImportAttachment, type ImportMessage} from './import-conversation.ts'

/** A message of a file, or a position in its tree without one: what follows it then follows the message before. */
export type ImportNode = {
  key: string
  parent: string | undefined
  message: Omit<ImportMessage, 'parent'> | undefined
}
type Tree = {messages: ImportMessage[]; current: number | undefined}

/**
 * A tree of messages, each after the one before it, versions in the order of the file. Parents that are missing count
 * as none; a circle is cut at its first message.
 */
export function toTree(nodes: readonly ImportNode[], currentKey?: string): Tree {
  const byKey = new Map(nodes.toReversed().map((node) => [node.key, node]))
  const withMessage = [...new Set(nodes)].filter((node) => node.message !== undefined && byKey.get(node.key) === node)
  const anchor = createAnchor(byKey)
  const children = new Map<string | undefined, ImportNode[]>()
  for (const node of withMessage) {
    const parent = anchor(node.parent)
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [node])
    else siblings.push(node)
  }
  const indices = new Map<string, number>()
  const messages: ImportMessage[] = []
  const descend = (roots: readonly ImportNode[], parent: number | null) => {
    const waiting = roots.toReversed().map((node) => ({node, parent}))
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const {node} = next
      if (node.message === undefined || indices.has(node.key)) continue
      const index = messages.push({...node.message, parent: next.parent}) - 1
      indices.set(node.key, index)
      for (const child of (children.get(node.key) ?? []).toReversed()) waiting.push({node: child, parent: index})
    }
  }
  descend(children.get(undefined) ?? [], null)
  // what hangs on a circle
  for (const node of withMessage) if (!indices.has(node.key)) descend([node], null)
  const current = anchor(currentKey)
  return {messages, current: current === undefined ? undefined : indices.get(current)}
}

/** The next key from here upwards that has a message. */
function createAnchor(byKey: ReadonlyMap<string, ImportNode>) {
  const anchors = new Map<string, string | undefined>()
  return (key: string | undefined): string | undefined => {
    const path = new Set<string>()
    let at = key
    while (at !== undefined && !anchors.has(at) && byKey.get(at)?.message === undefined && !path.has(at)) {
      path.add(at)
      at = byKey.get(at)?.parent
    }
    const anchorKey = at === undefined || path.has(at) ? undefined : anchors.has(at) ? anchors.get(at) : at
    for (const each of path) anchors.set(each, anchorKey)
    return anchorKey
  }
}

/** A longer text stays two messages. */
const longestJoined = 400_000

/** A message with the answer that it continues: texts are joined once for all, for the messages that stay alone. */
type Link = {message: ImportMessage; before: Link | undefined; parent: number | null; length: number}

/**
 * Other apps store one answer as several messages, with calls of tools between them: thoughts, text, an image. Here it
 * is one, as what is asked again is answered again whole.
 */
export function joinAnswers({messages, current}: Tree): Tree {
  const links: Link[] = []
  const absorbers = new Map<number, number>()
  for (const [index, message] of messages.entries()) {
    const before = message.parent === null ? undefined : links[message.parent]
    const link = linked(before, message)
    links.push(link)
    if (link.before !== undefined && message.parent !== null && !absorbers.has(message.parent))
      absorbers.set(message.parent, index)
  }
  // a message that is part of the next one, but has another one behind it as well, stays for that one
  const parents = new Set(links.map(({parent}) => parent))
  const indices = new Map<number, number>()
  const remainder = links.filter((_, index) => {
    const stays = !absorbers.has(index) || parents.has(index)
    if (stays) indices.set(index, indices.size)
    return stays
  })
  let shownIndex = current
  while (shownIndex !== undefined && !indices.has(shownIndex)) shownIndex = absorbers.get(shownIndex)
  return {
    messages: remainder.map((link) => ({
      ...link.message,
      content: contentOfLink(link),
      parent: link.parent === null ? null : (indices.get(link.parent) ?? null),
    })),
    current: shownIndex === undefined ? undefined : indices.get(shownIndex),
  }
}

const attachmentsIn = ({content}: ImportMessage): ImportAttachment[] =>
  typeof content === 'string' ? [] : content.filter((item) => item.type !== 'text')

const gap = '\n\n'

function linked(before: Link | undefined, message: ImportMessage): Link {
  const ownLength = messageText(message.content).length
  const alone: Link = {message, before: undefined, parent: message.parent, length: ownLength}
  if (before === undefined || before.message.role !== 'assistant' || message.role !== 'assistant') return alone
  const length = before.length + ownLength + (before.length > 0 && ownLength > 0 ? gap.length : 0)
  return length > longestJoined ? alone : {message, before, parent: before.parent, length}
}

function contentOfLink(link: Link): ImportMessage['content'] {
  if (link.before === undefined) return link.message.content
  const parts: ImportMessage[] = []
  for (let at: Link | undefined = link; at !== undefined; at = at.before) parts.push(at.message)
  parts.reverse()
  const texts = parts.map(({content}) => messageText(content)).filter((text) => text !== '')
  return contentOf(texts.join(gap), parts.flatMap(attachmentsIn))
}
