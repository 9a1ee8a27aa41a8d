import {act, fireEvent, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {afterEach, expect, test, vi} from 'vitest'
import {AuthPage} from '#features/auth/auth-page.tsx'
import {LoginDialog} from '#features/auth/login-dialog.tsx'
import {QrDialog} from '#features/auth/qr-dialog.tsx'
import {renderView} from '../shell/render.tsx'

afterEach(() => vi.useRealTimers())

const source = 'about:blank#login'
const onRedirect = vi.fn()

test('the login dialog shows the embedded page in 360 by 560 and cannot be left', async () => {
  await renderView(<LoginDialog open siteTitle="Foo" source={source} onRedirect={onRedirect} />)
  const frame = await screen.findByTitle('Sign in')
  expect([frame.getAttribute('src'), frame.getAttribute('width'), frame.getAttribute('height')]).toEqual([
    source,
    '360',
    '560',
  ])
  expect(screen.queryByRole('button', {name: 'Close'})).toBeNull()
  await userEvent.keyboard('{Escape}')
  expect(screen.getByRole('dialog', {name: 'Sign in'})).toBeVisible()
})

test('after ten seconds without a page it offers reload and the full page', async () => {
  await renderView(<LoginDialog open={false} siteTitle="Foo" source={source} onRedirect={onRedirect} />)
  vi.useFakeTimers({shouldAdvanceTime: true})
  await renderView(<LoginDialog open siteTitle="Foo" source={source} onRedirect={onRedirect} />)
  await screen.findByTitle('Sign in')
  expect(screen.queryByText('Sign-in is taking long.')).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(screen.getByText('Sign-in is taking long.')).toBeVisible()
  await act(async () => screen.getByRole('button', {name: 'Sign in on the full page'}).click())
  expect(onRedirect).toHaveBeenCalledOnce()
  await act(async () => screen.getByRole('button', {name: 'Reload'}).click())
  expect(screen.queryByText('Sign-in is taking long.')).toBeNull()
})

test('an embedded page that loaded may be a browser’s error page: the ways on stay, and a failure is said', async () => {
  const view = await renderView(<LoginDialog open siteTitle="Foo" source={source} onRedirect={onRedirect} />)
  expect(screen.queryByRole('alert')).toBeNull()
  fireEvent.load(await screen.findByTitle('Sign in'))
  expect(screen.getByRole('button', {name: 'Reload'})).toBeVisible()
  expect(screen.getByRole('button', {name: 'Sign in on the full page'})).toBeVisible()
  view.unmount()
  await renderView(<LoginDialog open failed siteTitle="Foo" source={source} onRedirect={onRedirect} />)
  expect((await screen.findByRole('alert')).textContent).toBe("Sign-in didn't finish.")
})

test('a link becomes a QR code of 230 with the link below to copy', async () => {
  await renderView(<QrDialog link="https://foo.example/bar" onClose={() => {}} />)
  const code = await screen.findByRole('img', {name: 'QR code'})
  expect([code.getAttribute('width'), code.getAttribute('height')]).toEqual(['230', '230'])
  expect(screen.getByText('https://foo.example/bar')).toBeVisible()
  expect(screen.getByRole('button', {name: 'Copy link'})).toBeVisible()
})

test.each([
  ['http://localhost:4000/auth/login', true],
  ['http://127.0.0.1:4000/auth/login', true],
  ['http://[::1]:4000/auth/login', true],
  ['http://nas.lan:4000/auth/login?site=http://localhost:4000', false],
])('whether a phone can open %s is said', async (link, isLocal) => {
  await renderView(<QrDialog link={link} onClose={() => {}} />)
  await screen.findByRole('img', {name: 'QR code'})
  expect(screen.queryAllByText(/works only on this computer/)).toHaveLength(isLocal ? 1 : 0)
})

test('an empty link is an error, with nothing to copy', async () => {
  await renderView(<QrDialog link="" onClose={() => {}} />)
  expect((await screen.findByRole('alert')).textContent).toBe('There is no link to show yet.')
  expect(screen.queryByRole('button', {name: 'Copy link'})).toBeNull()
})

test('a link too long for a code is an error, and can be copied', async () => {
  await renderView(<QrDialog link={`https://foo.example/${'x'.repeat(4000)}`} onClose={() => {}} />)
  expect((await screen.findByRole('alert')).textContent).toBe('This link is too long for a QR code.')
  expect(screen.getByRole('button', {name: 'Copy link'})).toBeVisible()
})

test('the QR dialog can be closed', async () => {
  const onClose = vi.fn()
  await renderView(<QrDialog link="foo" onClose={onClose} />)
  await userEvent.click(await screen.findByRole('button', {name: 'Close'}))
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('a failed login is announced and has a heading', async () => {
  await renderView(<AuthPage failed title="Sign-in didn't finish." help="foo" />)
  expect(screen.getByRole('alert').textContent).toContain("Sign-in didn't finish.")
  expect(screen.getByRole('heading', {level: 1}).textContent).toBe("Sign-in didn't finish.")
})
