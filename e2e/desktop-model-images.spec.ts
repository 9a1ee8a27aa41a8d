import {ask, expect, test} from './fixtures.ts'
import {anyDesktop} from './support/desktop.ts'
import {loadByPress} from './support/model-images-journey.ts'

/* An image that a model names is loaded by a key, where it stands, on a desktop in English or Arabic. */

test.use(anyDesktop)

test('a foreign image is asked for by a press alone, and tells its host nothing', async ({
  chat: page,
  modelServer,
  watch,
}) => {
  await loadByPress({
    page,
    modelServer,
    watch,
    ask: (question) => ask(page, question),
    load: async (key) => {
      await key.press('Enter')
      // the focus goes on with the image
      await expect(page.locator('[href*="boat.png"]')).toBeFocused()
    },
  })
})
