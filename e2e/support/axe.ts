import AxeBuilder from '@axe-core/playwright'
import {expect, type Page} from '@playwright/test'

/**
 * Resolves when what moves or fades to an end has arrived there: axe reads a colour of a moment between two as the
 * page's own. A fade that turns back is another one, and a part that comes begins to fade a frame after: nothing moves
 * when a frame shows nothing that does.
 */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const passing = () =>
      document.getAnimations().filter(
        ({playState, effect, timeline}) =>
          // one that follows a scroll position never finishes
          timeline instanceof DocumentTimeline &&
          playState === 'running' &&
          effect?.getComputedTiming().endTime !== Infinity,
      )
    const frame = () => new Promise(requestAnimationFrame)
    // a bound against a page that never rests
    for (let round = 0; round < 10; round += 1) {
      await Promise.allSettled(passing().map(({finished}) => finished))
      await frame()
      await frame()
      if (passing().length === 0) return
    }
  })
}

/** Everything that axe finds wrong on the page, or in a part of it, whatever its impact. */
export async function axeFaults(page: Page, part?: string): Promise<{id: string; nodes: (string | undefined)[][]}[]> {
  await settled(page)
  // axe in the page does not look into frames of other origins (docs/decisions/0135-what-a-journey-costs.md)
  const {origin} = new URL(page.url())
  expect(page.frames().map((frame) => new URL(frame.url()).origin)).toEqual(page.frames().map(() => origin))
  // what it looked at without finding a fault would be most of its work and of its report
  const builder = new AxeBuilder({page}).setLegacyMode().options({resultTypes: ['violations']})
  const {violations} = await (part === undefined ? builder : builder.include(part)).analyze()
  return violations.map(({id, nodes}) => ({
    id,
    nodes: nodes.map(({target, failureSummary}) => [target.join(' '), failureSummary]),
  }))
}
