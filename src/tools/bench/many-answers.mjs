import {mostAnswers, mostDelay, watchAnswers, withPacedNodes, wordsPerSecond} from './paced-answers.mjs'

const [few, some, many] = [100, 300, 1_000]
const guess = 100
/** A batch waits 80 ms for the one before it and takes its own time. */
const mostBehind = 250

/**
 * Many answers at once on one node, its PostgreSQL, the models and the readers on the same machine: how late words come, what
 * the database is asked, and where the processor time goes.
 * @type {import('./figures.mjs').Part}
 */
export const manyAnswers = (bench) =>
  withPacedNodes(bench, 1, async (parts) => {
    const most = await mostAnswers(parts, guess)
    /** @type {import('./figures.mjs').Figure[]} */
    const figures = [
      {name: `answers at once with p99 ≤ ${mostDelay} ms`, kind: 'time', value: most.count, unit: ''},
      ...figuresOf(most.count, most.watched),
    ]
    const statements = new Map()
    for (const count of [few, some, many]) {
      const watched = await watchAnswers(parts, count)
      // the last ones end with their node
      if (count !== many) await watched.end()
      statements.set(count, watched.statements)
      figures.push(...figuresOf(count, watched, count === many ? mostDelay : undefined))
    }
    figures.push({
      name: `statements for an answer and second, ${many} beside ${few}`,
      kind: 'time',
      value: statements.get(many) / statements.get(few),
      unit: '×',
      // fewer is what a writer of the whole node is for; that it does not fall behind is a figure of its own
      budget: 1.1,
    })
    process.stdout.write(`Longest in PostgreSQL:\n${(await parts.nodes.longest(6)).join('\n')}\n`)
    return figures
  })

/**
 * @param {number} count @param {import('./paced-answers.mjs').Watched | undefined} watched @param {number} [budget] of the p99
 * @returns {import('./figures.mjs').Figure[]}
 */
const figuresOf = (count, watched, budget) => {
  if (watched === undefined) return []
  const {nodes, database, models, reader} = watched.cores
  const figure = (/** @type {string} */ name, /** @type {number} */ value, /** @type {string} */ unit) => ({
    name: `${count} answers: ${name}`,
    kind: /** @type {const} */ ('time'),
    value,
    unit,
  })
  return [
    figure('added delay of a word, median', watched.median, 'ms'),
    {...figure('added delay of a word, p99', watched.p99, 'ms'), ...(budget === undefined ? {} : {budget})},
    figure(`words that came in time, of ${count * wordsPerSecond} a second`, watched.share * 100, '%'),
    figure('statements for an answer and second', watched.statements, ''),
    {
      ...figure('text that is shown and not stored, mean of the answers', watched.behind * 1_000, 'ms'),
      ...(budget === undefined ? {} : {budget: mostBehind}),
    },
    figure('processor time of the node for an answer and second', watched.work, 'ms'),
    figure('the node', nodes * 100, '% of a core'),
    figure('PostgreSQL', database * 100, '% of a core'),
    figure('models and readers', (models + reader) * 100, '% of a core'),
  ]
}
