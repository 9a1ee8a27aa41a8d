import type {Page} from '@playwright/test'
import {ask, expect} from './fixtures.ts'
import {alert, answers, conversationId, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {
  cards,
  generate,
  generateButton,
  openTool,
  openTray,
  promptField,
  spentCredits,
  storedTasks,
  tasksButton,
  type ServerTask,
} from './support/media-page.ts'
import {numbered} from './support/texts.ts'
import {test} from './support/with-upstream.ts'

/*
 * Made once, charged once (docs/media-tools.md §4). The installation is this file's own: it is killed, and it passes
 * generations on to an upstream that costs credits.
 */

let count = 0
/** A prompt that no other task of the account has. */
const newPrompt = (words: string) => `${words} no. ${(count += 1)}.`

const card = (page: Page, prompt: string) => cards(page).filter({has: page.getByText(prompt, {exact: true})})
const image = (page: Page, prompt: string) => card(page, prompt).getByRole('img', {name: `Result of: ${prompt}`})

const generationPath = '**/services/api/flux/images'
/** The keys of all generations that the page sends from now on. */
function generations(page: Page): (string | undefined)[] {
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/flux/images')) keys.push(request.headers()['idempotency-key'])
  })
  return keys
}

const tasksOf = async (page: Page, tool: string, prompt: string): Promise<ServerTask[]> =>
  (await storedTasks(page, tool)).items.filter(({request}) => request.prompt === prompt)

/** The server has one task of this prompt, charged at its whole price, and nothing else was charged since `before`. */
async function expectOnce(page: Page, before: number, prompts: Record<string, string>): Promise<void> {
  let price = 0
  for (const [tool, prompt] of Object.entries(prompts)) {
    const tasks = await tasksOf(page, tool, prompt)
    expect(tasks).toHaveLength(1)
    expect(tasks[0]).toMatchObject({response: {success: true}})
    expect(tasks[0]?.credits.held).toBeGreaterThan(0)
    expect(tasks[0]?.credits.settled).toBe(tasks[0]?.credits.held)
    price += tasks[0]?.credits.held ?? 0
  }
  expect((await spentCredits(page)) - before).toBeCloseTo(price, 6)
}

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
    const word = `swell${count}-`
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

test('a double click on Generate makes one task and one charge', long, async ({chat, upstream}) => {
  const before = await spentCredits(chat)
  const prompt = newPrompt('A wave, clicked twice')
  const calls = generations(chat)
  await openTool(chat, '/flux')
  await promptField(chat).fill(prompt)
  await generateButton(chat).dblclick()
  await expect(card(chat, prompt)).toContainText('Rendering')
  upstream.finish()
  await expect(image(chat, prompt)).toBeVisible()
  expect(calls).toHaveLength(1)
  expect(upstream.submitted).toEqual(['/flux/images'])
  await expect(card(chat, prompt)).toHaveCount(1)
  await expectOnce(chat, before, {flux: prompt})
})

test('another prompt right after the first was taken makes a second task', long, async ({chat, upstream}) => {
  const before = await spentCredits(chat)
  const [first, second] = [newPrompt('A wave, first of two'), newPrompt('A wave, second of two')]
  const calls = generations(chat)
  await openTool(chat, '/flux')
  await promptField(chat).fill(first)
  await generateButton(chat).click()
  await expect(card(chat, first)).toContainText('Rendering')
  await promptField(chat).fill(second)
  await generateButton(chat).click()
  await expect(card(chat, second)).toContainText('Rendering')
  upstream.finish()
  await expect(image(chat, first)).toBeVisible()
  await expect(image(chat, second)).toBeVisible()
  expect(calls).toHaveLength(2)
  expect(new Set(calls).size).toBe(2)
  await expect(card(chat, first)).toHaveCount(1)
  await expect(card(chat, second)).toHaveCount(1)
  expect(await tasksOf(chat, 'flux', second)).toHaveLength(1)
  expect(await spentCredits(chat)).toBeGreaterThan(before)
})

test(
  'the answer of a generation is lost on the way: it is sent again by itself, as the same task',
  long,
  async ({chat, upstream}) => {
    const before = await spentCredits(chat)
    const prompt = newPrompt('A wave, unheard')
    const calls = generations(chat)
    await openTool(chat, '/flux')
    await chat.route(
      generationPath,
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      {times: 1},
    )
    await generate(chat, prompt)
    await expect(card(chat, prompt)).toContainText('Rendering')
    upstream.finish()
    await expect(image(chat, prompt)).toBeVisible()
    expect(calls).toHaveLength(2)
    expect(calls[1]).toBe(calls[0])
    expect(upstream.submitted).toEqual(['/flux/images'])
    await expect(card(chat, prompt)).toHaveCount(1)
    await expectOnce(chat, before, {flux: prompt})
  },
)

test(
  'the network goes before the answer of a generation is there, and the page is loaded again: one task, one charge',
  long,
  async ({wired: {page, cable}, upstream}) => {
    const before = await spentCredits(page)
    const prompt = newPrompt('A wave, cut off')
    const calls = generations(page)
    await openTool(page, '/flux')
    await page.route(
      generationPath,
      async (route) => {
        await route.fetch()
        cable.cut()
        await route.abort('connectionreset')
      },
      {times: 1},
    )
    await generate(page, prompt)
    await expect.poll(() => upstream.submitted).toEqual(['/flux/images'])
    await expect.poll(() => calls.length).toBeGreaterThan(1)
    cable.mend()
    await page.reload()
    upstream.finish()
    await expect(image(page, prompt)).toHaveCount(1)
    expect(new Set(calls).size).toBe(1)
    expect(upstream.submitted).toEqual(['/flux/images'])
    await expect(card(page, prompt)).toHaveCount(1)
    await expectOnce(page, before, {flux: prompt})
  },
)

test(
  'nobody can say whether a generation was sent: Send again joins the task that was made',
  long,
  async ({chat, upstream}) => {
    const before = await spentCredits(chat)
    const prompt = newPrompt('A wave, in doubt')
    const calls = generations(chat)
    await chat.clock.install()
    await openTool(chat, '/flux')
    let isFirst = true
    await chat.route(generationPath, async (route) => {
      if (isFirst) await route.fetch()
      isFirst = false
      await route.abort('connectionreset')
    })
    await chat.route('**/services/api/flux/tasks', (route) => route.abort('connectionreset'))
    await generate(chat, prompt)
    const again = card(chat, prompt).getByRole('button', {name: 'Send again'})
    await expect
      .poll(async () => {
        await chat.clock.runFor(2_000)
        return again.count()
      })
      .toBe(1)
    expect(upstream.submitted).toEqual(['/flux/images'])

    await chat.unroute(generationPath)
    await again.click()
    await expect(again).toHaveCount(0)
    await chat.unroute('**/services/api/flux/tasks')
    upstream.finish()
    await expect
      .poll(async () => {
        await chat.clock.runFor(1_000)
        return image(chat, prompt).count()
      })
      .toBe(1)
    expect(new Set(calls).size).toBe(1)
    expect(upstream.submitted).toEqual(['/flux/images'])
    await expect(card(chat, prompt)).toHaveCount(1)
    await expectOnce(chat, before, {flux: prompt})
  },
)
