import type {Page} from '@playwright/test'
import {expect} from './fixtures.ts'
import {card, expectOnce, image, newPrompt, tasksOf} from './support/charged-once.ts'
import {long} from './support/full-run.ts'
import {generate, generateButton, openTool, promptField, spentCredits} from './support/media-page.ts'
import {test} from './support/with-upstream.ts'

/*
 * Made once, charged once (docs/media-tools.md §4), whatever is pressed or lost. The installation is this file's own:
 * it passes generations on to an upstream that costs credits.
 */

const generationPath = '**/services/api/flux/images'
/** The keys of all generations that the page sends from now on. */
function generations(page: Page): (string | undefined)[] {
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/flux/images')) keys.push(request.headers()['idempotency-key'])
  })
  return keys
}

test.beforeEach(({upstream}) => upstream.reset())

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
