import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {keepAnnouncements} from './support/announcements.ts'
import {ask, ended, lastMessage, thread} from './support/chat-page.ts'
import {some, long} from './support/full-run.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'

/* Reading while an answer comes: the view follows by the reader's own will, and nothing of the text is lost for it. */

const lines = (count: number, name = 'line') =>
  Array.from({length: count}, (_, index) => `${name} ${index}`).join('\n\n')
/** Distance of the view from the end of the thread. */
const distance = (page: Page) =>
  thread(page).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)
const top = (page: Page) => thread(page).evaluate((element) => element.scrollTop)

/** An answer of 80 paragraphs that stands still after 40, with the view at its end. */
async function halfWay(page: Page, modelServer: {answer: (text: string) => void; hold: (words: number) => void}) {
  modelServer.answer(lines(80))
  modelServer.hold(80)
  await ask(page, 'Long?')
  await expect(lastMessage(page)).toContainText('line 39')
  await expect.poll(() => distance(page)).toBeLessThan(2)
}

const ways: Record<string, (page: Page) => Promise<unknown>> = {
  'the wheel': async (page) => {
    await thread(page).hover()
    await page.mouse.wheel(0, -300)
  },
  'Page Up': async (page) => {
    await thread(page).focus()
    await page.keyboard.press('PageUp')
  },
  'Shift and the space bar': async (page) => {
    await thread(page).focus()
    await page.keyboard.press('Shift+Space')
  },
  'a finger': async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setTouchEmulationEnabled', {enabled: true})
    const box = await thread(page).boundingBox()
    if (box === null) throw new Error('The thread is not shown.')
    const x = box.x + box.width / 2
    const at = (down: number) => [{x, y: box.y + box.height / 3 + down}]
    await session.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: at(0)})
    for (let down = 20; down <= 300; down += 20)
      await session.send('Input.dispatchTouchEvent', {type: 'touchMove', touchPoints: at(down)})
    await session.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []})
  },
}

for (const [name, scroll] of some(Object.entries(ways))) {
  test(`${name} stops following at once; the end of the answer moves nothing; the button leads back`, async ({
    chat,
    modelServer,
  }) => {
    await halfWay(chat, modelServer)
    await scroll(chat)
    await expect.poll(() => distance(chat)).toBeGreaterThan(100)
    const rest = await settled(chat)
    modelServer.release()
    await expect(lastMessage(chat)).toContainText('line 79')
    await ended(chat)
    expect(await settled(chat)).toBe(rest)
    await chat.getByRole('button', {name: 'Jump to the latest message'}).click()
    await expect.poll(() => distance(chat)).toBeLessThan(2)
    // on touch the field would bring up the keyboard
    if (name === 'a finger') await expect(composer(chat)).not.toBeFocused()
    else await expect(composer(chat)).toBeFocused()
  })
}

/** Returns the position of the view once it rests. */
const settled = (page: Page) =>
  thread(page).evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        let [last, same] = [NaN, 0]
        const look = () => {
          same = element.scrollTop === last ? same + 1 : 0
          last = element.scrollTop
          if (same > 10) resolve(last)
          else requestAnimationFrame(look)
        }
        look()
      }),
  )

test(
  'the question above a long answer is in view when the arrow key opens it for editing, and stays there',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer(lines(80))
    await ask(chat, 'Long?')
    await ended(chat)
    await expect.poll(() => distance(chat)).toBeLessThan(2)
    await chat.keyboard.press('ArrowUp')
    const field = chat.getByRole('textbox', {name: 'Edit message'})
    await expect(field).toBeFocused()
    await settled(chat)
    await expect(field).toBeInViewport()
    await chat.keyboard.insertText(' Or short?')
    await settled(chat)
    await expect(field).toBeInViewport()
  },
)

test('a reader at the end is kept there, and the end of the answer moves nothing', async ({chat, modelServer}) => {
  await halfWay(chat, modelServer)
  modelServer.hold(158)
  modelServer.release()
  await ended(chat)
  await expect.poll(() => distance(chat)).toBeLessThan(2)
})

test('the thread scrolls as a layer of its own, so that nothing else is painted for it', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer(lines(80))
  await ask(chat, 'Long?')
  await ended(chat)
  const session = await chat.context().newCDPSession(chat)
  const {root} = await session.send('DOM.getDocument')
  const {nodeId} = await session.send('DOM.querySelector', {nodeId: root.nodeId, selector: '[role=log]'})
  const {node} = await session.send('DOM.describeNode', {nodeId})
  let painted: number[] = []
  session.on('LayerTree.layerTreeDidChange', ({layers = []}) => {
    const own = layers.filter(({backendNodeId, drawsContent}) => backendNodeId === node.backendNodeId && drawsContent)
    painted = own.map((layer) => layer.height)
  })
  await session.send('LayerTree.enable')
  // messages may still be measured
  await expect(async () => {
    const height = await thread(chat).evaluate((element) => element.scrollHeight)
    expect(painted).toEqual([height])
  }).toPass({timeout: 30_000})
})

