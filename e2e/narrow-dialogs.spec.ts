import type {Locator, Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {desktopChat} from './support/desktop.ts'
import {long} from './support/full-run.ts'
import type {ModelServer} from './support/model-server.ts'
import {reopenIn} from './support/page-looks.ts'
import {startOf} from './support/phone.ts'

/*
 * Dialogs, menus and bars of the chat at 320 pixels, the width of a desktop at four times its size: nothing is wider
 * than the screen, and each button is within it or comes there by scrolling. In languages with long words, and in Arabic.
 */

/** Names of the controls that stand beyond an edge of the screen and do not come into it by scrolling. */
const outside = (part: Locator): Promise<string[]> =>
  part.evaluate((root) =>
    [...root.querySelectorAll<HTMLElement>('button, a, input, textarea, [role=option], [role=tab]')].flatMap(
      (control) => {
        if (!control.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) return []
        control.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'})
        const {left, right, width} = control.getBoundingClientRect()
        // those of screen readers alone
        const isIn = width <= 1 || (left >= -1 && right <= innerWidth + 1)
        return isIn ? [] : [`${control.ariaLabel ?? control.textContent} ${Math.round(left)}–${Math.round(right)}`]
      },
    ),
  )

async function expectWithin(page: Page, part: Locator, name: string): Promise<void> {
  await expect(part, name).toBeVisible()
  expect.soft(await outside(part), `${name}: beyond the screen`).toEqual([])
  const overflow = await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)
  expect.soft(overflow, `${name}: wider than the screen`).toBe(0)
}

/** The page in a language, with three answered questions, at 320 pixels. */
async function openNarrow(page: Page, modelServer: ModelServer, locale: string) {
  modelServer.answer('| One | Two |\n|---|---|\n| 1 | 2 |\n\n```js\nconst a = 1\n```')
  for (const question of ['First', 'Second', 'Third']) {
    await ask(page, question)
    await ended(page)
  }
  await page.setViewportSize({width: 320, height: 640})
  await reopenIn(page, {theme: 'light', locale})
  await composer(page).waitFor()
  const dialog = page.getByRole('dialog')
  const close = async () => {
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  return {...(await desktopChat(page)), dialog, close}
}

for (const locale of ['en', 'de', 'el', 'ar']) {
  test(
    `palette, keys, settings and models are within 320 pixels in ${locale}`,
    long,
    async ({chat: page, modelServer}) => {
      const {word, dialog, close} = await openNarrow(page, modelServer, locale)
      await expectWithin(page, page.getByRole('main'), 'chat')
      await page.keyboard.press('ControlOrMeta+k')
      await expect(dialog.getByRole('option').first()).toBeVisible()
      await expectWithin(page, dialog, 'palette')
      await close()

      // a key of one letter is typed where a field has the focus
      await composer(page).blur()
      await page.keyboard.press('?')
      await expectWithin(page, dialog, 'keys')
      await close()

      await page.keyboard.press('ControlOrMeta+,')
      const tabs = dialog.getByRole('tab')
      await expect(tabs).toHaveCount(6)
      for (const tab of await tabs.all()) {
        await tab.click()
        await expect(tab).toHaveAttribute('aria-selected', 'true')
        await expectWithin(page, dialog, `settings ${await tab.innerText()}`)
      }
      await close()

      await page
        .getByRole('banner')
        .getByRole('button', {name: startOf(word('chat.chooseModel'))})
        .click()
      await expect(dialog.getByRole('gridcell').first()).toBeVisible()
      await expectWithin(page, dialog, 'models')
      await close()
    },
  )

  test(`what opens from a conversation is within 320 pixels in ${locale}`, long, async ({chat: page, modelServer}) => {
    const {word, button, chooseOf, chooseOfThread, dialog, close} = await openNarrow(page, modelServer, locale)
    await button(page, 'chat.threadMenu').click()
    await expectWithin(page, page.getByRole('menu'), 'menu of the conversation')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    for (const id of ['chat.share', 'chat.instructionsOne']) {
      await chooseOfThread(id)
      await expectWithin(page, dialog, id)
      await close()
    }
    await chooseOf(lastMessage(page), 'chat.whatHappened')
    await expectWithin(page, dialog, 'what happened')
    await close()
    await chooseOfThread('chat.outline')
    const outline = page.getByRole('navigation', {name: word('chat.outline')})
    await expect(outline.getByRole('listitem')).toHaveCount(3)
    await expectWithin(page, outline, 'questions')
    await page.keyboard.press('Escape')
    await expect(outline).toHaveCount(0)
    await button(page, 'chat.threadMenu').click()
    await page.getByRole('menuitem', {name: word('chat.find')}).click()
    const bar = page.getByRole('search', {name: word('chat.find')})
    await expectWithin(page, bar, 'find')
  })
}
