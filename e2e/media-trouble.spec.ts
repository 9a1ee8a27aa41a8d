import type {Locator} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {cards, generate, openTool, settings} from './support/media-page.ts'

/* A card that says that something went wrong shows the ways on without being scrolled (design.md §10). */

/** The ways on of a card lie inside of what is seen of it, whole. */
async function expectWaysInSight(card: Locator): Promise<void> {
  for (const name of ['Try again', 'Edit', 'Copy details']) {
    const way = card.getByRole('button', {name})
    const isInSight = () =>
      way.evaluate((button) => {
        const {left, right, top, bottom} = button.getBoundingClientRect()
        const isSeen = (x: number, y: number) => button.contains(document.elementFromPoint(x, y))
        return isSeen(left + 6, top + 6) && isSeen(right - 6, bottom - 6)
      })
    await way.scrollIntoViewIfNeeded()
    // the layout has just changed, and a notice may pass over it
    await expect.poll(isInSight, name).toBe(true)
  }
}

test('a failed card shows its ways on in the grid and in the list, on each width', async ({chat: page}) => {
  await openTool(page, '/kling')
  // the lowest box of the tool
  await settings(page).getByRole('radio', {name: '16:9'}).click()
  await generate(page, '/error busy')
  const card = cards(page).first()
  await expect(card.getByText("This one didn't work")).toBeVisible()
  for (const layout of ['List', 'Grid']) {
    await page.setViewportSize({width: 1440, height: 900})
    await page.getByRole('radio', {name: layout}).click()
    // a phone keeps the layout that was chosen on a wider screen
    for (const width of [1440, 1024, 768, 390, 320]) {
      await page.setViewportSize({width, height: 900})
      await expectWaysInSight(card)
    }
  }
})
