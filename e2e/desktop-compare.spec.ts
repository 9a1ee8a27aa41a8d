import type {Page} from '@playwright/test'
import {expect} from './fixtures.ts'
import {composer, offeredModel} from './support/chat-page.ts'
import {answerOf, chosen, closeModels, column, headOf, openPage, test} from './support/compare-page.ts'
import {anyDesktop} from './support/desktop.ts'
import {expectGoodInBothThemes, startOf} from './support/phone.ts'
import {wordsOf} from './support/words-of.ts'

/* One question to two models of two groups (decision 63), on a desktop in English or Arabic. */

test.use(anyDesktop)

const question = 'Which way to the market of Lucca?'

type Comparison = {
  page: Page
  word: (id: string) => string
  locale: string | undefined
}

const chooseButton = ({page, word}: Comparison) => page.getByRole('button', {name: word('compare.choose')})
const expectChosen = ({page, word, locale}: Comparison, count: number) => {
  const number = new Intl.NumberFormat(locale)
  const text = word('compare.chosen')
    .replace('{count, number}', number.format(count))
    .replace('{most, number}', number.format(4))
  return expect(page.getByText(text)).toBeVisible()
}

/** The list of the picker: searched, marked and chosen by keys, with the reason against what cannot be chosen. */
async function chooseByKeys(comparison: Comparison) {
  const {page, word} = comparison
  await chooseButton(comparison).press('Enter')
  const field = page.getByRole('combobox', {name: word('chat.modelSearch')})
  await expect(field).toBeFocused()
  await expect(offeredModel(page, /^Grok 4/)).toContainText(word('chat.notConfigured'))
  await expectGoodInBothThemes(page, 'models of a comparison')
  await field.fill('all-round')
  await field.press('Shift+Enter')
  await field.press('Enter')
  await field.fill('')
  await expect(page.getByRole('rowgroup').first()).toHaveAccessibleName(word('chat.modelFavourites'))
  await expect(offeredModel(page, startOf(`GPT-4o ${word('chat.modelGpt4oAll')}`))).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await closeModels(page)
  await expect(chooseButton(comparison)).toBeFocused()
  await expectChosen(comparison, 3)
  await page
    .getByRole('button', {name: word('compare.remove').replace('{model}', 'GPT-4o'), exact: true})
    .press('Enter')
  await expectChosen(comparison, 2)
  await expect(chooseButton(comparison)).toBeFocused()
}

test('two models of two groups: the price first, one is stopped, a reload, one fails, then on with the other', async ({
  context,
  groups,
  locale,
}) => {
  const page = await openPage(context, groups, '/chatgpt/conversations')
  const word = await wordsOf(page)
  const comparison = {page, word, locale}
  const said = (model: string, id: string) =>
    word('compare.said').replace('{model}', model).replace('{state}', word(id))
  await composer(page).fill(question)
  await page.getByRole('button', {name: word('chat.chooseModel').replace('{model}', 'GPT-5')}).click()
  await page.getByRole('button', {name: word('chat.modelSeveral')}).click()
  await expect(page).toHaveURL(/\/compare$/)
  await expect(composer(page)).toHaveValue(question)
  await expectChosen(comparison, 2)
  await expect(page).toHaveTitle(startOf(`${word('compare.title')} · `))
  await expect(chosen(page, 'GPT-5')).toContainText(word('chat.takesFiles'))
  await expect(chosen(page, 'DeepSeek V3')).toContainText(
    word('chat.modelPrice').replace('{prompt}', '0.002').replace('{completion}', '0.004'),
  )
  await chooseByKeys(comparison)
  // 13 tokens read and 1,000 written by each: 0.03013 + 0.004026, in three digits
  await expect(page.getByText(word('compare.together').replace('{credits}', '0.0342'))).toBeVisible()
  await expectGoodInBothThemes(page, 'chosen models')

  groups.openai.hold(2)
  groups.deepseek.hold(2)
  await composer(page).press('Enter')
  const [gpt, deep] = [column(page, 'GPT-5'), column(page, 'DeepSeek V3')]
  await expect(answerOf(gpt)).toContainText('A harbour')
  await expect(answerOf(deep)).toContainText('Take the')
  // the next question is typed without another press
  await expect(composer(page)).toBeFocused()
  // the first chosen is where reading begins
  const [gptBox, deepBox] = await Promise.all([gpt.boundingBox(), deep.boundingBox()])
  expect((gptBox?.x ?? 0) < (deepBox?.x ?? 0)).toBe(locale !== 'ar')
  await gpt.getByRole('button', {name: said('GPT-5', 'chat.stop')}).click()
  await expect(headOf(gpt)).toContainText(word('compare.stopped'))
  await expect(headOf(deep)).toContainText(word('chat.answering'))
  await expect.poll(() => new URL(page.url()).searchParams.getAll('with').length).toBe(2)
  await expectGoodInBothThemes(page, 'one is stopped')

  await page.reload()
  await expect(answerOf(gpt)).toContainText('A harbour')
  await expect(answerOf(deep)).toContainText('Take the')
  await expect(headOf(deep)).toContainText(word('chat.answering'))
  groups.deepseek.release()
  await expect(answerOf(deep)).toContainText('Take the slow train along the coast')
  await expect(headOf(deep)).toContainText(word('chat.answerReady'))
  await expect(headOf(gpt)).toContainText(word('compare.stopped'))

  // each again, alone: it fails, then it answers
  groups.openai.release()
  groups.openai.fail(400, {error: {message: 'no such thing', code: 'bad_request'}})
  await gpt.getByRole('button', {name: said('GPT-5', 'common.retry')}).click()
  await expect(headOf(gpt)).toContainText(word('compare.failed'))
  await expect(headOf(deep)).toContainText(word('chat.answerReady'))
  await expectGoodInBothThemes(page, 'one fails')
  groups.openai.answer('A harbour of marble and salt')
  await gpt.getByRole('button', {name: said('GPT-5', 'common.retry')}).click()
  await expect(answerOf(gpt)).toContainText('A harbour of marble and salt')
  expect(groups.deepseek.prompts).toEqual([question])
  await expect(headOf(gpt)).toContainText(word('chat.answerReady'))

  // then one question for both
  await composer(page).fill('And on Sundays?')
  await composer(page).press('Enter')
  for (const each of [gpt, deep]) {
    await expect(each.getByRole('article')).toHaveCount(4)
    await expect(headOf(each)).toContainText(word('chat.answerReady'))
  }
  expect([groups.openai.prompts.at(-1), groups.deepseek.prompts.at(-1)]).toEqual(['And on Sundays?', 'And on Sundays?'])

  await deep.getByRole('link', {name: said('DeepSeek V3', 'compare.continue')}).click()
  await expect(page).toHaveURL(/\/deepseek\/conversations\/[\w-]+$/)
  await expect(page.getByRole('log').getByRole('article')).toHaveCount(4)
  await page.goBack()
  await expect(gpt.getByRole('article')).toHaveCount(4)
})
