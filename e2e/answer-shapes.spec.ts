import {answers, expect, test} from './fixtures.ts'
import {longBut} from './support/full-run.ts'
import {openIn} from './support/page-looks.ts'
import {seedConversation} from './support/seeded-conversation.ts'

/* The parts of an answer stand beside each other as its text says. */

test('the equals signs of aligned lines stand below each other', async ({tab, installation, signedIn}) => {
  const lines = String.raw`$$\begin{aligned} a + b + c &= d \\ e &= f + g + h + i + j + k \end{aligned}$$`
  const {id} = await seedConversation(installation, signedIn, ['question', lines])
  await openIn(tab, `/chatgpt/conversations/${id}`, {theme: 'light', locale: 'en'})
  const signs = answers(tab).last().locator('mo', {hasText: '='})
  await expect(signs).toHaveCount(2)
  const [first, second] = await signs.evaluateAll((all) => all.map((sign) => sign.getBoundingClientRect().x))
  expect(Math.abs((first ?? 0) - (second ?? 99))).toBeLessThan(1)
})

test.describe('on touch', () => {
  test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

  for (const locale of ['en', 'ar'] as const)
    test(
      `of neighbouring references to notes, each takes the touch at itself, ${locale}`,
      longBut(locale === 'ar'),
      async ({tab, installation, signedIn}) => {
        const word = locale === 'en' ? 'Both' : 'كلاهما'
        const answer = `${word}[^1][^2][^3].\n\n[^1]: One.\n[^2]: Two.\n[^3]: Three.`
        const {id} = await seedConversation(installation, signedIn, ['question', answer])
        await openIn(tab, `/chatgpt/conversations/${id}`, {theme: 'light', locale})
        const marks = answers(tab).last().locator('sup a')
        await expect(marks).toHaveCount(3)
        const taken = await marks.evaluateAll((links) =>
          links.map((link) => {
            const {x, y, width, height} = link.getBoundingClientRect()
            return [2, width / 2, width - 2].map(
              (at) => document.elementFromPoint(x + at, y + height / 2)?.textContent ?? '',
            )
          }),
        )
        expect(taken).toEqual([
          ['1', '1', '1'],
          ['2', '2', '2'],
          ['3', '3', '3'],
        ])
      },
    )
})
