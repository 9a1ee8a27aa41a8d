import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {Agent, request} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import {median, quantile, time} from './figures.mjs'
import {questions} from './model-server.mjs'
import {processorTime} from './processor-time.mjs'

const streamCount = 1_000
const answerCount = 4
const latencyRounds = 200
/** The first cycles fill caches and pools; the readers of the others leave nothing (security R69). */
const [warmingCycles, cycleCount, cycleStreams] = [10, 100, 100]
const settleMilliseconds = 1_500
const collectorOptions = ['--expose-gc', `--import=${new URL('collect-on-signal.mjs', import.meta.url).href}`]

/** Bytes of memory a process holds. @param {number} processId */
const residentBytes = (processId) => {
  const status = `/proc/${processId}/status`
  const kibibytes = existsSync(status)
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(processId)], {encoding: 'utf8'})
  return Number(kibibytes) * 1_024
}

/**
 * Posts JSON and calls back for each `data:` of the answer; resolves when the first for which it returns true has come.
 * @param {{url: string, headers?: Record<string, string>, agent: Agent, body: object}} call
 * @param {(data: string) => boolean} isEnough
 * @returns {Promise<{milliseconds: number, close: () => void}>}
 */
const post = ({url, headers, agent, body}, isEnough) =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const call = request(
      url,
      {method: 'POST', agent, headers: {'content-type': 'application/json', accept: 'text/event-stream', ...headers}},
      (response) => {
        let text = ''
        let isFound = false
        response.setEncoding('utf8')
        response.on('error', () => undefined)
        response.on('data', (/** @type {string} */ part) => {
          if (isFound) return
          text += part
          if (!text.split('\n').some((line) => line.startsWith('data: ') && isEnough(line.slice('data: '.length))))
            return
          isFound = true
          text = ''
          resolve({milliseconds: performance.now() - startedAt, close: () => call.destroy()})
        })
        response.on('end', () => reject(new Error(`${response.statusCode}: ${text.slice(0, 300)}`)))
      },
    )
    call.on('error', reject)
    call.end(JSON.stringify(body))
  })

/**
 * Asks Atrium; resolves when the first piece for which `isEnough` returns true has come.
 * @typedef {(body: object, isEnough: (data: string) => boolean, agent?: Agent) => ReturnType<typeof post>} Ask
 */

const hasDelta = (/** @type {string} */ data) => data !== '[DONE]' && Boolean(JSON.parse(data).delta_answer)
const hasContent = (/** @type {string} */ data) =>
  data !== '[DONE]' && Boolean(JSON.parse(data).choices[0]?.delta.content)

/**
 * Milliseconds to the first byte: the same question to the model server itself and through Atrium, in turn. `work`: the
 * processor time of the server for one, where it is known.
 * @param {import('./installation.mjs').Bench} bench @param {Ask} ask
 */
const compareFirstBytes = async (bench, ask) => {
  const agent = new Agent({keepAlive: true})
  const direct = []
  const through = []
  const body = {model: 'gpt-5', question: questions.answer(20, 0)}
  const modelBody = {model: 'gpt-5', stream: true, messages: [{role: 'user', content: body.question}]}
  const workBefore = processorTime(bench.processId())
  for (let round = 0; round < latencyRounds; round += 1) {
    const one = await post({url: `${bench.modelsUrl}/chat/completions`, agent, body: modelBody}, hasContent)
    const other = await ask(body, hasDelta, agent)
    one.close()
    other.close()
    if (round >= latencyRounds / 10) {
      direct.push(one.milliseconds)
      through.push(other.milliseconds)
    }
  }
  const workAfter = processorTime(bench.processId())
  agent.destroy()
  const work =
    workBefore === undefined || workAfter === undefined ? undefined : (workAfter - workBefore) / latencyRounds
  return {direct, through, work}
}

