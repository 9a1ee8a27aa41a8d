import {answers, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {chooseAction, ended, lastMessage, thread} from './support/chat-page.ts'
import {long, longBut} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {askAndRead, expectMessages, pager} from './support/message-versions.ts'

/* A slow line shows that a version is being chosen or a branch being made, and offers to ask for either again. */

/** The calls of this action. */
const actionOf = (action: string) => (request: {postDataJSON: () => unknown}) =>
  // as: the app sends JSON here
  (request.postDataJSON() as {action?: string} | null)?.action === action

for (const width of [1440, 390]) {
  test(
    `another version that is on its way is waited for, and asked for again where it fails (${width})`,
    longBut(width === 390),
    async ({chat, modelServer}) => {
      await chat.setViewportSize({width, height: 844})
      await askAndRead(chat, 'one')
      modelServer.answer('another')
      await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
      await expectMessages(chat, 'one', 'another')
      await ended(chat)
      const calls = await HeldRoute.on(chat, '**/aichat/conversations', actionOf('select'))
      const versions = pager(lastMessage(chat))
      await versions.getByRole('button', {name: 'Previous version'}).click()
      await expect(versions).toHaveAttribute('aria-busy', 'true')
      await expect(versions.getByRole('img', {name: 'Loading'})).toBeVisible()
      await expect(versions.getByRole('button', {name: 'Previous version'})).toHaveAttribute('aria-disabled', 'true')
      await expect(versions.getByRole('button', {name: 'Next version'})).toHaveAttribute('aria-disabled', 'true')
      expect(await axeFaults(chat)).toEqual([])

      await letOnce(calls, refuseWith(503, 'busy'))
      const alert = thread(chat).getByRole('alert')
      await expect(alert).toBeVisible()
      await expect(versions.getByRole('img')).toHaveCount(0)
      await expectMessages(chat, 'one', 'another')
      await alert.getByRole('button', {name: 'Retry'}).click()
      await expect(versions.getByRole('img', {name: 'Loading'})).toBeVisible()
      await expect(alert).toHaveCount(0)
      await letOnce(calls, goOn)
      await expectMessages(chat, 'one', 'said: one')
      await expect(versions).toContainText('1 / 2')
      await expect(versions).toHaveAttribute('aria-busy', 'false')

      await versions.getByRole('button', {name: 'Next version'}).click()
      await letOnce(calls, refuseWith(503, 'busy'))
      await alert.getByRole('button', {name: 'Dismiss'}).click()
      await expect(alert).toHaveCount(0)
      await expect(thread(chat)).toBeFocused()
    },
  )

  test(`a branch says that it is being made, and is asked for again under its key (${width})`, long, async ({chat}) => {
    await chat.setViewportSize({width, height: 844})
    await askAndRead(chat, 'one')
    await askAndRead(chat, 'two')
    const address = chat.url()
    const keys: (string | undefined)[] = []
    const calls = await HeldRoute.on(chat, '**/aichat/conversations', (request) => {
      if (!actionOf('branch')(request)) return false
      keys.push(request.headers()['idempotency-key'])
      return true
    })
    await chooseAction(answers(chat).nth(1), 'Branch from here')
    const status = thread(chat).getByRole('status').filter({hasText: 'Opening a branch'})
    await expect(status).toBeVisible()
    expect(await axeFaults(chat)).toEqual([])
    await letOnce(calls, refuseWith(403, 'forbidden'))
    const alert = thread(chat).getByRole('alert')
    await expect(alert).toBeVisible()
    await expect(status).toHaveCount(0)
    await alert.getByRole('button', {name: 'Retry'}).click()
    await expect(status).toBeVisible()
    await letOnce(calls, goOn)
    await expect(chat).not.toHaveURL(address)
    await expectMessages(chat, 'one', 'said: one')
    await expect(composer(chat)).toBeEnabled()
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^branch-/)
  })
}
