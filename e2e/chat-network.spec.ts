import {answers, ask, expect, test} from './fixtures.ts'
import {conversationId, lastMessage, storedAnswer} from './support/chat-page.ts'
import {demanding} from './support/texts.ts'

for (const {name, tellsBrowser} of [
  {name: 'and the browser knows', tellsBrowser: true},
  {name: 'and the browser believes it is online', tellsBrowser: false},
]) {
  test(`the network is lost in mid-answer ${name}: the page says so and gets every byte back`, async ({
    wired: {page, cable},
    context,
    modelServer,
  }) => {
    modelServer.answer(demanding)
    modelServer.hold(4)
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
    expect(await storedAnswer(page, await conversationId(page))).toMatchObject({content: demanding, state: 'finished'})
  })
}
