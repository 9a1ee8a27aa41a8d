import type {Page, Request} from '@playwright/test'
import {answers, ask, expect, test} from './fixtures.ts'
import {conversationId, ended, lastMessage, newChat} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {holdDelays} from './support/held-delays.ts'
import {inDatabase} from './support/in-database.ts'
import type {Installation} from './support/installation.ts'
import {takeSlots} from './support/stream-slots.ts'
import type {Toxic} from './support/toxics.ts'

/*
 * Each way by which an answer goes on when the network is back, with the others cut: delays of the page are held, so
 * that only what the browser says can lead on, and of the calls about conversations only those of this way get through.
 * Chromium leaves an open stream alone when it is told to be offline: the cable is cut as well.
 */

const lost = 'Connection lost. Getting the answer back…'

/** Refuses every call about conversations but those of this action. */
const allowOnly = (page: Page, allowedAction: string) =>
  page.route('**/aichat/conversations', (route) =>
    isOf(allowedAction, route.request()) ? route.continue() : route.abort('connectionrefused'),
  )

const isOf = (action: string, request: Request) => request.postData()?.startsWith(`{"action":"${action}"`) === true

/** Nothing that the server says arrives. */
const silent: Toxic = async function* (source) {
  for await (const bytes of source) if (bytes.length < 0) yield bytes
}

/** How the last answer stands in the database: the page has no way to the server. */
async function storedState(installation: Installation, conversation: string): Promise<unknown> {
  let state: unknown
  await inDatabase(installation, async (client) => {
    const {rows} = await client.query(
      'select state from answers where conversation_id = $1 order by created_at desc limit 1',
      [conversation],
    )
    state = rows[0]?.state
  })
  return state
}

const ways = {
  'resumes its own stream': {hasSlot: true, action: 'resume', endsMeanwhile: true},
  'reads what the shared stream missed': {hasSlot: false, action: 'retrieve', endsMeanwhile: true},
  // only running answers are in it
  'opens the shared stream again': {hasSlot: false, action: 'follow', endsMeanwhile: false},
}

for (const [way, {hasSlot, action, endsMeanwhile}] of Object.entries(ways))
  test(
    `an answer ${way} as soon as the browser says that the network is back`,
    long,
    async ({wired: {page, cable}, context, installation, modelServer}) => {
      modelServer.answer('one two three four')
      modelServer.hold(2)
      await holdDelays(page)
      await page.reload()
      if (!hasSlot) await takeSlots(page)
      await ask(page, 'Go')
      await expect(lastMessage(page)).toContainText('one two')
      const id = await conversationId(page)
      await context.setOffline(true)
      cable.cut()
      await expect(lastMessage(page)).toContainText(lost)
      if (endsMeanwhile) {
        modelServer.release()
        await expect.poll(() => storedState(installation, id)).toBe('finished')
      }
      cable.mend()
      await allowOnly(page, action)
      const open = page.waitForResponse((response) => isOf(action, response.request()))
      await context.setOffline(false)
      await open
      modelServer.release()
      await expect(lastMessage(page)).toContainText('three four')
      await expect(lastMessage(page)).not.toContainText(lost)
    },
  )

test(
  'a question that was asked and stopped without a network is not sent when it is back',
  long,
  async ({wired: {page, cable}, context, modelServer}) => {
    await ask(page, 'One')
    await ended(page)
    await context.setOffline(true)
    cable.cut()
    await expect(page.getByText("You're offline.")).toBeVisible()
    await ask(page, 'Never mind')
    await expect(lastMessage(page)).toContainText("It will be sent as soon as you're back online.")
    await page.getByRole('button', {name: 'Stop', exact: true}).click()
    await expect(lastMessage(page)).toContainText('Stopped.')
    cable.mend()
    await context.setOffline(false)
    // what is asked next comes after all that was to go out
    await ask(page, 'Two')
    await expect(lastMessage(page)).toContainText('You said: Two')
    expect(modelServer.prompts).toEqual(['One', 'Two'])
  },
)

test(
  'the first question of a page, asked without a network, is stopped at once and not sent when that is back',
  long,
  async ({chat: page, context, modelServer}) => {
    await ask(page, 'One')
    await ended(page)
    // the thread comes again, and what sends does with the next question
    await page.reload()
    await expect(answers(page)).toHaveCount(2)
    await newChat(page)
    await context.setOffline(true)
    await expect(page.getByText("You're offline.")).toBeVisible()
    await ask(page, 'Never mind')
    await expect(lastMessage(page)).toContainText("It will be sent as soon as you're back online.")
    await page.getByRole('button', {name: 'Stop', exact: true}).click()
    await expect(lastMessage(page)).toContainText('Stopped.')
    await expect(lastMessage(page).getByRole('button', {name: 'Retry'})).toBeVisible()
    await context.setOffline(false)
    // what is asked next comes after all that was to go out
    await ask(page, 'Two')
    await expect(lastMessage(page)).toContainText('You said: Two')
    expect(modelServer.prompts).toEqual(['One', 'Two'])
  },
)

test(
  'Stop reaches a server that took a question while the browser said that there is no network',
  long,
  async ({wired: {page, cable}, installation, modelServer}) => {
    modelServer.answer('one two three four')
    await ask(page, 'One')
    await ended(page)
    modelServer.hold(2)
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', {value: false})
      dispatchEvent(new Event('offline'))
    })
    await expect(page.getByText("You're offline.")).toBeVisible()
    // the question arrives, and the page hears nothing of that
    cable.poison(silent)
    await ask(page, 'Two')
    await expect.poll(() => modelServer.heldAnswers).toBe(1)
    cable.heal()
    await page.getByRole('button', {name: 'Stop', exact: true}).click()
    await expect(lastMessage(page)).toContainText('Stopped.')
    expect(await storedState(installation, await conversationId(page))).toBe('failed')
    expect(modelServer.prompts).toEqual(['One', 'Two'])
  },
)
