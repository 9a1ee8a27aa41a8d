import {screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {type Notice} from '#machines/notices/notices.machine.ts'
import {actorOf} from '#app/actors.context.tsx'
import {noticesPart} from '#app/shell/notices-part.ts'
import {open, user} from './open-app.tsx'

test('a new version that was offered under a lost card is offered with the next notice', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const loading = vi.spyOn(noticesPart, 'load').mockRejectedValue(new Error('Unable to preload'))
  const {root} = await open('/profile', {user})
  const show = (notice: Partial<Notice>) =>
    actorOf(root, 'notices')?.send({
      type: 'notice.show',
      notice: {id: 'a', kind: 'info', textId: 'chat.foo', ...notice},
    })
  show({id: 'new', textId: 'index.newChat', reloads: true, duration: 60_000})
  show({id: 'a', textId: 'common.copied'})
  await userEvent.click(await screen.findByRole('button', {name: 'Dismiss'}))
  expect(screen.queryByRole('alert')).toBeNull()
  loading.mockRestore()
  show({id: 'b', textId: 'common.copied'})
  expect(await screen.findByRole('button', {name: 'Reload'})).toBeVisible()
  const region = within(screen.getByRole('region', {name: 'Notifications'}))
  expect(region.getAllByRole('status')).toHaveLength(2)
})
