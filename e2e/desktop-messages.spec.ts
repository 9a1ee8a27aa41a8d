import {composer, expect, test} from './fixtures.ts'
import {
  answers,
  conversationId,
  ended,
  lastMessage,
  offeredModel,
  storedConversations,
  thread,
} from './support/chat-page.ts'
import {copied} from './support/clipboard.ts'
import {anyDesktop, desktopChat, directionsOf, sideOfStop} from './support/desktop.ts'
import {long} from './support/full-run.ts'
import {holdDelays} from './support/held-delays.ts'
import {expectTexts} from './support/phone-messages.ts'
import {directionOf, expectGoodInBothThemes} from './support/phone.ts'
import {secondTab} from './support/signed-in.ts'

/* Messages on a desktop in English and in Arabic: versions, other models, branches, copies, deletions. */

test.use(anyDesktop)

const answer = `## Prices

الأسعار بالدينار

| Fruit | Price |
|---|--:|
| **Apple** | -1.50 |
| تمر حلو. | 2 |

- One heron.
- طائر واحد.

\`\`\`ts src/prices.ts
export const apple = 1.5
\`\`\``

test(
  'a question is asked otherwise, another model answers again, and each version is paged to by the keys',
  long,
  async ({chat, locale, modelServer}) => {
    modelServer.answer((prompt) => `جواب ${prompt}`)
    const {word, button, chooseOf, askAndRead} = await desktopChat(chat)
    const pagerOf = (index: number) =>
      answers(chat)
        .nth(index)
        .getByRole('group', {name: word('chat.versions')})
    const [onwards, back] = locale === 'ar' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
    await expect(chat.locator('html')).toHaveAttribute('dir', directionOf(locale))
    await askAndRead('one', 'جواب one')
    await askAndRead('two', 'جواب two')
    const question = answers(chat).first()
    await question.hover()
    await button(question, 'chat.edit').click()
    await question.getByRole('textbox', {name: word('chat.editLabel')}).fill('uno')
    await expectGoodInBothThemes(chat, 'an editor')
    await button(question, 'chat.saveAndAsk').click()
    await expectTexts(chat, 'uno', 'جواب uno')
    await ended(chat)
    await expect(pagerOf(0)).toContainText('2 / 2')
    await expect(pagerOf(0).locator('bdi')).toHaveCSS('direction', 'ltr')
    await button(pagerOf(0), 'chat.previousVersion').press('Enter')
    await expectTexts(chat, 'one', 'جواب one', 'two', 'جواب two')
    await button(pagerOf(0), 'chat.nextVersion').press(onwards)
    await expectTexts(chat, 'uno', 'جواب uno')
    await button(pagerOf(0), 'chat.previousVersion').press(back)
    await expectTexts(chat, 'one', 'جواب one', 'two', 'جواب two')

    await test.step('the arrows of the pager point to where they lead', async () => {
      const [previous, next] = await Promise.all(
        (['chat.previousVersion', 'chat.nextVersion'] as const).map((id) => button(pagerOf(0), id).boundingBox()),
      )
      expect((previous?.x ?? 0) < (next?.x ?? 0)).toBe(locale !== 'ar')
      const icon = button(pagerOf(0), 'chat.nextVersion').locator('svg')
      await expect(icon).toHaveCSS('scale', locale === 'ar' ? '-1 1' : 'none')
    })

    await chooseOf(lastMessage(chat), 'chat.answerWith')
    modelServer.answer('جواب آخر')
    await expect(offeredModel(chat, /^GPT-4o basic/)).toBeVisible()
    await expectGoodInBothThemes(chat, 'models for another answer')
    await offeredModel(chat, /^GPT-4o basic/).click()
    await expect(pagerOf(3)).toContainText('2 / 2')
    await ended(chat)
    await expectTexts(chat, 'one', 'جواب one', 'two', 'جواب آخر')
    expect(modelServer.calls.at(-1)?.model).toBe('gpt-4o')

    modelServer.fail(500, {error: {message: 'Exploded'}})
    await lastMessage(chat).hover()
    await button(lastMessage(chat), 'chat.regenerate').click()
    await expect(thread(chat).getByRole('alert')).toBeVisible()
    await expectGoodInBothThemes(chat, 'an answer that failed')
    await chat.reload()
    await expect(thread(chat).getByRole('alert')).toBeVisible()
    await expect(pagerOf(3)).toContainText('3 / 3')
    await button(pagerOf(3), 'chat.previousVersion').press('Enter')
    await expectTexts(chat, 'one', 'جواب one', 'two', 'جواب آخر')
  },
)

