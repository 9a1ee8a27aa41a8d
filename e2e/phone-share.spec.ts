import {expect, test} from './fixtures.ts'
import {long} from './support/full-run.ts'
import {anyPhone, arabicPhone, askByTouch, goTo} from './support/phone.ts'
import {shareAndRevoke, shareButton} from './support/share-journey.ts'
import {wordsOf} from './support/words-of.ts'

/*
 * A conversation is shared from a phone in Arabic or English, read on another one without an account, and its links
 * end.
 */

test.use(anyPhone)

test(
  'a conversation is shared, read without an account, brought up to date and revoked',
  long,
  async ({locale, chat: page, modelServer, browser}) => {
    const word = await wordsOf(page)
    await shareAndRevoke(
      {
        page,
        word,
        ask: (question) => askByTouch(page, question),
        openDialog: async () => {
          await page
            .getByRole('banner')
            .getByRole('button', {name: word('chat.threadMenu')})
            .tap()
          await page.getByRole('menuitem', {name: word('chat.share')}).tap()
          await expect(shareButton({page, word}, 'share.make')).toBeEnabled()
        },
        openSettings: async () => {
          await goTo(page, 'you')
          await page
            .getByRole('main')
            .getByRole('button', {name: word('index.settings'), exact: true})
            .tap()
        },
      },
      {browser, modelServer, device: {...arabicPhone, locale}},
    )
  },
)
