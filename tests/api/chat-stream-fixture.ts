import {createAnswerReader, type AnswerReaderOptions} from '#api/chat-stream.ts'
import {utf8} from './cuts.ts'

export const eventStream = 'text/event-stream; charset=utf-8'

export const readAll = (chunks: Uint8Array[], options: Partial<AnswerReaderOptions> = {}) => {
  const logged: string[] = []
  const reader = createAnswerReader({contentType: eventStream, log: (message) => logged.push(message), ...options})
  const parts = chunks.flatMap((chunk) => Array.from(reader.push(chunk)))
  return {parts: [...parts, ...reader.end()], logged}
}

export const read = (body: string, options?: Partial<AnswerReaderOptions>) => readAll([utf8(body)], options)

export const partsOf = (body: string, options?: Partial<AnswerReaderOptions>) => read(body, options).parts

export const started = (conversation = 'foo') => ({kind: 'started', conversation})

export const text = (seq: number, words: string) => ({kind: 'text', seq, text: words})

export const completed = {kind: 'completed'}

export const failed = (failure: object, outcome = 'refused') => ({kind: 'failed', failure, outcome})
