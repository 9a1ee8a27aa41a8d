import {setTimeout as delay} from 'node:timers/promises'
import {figure} from './figures.mjs'
import {watchAnswers, withPacedNodes, wordsPerSecond} from './paced-answers.mjs'

const count = 100
const idleMilliseconds = 5_000
/** Their first load and one with a warm cache of the browser, by what an operator plans with. */
const pages = [
  ['an empty new chat', '/chatgpt/conversations'],
  ['a tool', '/flux'],
  ['the usage page', '/console/usages'],
]

/**
 * Measures the cost of one answer and one page: bytes to the reader, of the log and of the tables of PostgreSQL, and
 * statements, those that begin and end a transaction among them. Each answer is asked alone in its conversation.
 * @type {import('./figures.mjs').Part}
 */
export const unitCosts = (bench) =>
  withPacedNodes(bench, {count: 1}, async (parts) => {
    const {nodes, serving, user} = parts
    const [before, statementsBefore] = [await nodes.written(), await nodes.statements()]
    const run = await watchAnswers(parts, count)
    await run.end()
    const [after, statementsAfter] = [await nodes.written(), await nodes.statements()]
    const each = (/** @type {number} */ amount) => amount / count
    const words = each(run.words)
    /** @type {import('./figures.mjs').Figure[]} */
    const figures = [
      figure('words of an answer, all of it', words, ''),
      figure('seconds that it was written', words / wordsPerSecond, 's'),
      figure('bytes to its reader, for a word', run.bytes / run.words, 'B'),
      figure('bytes of the log of PostgreSQL, for a word', each(after.log - before.log) / words, 'B'),
      figure(
        'statements from its question to its end, with the batches of all',
        each(statementsAfter - statementsBefore),
        '',
      ),
    ]
    for (const [table, size] of after.tables)
      figures.push(figure(`bytes of ${table}, for an answer`, each(size - (before.tables.get(table) ?? 0)), 'B'))

    const earlierStatements = await nodes.statements()
    await delay(idleMilliseconds)
    const idle = ((await nodes.statements()) - earlierStatements) / (idleMilliseconds / 1_000)
    figures.push(figure('statements a second of a node that does nothing', idle, ''))
    const context = await bench.freshContext(user)
    for (const [name, path] of pages)
      for (const how of ['first', 'again']) {
        const page = await context.newPage()
        const [startedAt, first] = [performance.now(), await nodes.statements()]
        await page.goto(`${serving[0]?.url}${path}`)
        await page.getByRole('main').waitFor()
        await page.waitForLoadState('networkidle')
        const own = (await nodes.statements()) - first - (idle * (performance.now() - startedAt)) / 1_000
        figures.push(figure(`statements of ${name}, ${how}`, own, ''))
        await page.close()
      }
    await context.close()
    return figures
  })
