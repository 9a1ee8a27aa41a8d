import {median} from './figures.mjs'
import {composer} from './installation.mjs'
import {questions} from './model-server.mjs'

const rounds = 5

/**
 * Measures from the click on Stop to the frame in which the answer says "Stopped." under its text. Once with the
 * server's answer to the order held back: then it says "Stopping…" and takes no further words, since the user waits
 * for no network.
 * @type {import('./figures.mjs').Part}
 */
export const stopping = async (bench) => {
  const context = await bench.freshContext()
  const page = await context.newPage()
  await page.goto(`${bench.url}/chatgpt/conversations`)
  await composer(page).waitFor()

  const stop = async (/** @type {string} */ words) => {
    await page.goto(`${bench.url}/chatgpt/conversations`)
    await composer(page).fill(questions.answer(6_000, 200))
    await composer(page).press('Enter')
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[role=log] article')].at(-1)?.textContent?.includes('Part 2'),
    )
    return page.evaluate(
      (words) =>
        new Promise((resolve, reject) => {
          const button = document.querySelector('button[aria-label="Stop"]')
          if (!(button instanceof HTMLElement)) return reject(new Error('There is nothing to stop'))
          const startedAt = performance.now()
          const look = () => {
            const text = [...document.querySelectorAll('[role=log] article')].at(-1)?.textContent ?? ''
            const milliseconds = performance.now() - startedAt
            if (text.includes(words) && text.includes('Part 2')) return resolve(milliseconds)
            if (milliseconds > 30_000) return reject(new Error('The answer did not stop'))
            requestAnimationFrame(look)
          }
          button.click()
          requestAnimationFrame(look)
        }),
      words,
    )
  }

  /** @type {number[]} */
  const answeredTimes = []
  for (let round = 0; round < rounds; round += 1) answeredTimes.push(await stop('Stopped.'))
  let stopCount = 0
  await page.route(bench.chatUrl, (route) => {
    if (route.request().postData()?.includes('"action":"stop"') !== true) return route.continue()
    stopCount += 1
    return undefined
  })
  const unansweredTime = await stop('Stopping…')
  await page.unrouteAll({behavior: 'ignoreErrors'})
  await context.close()
  if (stopCount === 0) throw new Error('No order to stop was sent')
  const time = (/** @type {string} */ name, /** @type {number} */ value) => ({
    name,
    kind: /** @type {const} */ ('time'),
    value,
    unit: 'ms',
    budget: 200,
  })
  return [
    time('click on Stop to the stopped answer, median', median(answeredTimes)),
    time('slowest of them', Math.max(...answeredTimes)),
    time('the same while the server does not answer', unansweredTime),
  ]
}
