import {answers, composer, expect, test} from './fixtures.ts'
import {conversations, row} from './support/chat-page.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'

/* A conversation is printed whole, dark on white, and without what stands around it. */

test.use({colorScheme: 'dark'})

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').split(/\/Type\s*\/Page\b/).length - 1

test('a long conversation is printed from its first question to its last answer', async ({
  tab,
  installation,
  signedIn,
}) => {
  const texts = [...numberedTexts(80), 'the last question', 'the last answer']
  const {id} = await seedConversation(installation, signedIn, texts)
  await tab.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(answers(tab).last()).toContainText('the last answer')
  await expect(row(tab, 'seeded')).toBeVisible()
  const shownCount = await answers(tab).count()
  expect(shownCount).toBeLessThan(texts.length)
  // a page of paper holds about twenty of its paragraphs
  expect(pagesOf(await tab.pdf({format: 'A4'}))).toBeGreaterThan(5)

  await tab.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await tab.emulateMedia({media: 'print'})
  await expect(answers(tab)).toHaveCount(texts.length)
  await expect(answers(tab).first()).toContainText('question 0')
  await expect(tab.getByRole('heading', {level: 1, name: 'seeded'})).toBeVisible()
  await expect(conversations(tab)).toBeHidden()
  await expect(composer(tab)).toBeHidden()
  await expect(answers(tab).getByRole('button')).toHaveCount(0)
  await expect(tab.locator('html')).toHaveCSS('color-scheme', 'light')

  await tab.evaluate(() => dispatchEvent(new Event('afterprint')))
  await tab.emulateMedia({media: 'screen'})
  await expect(composer(tab)).toBeVisible()
  expect(await answers(tab).count()).toBeLessThan(texts.length)
})
