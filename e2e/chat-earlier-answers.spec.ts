import {answers, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {chooseAction, ended, lastMessage, moreActions, offeredModel} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {askAndRead, expectMessages, pager} from './support/message-versions.ts'
import {reopenIn} from './support/page-looks.ts'

/* An answer in the middle of a conversation is given again: nothing that followed it is lost. */

test(
  'an earlier answer is given again as a version, and what followed comes back with the one before',
  long,
  async ({chat, modelServer}) => {
    await askAndRead(chat, 'one')
    await askAndRead(chat, 'two')
    modelServer.answer('another one')
    await answers(chat).nth(1).hover()
    await answers(chat).nth(1).getByRole('button', {name: 'Answer again', exact: true}).click()
    await expectMessages(chat, 'one', 'another one')
    await ended(chat)
    await expect(pager(lastMessage(chat))).toContainText('2 / 2')
    expect(modelServer.prompts).toEqual(['one', 'two', 'one'])
    await chat.reload()
    await expectMessages(chat, 'one', 'another one')
    await pager(lastMessage(chat)).getByRole('button', {name: 'Previous version'}).click()
    await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')

    // the branch that is shown goes on, the other one waits as it was
    modelServer.answer('said: three')
    await askAndRead(chat, 'three')
    await pager(answers(chat).nth(1)).getByRole('button', {name: 'Next version'}).click()
    await expectMessages(chat, 'one', 'another one')
  },
)

test(
  'the version that is paged to stays in view, with all that follows it below',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer((prompt) => `said: ${prompt}. ${'Many words. '.repeat(200)}`)
    for (const question of ['one', 'two', 'three']) await askAndRead(chat, question)
    modelServer.answer('another one')
    await answers(chat).nth(1).getByRole('button', {name: 'Answer again', exact: true}).click()
    await expectMessages(chat, 'one', 'another one')
    await ended(chat)
    const paged = pager(answers(chat).nth(1))
    await paged.getByRole('button', {name: 'Previous version'}).click()
    await expect(answers(chat)).toHaveCount(6)
    await expect(paged).toContainText('1 / 2')
    await expect(answers(chat).nth(1)).toBeInViewport()
    await expect(lastMessage(chat)).not.toBeInViewport()
    await expect(chat.getByRole('button', {name: 'Jump to the latest message'})).toBeVisible()

    // the end is followed again from the next question on
    modelServer.reset()
    await askAndRead(chat, 'go on')
    await expect(lastMessage(chat)).toBeInViewport()
  },
)

test(
  'another model gives an earlier answer again, with a deletion behind it on its way',
  long,
  async ({chat, modelServer}) => {
    await askAndRead(chat, 'one')
    await askAndRead(chat, 'two')
    await chooseAction(answers(chat).nth(2), 'Delete')
    await expect(chat.getByText('Message deleted')).toBeVisible()
    await chooseAction(answers(chat).nth(1), 'Choose a model for a new answer')
    await offeredModel(chat, /^GPT-4o basic/).click()
    await expect(pager(lastMessage(chat))).toContainText('2 / 2')
    await ended(chat)
    expect(modelServer.calls.at(-1)?.model).toBe('gpt-4o')
    expect(modelServer.prompts.at(-1)).toBe('one')
    await expectMessages(chat, 'one', 'said: one')
    await pager(lastMessage(chat)).getByRole('button', {name: 'Previous version'}).click()
    await expectMessages(chat, 'one', 'said: one', 'said: two')
  },
)

test.describe('on a phone, in Arabic', () => {
  test.use({viewport: {width: 390, height: 844}, hasTouch: true})

  test('the button stands below each answer', long, async ({chat, modelServer}) => {
    modelServer.answer('كلمات')
    for (const count of [2, 4]) {
      await composer(chat).fill('Words?')
      await chat.getByRole('button', {name: 'Send'}).tap()
      await expect(answers(chat)).toHaveCount(count)
      await ended(chat)
    }
    await answers(chat).nth(1).getByRole('button', {name: 'Answer again', exact: true}).tap()
    await expect(answers(chat)).toHaveCount(2)
    await ended(chat)
    await reopenIn(chat, {theme: 'light', locale: 'ar'})
    await expect(answers(chat).nth(1).getByRole('group')).toContainText('2 / 2')
    await answers(chat).nth(1).getByRole('group').getByRole('button').first().tap()
    await expect(answers(chat)).toHaveCount(4)
    await expect(answers(chat).nth(1).getByRole('button')).toHaveCount(6)
    await expect(moreActions(answers(chat).nth(1))).toHaveCount(0)
    expect(await axeFaults(chat)).toEqual([])
    expect(await chat.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0)
  })
})
