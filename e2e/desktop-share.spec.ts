import {ask, expect, test} from './fixtures.ts'
import {openSettings} from './support/desktop-pages.ts'
import {anyDesktop} from './support/desktop.ts'
import {long} from './support/full-run.ts'
import {shareAndRevoke, shareButton, shareDialog} from './support/share-journey.ts'
import {wordsOf} from './support/words-of.ts'

/*
 * A conversation is shared from a desktop in English or Arabic, read on another one without an account, and its links
 * end.
 */

test.use(anyDesktop)

test(
  'a conversation is shared, read without an account, brought up to date and revoked',
  long,
  async ({locale, viewport, chat: page, modelServer, browser}) => {
    const word = await wordsOf(page)
    const opener = page.getByRole('banner').getByRole('button', {name: word('chat.share')})
    await shareAndRevoke(
      {
        page,
        word,
        ask: (question) => ask(page, question),
        openDialog: async () => {
          // the keys get there and back
          await opener.press('Enter')
          await expect(shareButton({page, word}, 'share.make')).toBeEnabled()
          await page.keyboard.press('Escape')
          await expect(shareDialog({page})).toHaveCount(0)
          await expect(opener).toBeFocused()
          await opener.press('Enter')
          await expect(shareButton({page, word}, 'share.make')).toBeEnabled()
        },
        openSettings: () => openSettings(page),
      },
      {browser, modelServer, device: {viewport, ...(locale !== undefined && {locale})}},
    )
  },
)
