import {ask, expect} from './fixtures.ts'
import {alert, answers, conversationId, lastMessage} from './support/chat-page.ts'
import {card, expectOnce, image, newPrompt, tasksOf} from './support/charged-once.ts'
import {long} from './support/full-run.ts'
import {generate, openTool, openTray, spentCredits, tasksButton} from './support/media-page.ts'
import {numbered} from './support/texts.ts'
import {test} from './support/with-upstream.ts'

/*
 * The server is killed at work: what it makes is made once and charged once (docs/media-tools.md §4). The installation
 * is this file's own, and passes generations on to an upstream that costs credits.
 */

test.beforeEach(({upstream}) => upstream.reset())

test(
  'the server is killed while an image, a video and a song are made: each ends where it belongs, once',
  long,
  async ({chat, installation, upstream}) => {
    const before = await spentCredits(chat)
    const made = {flux: newPrompt('A wave'), kling: newPrompt('The wave breaks'), suno: newPrompt('The sound of it')}
    for (const [tool, prompt] of Object.entries(made)) {
      await openTool(chat, `/${tool}`)
      await generate(chat, prompt)
    }
    await expect(tasksButton(chat)).toHaveAccessibleName('Tasks: 3 in progress')
    await expect.poll(() => upstream.followed).toHaveLength(3)

    await installation.kill()
    await installation.restart()
    await chat.reload()
    const lines = await openTray(chat)
    for (const prompt of Object.values(made)) await expect(lines.filter({hasText: prompt})).toContainText('Rendering')

    upstream.finish()
    for (const prompt of Object.values(made)) await expect(lines.filter({hasText: prompt})).toContainText('Done')
    await expect(tasksButton(chat)).toHaveAccessibleName('Tasks')
    await lines.filter({hasText: made.flux}).getByRole('link', {name: 'Open'}).click()
    await expect(image(chat, made.flux)).toBeVisible()
    await (await openTray(chat)).filter({hasText: made.kling}).getByRole('link', {name: 'Open'}).click()
    await expect(card(chat, made.kling).getByRole('button', {name: `Download ${made.kling}`})).toBeAttached()
    await (await openTray(chat)).filter({hasText: made.suno}).getByRole('link', {name: 'Open'}).click()
    await expect(card(chat, made.suno).getByRole('button', {name: 'Play Tide'})).toBeVisible()
    expect(upstream.submitted).toEqual(['/flux/images', '/kling/videos', '/suno/audios'])
    await expectOnce(chat, before, made)
  },
)

test(
  'the server is killed while an answer and an image are made: the answer keeps what came, the image is made once',
  long,
  async ({chat, installation, upstream, modelServer}) => {
    const before = await spentCredits(chat)
    const question = newPrompt('What is a wave')
    const word = 'swell-'
    const written = numbered(3, word)
    const made = {flux: newPrompt('A wave')}
    modelServer.answer(numbered(20, word))
    modelServer.hold(3)
    await ask(chat, question)
    await expect(lastMessage(chat)).toContainText(written)
    const id = await conversationId(chat)
    await openTool(chat, '/flux')
    await generate(chat, made.flux)
    await expect(tasksButton(chat)).toHaveAccessibleName('Tasks: 2 in progress')
    let lines = await openTray(chat)
    for (const prompt of [question, made.flux]) await expect(lines.filter({hasText: prompt})).toContainText('Rendering')
    await expect.poll(() => upstream.followed).toHaveLength(1)

    await installation.kill()
    await installation.restart()
    await chat.reload()
    lines = await openTray(chat)
    await expect(lines.filter({hasText: made.flux})).toContainText('Rendering')
    // a chat is called by its first question
    await expect(lines.filter({hasText: question})).toContainText("This one didn't work")
    await expect(tasksButton(chat)).toHaveAccessibleName('Tasks: 1 in progress')
    upstream.finish()
    await expect(lines.filter({hasText: made.flux})).toContainText('Done')
    await expectOnce(chat, before, made)

    await lines.filter({hasText: question}).getByRole('link', {name: 'Open', exact: true}).click()
    await expect(chat).toHaveURL(new RegExp(`/conversations/${id}$`))
    await expect(lastMessage(chat)).toContainText(written)
    await expect(alert(chat)).toContainText('What arrived is kept.')
    modelServer.release()
    await alert(chat).getByRole('button', {name: 'Retry'}).click()
    await expect(lastMessage(chat)).toContainText(`${word}20`)
    await expect(answers(chat)).toHaveCount(2)
    expect(modelServer.prompts).toEqual([question, question])
  },
)

test(
  'the server is killed before the provider has named the job: visible, not charged; Try again makes it',
  long,
  async ({chat, installation, upstream}) => {
    const before = await spentCredits(chat)
    const prompt = newPrompt('A nameless wave')
    await openTool(chat, '/flux')
    upstream.fallSilent()
    await generate(chat, prompt)
    await expect.poll(() => upstream.submitted).toEqual(['/flux/images'])
    await installation.kill()
    await installation.restart()
    await chat.reload()
    await expect(card(chat, prompt)).toContainText('The server stopped while this was being made')
    await expect(card(chat, prompt)).toContainText('Refunded: 0.2 credits')
    expect(await tasksOf(chat, 'flux', prompt)).toMatchObject([{response: {success: false, outcome: 'interrupted'}}])
    expect(await spentCredits(chat)).toBe(before)
    expect(upstream.submitted).toHaveLength(1)

    upstream.reset()
    upstream.finish()
    await card(chat, prompt).getByRole('button', {name: 'Try again'}).click()
    await expect(image(chat, prompt)).toBeVisible()
    expect(upstream.submitted).toEqual(['/flux/images'])
    const tasks = await tasksOf(chat, 'flux', prompt)
    expect(tasks.map(({credits}) => credits.settled ?? 0).toSorted()).toEqual([0, tasks[0]?.credits.held])
    expect((await spentCredits(chat)) - before).toBeCloseTo(tasks[0]?.credits.held ?? 0, 6)
  },
)