test('selected text stops following and stays selected while the answer grows and ends', async ({
  chat,
  modelServer,
}) => {
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
})

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

test('thoughts are folded, readable while they come, and their end moves nothing', async ({chat, modelServer}) => {
  modelServer.answer(`<think>${lines(60, 'thought')}</think>\n\n${lines(60)}`)
  modelServer.hold(60, 122)
  await ask(chat, 'Think?')
  const thought = lastMessage(chat).getByRole('group')
  await expect(thought).toContainText('Thinking…')
  await expect(chat.getByText('thought 2', {exact: true})).toHaveCount(0)
  await thought.getByText('Thinking…').click()
  await expect(chat.getByText('thought 2', {exact: true})).toBeVisible()
  // its time counts
  await expect(thought).toContainText(/Thinking… [1-9]/)
  await chat.getByText('thought 2', {exact: true}).hover()
  await chat.mouse.wheel(0, -80)
  await expect.poll(() => distance(chat)).toBeGreaterThan(40)
  const rest = await settled(chat)
  modelServer.proceed()
  await expect(lastMessage(chat)).toContainText('line 0')
  await expect(thought).toContainText(/Thoughts, \d/)
  await expect(chat.getByText('thought 2', {exact: true})).toBeVisible()
  expect(await settled(chat)).toBe(rest)
  modelServer.release()
  await ended(chat)
  expect(await settled(chat)).toBe(rest)
})

test('no button leads to the empty space below a short answer', async ({chat, modelServer}) => {
  modelServer.answer('short')
  for (const question of ['one', 'two', 'three', 'four', 'five', 'six']) {
    await ask(chat, question)
    await expect(thread(chat).getByText(question, {exact: true})).toBeVisible()
    await ended(chat)
  }
  const jump = chat.getByRole('button', {name: 'Jump to the latest message'})
  const scrollTo = (space: number) =>
    thread(chat).evaluate((element, below) => {
      element.dispatchEvent(new WheelEvent('wheel', {deltaY: -10}))
      element.scrollTop = element.scrollHeight - element.clientHeight - below
    }, space)
  // the last text goes out of view, and comes back
  await scrollTo(500)
  await expect(jump).toBeVisible()
  await scrollTo(200)
  await expect(lastMessage(chat)).toBeInViewport({ratio: 1})
  await expect(jump).toHaveCount(0)
})

test('an answer is announced at its begin and its end, and nothing else is', long, async ({chat, modelServer}) => {
  const said = await keepAnnouncements(chat)
  modelServer.answer(lines(40))
  modelServer.hold(20)
  await ask(chat, 'Speak')
  await expect(lastMessage(chat)).toContainText('line 9')
  modelServer.release()
  await ended(chat)
  await expect.poll(said).toEqual(['Answer started', 'Answer ready'])
})

test('a reader who scrolls up as soon as a long conversation is shown stays there', async ({
  chat,
  installation,
  signedIn,
}) => {
  const {id} = await seedConversation(installation, signedIn, numberedTexts(100))
  // on the page itself: a press of the test may come when all rows are measured
  await chat.addInitScript(() => {
    const look = () => {
      const log = document.querySelector('[role="log"]')
      if (log?.textContent.includes('answer 99') !== true) return requestAnimationFrame(look)
      log.dispatchEvent(new WheelEvent('wheel', {deltaY: -100}))
      log.scrollTop = 0
      return requestAnimationFrame(() => document.documentElement.toggleAttribute('data-scrolled', true))
    }
    requestAnimationFrame(look)
  })
  await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(chat.locator('[data-scrolled]')).toBeAttached()
  await settled(chat)
  await expect(thread(chat).getByText('question 0', {exact: true})).toBeInViewport()
})

test(
  'the last question is edited from any place of a long conversation, and its answer is followed',
  long,
  async ({chat, installation, modelServer, signedIn}) => {
    const {id} = await seedConversation(installation, signedIn, numberedTexts(100))
    await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
    await expect(lastMessage(chat)).toContainText('answer 99')
    await thread(chat).focus()
    await chat.keyboard.press('Home')
    await expect(thread(chat).getByText('question 0', {exact: true})).toBeInViewport()
    await expect(thread(chat).getByText('question 98', {exact: true})).toHaveCount(0)
    await composer(chat).press('ArrowUp')
    const editor = chat.getByRole('textbox', {name: 'Edit message'})
    await expect(editor).toBeFocused()
    await expect(editor).toBeInViewport()
    await expect(editor).toHaveValue('question 98')

    modelServer.answer(lines(80))
    await editor.fill('another question')
    await editor.press('Enter')
    await expect(lastMessage(chat)).toContainText('line 79')
    await expect.poll(() => distance(chat)).toBeLessThan(2)
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
