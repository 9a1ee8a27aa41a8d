import {expect, test} from './fixtures.ts'
import {long} from './support/full-run.ts'

/* Russian has the longest words for these two fields, which share a row: "Начальный кадр", "Необязательно". */
test.use({locale: 'ru', viewport: {width: 1440, height: 900}})

test('what stands at the end of a label lies beside its words, not on them', long, async ({chat: page}) => {
  await page.goto(new URL('/kling', page.url()).href)
  const labels = page.getByRole('form').locator('[id$="-start_image_url-label"], [id$="-end_image_url-label"]')
  await expect(labels).toHaveCount(2)
  const overlaps = await labels.evaluateAll((elements) =>
    elements.map((label) => {
      const end = document.getElementById(label.id.replace(/-label$/, '-end'))?.getBoundingClientRect()
      const words = document.createRange()
      words.selectNodeContents(label)
      return [...words.getClientRects()].some(
        (word) =>
          end === undefined ||
          (word.right > end.left && word.left < end.right && word.bottom > end.top && word.top < end.bottom),
      )
    }),
  )
  expect(overlaps).toEqual([false, false])
})
