import {act, cleanup, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {afterEach, expect, test, vi} from 'vitest'
import {actorOf} from '#app/actors.context.tsx'
import '../shell/patience.ts'
import {general} from './fake-root.ts'

import {open, rail, user} from './open-app.tsx'

afterEach(cleanup)

test('a signed-in user sees the page asked for inside the shell', async () => {
  await open('/kling', {user})
  expect(await screen.findByRole('heading', {level: 1, name: 'Kling'})).toBeVisible()
  expect(rail().getByRole('link', {name: 'Video'}).getAttribute('aria-current')).toBe('page')
  expect(document.title).toBe('Kling · Foo')
})

test('until start-up has decided a guarded page shows only the frame', async () => {
  const {root} = await open('/kling', {user})
  expect(screen.queryByRole('heading', {level: 1})).toBeNull()
  expect(actorOf(root, 'auth')?.getSnapshot().hasTag('undecided')).toBe(true)
  expect(await screen.findByRole('heading', {level: 1, name: 'Kling'})).toBeVisible()
})

test('a visitor is taken to the login page; what lies below cannot be used', async () => {
  const startLogin = vi.fn(() => ({kind: 'leaving'}) as const)
  await open('/profile', {startLogin})
  expect(await screen.findByRole('heading', {name: 'Taking you to sign in…'})).toBeVisible()
  expect(startLogin).toHaveBeenCalledTimes(1)
  await waitFor(() => expect(document.querySelector('[inert]')).not.toBeNull())
})

test('too many redirects stop with a sentence and a way to try on', async () => {
  const startLogin = vi.fn(({isForced}: {isForced: boolean}) => ({kind: isForced ? 'leaving' : 'loop'}) as const)
  await open('/profile', {startLogin})
  expect((await screen.findByRole('alert')).textContent).toContain('Sign-in keeps coming back here.')
  await userEvent.click(screen.getByRole('button', {name: 'Go to sign in'}))
  expect(await screen.findByRole('heading', {name: 'Taking you to sign in…'})).toBeVisible()
  expect(startLogin).toHaveBeenCalledTimes(2)
})

test('a refused code ends with a sentence and a retry, not with another redirect', async () => {
  const startLogin = vi.fn(() => ({kind: 'leaving'}) as const)
  await open('/auth/callback?redirect=%2Fkling', {refusedCode: true, startLogin})
  await waitFor(() =>
    expect(screen.getAllByRole('heading', {level: 1}).at(-1)?.textContent).toBe("Sign-in didn't finish."),
  )
  expect(startLogin).not.toHaveBeenCalled()
  // that of the page, which is inert then, and that over it
  const [, over] = await waitFor(() => {
    const buttons = screen.getAllByRole('button', {name: 'Retry'})
    expect(buttons).toHaveLength(2)
    return buttons
  })
  await userEvent.click(over as HTMLElement) // as: there are two
  expect(await screen.findByRole('heading', {name: 'Taking you to sign in…'})).toBeVisible()
})

test('signing out in the account menu leaves for the login page', async () => {
  const startLogin = vi.fn((_input: {reason: string}) => ({kind: 'leaving'}) as const)
  await open('/profile', {user, startLogin})
  await userEvent.click(await screen.findByRole('button', {name: 'Account'}))
  expect(await screen.findByText('foo@example.com', {selector: '[role=menu] *'})).toBeVisible()
  await userEvent.click(screen.getByRole('menuitem', {name: 'Log out'}))
  await waitFor(() => expect(startLogin).toHaveBeenCalledTimes(1))
  expect(startLogin.mock.calls[0]?.[0].reason).toBe('logout')
})

test('a session that ended elsewhere asks to sign in again', async () => {
  const {auth} = await open('/profile', {user})
  await screen.findByRole('button', {name: 'Account'})
  await act(async () => auth().send({type: 'session.ended', epoch: 5}))
  expect(await screen.findByRole('heading', {name: 'Sign in again to continue.'})).toBeVisible()
  await userEvent.click(screen.getAllByRole('button', {name: 'Sign in'}).at(-1) as HTMLElement) // as: getAll throws on none
  expect(await screen.findByRole('heading', {name: 'Taking you to sign in…'})).toBeVisible()
})

test('popup flow: the login dialog stands over the page, and a link becomes a QR code', async () => {
  const {auth} = await open('/profile', {flow: 'popup'})
  expect(await screen.findByRole('dialog', {name: 'Sign in'})).toBeVisible()
  await act(async () => auth().send({type: 'qr.received', link: 'https://example.com/phone'}))
  expect(await screen.findByRole('dialog', {name: 'Scan to continue'})).toBeVisible()
  expect(screen.getByText('https://example.com/phone')).toBeVisible()
  act(() => auth().send({type: 'qr.close'}))
  await waitFor(() => expect(screen.queryByText('https://example.com/phone')).toBeNull())
})

test('a new user accepts the terms and gets the general application', async () => {
  const apply = vi.fn(() => Promise.resolve(general))
  await open('/profile', {user, applications: [[], [general]], apply})
  await userEvent.click(await screen.findByRole('button', {name: 'Agree and start'}))
  await waitFor(() => expect(screen.queryByRole('button', {name: 'Agree and start'})).toBeNull())
  expect(apply).toHaveBeenCalledTimes(1)
  await waitFor(() => expect(screen.getAllByText('12.50')).toHaveLength(2))
})

test('an application that was there already is a success', async () => {
  const apply = () =>
    Promise.reject(Object.assign(new Error('twice'), {status: 400, code: 'duplication', detail: 'twice'}))
  await open('/profile', {user, applications: [[], [general]], apply})
  await userEvent.click(await screen.findByRole('button', {name: 'Agree and start'}))
  await waitFor(() => expect(screen.getAllByText('12.50')).toHaveLength(2))
})

test('the start dialog can be left and comes back from the balance', async () => {
  await open('/profile', {user, applications: [[]]})
  await userEvent.click(await screen.findByRole('button', {name: 'Look around first'}))
  await userEvent.click(await screen.findByRole('button', {name: 'Get started'}))
  expect(await screen.findByRole('button', {name: 'Agree and start'})).toBeVisible()
})

test('test mode shows its badge; other modes do not', async () => {
  await open('/profile', {user}, {isTest: true})
  expect(await screen.findByText('Test environment')).toBeVisible()
  cleanup()
  await open('/profile', {user})
  await screen.findByRole('button', {name: 'Account'})
  expect(screen.queryByText('Test environment')).toBeNull()
})

test('an account that the sign-in service keeps is changed and verified on its pages', async () => {
  const linkOf = (name: string) => screen.queryByRole('link', {name})?.getAttribute('href')
  await open('/profile', {user: {...user, is_verified: false}}, {capabilities: []})
  await screen.findByText('Not verified')
  expect([linkOf('Account settings'), linkOf('Verify')]).toEqual([
    'https://auth.example/user/profile',
    'https://auth.example/user/verify',
  ])
  cleanup()
  await open('/profile', {user: {...user, is_verified: true}}, {capabilities: []})
  await screen.findByText('Verified')
  expect(linkOf('Verify')).toBeUndefined()
  cleanup()
  await open('/profile', {user: {...user, is_verified: false}})
  await screen.findByRole('button', {name: 'Account'})
  expect([linkOf('Account settings'), linkOf('Verify')]).toEqual([undefined, undefined])
})

test('losing the network shows the bar, getting it back removes it', async () => {
  const {root} = await open('/profile', {user})
  await screen.findByRole('button', {name: 'Account'})
  const environment = actorOf(root, 'environment')
  act(() => environment?.send({type: 'connection.lost'}))
  expect(screen.getByText("You're offline. We'll reconnect automatically.")).toBeVisible()
  act(() => environment?.send({type: 'connection.restored'}))
  expect(screen.queryByText("You're offline. We'll reconnect automatically.")).toBeNull()
})

test('an unknown address keeps the navigation', async () => {
  await open('/nowhere', {user})
  expect(await screen.findByRole('heading', {level: 1, name: 'Page not found'})).toBeVisible()
  expect(screen.getAllByRole('navigation', {name: 'Main'}).length).toBeGreaterThan(0)
  expect(document.title).toMatch(/^Page not found · /)
})

test.each([
  ['https://foo.test/icon.png', 'https://foo.test/icon.png'],
  ['javascript:alert(1)', undefined],
  ['data:image/svg+xml,<svg/>', undefined],
])('the rail shows the icon %s as the page does', async (favicon, shown) => {
  await open('/profile', {user, site: {favicon}})
  await screen.findByRole('button', {name: 'Account'})
  const icons = screen.getAllByRole('navigation', {name: 'Main'}).flatMap((each) => [...each.querySelectorAll('img')])
  expect(icons[0]?.src).toBe(shown)
})

test('a change of page moves the focus to its heading', async () => {
  await open('/profile', {user})
  await screen.findByRole('button', {name: 'Account'})
  await userEvent.click(rail().getByRole('link', {name: 'Invite'}))
  // the heading that stands while the screen loads gives way to that of the screen
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', {level: 1, name: 'Invite'})))
})

test('theme and language change at once', async () => {
  const {root} = await open('/profile', {user})
  await userEvent.click((await screen.findAllByRole('radio', {name: 'Light'}))[0] as HTMLElement) // as: find throws on none
  expect(actorOf(root, 'preferences')?.getSnapshot().context.theme).toBe('light')
  await userEvent.click(screen.getByRole('button', {name: 'Deutsch'}))
  expect(actorOf(root, 'preferences')?.getSnapshot().context.locale).toBe('de')
})

test('tools the site turned off are not in the rail', async () => {
  await open('/profile', {user, site: {features: {chatgpt: {enabled: true}, kling: {enabled: true}}}})
  await screen.findByRole('button', {name: 'Account'})
  await waitFor(() => expect(rail().queryByRole('link', {name: 'Music'})).toBeNull())
  expect(rail().getByRole('link', {name: 'Video'}).getAttribute('href')).toBe('/kling')
})

test('a session that opens leaves the other parts of the root alone', async () => {
  const {root} = await open('/profile', {user})
  const before = (['startup', 'auth', 'site', 'preferences', 'notices'] as const).map((id) => actorOf(root, id))
  await waitFor(() => expect(actorOf(root, 'provisioning/chat')?.id).toBe('provisioning/chat'))
  expect((['startup', 'auth', 'site', 'preferences', 'notices'] as const).map((id) => actorOf(root, id))).toEqual(
    before,
  )
})

test('a media tool and its history are named while they open', async () => {
  const {router} = await open('/kling', {user})
  expect(await screen.findByRole('heading', {level: 1, name: 'Kling'})).toBeVisible()
  act(() => router.history.push('/luma/history'))
  // the heading that stands in while it loads gives way to that of the screen
  await waitFor(() => expect(screen.getByRole('heading', {level: 1, name: 'Luma history'})).toBeVisible())
}, 30_000)
