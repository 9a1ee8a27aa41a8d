import {expect, test} from './fixtures.ts'
import {seedConversations} from './support/seeded-conversations.ts'

test('a row far down that is pinned by the pointer leaves the list where it is', async ({
  tab: page,
  installation,
  signedIn,
}) => {
  const titles = Array.from({length: 25}, (_, index) => `Kites ${index}`)
  await seedConversations(
    installation,
    signedIn,
    titles.map((title) => ({title, texts: ['How?', 'So.']})),
  )
  await page.goto(`${installation.url}/chatgpt/conversations`)
  const rows = page.getByRole('navigation', {name: 'Conversations'}).getByRole('listitem')
  const last = rows.filter({has: page.getByRole('link')}).last()
  await last.scrollIntoViewIfNeeded()
  const scrollOf = () =>
    last.evaluate((row) => {
      let scroller = row.parentElement
      while (scroller !== null && scroller.scrollTop === 0) scroller = scroller.parentElement
      return scroller?.scrollTop ?? 0
    })
  const before = await scrollOf()
  expect(before).toBeGreaterThan(100)
  const title = (await last.getByRole('link').innerText()).trim()
  await last.hover()
  await last.getByRole('button', {name: `Actions for ${title}`}).click()
  await page.getByRole('menuitem', {name: 'Pin', exact: true}).click()
  await expect(rows.getByRole('link').first()).toHaveText(title)
  await expect(page.getByRole('menu')).toHaveCount(0)
  expect(await scrollOf()).toBeGreaterThan(100)
})
