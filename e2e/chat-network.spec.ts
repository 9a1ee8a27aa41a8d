import {answers, ask, expect, test} from './fixtures.ts'
import {conversationId, lastMessage, storedAnswer} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {takeSlots} from './support/stream-slots.ts'
import {demanding} from './support/texts.ts'

for (const {name, tellsBrowser, hasSlot, run = {}} of [
  {name: 'and the browser knows', tellsBrowser: true, hasSlot: true, run: long},
  {name: 'and the browser believes it is online', tellsBrowser: false, hasSlot: true, run: long},
  {name: 'that comes through the shared stream', tellsBrowser: true, hasSlot: false, run: long},
  {
    name: 'that comes through the shared stream, and the browser believes it is online',
    tellsBrowser: false,
    hasSlot: false,
  },
]) {
  test(
    `the network is lost in mid-answer ${name}: the page says so and gets every byte back`,
    run,
    async ({wired: {page, cable}, context, modelServer}) => {
      modelServer.answer(demanding)
      modelServer.hold(4)
      // the answer comes through the stream that all tabs share (decision 26)
      if (!hasSlot) await takeSlots(page)
      await ask(page, 'Everything')
      await expect(lastMessage(page)).toContainText('Tea is')
      await conversationId(page)
      if (tellsBrowser) await context.setOffline(true)
      cable.cut()
      await expect(lastMessage(page)).toContainText('Connection lost. Getting the answer back…')
      await expect(lastMessage(page)).toContainText('Tea is')
      modelServer.release()
      cable.mend()
      if (tellsBrowser) await context.setOffline(false)
      await expect(lastMessage(page)).toContainText('The last words of it.')
      await expect(lastMessage(page)).not.toContainText('Connection lost.')
      await expect(answers(page)).toHaveCount(2)
      expect(await storedAnswer(page, await conversationId(page))).toMatchObject({
        content: demanding,
        state: 'finished',
      })
    },
  )
}

test(
  'a question asked before its service is read waits for no other tab',
  long,
  async ({wired: {page}, modelServer}) => {
    modelServer.answer('Tea is a drink.')
    // the service of an earlier page is kept, no credential is
    await expect(page.getByRole('button', {name: /^Model: /})).toBeEnabled()
    await page.addInitScript(() => {
      const {chat, ...kept} = JSON.parse(localStorage.getItem('vuex') ?? '{}')
      localStorage.setItem('vuex', JSON.stringify({...kept, chat: {service: chat?.service}}))
    })
    let release = () => {}
    const known = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/api\/v1\/services\/[^/]+$/, async (route) => {
      await known
      await route.continue()
    })
    await page.reload()
    await takeSlots(page)
    await ask(page, 'What is tea?')
    await expect(answers(page)).toHaveCount(2)
    release()
    await expect(lastMessage(page)).toContainText('Tea is a drink.')
  },
)
