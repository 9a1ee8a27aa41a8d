import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {conversations, row, storedConversations, thread} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {holdDelays} from './support/held-delays.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'
import {titles, seeded, open, choose, show, listed} from './support/marked-conversations.ts'

test(
  'pin, archive and label: kept on the server, told to other tabs, taken back by Undo',
  long,
  async ({context, installation, signedIn}) => {
    await seedConversations(installation, signedIn, seeded)
    const page = await blankTab(context, installation.url, signedIn)
    await open(page, installation.url)
    await expect(listed(page)).toHaveText(titles)
    const other = await context.newPage()
    await open(other, installation.url)
    await expect(listed(other)).toHaveText(titles)

    await choose(page, 'Trains', 'Pin')
    await expect(conversations(page).getByRole('heading').first()).toHaveText('Pinned')
    await expect(listed(page).first()).toHaveText('Trains')
    await expect(listed(other).first()).toHaveText('Trains')

    await choose(page, 'Boats', 'Archive')
    await expect(row(page, 'Boats')).toHaveCount(0)
    await page.getByRole('button', {name: 'Undo'}).click()
    await expect(row(page, 'Boats')).toBeVisible()
    await choose(page, 'Boats', 'Archive')
    await expect(row(other, 'Boats')).toHaveCount(0)

    await choose(page, 'Kites', 'Labels…')
    const dialog = page.getByRole('dialog', {name: 'Labels'})
    await dialog.getByRole('textbox', {name: 'New label'}).fill('holiday')
    await dialog.getByRole('button', {name: 'Add'}).click()
    await expect(dialog.getByRole('checkbox', {name: 'holiday'})).toBeChecked()
    await dialog.getByRole('button', {name: 'Save'}).click()
    await expect(row(page, 'Kites').getByRole('img', {name: 'holiday'})).toBeVisible()

    await show(other, 'holiday')
    await expect(listed(other)).toHaveText(['Kites'])
    await show(other, 'Archive')
    await expect(listed(other)).toHaveText(['Boats'])
    await expect
      .poll(async () => Object.fromEntries((await storedConversations(page)).map((each) => [each.title, each])))
      .toMatchObject({
        Trains: {pinned: true, archived: false},
        Boats: {archived: true},
        Kites: {labels: ['holiday']},
      })
    await page.reload()
    await expect(listed(page)).toHaveText(['Trains', 'Kites', 'Planes'])
  },
)

test(
  'Undo of archiving the open conversation leads back to it, alone and among several',
  long,
  async ({context, installation, signedIn}) => {
    await seedConversations(installation, signedIn, seeded)
    const page = await blankTab(context, installation.url, signedIn)
    await holdDelays(page)
    await open(page, installation.url)
    const expectOpen = (title: string) => expect(thread(page).getByText(`About ${title}`)).toBeVisible()
    await row(page, 'Boats').getByRole('link').click()
    await expectOpen('Boats')
    await choose(page, 'Boats', 'Archive')
    await expect(row(page, 'Boats')).toHaveCount(0)
    await expectOpen('Trains')
    await page.getByRole('button', {name: 'Undo'}).click()
    await expect(listed(page)).toHaveText(titles)
    await expectOpen('Boats')

    await row(page, 'Kites').getByRole('link').press(' ')
    await page.getByRole('checkbox', {name: 'Select Trains'}).click({modifiers: ['Shift']})
    const bar = page.getByRole('toolbar', {name: 'Selected conversations'})
    await bar.getByRole('button', {name: 'Archive'}).click()
    await expect(listed(page)).toHaveText(['Planes'])
    await expectOpen('Planes')
    await page.getByRole('button', {name: 'Undo'}).click()
    await expect(listed(page)).toHaveText(titles)
    await expectOpen('Boats')
  },
)

