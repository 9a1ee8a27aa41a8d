import {ask, composer, expect, signIn} from './fixtures.ts'
import {lastMessage} from './support/chat-page.ts'
import {cards, generate, openTool, openTray, tasksButton} from './support/media-page.ts'
import {numbered} from './support/texts.ts'
import {test} from './support/with-upstream.ts'
import {long} from './support/full-run.ts'

/* A task that runs on one device is in the tray of another, which knows nothing of it (docs/media-tools.md §4). */

test.beforeEach(({upstream}) => upstream.reset())

test(
  'a video and an answer that were begun elsewhere are in the tray after signing in, without their screens, and end there',
  long,
  async ({browser, chat, installation, signedIn: {user}, upstream, modelServer}) => {
    modelServer.answer(numbered(20, 'swell'))
    modelServer.hold(3)
    await ask(chat, 'What is a wave?')
    await expect(lastMessage(chat)).toContainText(numbered(3, 'swell'))
    const prompt = 'A wave on another device'
    await openTool(chat, '/kling')
    await generate(chat, prompt)
    await expect.poll(() => upstream.followed).toEqual(['/kling/videos'])

    const elsewhere = await browser.newContext({locale: 'en-US'})
    const page = await elsewhere.newPage()
    await page.clock.install()
    const asked: string[] = []
    page.on('request', (request) => {
      const {pathname} = new URL(request.url())
      if (pathname.endsWith('/tasks') || pathname.endsWith('/tasks/running'))
        asked.push(pathname.split('/services/')[1] ?? '')
    })
    await signIn(page, `${installation.url}/chatgpt/conversations`, user)
    await composer(page).waitFor()
    // beside the answer, which the list of conversations tells of
    await expect(tasksButton(page)).toHaveAccessibleName('Tasks: 2 in progress')
    const line = (await openTray(page)).filter({hasText: prompt})
    await expect(line).toContainText('Rendering')
    await expect(line).toContainText('Kling')

    upstream.finish()
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000)
        return line.getByText('Done').count()
      })
      .toBe(1)
    modelServer.release()
    await expect(tasksButton(page)).toHaveAccessibleName('Tasks')
    expect(new URL(page.url()).pathname).toBe('/chatgpt/conversations')
    expect(asked.filter((path) => path.endsWith('/running'))).toEqual(['platform/api/v1/tasks/running'])
    // by its id, and of no other tool
    expect(new Set(asked)).toEqual(new Set(['platform/api/v1/tasks/running', 'api/kling/tasks']))

    // nothing runs any more: nobody asks, however long the page is open
    const questions = asked.length
    await page.clock.runFor(20 * 60_000)
    expect(asked.slice(questions)).toEqual([])

    await line.getByRole('link', {name: 'Open'}).click()
    await expect(cards(page).filter({hasText: prompt})).toHaveCount(1)
    await elsewhere.close()
  },
)
