import {expect, test} from './fixtures.ts'
import {reopenIn} from './support/page-looks.ts'
import {wordsOf} from './support/words-of.ts'

/* Media tools in the width of a phone: the room that names leave. */

test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

test('the mark of the sandbox stands in one line beside the longest name of a tool', async ({chat, installation}) => {
  await chat.goto(`${installation.url}/midjourney`)
  for (const locale of ['en', 'ar'] as const) {
    await reopenIn(chat, {theme: 'light', locale})
    const word = await wordsOf(chat)
    const mark = chat.getByRole('banner').getByTitle(word('common.mediaSandboxHint'))
    await expect(mark, locale).toBeInViewport({ratio: 1})
    await expect.poll(async () => (await mark.boundingBox())?.height, locale).toBeLessThan(28)
  }
})
