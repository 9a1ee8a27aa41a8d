import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {keepAnnouncements} from './support/announcements.ts'
import {ask, ended, lastMessage, thread} from './support/chat-page.ts'
import {some, long} from './support/full-run.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'
import {lines, distance, halfWay} from './support/growing-answer.ts'

/* Reading while an answer comes: the view follows by the reader's own will, and nothing of the text is lost for it. */

const ways: Record<string, (page: Page) => Promise<unknown>> = {
  'the wheel': async (page) => {
    await thread(page).hover()
    await page.mouse.wheel(0, -300)
  },
  'Page Up': async (page) => {
    await thread(page).focus()
    await page.keyboard.press('PageUp')
  },
  'Page Up in the message field': (page) => composer(page).press('PageUp'),
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

test(
  'a reader at the end is kept there, and the end of the answer moves nothing',
  long,
  async ({chat, modelServer}) => {
    await halfWay(chat, modelServer)
    modelServer.hold(158)
    modelServer.release()
    await ended(chat)
    await expect.poll(() => distance(chat)).toBeLessThan(2)
  },
)

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

test('no button leads to the empty space below a short answer', long, async ({chat, modelServer}) => {
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
  'the last question is edited from any position of a long conversation, and its answer is followed',
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
