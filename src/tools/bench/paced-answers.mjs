import {fileURLToPath} from 'node:url'
import {setTimeout as delay} from 'node:timers/promises'
import {askOnSocket} from './answer-socket.mjs'
import {quantile} from './figures.mjs'
import {runUntilReady} from './installation.mjs'
import {createNodes} from './nodes.mjs'
import {processorTime} from './processor-time.mjs'

export const wordsPerSecond = 20
/** The most that the word of a model may be late by on its way to the reader, of 99 in 100. */
export const mostDelay = 150
const atOnce = 10
const [settleMilliseconds, watchMilliseconds] = [2_000, 8_000]
/** The longest wait for the first word of a question, and for all answers to end. */
const patienceMilliseconds = 60_000

/**
 * `serving` take the questions and have the readers; `answering` ask the models, and are the same unless they are
 * named.
 * @typedef {{nodes: import('./nodes.mjs').Nodes, serving: readonly import('./nodes.mjs').Node[], answering?: readonly
 * import('./nodes.mjs').Node[], models: PacedModels, token: string, user: import('./installation.mjs').User}}
 * PacedParts
 */

/** The model server of `paced-models.mjs`. @typedef {Awaited<ReturnType<typeof startPacedModels>>} PacedModels */
async function startPacedModels() {
  const program = fileURLToPath(new URL('paced-models.mjs', import.meta.url))
  const models = await runUntilReady([program], {})
  const url = models.output().trim()
  const command = (/** @type {'begin' | 'end'} */ name) => fetch(`${url}/${name}`, {method: 'POST'})
  return {baseUrl: `${url}/v1`, processId: models.child.pid ?? 0, command, stop: models.stop}
}

/** @template T @param {Promise<T>} work @param {() => string} sentence what is said when it takes too long */
async function within(work, sentence) {
  const patience = new AbortController()
  const over = delay(patienceMilliseconds, undefined, {signal: patience.signal}).then(() => {
    throw new Error(sentence())
  })
  // ended by `abort` where the work was done
  over.catch(() => undefined)
  try {
    return await Promise.race([work, over])
  } finally {
    patience.abort()
  }
}

/**
 * The readers of all answers, and the figures of what reached them. Delays are noted while `reading.isWatched`.
 * @param {Pick<PacedParts, 'serving' | 'token'>} parts @param {number} count
 */
function createReaders({serving, token}, count) {
  const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream'}
  const reading = {isWatched: false, words: 0, bytes: 0, delays: /** @type {number[]} */ ([])}
  /** @type {Promise<void>[]} */
  const ends = []
  let endCount = 0

  /** Resolves with the first word. @param {number} index */
  const ask = (index) =>
    new Promise((resolve, reject) => {
      const node = serving[index % serving.length]
      if (node === undefined) throw new Error('No node serves')
      const body = JSON.stringify({model: 'gpt-5', question: `question ${index}`})
      const end = new Promise((resolveEnd) => {
        askOnSocket(
          node.chatUrl,
          {headers, body},
          {
            begun: (status) => {
              if (status !== 200) reject(new Error(`The question was answered with ${status}`))
            },
            heard: (sentAt) => {
              reading.words += 1
              if (reading.isWatched) reading.delays.push(Date.now() - sentAt)
              resolve(undefined)
            },
            counted: (more) => (reading.bytes += more),
            failed: reject,
            ended: () => resolveEnd(undefined),
          },
        )
      })
      ends.push(end.then(() => void (endCount += 1)))
    })

  const askAll = async () => {
    for (let done = 0; done < count; done += atOnce)
      await within(
        Promise.all(Array.from({length: Math.min(atOnce, count - done)}, (_, index) => ask(done + index))),
        () => `A question waited a minute for its first word, beside ${done} answers`,
      )
  }
  const allEnded = () =>
    within(Promise.all(ends), () => `Of ${count} answers only ${endCount} had ended after a minute`)
  return {reading, askAll, allEnded}
}

/**
 * So many answers at once, dealt out to the nodes, of 20 words a second each, watched for a while by their reader.
 * @param {PacedParts} parts @param {number} count
 */
