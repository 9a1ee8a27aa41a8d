import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {long, longBut} from './support/full-run.ts'
import {arabicPhone, expectForFingers, expectGoodInBothThemes} from './support/phone.ts'
import {press} from './support/press.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'
import {wordsOf} from './support/words-of.ts'

/* A list whose conversations are all archived says so, and leads to them. */

/** By the palette, which offers it once the list is read. */
async function showArchive(page: Page, query: string, command: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill(query)
  await expect(page.getByRole('option').first()).toContainText(command)
  await page.keyboard.press('Enter')
}

for (const {where, device, isPhone} of [
  {where: 'on a desktop', device: {}, isPhone: false},
  {where: 'on a phone in Arabic', device: arabicPhone, isPhone: true},
]) {
  test.describe(where, () => {
    test.use(device)

    test('the archive is shown from an empty list', long, async ({context, installation, signedIn}) => {
      const titles = ['Kites', 'Boats']
      await seedConversations(
        installation,
        signedIn,
        titles.map((title, minutesAgo) => ({title, texts: ['How?', 'So.'], minutesAgo})),
      )
      const page = await blankTab(context, installation.url, signedIn)
      await page.goto(`${installation.url}/chatgpt/conversations`)
      await composer(page).waitFor()
      const word = await wordsOf(page)
      const button = (id: string) => page.getByRole('button', {name: word(id), exact: true})
      const list = page.getByRole('navigation', {name: word('chat.conversations')})
      const links = list.getByRole('listitem').getByRole('link')
      if (isPhone) await press(button('index.panelOpen'))
      await expect(links).toHaveText(titles)
      await press(button('chat.severalMenu'))
      await press(page.getByRole('menuitem', {name: word('chat.severalSelect'), exact: true}))
      await press(button('chat.severalAll'))
      await press(
        page
          .getByRole('toolbar', {name: word('chat.severalBar')})
          .getByRole('button', {name: word('chat.archiveOne'), exact: true}),
      )
      await expect(list.getByText(word('chat.archiveHasAll'))).toBeVisible()
      // axe would read the colours of a notice that comes while it looks
      await expect(page.getByText(word('common.undo'), {exact: true})).toBeVisible()
      if (isPhone) await expectForFingers(page, list)
      await expectGoodInBothThemes(page, 'all archived')
      await press(button('chat.archiveOpen'))
      await expect(links).toHaveText(titles)
      await expectGoodInBothThemes(page, 'the archive')
    })

    test(
      'the palette shows the archive from another page, with the focus on its first conversation',
      longBut(isPhone),
      async ({context, installation, signedIn}) => {
        await seedConversations(installation, signedIn, [
          {title: 'Kites', texts: ['How?', 'So.'], model: 'grok-4', archived: true},
          {title: 'Boats', texts: ['How?', 'So.'], model: 'grok-4'},
        ])
        const page = await blankTab(context, installation.url, signedIn)
        await page.goto(`${installation.url}/compare`)
        const word = await wordsOf(page)
        await expect(page.getByRole('heading', {level: 1})).toBeVisible()
        await showArchive(page, isPhone ? 'المؤرشفة' : 'archived', word('chat.archiveOpen'))
        await expect(page).toHaveURL(/\/grok\/conversations$/)
        const list = page.getByRole('navigation', {name: word('chat.conversations')})
        const links = list.getByRole('listitem').getByRole('link')
        await expect(links).toHaveText(['Kites'])
        await expect(links).toBeFocused()
      },
    )
  })
}

test(
  'the palette shows a long archive from its top, the focus on the first of it, wherever the list was',
  long,
  async ({context, installation, signedIn}) => {
    const title = (index: number) => `Kite ${index}`
    await seedConversations(
      installation,
      signedIn,
      Array.from({length: 250}, (_, index) => ({
        title: title(index),
        texts: ['How?'],
        minutesAgo: index,
        archived: true,
      })),
    )
    const page = await blankTab(context, installation.url, signedIn)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await composer(page).waitFor()
    const list = page.getByRole('navigation', {name: 'Conversations'})
    const link = (index: number) => list.getByRole('link', {name: title(index), exact: true})
    await showArchive(page, 'archived', 'Show the archive')
    await expect(link(0)).toBeFocused()
    await page.keyboard.press('End')
    await expect(link(249)).toBeFocused()
    await expect(link(0)).toHaveCount(0)
    await showArchive(page, 'archived', 'Show the archive')
    await expect(link(0)).toBeFocused()
    await expect(link(0)).toBeInViewport()
  },
)
