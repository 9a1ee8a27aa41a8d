import {cutText} from './cut-text.ts'
import {
  lineOf,
  listOf,
  longestModel,
  longestTitle,
  recordOf,
  secondsOf,
  textOf,
  type ImportMessage,
} from './import-conversation.ts'
import {createReading, type ImportReading} from './import-reading.ts'
import {joinAnswers, toTree, type ImportNode} from './import-tree.ts'

/*
 * LobeChat's exports: rows of its tables. Older ones have them in `state` beside an `exportType`, newer ones in `data`
 * beside a `mode` or a version. A topic is a conversation, and so are the messages of an assistant without a topic, and
 * a thread beside a topic.
 */

type Row = Record<string, unknown>

const rowsOf = (value: unknown): Row[] => listOf(value).map(recordOf)

/** The tables of either form. */
function tablesOf(file: unknown): Row | undefined {
  const {exportType, state, data} = recordOf(file)
  const tables = recordOf(typeof exportType === 'string' ? state : data)
  const isOurs = Array.isArray(tables.messages) && (Array.isArray(tables.sessions) || Array.isArray(tables.topics))
  return isOurs ? tables : undefined
}

export const isLobechatFile = (file: unknown) => tablesOf(file) !== undefined

export function readLobechat(file: unknown): ImportReading {
  const reading = createReading('lobechat')
  const tables = tablesOf(file) ?? {}
  const sessions = byId(tables.sessions)
  const topics = byId(tables.topics)
  const threads = byId(tables.threads)
  const agents = agentsOf(tables)
  const files = countFiles(tables)
  for (const [id, rows] of conversationsOf(rowsOf(tables.messages))) {
    const [first = {}] = rows
    const topic = topics.get(textOf(first.topicId)) ?? {}
    const sessionId = textOf(first.sessionId ?? topic.sessionId)
    const session = sessions.get(sessionId) ?? {}
    const thread = threads.get(textOf(first.threadId)) ?? {}
    const title = [thread.title, topic.title, recordOf(session.meta).title, session.title]
      .map((each) => lineOf(each, longestTitle))
      .reduce((name, next) => name || next, '')
    reading.add(title, () => {
      const agent = agents(sessionId, session)
      const {messages, current} = joinAnswers(toTree(...nodesOf(rows)))
      const last = messages.findLast(({model}) => model !== undefined)
      const preset = cutText(textOf(agent.systemRole).trim(), 20_000)
      return {
        id,
        model: last?.model ?? lineOf(agent.model, longestModel),
        facts: {
          created_at: secondsOf(topic.createdAt) ?? secondsOf(first.createdAt),
          updated_at: secondsOf(rows.at(-1)?.createdAt) ?? secondsOf(topic.updatedAt),
          ...((topic.favorite === true || topic.favorite === 1) && {pinned: true}),
          ...(preset === '' ? {} : {preset}),
        },
        messages,
        current,
        lost: rows.reduce((sum, row) => sum + Math.max(files.get(textOf(row.id)) ?? 0, listOf(row.files).length), 0),
      }
    })
  }
  return reading
}

const byId = (value: unknown) => new Map(rowsOf(value).map((row) => [textOf(row.id), row]))

/** The assistant of a session: within it, or a row that another table joins to it. */
function agentsOf(tables: Row) {
  const agents = byId(tables.agents)
  const agentsBySession = new Map(
    rowsOf(tables.agentsToSessions).map((row) => [textOf(row.sessionId), textOf(row.agentId)]),
  )
  return (sessionId: string, session: Row): Row =>
    agents.get(agentsBySession.get(sessionId) ?? '') ?? recordOf(session.config)
}

/** A file has its rows of attachments, never their bytes. */
function countFiles(tables: Row): Map<string, number> {
  const counts = new Map<string, number>()
  for (const {messageId} of rowsOf(tables.messagesFiles))
    counts.set(textOf(messageId), (counts.get(textOf(messageId)) ?? 0) + 1)
  return counts
}

const timeOf = ({createdAt}: Row) => secondsOf(createdAt) ?? 0

/** The rows of each conversation, oldest first. */
function conversationsOf(rows: readonly Row[]): Map<string, Row[]> {
  const conversations = new Map<string, Row[]>()
  const timedRows = rows.map((row, index) => ({row, index, time: timeOf(row)}))
  for (const {row} of timedRows.sort((a, b) => a.time - b.time || a.index - b.index)) {
    const topic = textOf(row.topicId) || `session/${textOf(row.sessionId) || 'inbox'}`
    const thread = textOf(row.threadId)
    const id = thread === '' ? topic : `${topic}/${thread}`
    const conversation = conversations.get(id)
    if (conversation === undefined) conversations.set(id, [row])
    else conversation.push(row)
  }
  return conversations
}

/** A message without a parent follows the one before it in time; two answers to one question are versions. */
function nodesOf(rows: readonly Row[]): [nodes: ImportNode[], current: string | undefined] {
  const ids = new Set(rows.map(({id}) => textOf(id)))
  let previous: string | undefined
  const nodes = rows.map((row, index): ImportNode => {
    const key = textOf(row.id) || `row ${index}`
    const parentId = textOf(row.parentId)
    const parent = ids.has(parentId) && parentId !== key ? parentId : previous
    previous = key
    return {key, parent, message: messageOf(row)}
  })
  return [nodes, previous]
}

function messageOf(row: Row): ImportNode['message'] {
  const {role} = row
  if (role !== 'user' && role !== 'assistant') return undefined
  const text = role === 'assistant' ? `${reasoningOf(row)}${textOf(row.content)}` : textOf(row.content)
  const error = recordOf(row.error)
  const isFailed = role === 'assistant' && Object.keys(error).length > 0
  if (text.trim() === '' && !isFailed) return undefined
  const time = secondsOf(row.createdAt)
  return {
    role,
    // LobeChat writes this while an answer is on its way
    content: text === '...' && role === 'assistant' ? '' : text,
    ...(time === undefined ? {} : {created_at: time}),
    ...(role === 'assistant' && answerOf(row, isFailed ? error : undefined)),
  }
}

function reasoningOf(row: Row): string {
  const text = textOf(recordOf(row.reasoning).content).trim()
  return text === '' ? '' : `<think>\n${text}\n</think>\n\n`
}

function answerOf(row: Row, error: Row | undefined): Partial<ImportMessage> {
  const model = lineOf(row.model ?? row.fromModel ?? recordOf(row.extra).fromModel, longestModel)
  const message = cutText(textOf(error?.message), 4_000)
  return {
    ...(model === '' ? {} : {model}),
    ...(error === undefined
      ? {state: 'finished' as const}
      : {
          state: 'failed' as const,
          outcome: 'refused' as const,
          error: {code: 'unknown', ...(message === '' ? {} : {message})},
        }),
  }
}
