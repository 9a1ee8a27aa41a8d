import {expect, test} from './fixtures.ts'
import {cards, generate, generateButton, made, openTool, promptField, storedTasks} from './support/media-page.ts'
import {long, some} from './support/full-run.ts'

test('Generate without a network waits for it, says so, and goes on by itself', long, async ({chat, context}) => {
  await openTool(chat, '/flux')
  await generate(chat, 'a calm bay')
  await made(cards(chat).getByRole('img', {name: 'Result of: a calm bay'}))
  await promptField(chat).fill('a quiet lighthouse')
  await context.setOffline(true)
  await generateButton(chat).click()
  const card = cards(chat).filter({hasText: 'a quiet lighthouse'})
  await expect(card).toContainText('Waiting for the network')
  await expect(card).not.toContainText('Sending')
  await expect(card).not.toContainText(/\d:\d\d/)
  await context.setOffline(false)
  await made(card.getByRole('img', {name: 'Result of: a quiet lighthouse'}))
  const {items} = await storedTasks(chat, 'flux')
  expect(items.filter(({request}) => request.prompt === 'a quiet lighthouse')).toHaveLength(1)
})

for (const [path, prompt] of some([
  ['/flux', 'a still pond'],
  ['/suno', 'a slow waltz'],
] as const)) {
  test(`the first request of ${path} without a network waits in the feed`, long, async ({chat, context}) => {
    await openTool(chat, path)
    await expect(chat.getByRole('list', {name: 'Examples'})).toBeVisible()
    await chat.waitForLoadState('networkidle')
    await context.setOffline(true)
    await promptField(chat).fill(prompt)
    await generateButton(chat).click()
    const card = cards(chat).filter({hasText: prompt})
    await expect(card).toContainText('Waiting for the network')
    await context.setOffline(false)
    await expect(card).not.toContainText('Waiting for the network')
  })
}
