import {median, time} from './figures.mjs'
import {taskFigures, watchFrames} from './frames.mjs'
import {fillConversations, openWithAll} from './many-conversations.mjs'

const [many, messages] = [2_000, 50]
/** The words typed after the first search: each has a letter, or a piece of Japanese, more than the one before. */
const queries = ['k', 'i', 't', 'e', ...'needle', '干し草', 'の中'].reduce(
  (/** @type {string[]} */ queries, letters) => [
    ...queries,
    letters === 'n' || letters === '干し草' ? letters : `${queries.at(-1) ?? ''}${letters}`,
  ],
  [],
)
const first = 'e'

/**
 * Puts a query into the field as a key does.
 * @param {import('playwright').Page} page @param {string} query
 * @returns {Promise<number>} milliseconds from the input to the frame with a result for just this query
 */
const search = (page, query) =>
  page.evaluate(
    (wantedText) =>
      new Promise((resolve, reject) => {
        const field = document.querySelector('[role=searchbox]')
        if (!(field instanceof HTMLInputElement)) return reject(new Error('There is no field to search in'))
        const isFound = () => {
          const marks = [...document.querySelectorAll('[aria-label="Search results"] mark')]
          return marks.some(({textContent}) => textContent.toLowerCase() === wantedText)
        }
        let startedAt = 0
        const observer = new MutationObserver(() => {
          if (startedAt === 0 || !isFound()) return
          observer.disconnect()
          clearTimeout(patience)
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAt)))
        })
        const patience = setTimeout(() => reject(new Error(`"${wantedText}" was not found`)), 60_000)
        observer.observe(document.body, {childList: true, characterData: true, subtree: true})
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, wantedText)
        startedAt = performance.now()
        field.dispatchEvent(
          new InputEvent('input', {bubbles: true, inputType: 'insertText', data: wantedText.slice(-1)}),
        )
      }),
    query,
  )

/** Searches in the list of a page. @type {import('./figures.mjs').Part} */
export const searchPage = async (bench) => {
  const {userId} = await bench.user()
  await fillConversations(bench, userId, {count: many, messages})
  const context = await bench.freshContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const spent = async () => {
    const {metrics} = await session.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({name}) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  await openWithAll(bench, page)
  const beforeFilling = await spent()
  const filling = await watchFrames(page)
  const startedAt = performance.now()
  const firstResult = await search(page, first)
  await page
    .getByRole('navigation', {name: 'Conversations'})
    .getByRole('status')
    .filter({hasText: 'The first'})
    .waitFor({timeout: 60_000})
  const fillingTime = performance.now() - startedAt
  const filledSpent = (await spent()) - beforeFilling
  const {tasks: fillingTasks} = await filling()

  const later = await watchFrames(page)
  const times = []
  for (const query of queries) times.push(await search(page, query))
  const {tasks} = await later()
  await context.close()
  await fillConversations(bench, userId, {count: 0, messages: 0})
  return [
    time('first letter to its first result, while the index is filled in', firstResult),
    time('until all conversations are in the index', fillingTime),
    time('main thread meanwhile, tasks by the clock', filledSpent),
    ...taskFigures(fillingTasks),
    time('a later letter to its first result, median', median(times), 100),
    time('the slowest', Math.max(...times), 100),
    ...taskFigures(tasks),
  ]
}
