import type {Locator} from '@playwright/test'
import {answers, composer, expect, test, thread} from './fixtures.ts'
import {row} from './support/chat-page.ts'
import {long, longBut} from './support/full-run.ts'
import {seedConversation} from './support/seeded-conversation.ts'
import {addPrompt, openSettings} from './support/saved-prompts.ts'

/* The page under a modal dialog, a dialog that is higher than the page, and the lines of what lies over it. */

test('a screen reader finds no messages under a dialog, and finds them after it', async ({
  tab,
  installation,
  signedIn,
}) => {
  const {id} = await seedConversation(installation, signedIn, ['the question', 'the answer'])
  await tab.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(answers(tab)).toHaveCount(2)
  for (const key of ['Control+,', 'Control+k']) {
    await tab.keyboard.press(key)
    await expect(tab.getByRole('dialog')).toBeVisible()
    await expect(thread(tab)).toHaveCount(0)
    await expect(tab.getByRole('article')).toHaveCount(0)
    await tab.keyboard.press('Escape')
    await expect(tab.getByRole('dialog')).toHaveCount(0)
    await expect(thread(tab).getByRole('article')).toHaveCount(2)
    await expect(tab.locator('#root')).not.toHaveAttribute('aria-hidden')
  }
})

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  test(
    `the buttons of a dialog with twenty fields stay in view, ${width} pixels wide`,
    longBut(width === 390),
    async ({chat}) => {
      const settings = await openSettings(chat)
      const fields = Array.from({length: 20}, (_, index) => `{{field ${index}}}`).join(' ')
      await addPrompt(settings, 'Many', fields)
      await chat.keyboard.press('Escape')
      await expect(settings).toHaveCount(0)
      await chat.setViewportSize({width, height})
      await composer(chat).fill('/Many')
      await chat.getByRole('option', {name: /Many/}).click()
      const dialog = chat.getByRole('dialog', {name: /Many/})
      await expect(dialog.getByRole('textbox')).toHaveCount(20)
      const insert = dialog.getByRole('button').last()
      for (const field of [dialog.getByRole('textbox').first(), dialog.getByRole('textbox').last()]) {
        await field.scrollIntoViewIfNeeded()
        await field.focus()
        await expect(insert).toBeInViewport({ratio: 1})
        const [box, foot] = [await field.boundingBox(), await insert.boundingBox()]
        expect(box && foot && box.y + box.height).toBeLessThanOrEqual(foot?.y ?? 0)
      }
    },
  )

/** By how much the own border of a part is lighter than its ground. */
const lineOver = (part: Locator): Promise<number> =>
  part.evaluate((element) => {
    const {backgroundColor, borderTopColor} = getComputedStyle(element)
    const [ground = NaN, line = NaN] = [backgroundColor, borderTopColor].map((colour) =>
      Number(/^oklch\(([\d.]+)/.exec(colour)?.[1]),
    )
    return line - ground
  })

test.describe('in the dark', () => {
  test.use({colorScheme: 'dark'})

  test(
    'what lies over the page has a line that can be told from its ground',
    long,
    async ({tab, installation, signedIn}) => {
      const {id} = await seedConversation(installation, signedIn, ['the question', 'the answer'])
      await tab.goto(`${installation.url}/chatgpt/conversations/${id}`)
      await expect(answers(tab)).toHaveCount(2)
      for (const key of ['Control+,', 'Control+k']) {
        await tab.keyboard.press(key)
        expect.soft(await lineOver(tab.getByRole('dialog')), key).toBeGreaterThan(0.05)
        await tab.keyboard.press('Escape')
        await expect(tab.getByRole('dialog')).toHaveCount(0)
      }
      await row(tab, 'seeded').hover()
      await row(tab, 'seeded').getByRole('button').click()
      expect.soft(await lineOver(tab.getByRole('menu')), 'menu').toBeGreaterThan(0.05)
      await tab.keyboard.press('Escape')
      await expect(tab.getByRole('menu')).toHaveCount(0)
      await tab.getByRole('button', {name: /^Model: /}).click()
      const models = tab.getByRole('dialog')
      expect.soft(await lineOver(models), 'models').toBeGreaterThan(0.05)
      // the line between the search and the models takes the colour of those
      const rest = await models.evaluate((element) => getComputedStyle(element).getPropertyValue('--line-1'))
      expect(rest).not.toBe(await tab.evaluate(() => getComputedStyle(document.body).getPropertyValue('--line-1')))
    },
  )
})
