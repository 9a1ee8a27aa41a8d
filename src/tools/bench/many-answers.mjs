import {figure} from './figures.mjs'
import {mostAnswers, mostDelay, watchAnswers, withPacedNodes, wordsPerSecond} from './paced-answers.mjs'

const [few, some, many] = [100, 300, 1_000]
const guess = 100
/** A batch waits 80 ms from the beginning of the one before it, and takes its own time. */
const mostBehind = 250

/** `--answers=100,300`: these alone, without the search for the most. @returns {number[] | undefined} */
const chosenCounts = () =>
  process.argv
    .find((argument) => argument.startsWith('--answers='))
    ?.slice('--answers='.length)
    .split(',')
    .map(Number)

/**
 * Many answers at once on one node, its PostgreSQL, the models and the readers on the same machine: how late words
 * come, what the database is asked, and where the processor time goes. With `--readers=elsewhere` another node has the
 * readers, one for each answer.
 * @type {import('./figures.mjs').Part}
 */
export const manyAnswers = (bench) => {
  const readersElsewhere = process.argv.includes('--readers=elsewhere')
  return withPacedNodes(bench, {count: 1, readersElsewhere}, async (parts) => {
    /** @type {import('./figures.mjs').Figure[]} */
    const figures = []
    const onlyCounts = chosenCounts()
    if (onlyCounts === undefined) {
      const most = await mostAnswers(parts, guess)
      figures.push(
        {name: `answers at once with p99 ≤ ${mostDelay} ms`, kind: 'time', value: most.count, unit: ''},
        ...figuresOf(most.count, most.watched),
      )
    }
    const statements = new Map()
    for (const count of onlyCounts ?? [few, some, many]) {
      const run = await watchAnswers(parts, count)
      // the last ones end with their node
      if (count !== many) await run.end()
      statements.set(count, run.statements)
      figures.push(...figuresOf(count, run))
      if (readersElsewhere) {
        const {nodes, serving} = run.cores
        figures.push(
          figure(`${count} answers: the node with the readers`, serving * 100, '% of a core'),
          figure(`${count} answers: the node that answers`, (nodes - serving) * 100, '% of a core'),
        )
      }
    }
    if (statements.has(few) && statements.has(many))
      figures.push({
        ...figure(
          `statements for an answer and second, ${many} beside ${few}`,
          statements.get(many) / statements.get(few),
          '×',
        ),
        // fewer is what a writer of the whole node is for; that it does not fall behind is a figure of its own
        budget: 1.1,
      })
    process.stdout.write(`Longest in PostgreSQL:\n${(await parts.nodes.longest(6)).join('\n')}\n`)
    return figures
  })
}

/**
 * @param {number} count @param {import('./paced-answers.mjs').Watched | undefined} run
 * @returns {import('./figures.mjs').Figure[]}
 */
const figuresOf = (count, run) => {
  if (run === undefined) return []
  const {nodes, database, models, reader} = run.cores
  const isMany = count === many
  const own = (/** @type {string} */ name, /** @type {number} */ value, /** @type {string} */ unit) =>
    figure(`${count} answers: ${name}`, value, unit)
  return [
    own('added delay of a word, median', run.median, 'ms'),
    {...own('added delay of a word, p99', run.p99, 'ms'), ...(isMany ? {budget: mostDelay} : {})},
    own(`words that came in time, of ${count * wordsPerSecond} a second`, run.share * 100, '%'),
    own('statements a second', run.statements * count, ''),
    own('statements for an answer and second', run.statements, ''),
    {
      ...own('text that is shown and not stored, mean of the answers', run.behind * 1_000, 'ms'),
      ...(isMany ? {budget: mostBehind} : {}),
    },
    own('processor time of the nodes for an answer and second', run.work, 'ms'),
    own('processor time of the nodes for a word that came', run.workOfWord, 'µs'),
    own('the nodes', nodes * 100, '% of a core'),
    own('PostgreSQL', database * 100, '% of a core'),
    own('models and readers', (models + reader) * 100, '% of a core'),
  ]
}
