import {act, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {afterEach, describe, expect, test, vi} from 'vitest'
import {Crash} from '#features/shell/crash.tsx'
import {ScreenWait} from '#features/shell/screen-wait.tsx'
import {renderView} from './render.tsx'

afterEach(() => vi.restoreAllMocks())

const missing = 'The connection is missing. This part comes as soon as it is back.'

describe('a part whose file could not be had', () => {
  test.each([
    new TypeError('Failed to fetch dynamically imported module: http://foo/a.js'),
    new TypeError('error loading dynamically imported module: http://foo/a.js'),
    new TypeError('Importing a module script failed.'),
    new Error('Unable to preload CSS for /assets/a.css'),
  ])('says what is missing and comes by itself with the network: %s', async (error) => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    const onReload = vi.fn()
    const {unmount} = await renderView(<Crash error={error} onReload={onReload} />)
    expect(screen.getByRole('alert').textContent).toContain(missing)
    expect(reload).not.toHaveBeenCalled()
    act(() => void dispatchEvent(new Event('online')))
    expect(reload).toHaveBeenCalledTimes(1)
    await userEvent.click(screen.getByRole('button', {name: 'Reload this part'}))
    expect(reload).toHaveBeenCalledTimes(2)
    expect(onReload).not.toHaveBeenCalled()
    unmount()
    act(() => void dispatchEvent(new Event('online')))
    expect(reload).toHaveBeenCalledTimes(2)
  })
})

test('a part that the server has no more is not waited for, and comes with a new page when that is wanted', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  const error = Object.assign(new TypeError('Importing a module script failed.'), {isGone: true})
  await renderView(<Crash error={error} onReload={vi.fn()} />)
  expect(screen.getByRole('alert').textContent).toContain('This part stopped working.')
  // the network comes and goes in the middle of an answer or an upload beside it
  act(() => void dispatchEvent(new Event('online')))
  expect(reload).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', {name: 'Reload this part'}))
  expect(reload).toHaveBeenCalledTimes(1)
})

test('any other failure is one of the part: the network changes nothing', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  const onReload = vi.fn()
  await renderView(<Crash error={new Error('foo')} onReload={onReload} />)
  expect(screen.getByRole('alert').textContent).toContain('This part stopped working.')
  act(() => void dispatchEvent(new Event('online')))
  await userEvent.click(screen.getByRole('button', {name: 'Reload this part'}))
  expect([reload.mock.calls.length, onReload.mock.calls.length]).toEqual([0, 1])
})

test('a part on its way says what it waits for while there is no network', async () => {
  const {unmount} = await renderView(<ScreenWait title="Foo" isOnline={false} />)
  expect(screen.getByRole('status').textContent).toBe(missing)
  unmount()
  await renderView(<ScreenWait title="Foo" isOnline />)
  expect(screen.queryByRole('status')).toBeNull()
  expect(screen.getByRole('img', {name: 'Loading'})).toBeTruthy()
})
