import type {Page} from '@playwright/test'
import {answers, ask, composer, expect, test, thread} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {alert, ended, lastMessage, stopAnswer} from './support/chat-page.ts'
import {some} from './support/full-run.ts'

const origin = (page: Page) => new URL(page.url()).origin

const expectNoFaults = async (page: Page): Promise<void> => expect(await axeFaults(page)).toEqual([])

/** Each heading is at most one level below the one before it, and the first is the page's. */
async function expectHeadingsInOrder(page: Page): Promise<void> {
  const levels = await page
    .getByRole('main')
    .getByRole('heading')
    .evaluateAll((headings) => headings.map(({tagName}) => Number(tagName.slice(1))))
  expect(levels[0]).toBe(1)
  expect(levels.filter((level, at) => level > (levels[at - 1] ?? 1) + 1)).toEqual([])
}

const looks = [
  {name: 'dark', cookies: {THEME: 'dark', LOCALE: 'en'}, stop: 'Stop'},
  {name: 'light', cookies: {THEME: 'light', LOCALE: 'en'}, stop: 'Stop'},
  {name: 'arabic', cookies: {THEME: 'light', LOCALE: 'ar'}, stop: undefined},
]

for (const {name, cookies} of some(looks)) {
  test(`no fault that axe finds: empty, answering, answered, failed (${name})`, async ({
    chat,
    context,
    modelServer,
  }) => {
    // both ways a choice is kept: the cookies and the state of the page
    await context.addCookies(
      Object.entries(cookies).map(([key, value]) => ({name: key, value, url: origin(chat), sameSite: 'Lax' as const})),
    )
    await chat.reload()
    await composer(chat).waitFor()
    await expect(chat.locator('html')).toHaveAttribute('dir', cookies.LOCALE === 'ar' ? 'rtl' : 'ltr')
    await expect(chat.locator('html')).toHaveAttribute('data-theme', cookies.THEME)
    await test.step('empty', () => expectNoFaults(chat))

    modelServer.answer(
      'Words, `code`, a [link](https://example.test/) and more.\n\n- a list\n\n```ts\nconst a = 1\n```',
    )
    modelServer.hold(3)
    await ask(chat, 'Question')
    await expect(lastMessage(chat)).toContainText('code')
    await test.step('answering', () => expectNoFaults(chat))
    modelServer.release()
    await expect(lastMessage(chat)).toHaveAttribute('aria-busy', 'false')
    await test.step('answered', () => expectNoFaults(chat))
    await expectHeadingsInOrder(chat)

    modelServer.fail(500, {error: {message: 'Exploded'}})
    await ended(chat)
    await ask(chat, 'Fail')
    await expect(alert(chat)).toBeVisible()
    await test.step('failed', () => expectNoFaults(chat))
  })
}

test('a screen reader finds the log, one article a message, and hears that an answer is ready', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer('The words of it')
  modelServer.hold(1)
  await ask(chat, 'Speak')
  await expect(thread(chat)).toHaveAccessibleName('Conversation')
  await expect(thread(chat)).toHaveAttribute('aria-busy', 'true')
  await expect(answers(chat)).toHaveCount(2)
  await expect(answers(chat).first().getByRole('heading', {name: 'You said'})).toBeAttached()
  await expect(answers(chat).last().getByRole('heading', {name: 'Answer'})).toBeAttached()
  await expect(chat.getByRole('status').filter({hasText: 'Answer started'})).toBeAttached()
  modelServer.release()
  await expect(chat.getByRole('status').filter({hasText: 'Answer ready'})).toBeAttached()
  await expect(thread(chat)).toHaveAttribute('aria-busy', 'false')
  await expect(chat.getByRole('main')).toHaveCount(1)
  await expect(chat.getByRole('link', {name: 'Speak'})).toBeVisible()
})

test('by keyboard alone: ask, stop, retry, copy, new chat, back to the first', async ({chat, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const keys = chat.keyboard
  modelServer.answer('keyboard words and more')
  modelServer.hold(2)
  await expect(composer(chat)).toBeFocused()
  await keys.type('Typed')
  await keys.press('Enter')
  await expect(lastMessage(chat)).toContainText('keyboard words')
  await stopAnswer(chat, () => keys.press('Escape'))
  await expect(lastMessage(chat)).toContainText('Stopped.')
  await expect(composer(chat)).toBeFocused()

  modelServer.release()
  const retry = lastMessage(chat).getByRole('button', {name: 'Retry'})
  for (
    let presses = 0;
    presses < 12 && !(await retry.evaluate((button) => button === document.activeElement));
    presses += 1
  )
    await keys.press('Shift+Tab')
  await expect(retry).toBeFocused()
  await keys.press('Enter')
  await expect(lastMessage(chat)).toContainText('and more')
  await expect(thread(chat)).toHaveAttribute('aria-busy', 'false')

  await keys.press('ControlOrMeta+Shift+C')
  await expect.poll(() => chat.evaluate(() => navigator.clipboard.readText())).toBe('keyboard words and more')

  await keys.press('ControlOrMeta+Shift+O')
  await expect(answers(chat)).toHaveCount(0)
  await expect(composer(chat)).toBeFocused()
  await chat.goBack()
  await expect(lastMessage(chat)).toContainText('and more')
})
