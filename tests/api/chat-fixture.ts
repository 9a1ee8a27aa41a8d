import type {Observable} from 'rxjs'
import {vi} from 'vitest'
import {createChatApi, type ChatApiDeps} from '#api/chat.ts'
import type {AnswerEvent, AnswerInput} from '#domain/answer.ts'
import {type createFakeFetch} from './fake-fetch.ts'

export const exchange = {
  question: ' What is tea? ',
  references: ['https://foo.test/a.png'],
  key: 'k-1',
  message: 'k-1',
  attempt: 1,
  lastSeq: 0,
}
export const question: AnswerInput = {request: 'ask', model: 'gpt-4o-all', capabilities: [], exchange}
export const rest: AnswerInput = {
  ...question,
  request: 'resume',
  conversation: 'c-1',
  exchange: {...exchange, message: 'm-1', attempt: 2, lastSeq: 7},
}

export const setUp = (fake: ReturnType<typeof createFakeFetch>, deps: Partial<ChatApiDeps> = {}) => {
  const log = vi.fn()
  const chat = createChatApi({
    fetch: fake.fetch,
    baseUrl: 'https://api.test',
    headers: () => ({authorization: 'Bearer credential'}),
    log,
    now: () => 0,
    sleep: async () => undefined,
    ...deps,
  })
  return {chat, log}
}

export const collect = (events$: Observable<AnswerEvent>) => {
  const events: AnswerEvent[] = []
  let end: 'running' | 'completed' | {error: unknown} = 'running'
  let resolve: () => void = () => undefined
  const ended = new Promise<void>((done) => {
    resolve = done
  })
  const subscription = events$.subscribe({
    next: (event) => events.push(event),
    error: (error: unknown) => {
      end = {error}
      resolve()
    },
    complete: () => {
      end = 'completed'
      resolve()
    },
  })
  return {events, ended, subscription, end: () => end}
}
export const stream = (text: string, contentType = 'text/event-stream') =>
  new Response(text, {headers: {'content-type': contentType}})
