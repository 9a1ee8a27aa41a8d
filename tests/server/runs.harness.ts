import type pg from 'pg'
import {tool as flux} from '#contract/media/flux.ts'
import {messageText} from '#domain/conversation.ts'
import type {Config} from '#server/config.ts'
import type {Timers} from '#server/providers/timers.ts'
import {ask, createAiServer, headOf, openStream, type AiServer, type Asker} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import type {TestServer} from './harness.ts'
import {createMediaServer, createScriptedMedia, post, type MediaServer} from './media.harness.ts'

/*
 * Answers and media tasks as what they have in common: rows that one worker at a time works on (docs/decisions/0034).
 */

/** Work that reached the provider; the test ends it. */
export type Work = {prompt: string; signal: AbortSignal; finish: () => void}

export type ProcessOptions = {timers?: Timers; config?: Partial<Config>; provider?: string}

export type RunProcess = {
  workerId: string
  server: TestServer
  /** Sends a request and returns the id of its row. */
  submit: (asker: Asker, prompt: string) => Promise<string>
  /** Starts what waits, as the job queue would. */
  startWaiting: () => Promise<void>
  startJob: (id: string) => Promise<void>
  isHere: (id: string) => boolean
  workersDied: (workerIds: readonly string[]) => Promise<void>
  /** A second process on the same database. */
  beside: (options: ProcessOptions) => Promise<RunProcess>
  drain: (mostMilliseconds?: number) => Promise<void>
  stop: () => Promise<void>
  close: () => Promise<void>
}

export type RunSubject = {
  name: 'answer' | 'task'
  perUser: number
  drainMilliseconds: number
  states: {waiting: string; running: string; ended: string}
  createProcess: (options: ProcessOptions) => Promise<RunProcess>
  /** The next work that reaches the provider. */
  next: () => Promise<Work>
  isUnasked: () => boolean
}

const jobOf = (workerId: string) => ({id: '1', workerId, signal: new AbortController().signal})

export function answersSubject(): RunSubject {
  const model = createScriptedProvider()
  const createProcess = async (
    {provider = 'foo', ...options}: ProcessOptions,
    sharing?: AiServer,
  ): Promise<RunProcess> => {
    const on = await createAiServer({providers: [{...model.provider, name: provider}], ...options, sharing})
    const {service, server, workerId} = on
    return {
      workerId,
      server,
      submit: async (asker, prompt) => {
        const stream = openStream(await ask(on, asker, {question: prompt}))
        const {message} = await headOf(stream)
        await stream.cancel()
        const {rows} = await server.deps.database.pool.query<{id: string}>(
          'select id from answers where message_id = $1',
          [message],
        )
        return rows[0]?.id ?? ''
      },
      startWaiting: service.runner.startWaiting,
      startJob: async (id) => service.tasks['answer']?.({answerId: id}, jobOf(workerId)),
      isHere: service.runner.isHere,
      workersDied: service.workersDied,
      beside: (others) => createProcess(others, sharing ?? on),
      drain: service.drain,
      stop: service.stop,
      close: on.close,
    }
  }
  return {
    name: 'answer',
    perUser: 4,
    drainMilliseconds: 4_000,
    states: {waiting: 'pending', running: 'answering', ended: 'finished'},
    createProcess: (options) => createProcess(options),
    next: async () => {
      const {input, finish} = await model.next()
      return {prompt: messageText(input.messages.at(-1)?.content ?? ''), signal: input.signal, finish: () => finish()}
    },
    isUnasked: model.unasked,
  }
}

export function tasksSubject(): RunSubject {
  const media = createScriptedMedia()
  const createProcess = async (
    {provider = 'foo', config, ...options}: ProcessOptions,
    sharing?: MediaServer,
  ): Promise<RunProcess> => {
    const on = await createMediaServer({
      tools: [flux],
      provider: {...media.provider, name: provider},
      config: {limitFactor: 1, ...config},
      ...options,
      sharing,
    })
    const {service, server, workerId} = on
    return {
      workerId,
      server,
      submit: async (asker, prompt) => {
        const {body} = await post(on, asker, '/flux/images', {prompt, async: true})
        return String(body.task_id)
      },
      startWaiting: service.runner.startWaiting,
      startJob: async (id) => service.tasks['task']?.({taskId: id}, jobOf(workerId)),
      isHere: service.runner.isHere,
      workersDied: service.workersDied,
      beside: (others) => createProcess(others, sharing ?? on),
      drain: service.drain,
      stop: service.stop,
      close: on.close,
    }
  }
  return {
    name: 'task',
    perUser: 5,
    drainMilliseconds: 4_000,
    states: {waiting: 'queued', running: 'running', ended: 'succeeded'},
    createProcess: (options) => createProcess(options),
    next: async () => {
      const {ask: asked, finish} = await media.next()
      return {prompt: asked.plan.prompt, signal: asked.signal, finish: () => finish()}
    },
    isUnasked: media.unasked,
  }
}

export type RunRow = {
  id: string
  state: string
  outcome: string | null
  error: {code: string} | null
  worker_id: string | null
  fence: string
  provider: string
  settled: string | null
}

export async function rowsOf({server}: RunProcess, {name}: RunSubject, {userId}: Asker): Promise<RunRow[]> {
  const {rows} = await server.deps.database.pool.query<RunRow>(
    `select id, state, outcome, error, worker_id, fence, provider, settled from ${name}s where user_id = $1 order by created_at`,
    [userId],
  )
  return rows
}

export const poolOf = ({server}: RunProcess): pg.Pool => server.deps.database.pool