test(
  'several at once: chosen by keyboard and with Shift, labelled, and deleted with one undo and one call',
  long,
  async ({context, installation, signedIn}) => {
    await seedConversations(installation, signedIn, seeded)
    const page = await blankTab(context, installation.url, signedIn)
    const deletions: unknown[] = []
    page.on('request', (request) => {
      const body = request.postData() ?? ''
      if (body.includes('"action":"delete')) deletions.push(JSON.parse(body))
    })
    await open(page, installation.url)
    await row(page, 'Kites').getByRole('link').press(' ')
    const bar = page.getByRole('toolbar', {name: 'Selected conversations'})
    await expect(bar).toContainText('1 selected')
    await page.getByRole('checkbox', {name: 'Select Trains'}).click({modifiers: ['Shift']})
    await expect(bar).toContainText('3 selected')
    await bar.getByRole('button', {name: 'Labels…'}).click()
    const dialog = page.getByRole('dialog', {name: 'Labels'})
    await dialog.getByRole('textbox', {name: 'New label'}).fill('old')
    await dialog.getByRole('button', {name: 'Save'}).click()
    await expect(conversations(page).getByRole('img', {name: 'old'})).toHaveCount(3)

    await page.keyboard.press('Escape')
    await expect(bar).toHaveCount(0)
    await row(page, 'Kites').getByRole('link').press(' ')
    await page.getByRole('checkbox', {name: 'Select Trains'}).click({modifiers: ['Shift']})
    await bar.getByRole('button', {name: 'Delete'}).click()
    await expect(bar.getByText('Delete 3 conversations?')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(bar.getByText('Delete 3 conversations?')).toHaveCount(0)
    await expect(bar.getByRole('button', {name: 'Delete'})).toBeFocused()
    await expect(listed(page)).toHaveCount(0)
    await bar.getByRole('button', {name: 'Delete'}).press('Enter')
    await bar.getByRole('button', {name: 'Delete'}).press('Enter')
    await expect(listed(page)).toHaveText(['Planes'])
    // the newest of two offers
    await expect(page.getByRole('button', {name: 'Undo'})).toHaveCount(2)
    await page.keyboard.press('ControlOrMeta+z')
    await expect(listed(page)).toHaveText(titles)

    await row(page, 'Boats')
      .getByRole('link')
      .click({modifiers: ['Shift']})
    await page.getByRole('checkbox', {name: 'Select Kites'}).click()
    await bar.getByRole('button', {name: 'Delete'}).click()
    await bar.getByText('Delete 2 conversations?').waitFor()
    await bar.getByRole('button', {name: 'Delete'}).click()
    await expect
      .poll(async () => (await storedConversations(page)).map(({title}) => title))
      .toEqual(['Trains', 'Planes'])
    expect(deletions).toEqual([{action: 'delete_batch', ids: [expect.any(String), expect.any(String)]}])
  },
)

test(
  'a label is renamed and deleted over all conversations, with one request each, in other tabs too, and comes back',
  long,
  async ({context, installation, signedIn}) => {
    await seedConversations(installation, signedIn, seeded)
    const page = await blankTab(context, installation.url, signedIn)
    const calls: string[] = []
    page.on('request', (request) => {
      const action = /"action":"(mark|label)"/.exec(request.postData() ?? '')?.[1]
      if (action !== undefined) calls.push(action)
    })
    await open(page, installation.url)
    await row(page, 'Kites').getByRole('link').press(' ')
    await page.getByRole('checkbox', {name: 'Select Trains'}).click({modifiers: ['Shift']})
    const bar = page.getByRole('toolbar', {name: 'Selected conversations'})
    await bar.getByRole('button', {name: 'Labels…'}).click()
    const dialog = page.getByRole('dialog', {name: 'Labels'})
    await dialog.getByRole('textbox', {name: 'New label'}).fill('old')
    await dialog.getByRole('button', {name: 'Save'}).click()
    await page.keyboard.press('Escape')
    const dots = (of: Page, name: string) => conversations(of).getByRole('img', {name})
    await expect(dots(page, 'old')).toHaveCount(3)
    const colour = await dots(page, 'old').first().locator('span').first().getAttribute('style')
    const other = await context.newPage()
    await open(other, installation.url)
    await expect(dots(other, 'old')).toHaveCount(3)

    await show(page, 'old')
    await page.getByRole('button', {name: 'Labels…', exact: true}).press('Enter')
    await dialog.getByRole('button', {name: 'Rename'}).press('Enter')
    await dialog.getByRole('textbox', {name: 'Rename'}).fill('new')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('listitem', {name: 'new'}).getByRole('button', {name: 'Rename'})).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(listed(page)).toHaveText(['Kites', 'Boats', 'Trains'])
    await expect(dots(other, 'new')).toHaveCount(3)
    for (const each of [page, other])
      await expect(dots(each, 'new').first().locator('span').first()).toHaveAttribute('style', colour ?? '')

    await page.getByRole('button', {name: 'Labels…', exact: true}).click()
    await dialog.getByRole('button', {name: 'Delete'}).click()
    await expect(dialog.getByRole('status')).toContainText('Label deleted')
    await dialog.getByRole('button', {name: 'Close'}).last().click()
    await expect(listed(page)).toHaveText(titles)
    await expect(dots(other, 'new')).toHaveCount(0)
    await page.keyboard.press('ControlOrMeta+z')
    await expect(dots(page, 'new')).toHaveCount(3)
    await expect(dots(other, 'new')).toHaveCount(3)
    await expect
      .poll(async () => (await storedConversations(page)).map(({labels}) => labels?.join()))
      .toEqual(['new', 'new', 'new', ''])
    expect(calls).toEqual(['label', 'label', 'label', 'label'])
  },
)

test(
  'what a label is to be called stays in its field, with the caret, while another tab changes and deletes labels',
  long,
  async ({context, installation, signedIn}) => {
    await seedConversations(installation, signedIn, [
      {title: 'Kites', texts: ['Foo', 'Bar'], labels: ['far', 'old', 'red']},
    ])
    const page = await blankTab(context, installation.url, signedIn)
    await open(page, installation.url)
    const other = await context.newPage()
    await open(other, installation.url)
    const dialogOf = (of: Page) => of.getByRole('dialog', {name: 'Labels'})
    const label = (of: Page, name: string) => dialogOf(of).getByRole('listitem', {name})
    await choose(page, 'Kites', 'Labels…')
    await label(page, 'old').getByRole('button', {name: 'Rename'}).click()
    const field = dialogOf(page).getByRole('textbox', {name: 'Rename'})
    await field.fill('one')
    await field.press('Home')
    await page.keyboard.type('new ')

    await choose(other, 'Kites', 'Labels…')
    await dialogOf(other).getByRole('textbox', {name: 'New label'}).fill('apple')
    await dialogOf(other).getByRole('button', {name: 'Save'}).click()
    await expect(label(page, 'apple')).toBeVisible()
    await expect(field).toBeFocused()
    await page.keyboard.type('good ')
    await choose(other, 'Kites', 'Labels…')
    await label(other, 'old').getByRole('button', {name: 'Delete'}).click()
    await expect(dialogOf(page).getByText('was deleted or renamed elsewhere')).toBeVisible()
    await expect(field).toBeFocused()
    await page.keyboard.type('kept ')
    await expect(field).toHaveValue('new good kept one')
  },
)
