import {expect, test} from './fixtures.ts'
import {localeNames} from '../src/tools/locales.mjs'
import {lastMessage} from './support/chat-page.ts'
import {isFull, long} from './support/full-run.ts'
import {inDatabase} from './support/in-database.ts'
import {seedConversation} from './support/seeded-conversation.ts'

/*
 * The note of an answer of the sandbox at the widths of phones: in all languages in the full run, else in two long
 * ones.
 */

const locales = isFull ? localeNames : ['ja', 'de']

test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

test(
  'the note and the time beside it are whole in each language',
  long,
  async ({tab: chat, installation, signedIn}) => {
    const {id, messages} = await seedConversation(installation, signedIn, ['question', 'answer'])
    await inDatabase(installation, (client) =>
      client.query(`update messages set provider = 'sandbox' where id = $1`, [messages[1]]),
    )
    await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
    for (const locale of locales) {
      await chat.context().addCookies([{name: 'LOCALE', value: locale, url: installation.url}])
      await chat.reload()
      const answer = lastMessage(chat)
      await expect(answer.locator('time')).toBeVisible()
      for (const width of [390, 360]) {
        await chat.setViewportSize({width, height: 844})
        const cut = await answer
          .locator('time')
          .evaluate((time) =>
            [time, ...(time.parentElement?.querySelectorAll('span') ?? [])]
              .filter(({scrollWidth, clientWidth}) => clientWidth > 1 && scrollWidth > clientWidth)
              .map(({textContent}) => textContent),
          )
        expect.soft(cut, `${locale}, ${width}`).toEqual([])
        const box = await answer.locator('time').boundingBox()
        expect.soft((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width, `${locale}, ${width}`).toBe(true)
      }
    }
  },
)
