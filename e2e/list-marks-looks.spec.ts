import {expect, test} from './fixtures.ts'
import {conversations, row} from './support/chat-page.ts'
import {show} from './support/marked-conversations.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/* Labels of any length, in colours of the user's system too. */

const label = 'Überlabel'.repeat(11)

test.beforeEach(async ({tab, installation, signedIn}) => {
  await seedConversations(installation, signedIn, [{title: 'Boats', texts: ['How?', 'So.'], labels: [label]}])
  await tab.goto(`${installation.url}/chatgpt/conversations`)
  await expect(row(tab, 'Boats')).toBeVisible()
})

test('a label as long as it may be takes one line above its conversations', async ({tab}) => {
  await show(tab, label)
  const name = conversations(tab).getByText(label, {exact: true})
  const {height = 0, width = 0} = (await name.boundingBox()) ?? {}
  expect(height).toBeLessThan(30)
  expect(width).toBeGreaterThan(150)
  await expect(name).toHaveAttribute('title', label)
})

test.describe('forced colours', () => {
  test.use({forcedColors: 'active', colorScheme: 'dark'})

  test('the dot of a label and the one of an answer can be seen', async ({tab, modelServer}) => {
    const colourOf = (name: string) =>
      row(tab, 'Boats')
        .getByRole('img', {name})
        .evaluate((mark) => {
          const dot = mark.firstElementChild ?? mark
          return [getComputedStyle(dot).backgroundColor, getComputedStyle(document.body).backgroundColor]
        })
    const [dot, page] = await colourOf(label)
    expect(dot).not.toBe(page)
    modelServer.hold()
    await row(tab, 'Boats').getByRole('link').click()
    await expect(tab.getByRole('log')).toContainText('So.')
    await tab.getByRole('main').getByRole('textbox').fill('Why?')
    await tab.getByRole('main').getByRole('textbox').press('Enter')
    const [mark] = await colourOf('Answering')
    expect(mark).not.toBe(page)
  })
})