/** Answers that wait for their model. `listen` opens readers, spread over the answers. @param {Ask} ask */
const holdAnswers = async (ask) => {
  /** @type {{close: () => void}[]} */
  const holders = []
  /** @type {{id: string, message: string, attempt: number}[]} */
  const answers = []
  for (let index = 0; index < answerCount; index += 1) {
    holders.push(
      await ask({model: 'gpt-5', question: questions.hold}, (data) => {
        const {id, message, attempt} = JSON.parse(data)
        if (message === undefined) return false
        answers[index] = {id, message, attempt}
        return true
      }),
    )
  }
  const listen = async (/** @type {number} */ count) => {
    const open = []
    for (let done = 0; done < count; done += 50) {
      const some = Array.from({length: Math.min(50, count - done)}, (_, index) =>
        ask({action: 'resume', ...answers[index % answerCount], last_seq: 0}, hasDelta),
      )
      open.push(...(await Promise.all(some)))
    }
    return open
  }
  return {listen, end: () => closeAll(holders)}
}

const closeAll = async (/** @type {{close: () => void}[]} */ open) => {
  for (const {close} of open) close()
  await delay(settleMilliseconds)
}

/** @typedef {Awaited<ReturnType<typeof holdAnswers>>['listen']} Listen */

/** Bytes of memory with no reader and with many that wait. @param {Listen} listen @param {() => number} memory */
const measureWaiting = async (listen, memory) => {
  await closeAll(await listen(200))
  const idle = memory()
  const open = await listen(streamCount)
  await delay(settleMilliseconds)
  const busy = memory()
  await closeAll(open)
  return {idle, busy}
}

/**
 * Bytes that remain of readers that came and went, measured when the collector has just been. @param {Listen} listen
 * @param {() => number} processId
 */
const measureGrowth = async (listen, processId) => {
  const cycle = async () => {
    for (const {close} of await listen(cycleStreams)) close()
    await delay(50)
  }
  const held = async () => {
    await delay(settleMilliseconds)
    for (let times = 0; times < 3; times += 1) {
      process.kill(processId(), 'SIGUSR2')
      await delay(settleMilliseconds)
    }
    return residentBytes(processId())
  }
  for (let done = 0; done < warmingCycles; done += 1) await cycle()
  const before = await held()
  for (let done = 0; done < cycleCount; done += 1) await cycle()
  return (await held()) - before
}

/** @type {import('./figures.mjs').Part} */
export const streams = async (bench) => {
  const {token} = await bench.user()
  await bench.restart(collectorOptions)
  const agent = new Agent({keepAlive: false, maxSockets: Infinity})
  /** @type {Ask} */
  const ask = (body, isEnough, from = agent) =>
    post({url: bench.chatUrl, headers: {authorization: `Bearer ${token}`}, agent: from, body}, isEnough)

  const {direct, through, work} = await compareFirstBytes(bench, ask)
  const {listen, end} = await holdAnswers(ask)
  const {idle, busy} = await measureWaiting(listen, () => residentBytes(bench.processId()))
  const growth = await measureGrowth(listen, () => bench.processId())
  await end()
  agent.destroy()

  const megabyte = 1_048_576
  return [
    {
      name: `memory of an idle stream, of ${streamCount}`,
      kind: 'bytes',
      value: (busy - idle) / streamCount / 1_024,
      unit: 'KiB',
      budget: 64,
    },
    {name: 'memory before them', kind: 'bytes', value: idle / megabyte, unit: 'MiB'},
    {
      name: `growth over ${(cycleStreams * cycleCount).toLocaleString('en')} readers that came and went`,
      kind: 'bytes',
      value: growth / megabyte,
      unit: 'MiB',
      budget: 16,
    },
    time('first byte of the model server, median', median(direct)),
    time('first byte through Atrium, median', median(through)),
    time('added to the first byte, median', median(through) - median(direct)),
    time('added to the first byte, p99', quantile(through, 0.99) - quantile(direct, 0.99), 20),
    ...(work === undefined ? [] : [time('processor time of the server for an answer of 20 tokens', work)]),
  ]
}
