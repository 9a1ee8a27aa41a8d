import {expect, test} from './fixtures.ts'
import {ask, ended, lastMessage, thread} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {distance, top, halfWay} from './support/growing-answer.ts'

/* The text of an answer that grows is the reader's: what is selected in it stays so, and its code keeps its colours. */

test(
  'selected text stops following and stays selected while the answer grows and ends',
  long,
  async ({chat, modelServer}) => {
    await halfWay(chat, modelServer)
    await thread(chat)
      .getByText('line 38', {exact: true})
      .dblclick({position: {x: 10, y: 10}})
    const selected = () => chat.evaluate(() => document.getSelection()?.toString())
    expect(await selected()).toBe('line')
    const before = await top(chat)
    modelServer.release()
    await expect(lastMessage(chat)).toContainText('line 79')
    await ended(chat)
    expect(await selected()).toBe('line')
    expect(await top(chat)).toBe(before)
  },
)

test('what is selected in the paragraph that grows stays selected, over marks that close and the end', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer('First comes one.\n\nThen the harbour opens at **six and** `closes` at nine.\n\nThe end.')
  modelServer.hold(6, 8, 10)
  await ask(chat, 'When?')
  await expect(lastMessage(chat)).toContainText('the harbour')
  await lastMessage(chat).evaluate((article) => {
    const text = article.querySelectorAll('p')[1]?.firstChild
    if (text) document.getSelection()?.setBaseAndExtent(text, 0, text, 8)
  })
  const selected = () => chat.evaluate(() => document.getSelection()?.toString())
  expect(await selected()).toBe('Then the')
  for (const words of ['the harbour opens at', 'at six and']) {
    modelServer.proceed()
    await expect(lastMessage(chat)).toContainText(words)
    expect(await selected()).toBe('Then the')
  }
  modelServer.release()
  await expect(lastMessage(chat)).toContainText('The end.')
  await ended(chat)
  expect(await selected()).toBe('Then the')
})

test(
  'lines of code are coloured while more come, keep their colours, and stay selected',
  long,
  async ({chat, modelServer}) => {
    const code = Array.from({length: 700}, (_, index) => `const foo${index} = 'bar' // baz`).join('\n')
    modelServer.answer(`\`\`\`ts\n${code}\n\`\`\`\n\nThe end.`)
    modelServer.hold(300)
    await ask(chat, 'Code?')
    const names = lastMessage(chat).locator('pre [data-scope=keyword]')
    await expect.poll(() => names.count()).toBeGreaterThan(40)
    const seen = await names.count()
    expect(seen).toBeLessThan(700)
    await names.nth(30).dblclick()
    const selected = () => chat.evaluate(() => document.getSelection()?.toString().trim())
    expect(await selected()).toBe('const')
    const first = await names.nth(30).elementHandle()
    modelServer.release()
    await expect(lastMessage(chat)).toContainText('The end.')
    await ended(chat)
    // more characters than were coloured once
    expect(code.length).toBeGreaterThan(19_000)
    await expect(names).toHaveCount(700)
    expect(await selected()).toBe('const')
    expect(await first?.evaluate((element) => element.isConnected)).toBe(true)
  },
)

test('a click into code that is taller than the view goes on following', long, async ({chat, modelServer}) => {
  // code takes the focus where it scrolls
  modelServer.answer(
    `\`\`\`\n${'wide'.repeat(100)}\n${Array.from({length: 160}, (_, index) => `line ${index}`).join('\n')}\n\`\`\``,
  )
  modelServer.hold(160, 240)
  await ask(chat, 'Code?')
  const code = lastMessage(chat).locator('pre')
  await expect(code).toContainText('line 70')
  await expect.poll(() => distance(chat)).toBeLessThan(2)
  await thread(chat).click()
  await expect(code).toBeFocused()
  modelServer.proceed()
  await expect(code).toContainText('line 110')
  await expect.poll(() => distance(chat)).toBeLessThan(2)
  modelServer.release()
  await ended(chat)
  await expect.poll(() => distance(chat)).toBeLessThan(2)
})
