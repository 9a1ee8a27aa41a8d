import {fireEvent, screen} from '@testing-library/react'
import {expect, test, vi} from 'vitest'
import {TaskTray, type TrayLine} from '#features/media/tray/task-tray.tsx'
import {renderView} from '#tests/ui/render.tsx'

const empty = 'Nothing is running. What you generate shows up here.'
const line: TrayLine = {key: 'a', tool: 'Kling', prompt: 'a boat', state: 'running', at: 0, href: '/kling#a'}

function show(active: readonly TrayLine[], isLoading: boolean) {
  return renderView(<TaskTray active={active} recent={[]} isLoading={isLoading} now={() => 9} onGo={vi.fn()} />)
}

test('says that there is nothing only once that is known', () => {
  const view = show([], true)
  expect(screen.queryByText(empty)).toBeNull()
  view.unmount()
  show([], false)
  expect(screen.getByText(empty)).toBeVisible()
})

test('what is known already is shown while the rest is on its way', () => {
  show([line], true)
  expect(screen.getByRole('link', {name: /a boat/}).getAttribute('href')).toBe('/kling#a')
})

test('each of its links opens in a new tab as the browser does it', () => {
  const onGo = vi.fn()
  const ended: TrayLine = {key: 't', tool: 'Kling', prompt: 'A fox', state: 'succeeded', at: 1, href: '/kling#t'}
  renderView(<TaskTray active={[]} recent={[ended]} now={() => 9} onGo={onGo} />)
  const links = screen.getAllByRole('link')
  // the browser follows what is not prevented
  expect(links.map((link) => fireEvent.click(link, {ctrlKey: true}))).toEqual([true, true])
  expect(onGo).not.toHaveBeenCalled()
  links.forEach((link) => fireEvent.click(link))
  expect(onGo.mock.calls).toEqual([['/kling#t'], ['/kling#t']])
})
