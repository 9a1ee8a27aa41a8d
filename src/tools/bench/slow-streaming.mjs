import {frameFigures, watchFrames} from './frames.mjs'
import {questions} from './model-server.mjs'
import {ask} from './streaming.mjs'

const tokensPerSecond = 200
const tokenCount = 2_000
const warmTokens = 2_000
const slowdown = 4
const leastFrames = 55

/** Frames while an answer is written, with a quarter of the processor. @type {import('./figures.mjs').Part} */
export const slowStreaming = async (bench) => {
  const context = await bench.freshContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await page.goto(`${bench.url}/chatgpt/conversations`)
  // the code is there, and the counted answer grows below another one
  await ask(page, questions.answer(warmTokens, 0))
  await page.waitForLoadState('networkidle')
  await session.send('Emulation.setCPUThrottlingRate', {rate: slowdown})
  const frames = await watchFrames(page)
  await ask(page, questions.answer(tokenCount, tokensPerSecond))
  const frameCounts = await frames()
  await context.close()
  return frameFigures(frameCounts, leastFrames)
}
