import {expect, test} from './fixtures.ts'
import {long} from './support/full-run.ts'
import {openIn, reopenIn} from './support/page-looks.ts'
import {ScriptedTasks, fluxTask} from './support/scripted-tasks.ts'
import {wordsOf} from './support/words-of.ts'

/* Media tools in the width of a phone: the room that names leave. */

test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

test(
  'the mark of the sandbox stands in one line beside the longest name of a tool',
  long,
  async ({chat, installation}) => {
    await chat.goto(`${installation.url}/midjourney`)
    for (const locale of ['en', 'ar'] as const) {
      await reopenIn(chat, {theme: 'light', locale})
      const word = await wordsOf(chat)
      const mark = chat.getByRole('banner').getByTitle(word('common.mediaSandboxHint'))
      await expect(mark, locale).toBeInViewport({ratio: 1})
      await expect.poll(async () => (await mark.boundingBox())?.height, locale).toBeLessThan(28)
    }
  },
)

test('in Arabic, a task that can be asked for stands in the tray beside its buttons', long, async ({tab: chat}) => {
  const tasks = await ScriptedTasks.on(chat, 'flux')
  tasks.items = [fluxTask('heron')]
  await chat.clock.install()
  await openIn(chat, '/flux', {theme: 'light', locale: 'ar'})
  const word = await wordsOf(chat)
  const card = chat.getByRole('article').filter({hasText: 'heron'})
  await expect(card).toContainText(word('common.mediaRunning'))
  tasks.items = []
  await expect
    .poll(async () => {
      await chat.clock.runFor(1_000)
      return card.getByText(word('common.mediaGone')).count()
    })
    .toBe(1)
  await chat.getByRole('button', {name: word('index.tasks')}).tap()
  const line = chat.getByRole('dialog').getByRole('listitem')
  const button = line.getByRole('button', {name: word('common.mediaCheckNow')})
  await expect(button).toBeVisible()
  const name = await line.getByRole('link').boundingBox()
  const check = await button.boundingBox()
  expect(check?.y).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0))
  expect(name?.width).toBeGreaterThanOrEqual(100)
})
