import {longestLabel, messageOutcomes, mostLabels} from '#contract/chat.ts'
import {longestThought} from '#contract/imports.ts'
import {fileFormat} from './conversation-file.ts'
import {cutText} from './cut-text.ts'
import {
  attachmentOf,
  lineOf,
  listOf,
  longestModel,
  longestTitle,
  recordOf,
  secondsOf,
  textOf,
  type ImportContent,
  type ImportMessage,
} from './import-conversation.ts'
import {createReading, type ImportReading} from './import-reading.ts'
import {toTree, type ImportNode} from './import-tree.ts'

/** Our own file (conversation-file.ts), of this version and older ones. */
export const isAtriumFile = (file: unknown) => recordOf(file).format === fileFormat.format

/** A file of a newer version, which this one would misread. */
export const isNewerAtriumFile = (file: unknown) => {
  const {version} = recordOf(file)
  return isAtriumFile(file) && (typeof version !== 'number' || version > fileFormat.version)
}

export function readAtrium(file: unknown): ImportReading {
  const reading = createReading('atrium')
  for (const entry of listOf(recordOf(file).conversations)) {
    const conversation = recordOf(entry)
    reading.add(lineOf(conversation.title, longestTitle), () => {
      const nodes = listOf(conversation.messages).map(nodeOf)
      const {messages, current} = toTree(nodes, keyOf(conversation.current))
      return {
        id: textOf(conversation.id),
        model: lineOf(conversation.model, longestModel),
        facts: {
          ...timesOf(conversation),
          ...(typeof conversation.preset === 'string' && {preset: cutText(textOf(conversation.preset), 20_000)}),
          ...(typeof conversation.pinned === 'boolean' && {pinned: conversation.pinned}),
          ...(typeof conversation.archived === 'boolean' && {archived: conversation.archived}),
          labels: labelsOf(conversation.labels),
        },
        messages,
        current,
        lost: 0,
      }
    })
  }
  return reading
}

const timesOf = ({created_at: createdAt, updated_at: updatedAt}: Record<string, unknown>) => ({
  created_at: secondsOf(createdAt),
  updated_at: secondsOf(updatedAt),
})

const labelsOf = (value: unknown) =>
  listOf(value)
    .map((label) => lineOf(label, longestLabel))
    .filter((label) => label !== '')
    .slice(0, mostLabels)

const keyOf = (index: unknown) => (typeof index === 'number' ? String(index) : undefined)

/** Files of version 1 hold one path, those of 2 say less of an answer: a message follows the one before it in the list. */
function nodeOf(node: unknown, index: number): ImportNode {
  const {role, content, parent, created_at: createdAt, hidden_at: hiddenAt, ...answer} = recordOf(node)
  const position = {key: String(index), parent: parent === undefined ? keyOf(index - 1) : keyOf(parent)}
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return {...position, message: undefined}
  const [time, hiddenTime] = [secondsOf(createdAt), secondsOf(hiddenAt)]
  const message: ImportNode['message'] = {
    role,
    content: typeof content === 'string' ? textOf(content) : listOf(content).flatMap(itemOf),
    ...(time === undefined ? {} : {created_at: time}),
    ...(hiddenTime === undefined ? {} : {hidden_at: hiddenTime}),
    ...(role === 'assistant' && answerOf(answer)),
  }
  return {...position, message}
}

type Answer = Pick<ImportMessage, 'state' | 'outcome' | 'error' | 'model' | 'sandbox' | 'thought_ms'>

/** An answer that was running when the file was made did not end in it. */
function answerOf({state, outcome, error, model, sandbox, thought_ms: thought}: Record<string, unknown>): Answer {
  const {code, message} = recordOf(error)
  const name = lineOf(model, longestModel)
  const isRunning = state === 'pending' || state === 'answering'
  const knownOutcome = isRunning ? 'interrupted' : messageOutcomes.find((each) => each === outcome)
  return {
    state: isRunning || state === 'failed' ? 'failed' : 'finished',
    ...(knownOutcome === undefined ? {} : {outcome: knownOutcome}),
    ...(typeof code === 'string' && {
      error: {
        code: lineOf(code, 100),
        ...(typeof message === 'string' && {message: cutText(textOf(message), 4_000)}),
      },
    }),
    ...(name === '' ? {} : {model: name}),
    ...(sandbox === true && {sandbox}),
    ...(isThoughtTime(thought) && {thought_ms: thought}),
  }
}

const isThoughtTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= longestThought

function itemOf(part: unknown): Exclude<ImportContent, string> {
  const {type, text, image_url: image, file_url: file} = recordOf(part)
  if (type === 'text') return [{type, text: textOf(text)}]
  const kind = type === 'image_url' ? 'image' : type === 'file_url' ? 'file' : undefined
  const item = kind && attachmentOf(kind, addressOf(kind === 'image' ? image : file))
  return item === undefined ? [] : [item]
}

const addressOf = (form: unknown) => textOf(typeof form === 'string' ? form : recordOf(form).url)
