import type {Locator, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {long} from './support/full-run.ts'
import {cards, generate, openTool, settings} from './support/media-page.ts'

/* A card that says that something went wrong shows its buttons without being scrolled (design.md §10). */

/** The buttons of a card that can be pressed now; those over an image only show under the pointer. */
const buttonsOf = (card: Locator) => card.getByRole('button').filter({visible: true})

/** Whether a press on the corners and the middle of a button is a press on the button. */
const canBePressed = (button: Locator) =>
  button.evaluate((element) => {
    const {left, right, top, bottom} = element.getBoundingClientRect()
    const points = [
      [left + 6, top + 6],
      [right - 6, top + 6],
      [left + 6, bottom - 6],
      [right - 6, bottom - 6],
      [(left + right) / 2, (top + bottom) / 2],
    ] as const
    return points.every(([x, y]) => element.contains(document.elementFromPoint(x, y)))
  })

async function expectPressable(card: Locator): Promise<void> {
  for (const button of await buttonsOf(card).all()) {
    await button.scrollIntoViewIfNeeded()
    // the layout has just changed, and a notice may pass over it
    await expect.poll(() => canBePressed(button), await button.innerText()).toBe(true)
  }
}

/** Pairs of cards that share room, and cards that are wider than their feed, by their positions. */
const overlaps = (page: Page) =>
  cards(page).evaluateAll((articles) => {
    /** The button of the menu reaches a little into the margin, so that its dots end where the image ends. */
    const menuMargin = 12
    // what a card holds may be larger than the card
    const boxes = articles.map((article) => {
      const parts = [article, ...article.querySelectorAll<HTMLElement>('div, button')].map((part) =>
        part.getBoundingClientRect(),
      )
      return {
        left: Math.min(...parts.map(({left}) => left)),
        right: Math.max(...parts.map(({right}) => right)),
        top: Math.min(...parts.map(({top}) => top)),
        bottom: Math.max(...parts.map(({bottom}) => bottom)),
      }
    })
    const feed = articles[0]?.closest('[role=feed]')?.getBoundingClientRect()
    return boxes.flatMap((one, at) => [
      ...(feed !== undefined && (one.right > feed.right + menuMargin || one.left < feed.left - menuMargin)
        ? [`${at} leaves the feed`]
        : []),
      ...boxes.flatMap((other, position) =>
        position > at &&
        one.left < other.right - 1 &&
        other.left < one.right - 1 &&
        one.top < other.bottom - 1 &&
        other.top < one.bottom - 1
          ? [`${at} lies over ${position}`]
          : [],
      ),
    ])
  })

test(
  'failed cards show their buttons and keep to their positions in the grid and in the list, on each width',
  long,
  async ({chat: page}) => {
    await openTool(page, '/kling')
    // the lowest box of the tool
    await settings(page).getByRole('radio', {name: '16:9'}).click()
    for (const prompt of ['/error busy', '/error timeout', '/error api_error']) {
      await generate(page, prompt)
      await expect(cards(page).first().getByText("This one didn't work")).toBeVisible()
    }
    await expect(cards(page)).toHaveCount(3)
    const copy = cards(page).first().getByRole('button', {name: 'Copy details'})
    const ends = await copy.evaluate((button) => {
      const row = button.closest('div')?.getBoundingClientRect()
      const icon = button.querySelector('svg')?.getBoundingClientRect()
      return [row?.right, icon?.right]
    })
    expect(ends[1]).toBe(ends[0])
    for (const layout of ['List', 'Grid']) {
      await page.setViewportSize({width: 1440, height: 900})
      await page.getByRole('radio', {name: layout}).click()
      // a phone keeps the layout that was chosen on a wider screen
      for (const width of [1440, 1024, 768, 390, 320]) {
        await page.setViewportSize({width, height: 900})
        await expect.poll(() => overlaps(page), `${layout} ${width}`).toEqual([])
        for (const card of await cards(page).all()) {
          for (const name of ['Try again', 'Edit', 'Copy details']) {
            await expect(card.getByRole('button', {name})).toBeVisible()
          }
          await expectPressable(card)
        }
      }
    }
  },
)
