import {measureHeap, megabyte} from './heap.mjs'
import {openPlainBrowser} from './plain-browser.mjs'
import {processorTime} from './processor-time.mjs'

/** Puts the caret into the composer as soon as it takes text. @returns {Promise<void>} */
const focusComposer = () =>
  new Promise((resolve) => {
    const look = () => {
      const field = document.querySelector('main textarea')
      if (!(field instanceof HTMLTextAreaElement) || field.disabled || field.readOnly) return
      clearInterval(looks)
      field.focus()
      resolve()
    }
    const looks = setInterval(look, 250)
  })

/** Resolves when the last answer of so many messages has ended. @param {number} count @returns {Promise<void>} */
const untilAnswered = (count) =>
  new Promise((resolve) => {
    const look = () => {
      const messages = document.querySelectorAll('[role=log] article').length
      if (messages < count || document.querySelector('button[aria-label="Stop"]') !== null) return
      clearInterval(looks)
      resolve()
    }
    const looks = setInterval(look, 250)
  })

/**
 * Resolves when nothing in the page has changed for a second: a finished answer is still given the colours of its code.
 * An error after half a minute.
 * @returns {Promise<void>}
 */
export const untilStill = () =>
  new Promise((resolve, reject) => {
    const stop = () => {
      observer.disconnect()
      clearTimeout(rest)
      clearTimeout(limit)
    }
    const end = () => {
      stop()
      resolve()
    }
    const limit = setTimeout(() => {
      stop()
      reject(new Error('The page still changes after 30 s'))
    }, 30_000)
    let rest = setTimeout(end, 1_000)
    const observer = new MutationObserver(() => {
      clearTimeout(rest)
      rest = setTimeout(end, 1_000)
    })
    observer.observe(document, {childList: true, characterData: true, attributes: true, subtree: true})
  })

/**
 * Measures the cost of an answer for a page that has no debugger (docs/decisions/0149-measured-without-a-debugger.md):
 * processor time of its main thread in milliseconds, `NaN` where the system does not say, and growth of its heap in
 * MiB.
 * @param {import('./installation.mjs').Bench} bench @param {{warm: string, measured: string}} questions
 */
export const answerWithoutDebugger = async (bench, questions) => {
  const browser = await openPlainBrowser()
  try {
    const tab = await browser.freshTab((await bench.user()).storage)
    await tab.send('Emulation.setDeviceMetricsOverride', {
      width: 1440,
      height: 900,
      deviceScaleFactor: 1,
      mobile: false,
    })
    await tab.send('Performance.enable')
    const ask = async (/** @type {string} */ question, /** @type {number} */ count) => {
      await tab.evaluate(`(${focusComposer})()`)
      await tab.send('Input.insertText', {text: question})
      const enter = {key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13}
      await tab.send('Input.dispatchKeyEvent', {...enter, type: 'keyDown', text: '\r'})
      await tab.send('Input.dispatchKeyEvent', {...enter, type: 'keyUp'})
      await tab.evaluate(`(${untilAnswered})(${count})`)
    }
    const threadTimes = async () =>
      new Map((await browser.renderers()).map((id) => [id, processorTime(id, {mainThread: true})]))

    await tab.open(`${bench.url}/chatgpt/conversations`, 'Page.loadEventFired')
    await ask(questions.warm, 2)
    await tab.evaluate(`(${untilStill})()`)
    await tab.send('Network.disable')
    const heapBefore = await measureHeap(tab)
    const threadsBefore = await threadTimes()
    await ask(questions.measured, 4)
    const threadsAfter = await threadTimes()
    await tab.evaluate(`(${untilStill})()`)
    const heapAfter = await measureHeap(tab)
    await tab.close()
    return {
      // the browser keeps spare renderers, so ours is the one that works
      mainThread: Math.max(...[...threadsAfter].map(([id, time]) => (time ?? NaN) - (threadsBefore.get(id) ?? 0))),
      heap: (heapAfter.heap - heapBefore.heap) / megabyte,
    }
  } finally {
    await browser.close()
  }
}