export async function watchAnswers({nodes, serving, answering = serving, models, token}, count) {
  const {reading, askAll, allEnded} = createReaders({serving, token}, count)
  const spentBy = (/** @type {readonly import('./nodes.mjs').Node[]} */ some) =>
    some.reduce((sum, {processId}) => sum + (processorTime(processId) ?? Number.NaN), 0)
  const times = () => ({
    nodes: spentBy([...new Set([...serving, ...answering])]),
    serving: spentBy(serving),
    models: processorTime(models.processId) ?? Number.NaN,
    reader: processorTime(process.pid) ?? Number.NaN,
  })
  await askAll()
  await models.command('begin')
  await delay(settleMilliseconds)
  const [statementsBefore, databaseBefore] = [await nodes.statements(), nodes.databaseTimes()]
  const [before, startedAt] = [times(), performance.now()]
  reading.isWatched = true
  await delay(watchMilliseconds)
  reading.isWatched = false
  const seconds = (performance.now() - startedAt) / 1_000
  const after = times()
  let database = 0
  for (const [id, time] of nodes.databaseTimes()) database += time - (databaseBefore.get(id) ?? 0)
  const statementsAfter = await nodes.statements()
  const {words: shownWords, delays} = reading
  // what is stored while this is asked makes it smaller, never larger
  const behind = (shownWords - (await nodes.storedWords())) / count / wordsPerSecond
  const end = async () => {
    await models.command('end')
    await allEnded()
  }

  const cores = (/** @type {keyof typeof before} */ who) => (after[who] - before[who]) / seconds / 1_000
  const each = (/** @type {number} */ amount) => amount / seconds / count
  return {
    /** Ends the answers, once what the node is behind with has come. */
    end,
    /** The words that reached the readers until now, and the bytes of the bodies with them. */
    get words() {
      return reading.words
    },
    get bytes() {
      return reading.bytes
    },
    median: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    /** The share of the models' words in that time that arrived in it. */
    share: delays.length / (count * wordsPerSecond * seconds),
    /** The statements for an answer and second. */
    statements: each(statementsAfter - statementsBefore),
    /** Seconds of text that readers have been shown and that a death of the node would lose, mean of all answers. */
    behind,
    /** Processor time of the nodes for an answer and second, in milliseconds. */
    work: each(after.nodes - before.nodes),
    /** The same for a word that reached its reader, in microseconds. */
    workOfWord: ((after.nodes - before.nodes) * 1_000) / delays.length,
    cores: {
      nodes: cores('nodes'),
      /** The cores of the nodes that have the readers. */
      serving: cores('serving'),
      database: database / seconds / 1_000,
      models: cores('models'),
      reader: cores('reader'),
    },
  }
}

/**
 * So many nodes with models of their own; the other server of the benchmark stands still meanwhile. With
 * `readersElsewhere` one more takes the questions and has the readers, and answers none of them.
 * @template T @param {import('./installation.mjs').Bench} bench @param {{count: number, readersElsewhere?: boolean}}
 * layout
 * @param {(parts: PacedParts) => Promise<T>} work
 */
export async function withPacedNodes(bench, {count, readersElsewhere = false}, work) {
  await bench.stopServer()
  /** @type {(() => Promise<void>)[]} */
  const undo = [bench.restart]
  try {
    const models = await startPacedModels()
    undo.push(models.stop)
    const nodes = await createNodes(bench, {OPENAI_BASE_URL: models.baseUrl})
    undo.push(nodes.close)
    const answering = []
    for (let done = 0; done < count; done += 1) answering.push(await nodes.start())
    const serving = readersElsewhere ? [await nodes.start({ROLE: 'api'})] : answering
    const user = await bench.userAt(serving[0]?.url ?? '')
    const parts = {nodes, serving, answering, models, token: user.token, user}
    // what fills caches and pools
    await (await watchAnswers(parts, 20)).end()
    return await work(parts)
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

/** @typedef {Awaited<ReturnType<typeof watchAnswers>>} Watched */
const isInTime = (/** @type {Watched} */ {p99, share}) => p99 <= mostDelay && share > 0.95

/**
 * The most answers at once whose words come in time, and what was seen with them; each step is printed. It is sure to a
 * `precision` of them, unless the time is over before.
 * @param {PacedParts} parts @param {number} guess @param {{precision?: number, longestMilliseconds?: number}} [bounds]
 */
export async function mostAnswers(parts, guess, {precision = 1 / 20, longestMilliseconds = Infinity} = {}) {
  /** @type {{count: number, watched: Watched | undefined}} */
  let best = {count: 0, watched: undefined}
  let over = Infinity
  const startedAt = performance.now()
  for (let count = guess; ;) {
    const run = await watchAnswers(parts, count)
    await run.end()
    if (isInTime(run)) best = {count, watched: run}
    else over = count
    const seconds = (performance.now() - startedAt) / 1_000
    process.stdout.write(
      `  ${seconds.toFixed(0)} s: ${count} answers, p99 ${Math.round(run.p99)} ms, ${Math.round(run.share * 100)} % of the words: ${best.count === count ? 'in time' : 'late'}\n`,
    )
    if (over !== Infinity && over - best.count <= Math.max(1, over * precision)) return best
    if (seconds * 1_000 > longestMilliseconds) {
      process.stdout.write(`  no time for more: the limit is from ${best.count} to ${over}\n`)
      return best
    }
    count = over === Infinity ? Math.round(count * 1.5) : Math.round((best.count + over) / 2)
  }
}
