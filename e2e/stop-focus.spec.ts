import type {Locator, Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {longBut} from './support/full-run.ts'
import {goOn, HeldRoute} from './support/held-route.ts'

/* The focus of Stop goes to the message field, whatever takes the button away. */

type Stopping = {page: Page; stop: Locator; release: () => void}

const ways: Record<string, (stopping: Stopping) => Promise<void>> = {
  'Enter on it': ({stop}) => stop.press('Enter'),
  'Space on it': ({stop}) => stop.press('Space'),
  'Escape on it': ({stop}) => stop.press('Escape'),
  'two clicks on it, the second of which meets Send': ({stop}) => stop.dblclick(),
  'the end of its answer': async ({page, stop, release}) => {
    await stop.focus()
    release()
    await ended(page)
  },
}

for (const [way, act] of Object.entries(ways))
  test(
    `Stop is left by ${way}: the focus is in the field`,
    longBut(way.startsWith('two')),
    async ({chat: page, modelServer}) => {
      modelServer.answer('one two three')
      modelServer.hold(1)
      await ask(page, 'Go')
      await expect(lastMessage(page)).toContainText('one')
      // the server confirms only once it has been looked at
      const confirmation = await HeldRoute.on(
        page,
        '**/aichat/conversations',
        (request) => request.postData()?.includes('"action":"stop"') === true,
      )
      const stop = page.getByRole('button', {name: 'Stop', exact: true})
      await act({page, stop, release: () => modelServer.release()})
      await expect(stop).toHaveCount(0)
      await expect(composer(page)).toBeFocused()
      await confirmation.let(goOn)
      await ended(page)
      await expect(composer(page)).toBeFocused()
    },
  )
