import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {Agent, request} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import {median, quantile} from './figures.mjs'
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

/** @type {import('./figures.mjs').Part} */
export const streams = async (bench) => {
  const {token} = await bench.user()
  await bench.restart(collectorOptions)
  const agent = new Agent({keepAlive: false, maxSockets: Infinity})
  const warmAgent = new Agent({keepAlive: true})
  const ask = (/** @type {object} */ body, /** @type {(data: string) => boolean} */ isEnough, from = agent) =>
    post({url: bench.chatUrl, headers: {authorization: `Bearer ${token}`}, agent: from, body}, isEnough)
  const hasDelta = (/** @type {string} */ data) => data !== '[DONE]' && Boolean(JSON.parse(data).delta_answer)
  const memory = () => residentBytes(bench.processId())

  // First byte: the same question to the model server itself and through Atrium, in turn.
  const direct = []
  const through = []
  const body = {model: 'gpt-5', question: questions.answer(20, 0)}
  const modelBody = {model: 'gpt-5', stream: true, messages: [{role: 'user', content: body.question}]}
  const workBefore = processorTime(bench.processId())
  for (let round = 0; round < latencyRounds; round += 1) {
    const isContent = (/** @type {string} */ data) =>
      data !== '[DONE]' && Boolean(JSON.parse(data).choices[0]?.delta.content)
    const one = await post({url: `${bench.modelsUrl}/chat/completions`, agent: warmAgent, body: modelBody}, isContent)
    const other = await ask(body, hasDelta, warmAgent)
    one.close()
    other.close()
    if (round >= latencyRounds / 10) {
      direct.push(one.milliseconds)
      through.push(other.milliseconds)
    }
  }

  const workAfter = processorTime(bench.processId())

  // Idle streams: readers of answers that wait for their model.
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
  const closeAll = async (/** @type {{close: () => void}[]} */ open) => {
    for (const {close} of open) close()
    await delay(settleMilliseconds)
  }
  await closeAll(await listen(200))
  const idle = memory()
  const open = await listen(streamCount)
  await delay(settleMilliseconds)
  const busy = memory()
  await closeAll(open)

  // Readers that come and go, measured when the collector has just been.
  const cycle = async () => {
    for (const {close} of await listen(cycleStreams)) close()
    await delay(50)
  }
  const held = async () => {
    await delay(settleMilliseconds)
    for (let times = 0; times < 3; times += 1) {
      process.kill(bench.processId(), 'SIGUSR2')
      await delay(settleMilliseconds)
    }
    return memory()
  }
  for (let done = 0; done < warmingCycles; done += 1) await cycle()
  const before = await held()
  for (let done = 0; done < cycleCount; done += 1) await cycle()
  const growth = (await held()) - before
  await closeAll(holders)
  agent.destroy()
  warmAgent.destroy()

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
    {name: 'first byte of the model server, median', kind: 'time', value: median(direct), unit: 'ms'},
    {name: 'first byte through Atrium, median', kind: 'time', value: median(through), unit: 'ms'},
    {name: 'added to the first byte, median', kind: 'time', value: median(through) - median(direct), unit: 'ms'},
    {
      name: 'added to the first byte, p99',
      kind: 'time',
      value: quantile(through, 0.99) - quantile(direct, 0.99),
      unit: 'ms',
      budget: 20,
    },
    ...(workBefore === undefined || workAfter === undefined
      ? []
      : [
          {
            name: 'processor time of the server for an answer of 20 tokens',
            kind: /** @type {const} */ ('time'),
            value: (workAfter - workBefore) / latencyRounds,
            unit: 'ms',
          },
        ]),
  ]
}
