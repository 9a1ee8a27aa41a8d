import {readLocale} from '#tools/locales.mjs'
import {expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {conversations, row} from './support/chat-page.ts'
import {some, long} from './support/full-run.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'
import {seeded, open} from './support/marked-conversations.ts'

test(
  'Escape while rows are chosen on a phone leaves the choosing, and not the list',
  long,
  async ({context, installation, signedIn}) => {
    await seedConversations(installation, signedIn, seeded)
    const page = await blankTab(context, installation.url, signedIn)
    await page.setViewportSize({width: 390, height: 844})
    await open(page, installation.url)
    await page.getByRole('button', {name: 'Open list', exact: true}).click()
    const bar = page.getByRole('toolbar', {name: 'Selected conversations'})
    const link = row(page, 'Boats').getByRole('link')
    const begin = async () => {
      await link.press(' ')
      await expect(bar).toBeVisible()
      await expect(page.getByRole('checkbox', {name: 'Select Boats'})).toBeFocused()
      await expect(page.getByRole('checkbox', {name: 'Select Boats'})).toBeChecked()
    }
    const expectLeft = async () => {
      await expect(bar).toHaveCount(0)
      await expect(link).toBeVisible()
      // a drawer that closes is inert at once and gone after its animation
      await expect(page.getByRole('dialog', {name: 'Chat'})).not.toHaveAttribute('data-ending-style')
    }
    await test.step('from a box', async () => {
      await begin()
      await page.keyboard.press('Escape')
      await expectLeft()
      await expect(link).toBeFocused()
    })
    await test.step('from the bar', async () => {
      await begin()
      await bar.getByRole('button', {name: 'Delete'}).focus()
      await page.keyboard.press('Escape')
      await expectLeft()
    })
    await test.step('from beside the rows', async () => {
      await begin()
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
      await page.keyboard.press('Escape')
      await expectLeft()
      // an inert list takes no focus
      await link.focus()
      await expect(link).toBeFocused()
    })
    await test.step('and the next press closes the list', async () => {
      await page.keyboard.press('Escape')
      await expect(link).toHaveCount(0)
    })
  },
)

test('a phone has a new chat above a long list and what can be done with chosen ones below it, both in view', async ({
  context,
  installation,
  signedIn,
}) => {
  const many = Array.from({length: 40}, (_, index) => ({
    title: `Kite ${index}.`,
    texts: ['How?', 'So.'],
    minutesAgo: index,
  }))
  await seedConversations(installation, signedIn, many)
  const page = await blankTab(context, installation.url, signedIn)
  await page.setViewportSize({width: 390, height: 844})
  await open(page, installation.url)
  await page.getByRole('button', {name: 'Open list', exact: true}).click()
  await row(page, 'Kite 0.').getByRole('link').press(' ')
  await expect(page.getByRole('toolbar', {name: 'Selected conversations'})).toBeInViewport({ratio: 1})
  await page.getByRole('checkbox', {name: 'Select Kite 39.'}).check()
  await expect(page.getByRole('toolbar', {name: 'Selected conversations'})).toBeInViewport({ratio: 1})
  await expect(conversations(page).getByRole('link', {name: /^New chat/})).toBeInViewport({ratio: 1})
})

const looks = [
  {name: 'English on a desktop, light', locale: 'en', theme: 'light', width: 1440},
  {name: 'Arabic at 390 px, dark', locale: 'ar', theme: 'dark', width: 390},
]

for (const {name, locale, theme, width} of some(looks)) {
  test(
    `no fault that axe finds while rows are chosen, in the archive and in the dialog (${name})`,
    long,
    async ({context, installation, signedIn}) => {
      const words: Record<string, string> = readLocale(locale)
      const word = (id: string) => words[id] ?? id
      await context.addCookies(
        Object.entries({LOCALE: locale, THEME: theme}).map(([key, value]) => ({
          name: key,
          value,
          url: installation.url,
        })),
      )
      await seedConversations(installation, signedIn, seeded)
      const page = await blankTab(context, installation.url, signedIn)
      await page.setViewportSize({width, height: 844})
      await open(page, installation.url)
      if (width < 768) await page.getByRole('button', {name: word('index.panelOpen'), exact: true}).click()
      await page.getByRole('listitem').getByRole('link', {name: 'Kites'}).press(' ')
      const bar = page.getByRole('toolbar', {name: word('chat.severalBar')})
      await expect(bar).toBeVisible()
      await test.step('chosen', async () => expect(await axeFaults(page)).toEqual([]))
      await bar.getByRole('button', {name: word('chat.labelEdit')}).click()
      const dialog = page.getByRole('dialog', {name: word('chat.labelTitle')})
      await dialog.getByRole('textbox').fill('foo')
      await dialog.getByRole('button', {name: word('chat.labelAdd')}).click()
      await test.step('labels', async () => expect(await axeFaults(page)).toEqual([]))
      await dialog.getByRole('textbox').fill('work')
      await dialog.getByRole('button', {name: word('chat.labelSave')}).click()
      await expect(dialog).toHaveCount(0)
      await bar.getByRole('button', {name: word('chat.labelEdit')}).click()
      const label = (of: string) => dialog.getByRole('listitem', {name: of, exact: true})
      await label('work')
        .getByRole('button', {name: word('chat.rename')})
        .click()
      const field = dialog.getByRole('textbox', {name: word('chat.rename')})
      await field.fill('job')
      await test.step('a new name', async () => expect(await axeFaults(page)).toEqual([]))
      await field.fill('foo')
      await expect(dialog.getByRole('button', {name: word('chat.labelMerge')})).toBeEnabled()
      await test.step('a taken name', async () => expect(await axeFaults(page)).toEqual([]))
      await field.press('Escape')
      await label('work')
        .getByRole('button', {name: word('chat.remove')})
        .click()
      await expect(dialog.getByRole('button', {name: word('common.undo')})).toBeFocused()
      await test.step('a deleted label', async () => expect(await axeFaults(page)).toEqual([]))
      await dialog.getByRole('button', {name: word('chat.labelSave')}).click()
      await bar.getByRole('button', {name: word('chat.archiveOne')}).click()
      await page.getByRole('button', {name: word('chat.severalMenu')}).click()
      await page.getByRole('menuitemradio', {name: word('chat.archiveView')}).click()
      await expect(page.getByRole('listitem').getByRole('link', {name: 'Kites'})).toBeVisible()
      // closed, but still fading
      await expect(page.getByRole('menu')).toHaveCount(0)
      await test.step('archive', async () => expect(await axeFaults(page)).toEqual([]))
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      expect(overflow).toBe(false)
    },
  )
}
