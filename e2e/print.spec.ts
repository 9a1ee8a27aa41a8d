import type {Page} from '@playwright/test'
import {answers, composer, expect, test} from './fixtures.ts'
import {conversations, row} from './support/chat-page.ts'
import {answerOf, column, openPage, test as comparisons} from './support/compare-page.ts'
import {long} from './support/full-run.ts'
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
  await expect(tab.locator('body')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')

  await tab.evaluate(() => dispatchEvent(new Event('afterprint')))
  await tab.emulateMedia({media: 'screen'})
  await expect(composer(tab)).toBeVisible()
  expect(await answers(tab).count()).toBeLessThan(texts.length)
})

/** Styles the page for paper of the width of A4. */
async function layOutForPaper(page: Page) {
  await page.setViewportSize({width: 718, height: 1000})
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({media: 'print'})
}

test('a table that is wider than the paper breaks its words, and no column is cut', async ({
  tab,
  installation,
  signedIn,
}) => {
  const names = Array.from({length: 12}, (_, index) => `a long heading ${index}`)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const cells = names.map((_, index) => `words of cell ${index} and an identifier_without_a_space`)
  const table = [names, names.map(() => '-'), cells].map(line).join('\n')
  const {id} = await seedConversation(installation, signedIn, ['a table', table])
  await tab.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(tab.getByRole('table')).toBeVisible()
  await layOutForPaper(tab)
  const edges = await tab
    .getByRole('columnheader')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()))
  expect(edges).toHaveLength(12)
  expect(Math.max(...edges.map(({right}) => right))).toBeLessThanOrEqual(718)
  await expect(tab.getByRole('columnheader').last()).toBeVisible()
})

test(
  'a formula that is wider than the paper is printed smaller, and others are not',
  long,
  async ({tab, installation, signedIn}) => {
    const sum = Array.from({length: 18}, (_, index) => `a_{${index}} x^{${index}}`).join(' + ')
    const answer = `So $y = ${sum}$ holds, and $z = 1$.\n\n$$\nf(x) = ${sum}\n$$\n\n$$\n\\int_0^1 g(x)\\,dx = 2\n$$`
    const {id} = await seedConversation(installation, signedIn, ['formulas', answer])
    await tab.goto(`${installation.url}/chatgpt/conversations/${id}`)
    const formulas = answers(tab).locator('math')
    // as on the paper: a narrow screen has larger letters
    await tab.setViewportSize({width: 718, height: 1000})
    await expect(formulas).toHaveCount(4)
    const sizes = () => formulas.evaluateAll((all) => all.map((each) => getComputedStyle(each).fontSize))
    const sizesOnScreen = await sizes()
    await layOutForPaper(tab)
    const edges = await formulas.evaluateAll((all) =>
      all.map((each) => [...each.querySelectorAll('mi, mn, mo')].at(-1)?.getBoundingClientRect().right),
    )
    expect(Math.max(...edges.map((right) => right ?? Infinity))).toBeLessThanOrEqual(718)
    const sizesOnPaper = await sizes()
    expect([sizesOnPaper[1], sizesOnPaper[3]]).toEqual([sizesOnScreen[1], sizesOnScreen[3]])

    await tab.evaluate(() => dispatchEvent(new Event('afterprint')))
    await tab.emulateMedia({media: 'screen'})
    expect(await sizes()).toEqual(sizesOnScreen)
  },
)

/** The ends of the last letters of formulas, in pixels. */
const endsOf = (page: Page) =>
  answers(page)
    .locator('math')
    .evaluateAll((all) =>
      all.map((each) => [...each.querySelectorAll('mi, mn, mo')].at(-1)?.getBoundingClientRect().right ?? Infinity),
    )

test(
  'a formula of many times the width of the paper is printed whole, one in a cell of a table too',
  long,
  async ({tab, installation, signedIn}) => {
    const sumOf = (count: number) => Array.from({length: count}, (_, index) => `a_{${index}} x^{${index}}`).join(' + ')
    const table = `| Name | Sum | Words |\n|---|---|---|\n| one | $${sumOf(18)}$ | some words of a cell |\n| two | $z = 1$ | $${sumOf(6)}$ |`
    const answer = `So $y = ${sumOf(70)}$ holds.\n\n$$\nf(x) = ${sumOf(70)}\n$$\n\n${table}\n\n- in a list $y = ${sumOf(40)}$\n\n> in a quote $y = ${sumOf(40)}$`
    const {id} = await seedConversation(installation, signedIn, ['formulas', answer])
    await tab.goto(`${installation.url}/chatgpt/conversations/${id}`)
    await tab.setViewportSize({width: 718, height: 1000})
    await expect(answers(tab).locator('math')).toHaveCount(7)
    await layOutForPaper(tab)
    const ends = await endsOf(tab)
    for (const end of ends) expect.soft(end).toBeLessThanOrEqual(718)
    const box = await answers(tab).getByRole('table').boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(718)
    await tab.evaluate(() => dispatchEvent(new Event('afterprint')))
    await expect(
      answers(tab).locator('math[style*="font-size"], math[style*="text-rendering"], [style*="container-type"]'),
    ).toHaveCount(0)
  },
)

test('no heading of an answer ends a page of paper', long, async ({tab, installation, signedIn}) => {
  const {id} = await seedConversation(installation, signedIn, ['a question', '## Why\n\nBecause.'])
  await tab.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await layOutForPaper(tab)
  await expect(answers(tab).getByRole('heading', {name: 'Why'})).toHaveCSS('break-after', 'avoid')
})

comparisons('a comparison is printed one answer under another, each whole', async ({context, groups}) => {
  const answer = (name: string) => Array.from({length: 30}, (_, index) => `${name} line ${index}`).join('\n\n')
  groups.openai.answer(answer('first'))
  groups.deepseek.answer(answer('second'))
  const page = await openPage(context, groups, '/compare')
  await composer(page).fill('Compare these')
  await composer(page).press('Enter')
  const [first, second] = [column(page, 'GPT-5'), column(page, 'DeepSeek V3')]
  await expect(answerOf(first)).toContainText('first line 29')
  await expect(answerOf(second)).toContainText('second line 29')
  await expect(page.getByRole('button', {name: /: Stop$/})).toHaveCount(0)
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({media: 'print'})
  const boxes = await Promise.all([first, second].map((part) => part.evaluate((each) => each.getBoundingClientRect())))
  expect(boxes[1]?.top).toBeGreaterThanOrEqual(boxes[0]?.bottom ?? Infinity)
  for (const part of [first, second])
    expect(await part.getByRole('log').evaluate((log) => log.scrollHeight - log.clientHeight)).toBe(0)
  await expect(composer(page)).toBeHidden()
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('heading', {name: 'DeepSeek V3'})).toBeVisible()
  // two answers of thirty paragraphs, about twenty on a page
  expect(pagesOf(await page.pdf({format: 'A4'}))).toBeGreaterThanOrEqual(3)
})

comparisons('an answer that failed is printed with its reason and without its buttons', async ({context, groups}) => {
  groups.deepseek.fail(400, {error: {message: 'no such thing', code: 'bad_request'}})
  const page = await openPage(context, groups, '/compare')
  await composer(page).fill('Compare these')
  await composer(page).press('Enter')
  const failed = column(page, 'DeepSeek V3')
  await expect(failed.getByRole('button', {name: 'Retry', exact: true})).toBeVisible()
  await expect(page.getByRole('button', {name: /: Stop$/})).toHaveCount(0)
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({media: 'print'})
  await expect(failed.getByRole('alert')).toContainText('no such thing')
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
})