test(
  'an answer is copied whole and in parts, and tells when it came and what it cost',
  long,
  async ({chat, context, locale, modelServer}) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    modelServer.answer(answer)
    const {word, button, chooseOf, dialog, askAndRead} = await desktopChat(chat)
    await askAndRead('الأسعار؟', 'Prices')
    const message = lastMessage(chat)
    expect(await directionsOf(message, 'Prices', 'الأسعار بالدينار', 'Apple', 'export const apple = 1.5')).toEqual([
      ...['ltr', 'rtl', 'ltr', 'ltr'],
    ])
    expect(await directionsOf(answers(chat).first(), 'الأسعار؟')).toEqual(['rtl'])
    const sides = ['One heron.', 'طائر واحد.', 'تمر حلو.'].map((text) => sideOfStop(message.getByText(text)))
    expect(await Promise.all(sides)).toEqual(['right', 'left', 'left'])
    await message.hover()
    expect(await copied(button(message, 'chat.copyMarkdown'))).toBe(answer)
    await message.getByRole('table').hover()
    expect(await copied(button(message, 'chat.copyTable'))).toBe('Fruit,Price\r\nApple,-1.50\r\nتمر حلو.,2\r\n')
    await message.getByRole('figure').hover()
    expect((await copied(button(message, 'common.copy'))).trim()).toBe('export const apple = 1.5')
    await expectGoodInBothThemes(chat, 'an answer with a table and code')

    await test.step('the hour is that of the language', async () => {
      const hour = new Intl.DateTimeFormat(`${locale}-u-nu-latn`, {hour: 'numeric', minute: '2-digit'})
      const periods = [0, 12].map((at) => hour.formatToParts(new Date(2026, 0, 1, at)).at(-1)?.value ?? '')
      expect(new Set(periods).size).toBe(2)
      await expect(message).toContainText(new RegExp(`\\d:\\d\\d.(${periods.join('|')})`))
    })
    await chooseOf(message, 'chat.details')
    const details = dialog('chat.details')
    await expect(details.getByRole('term').first()).toHaveText(word('chat.model'))
    await expect(details.getByRole('definition').filter({hasText: /\d-\d/}).first()).toHaveText(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
    )
    await expectGoodInBothThemes(chat, 'details')
    await chat.keyboard.press('Escape')
    await expect(details).toHaveCount(0)
    await expect(button(message, 'chat.messageActions')).toBeFocused()
  },
)

test('a message is linked to, branched from, deleted with undo and for good', async ({chat, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  modelServer.answer((prompt) => `said: ${prompt}`)
  // the undo stays while its looks are checked
  await holdDelays(chat)
  await chat.reload()
  const {word, button, list, chooseOf, askAndRead} = await desktopChat(chat)
  await askAndRead('واحد', 'said: واحد')
  await askAndRead('اثنان', 'said: اثنان')
  const id = await conversationId(chat)
  const stored = async () => (await storedConversations(chat)).find((each) => each.id === id)?.messages.length

  await lastMessage(chat).hover()
  await button(lastMessage(chat), 'chat.messageActions').press('Enter')
  const link = await copied(chat.getByRole('menuitem', {name: word('chat.copyLink'), exact: true}))
  expect(link).toMatch(new RegExp(`/chatgpt/conversations/${id}#`))
  const other = await secondTab(chat, link)
  await expect(answers(other).last()).toBeFocused()
  await other.close()

  const all = ['واحد', 'said: واحد', 'اثنان', 'said: اثنان']
  await chooseOf(answers(chat).nth(1), 'chat.deleteMessage')
  await expectTexts(chat, 'واحد', 'اثنان', 'said: اثنان')
  await expect(thread(chat).getByText(word('chat.messageDeleted'))).toBeVisible()
  await expectGoodInBothThemes(chat, 'a deleted message')
  await button(thread(chat), 'common.undo').click()
  await expectTexts(chat, ...all)
  expect(await stored()).toBe(4)

  await chooseOf(answers(chat).nth(1), 'chat.branch')
  await expectTexts(chat, 'واحد', 'said: واحد')
  expect(await conversationId(chat)).not.toBe(id)
  const title = word('chat.branchTitle', {title: 'واحد'})
  await expect(list.getByRole('link', {name: title})).toHaveAttribute('aria-current', 'page')
  await askAndRead('three', 'said: three')
  await expectGoodInBothThemes(chat, 'a branch')
  await chat.goBack()
  await expectTexts(chat, ...all)
  await composer(chat).waitFor()

  await chooseOf(answers(chat).nth(1), 'chat.deleteMessage')
  await expect(button(thread(chat), 'common.undo')).toBeVisible()
  await chat.reload()
  await expect.poll(stored).toBe(3)
  await chat.reload()
  await expectTexts(chat, 'واحد', 'اثنان', 'said: اثنان')
})
