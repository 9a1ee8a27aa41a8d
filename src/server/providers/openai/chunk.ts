import {isList} from '#contract/is-list.ts'
import {isRecord} from '#contract/is-record.ts'

/** The facts of one chunk (or a whole non-streamed answer) of an OpenAI-compatible server, whatever its dialect. */
export type ChunkFacts = {
  text: string
  reasoning: string
  finishReason: string | undefined
  usage: {promptTokens: number; completionTokens: number} | undefined
  /** The server's own error object, text or flat body. */
  error: unknown
}

/** `choices` may be absent, null or empty; content is text, parts or null; unknown keys are ignored (backends 2.3). */
export function readChunk(value: unknown): ChunkFacts {
  const chunk = isRecord(value) ? value : {}
  const choices: unknown[] = Array.isArray(chunk.choices) ? chunk.choices : []
  const first = choices[0]
  const choice = isRecord(first) ? first : {}
  const delta = [choice.delta, choice.message].find(isRecord) ?? {}
  const content = readContent(delta.content ?? delta.refusal ?? choice.text)
  return {
    text: content.text,
    reasoning: firstText(delta.reasoning_content, delta.reasoning) + content.reasoning,
    finishReason: readFinishReason(choice.finish_reason),
    usage: readUsage(chunk.usage),
    error: readError(chunk, choice),
  }
}

function readError(chunk: Record<string, unknown>, choice: Record<string, unknown>): unknown {
  if (chunk.error != null && chunk.error !== '') return chunk.error
  if (choice.error != null) return choice.error
  if (chunk.object === 'error') return chunk
  if (chunk.choices === undefined && chunk.detail !== undefined) return chunk
  return undefined
}

const firstText = (...candidates: unknown[]): string =>
  candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '') ?? ''

/** Parts are `{type: 'text', text}` or plain text; some servers reason there as `{type: 'thinking', thinking}`. */
function readContent(content: unknown): {text: string; reasoning: string} {
  if (typeof content === 'string') return {text: content, reasoning: ''}
  if (!isList(content)) return {text: '', reasoning: ''}
  const total = {text: '', reasoning: ''}
  for (const part of content) {
    if (typeof part === 'string') total.text += part
    else if (isRecord(part) && part.thinking !== undefined) total.reasoning += readContent(part.thinking).text
    else if (isRecord(part)) total.text += firstText(part.text)
  }
  return total
}

/** Some servers write "null" as text until the answer is whole. */
const readFinishReason = (reason: unknown): string | undefined =>
  typeof reason === 'string' && reason !== '' && reason !== 'null' ? reason : undefined

function readUsage(usage: unknown): ChunkFacts['usage'] {
  if (!isRecord(usage)) return undefined
  const {prompt_tokens: prompt, completion_tokens: completion} = usage
  if (!isCount(prompt) || !isCount(completion)) return undefined
  return {promptTokens: prompt, completionTokens: completion}
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
