import {Agent, request} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import {quantile} from './figures.mjs'
import {questions} from './model-server.mjs'
import {processorTime} from './processor-time.mjs'

const answerCount = 1_000
const atOnce = 10
/** Tokens of an answer, more than come until the end, and how many of them a second. */
const [tokenCount, rate] = [1_000, 1]
const watchMilliseconds = 10_000

/**
 * Compares the text that readers of 1,000 answers were shown when the server is killed with the text that it has after
 * its restart; measures how late words come meanwhile (decision 27).
 * @type {import('./figures.mjs').Part}
 */
export const keptText = async (bench) => {
  const {token} = await bench.user()
  const agent = new Agent({keepAlive: true, maxSockets: Infinity})
  const options = /** @type {const} */ ({
    method: 'POST',
    agent,
    headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream'},
  })
  /** @type {{id: string, message: string, shown: string}[]} */
  const readers = []
  /** @type {number[]} */
  const lags = []
  let isWatched = false

  /** Asks and reads on; resolves with the first word. @param {number} index */
  const read = (index) =>
    new Promise((resolve, reject) => {
      const question = `${questions.answer(tokenCount, rate)} ${index}`
      const reader = {id: '', message: '', shown: ''}
      readers.push(reader)
      let count = 0
      let rest = ''
      const call = request(bench.chatUrl, options, (response) => {
        if (response.statusCode !== 200) reject(new Error(`The question was answered with ${response.statusCode}`))
        response.setEncoding('utf8')
        response.on('error', () => undefined)
        response.on('data', (/** @type {string} */ part) => {
          const lines = `${rest}${part}`.split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) {
            if (!line.startsWith('data: {')) continue
            const frame = JSON.parse(line.slice('data: '.length))
            if (frame.message) Object.assign(reader, {id: frame.id, message: frame.message})
            if (!frame.delta_answer) continue
            reader.shown += frame.delta_answer
            const due = (bench.modelStart(question) ?? Number.NaN) + (count * 1_000) / rate
            count += 1
            if (isWatched) lags.push(performance.now() - due)
            resolve(undefined)
          }
        })
      })
      call.on('error', reject)
      call.end(JSON.stringify({model: 'gpt-5', question}))
    })

  for (let done = 0; done < answerCount; done += atOnce)
    await Promise.all(Array.from({length: atOnce}, (_, index) => read(done + index)))
  await delay(2_000)
  isWatched = true
  const before = processorTime(bench.processId()) ?? Number.NaN
  await delay(watchMilliseconds)
  isWatched = false
  const busy = ((processorTime(bench.processId()) ?? Number.NaN) - before) / watchMilliseconds
  await bench.crash()

  /** @param {string} id @returns {Promise<{id: string, state: string, content: string}[]>} */
  const stored = async (id) => {
    const response = await fetch(bench.chatUrl, {
      method: 'POST',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: JSON.stringify({action: 'retrieve', id}),
    })
    return (await response.json()).messages
  }
  const missing = []
  for (const {id, message, shown} of readers) {
    const answer = (await stored(id)).find((other) => other.id === message)
    if (answer === undefined || answer.state !== 'failed') throw new Error(`An answer is ${answer?.state}`)
    missing.push(shown.length - answer.content.length)
  }
  agent.destroy()
  const short = missing.filter((characters) => characters > 0)
  return [
    {name: `of ${answerCount} answers, shown with more than was stored`, kind: 'time', value: short.length, unit: ''},
    {name: 'characters more, median', kind: 'time', value: quantile(missing, 0.5), unit: ''},
    {name: 'characters more, p99', kind: 'time', value: quantile(missing, 0.99), unit: ''},
    {name: 'characters more, most', kind: 'time', value: Math.max(...missing), unit: ''},
    {name: 'from the model to the reader, median', kind: 'time', value: quantile(lags, 0.5), unit: 'ms'},
    {name: 'from the model to the reader, p99', kind: 'time', value: quantile(lags, 0.99), unit: 'ms'},
    {name: 'processor time of the server, of one core', kind: 'time', value: busy * 100, unit: '%'},
  ]
}
