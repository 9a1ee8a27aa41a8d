import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {mostAnswers, mostDelay, withPacedNodes} from './paced-answers.mjs'

/** The share of a core for a node that shall not slow its database and its clients. */
const share = 0.25
const [guess, heldGuess] = [100, 100]
const leastRatio = 1.8
/** Two searches of steps of a quarter of a minute: rough ones, so that the part ends within five minutes. */
const bounds = {precision: 1 / 10, longestMilliseconds: 90_000}

const program = fileURLToPath(new URL('hold-back.mjs', import.meta.url))
/** Returns the way to let it run again. @param {number} processId */
const holdBack = (processId) => {
  const holder = spawn(process.execPath, [program, String(processId), String(share)], {stdio: 'inherit'})
  const exit = once(holder, 'exit')
  return async () => {
    holder.kill('SIGTERM')
    await exit
  }
}

/**
 * Compares the load that two nodes carry with that of one, on one machine with their database: each held to a quarter
 * of a core, so that neither the database nor the machine is the limit, and with `--free` also as fast as the machine
 * lets them.
 * @type {import('./figures.mjs').Part}
 */
export const twoNodes = (bench) =>
  withPacedNodes(bench, {count: 2}, async (all) => {
    const {serving} = all
    const one = {...all, serving: serving.slice(0, 1), answering: serving.slice(0, 1)}
    const search = async (/** @type {string} */ how, /** @type {number} */ first) => {
      process.stdout.write(`one node, ${how}:\n`)
      const alone = await mostAnswers(one, first, bounds)
      process.stdout.write(`two nodes, ${how}:\n`)
      // what would be enough comes first
      const together = await mostAnswers(all, Math.ceil((alone.count || first) * leastRatio), bounds)
      return [alone, together]
    }
    const free = process.argv.includes('--free') ? figuresOf('free', await search('free', guess)) : []
    const releases = serving.map(({processId}) => holdBack(processId))
    try {
      const how = `each held to ${share * 100} % of a core`
      return [...free, ...figuresOf(how, await search(how, heldGuess), leastRatio)]
    } finally {
      await Promise.all(releases.map((release) => release()))
    }
  })

/**
 * @param {string} how @param {Awaited<ReturnType<typeof mostAnswers>>[]} found with one node and with two @param
 * {number} [least]
 * @returns {import('./figures.mjs').Figure[]}
 */
const figuresOf = (how, [one, two], least) => {
  if (one?.watched === undefined || two?.watched === undefined) throw new Error('Not one answer came in time')
  const figure = (/** @type {string} */ name, /** @type {number} */ value, unit = '') => ({
    name: `${how}: ${name}`,
    kind: /** @type {const} */ ('time'),
    value,
    unit,
  })
  return [
    figure(`one node, answers with p99 ≤ ${mostDelay} ms`, one.count),
    figure('two nodes', two.count),
    {
      ...figure('two nodes as a ratio to one', two.count / one.count, '×'),
      ...(least === undefined ? {} : {least}),
    },
    figure('one node, text that is shown and not stored, mean', one.watched.behind * 1_000, 'ms'),
    figure('two nodes, the same', two.watched.behind * 1_000, 'ms'),
    figure('processor time of one node for an answer and second', one.watched.work, 'ms'),
    figure('of two nodes', two.watched.work, 'ms'),
    figure('both nodes', two.watched.cores.nodes * 100, '% of a core'),
    figure('PostgreSQL with two', two.watched.cores.database * 100, '% of a core'),
    figure('models and readers with two', (two.watched.cores.models + two.watched.cores.reader) * 100, '% of a core'),
  ]
}
