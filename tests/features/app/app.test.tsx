import {NEVER} from 'rxjs'
import {createMemoryHistory} from '@tanstack/react-router'
import {act, cleanup, render, screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {messageLoaders} from 'virtual:message-loaders'
import {afterEach, expect, test, vi} from 'vitest'
import {createChatApi} from '#api/chat.ts'
import {createManagementApi} from '#api/management.ts'
import type {AppInfo} from '#app/app-info.tsx'
import type {ManagementDeps} from '#api/management-calls.ts'
import {actorOf} from '#app/actors.context.tsx'
import {App} from '#app/app.tsx'
import {createDrafts} from '#app/chat/drafts.ts'
import {createMessageStore} from '#app/messages.ts'
import {moveFocusOnNavigation} from '#app/route-focus.ts'
import {createAppRouter} from '#app/router.ts'
import {type MediaTools} from '#app/media/media-tools.types.ts'
import {type ChatPorts} from '#features/chat/chat.context.tsx'
import {type AuthActor} from '#machines/auth/auth.machine.ts'
import '../shell/patience.ts'
import {general, startRoot, type World} from './fake-root.ts'

afterEach(cleanup)

// The tab bar of phones is in the document too; without styles both count as visible.
const rail = () => within(screen.getAllByRole('navigation', {name: 'Main'})[0] as HTMLElement) // as: getAll throws on none

const user = {id: 'foo', email: 'foo@example.com'}

function createLastConversation(): ChatPorts['lastConversation'] {
  const listeners = new Set<() => void>()
  const last = new Map<string, string | undefined>()
  return {
    read: (group) => last.get(group),
    write: (group, conversation) => {
      last.set(group, conversation)
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

async function open(path: string, world: World, {isTest = false, capabilities = ['account']} = {}) {
  const messages = createMessageStore(messageLoaders, vi.fn())
  await messages.load('en')
  const root = startRoot(world)
  const auth = () => actorOf(root, 'auth') as AuthActor // as: the root always runs it in these tests
  const router = createAppRouter(
    {
      auth,
      prepareLanguage: () => messages.load(actorOf(root, 'preferences')?.getSnapshot().context.locale ?? 'en'),
      prepareWords: messages.loadPart,
    },
    createMemoryHistory({initialEntries: [path]}),
  )
  const stopFocus = moveFocusOnNavigation(router)
  const drafts = createDrafts(
    {drafts: () => Promise.resolve({}), saveDrafts: () => {}},
    {read: () => undefined, write: () => {}},
  )
  const chat: ChatPorts = {
    navigation: {href: () => '/', go: () => {}, follow: () => {}, addCreditsHref: () => '/console'},
    ModelChoice: () => null,
    InstructionsDialog: () => null,
    loadModelChoice: async () => undefined,
    AnswerDetails: undefined,
    startSetUp: () => {},
    upload: () => Promise.reject(new Error('no server')),
    drafts,
    takeEarlyQuestion: () => undefined,
    models: {read: () => undefined, write: () => {}},
    lastConversation: createLastConversation(),
    threadWords: () => undefined,
    openChanges: () => Promise.reject(new Error('This test changes no messages.')),
    startPrompts: async () => undefined,
    startVoice: () => Promise.reject(new Error('This test has no voice.')),
    startSearch: () => Promise.reject(new Error('This test has no search.')),
    startExport: () => Promise.reject(new Error('This test has no export.')),
    newKey: () => crypto.randomUUID(),
    now: () => 0,
    media: {pageOrigin: 'http://localhost', ownFiles: [], loadsForeign: true},
    ShareDialog: undefined,
    WhatHappened: () => null,
    startHighlighting: () => {
      throw new Error('There is no worker here')
    },
  }
  const loginFrame = () => 'about:blank'
  const unreachable: ManagementDeps = {
    fetch: () => Promise.reject(new TypeError('fetch failed')),
    baseUrl: 'https://platform.example',
    log: () => {},
    headers: () => ({}),
    onUnauthorized: () => {},
  }
  const services: AppInfo['services'] = {
    management: createManagementApi(unreachable),
    files: () => Promise.reject(new Error('no server')),
    client: (create) => create(unreachable),
    chat: createChatApi(unreachable),
  }
  // a tool's rules and actors have their own tests; here its screen stays at its first frame
  const media: MediaTools = {
    open: () => undefined,
    loaded: () => undefined,
    files: () => {
      throw new Error('No file is held here')
    },
    prepareUploads: () => Promise.reject(new Error('No file is sent here')),
    now: () => 0,
    newKey: () => crypto.randomUUID(),
    storedEnds: () => new Map(),
    session: () => actorOf(root, 'session'),
    tasks: () => undefined,
    tool: () => undefined,
    player: () => undefined,
    preparePlayer: async () => {},
    play: () => {},
    storedVolume: () => undefined,
    form: () => undefined,
    list: () => undefined,
    provisioning: () => undefined,
    storeFile: () => Promise.reject(new Error('No file is sent here')),
    renewal: undefined,
    selection: () => undefined,
    stored: async () => [],
    repeat: async () => false,
  }
  const info = {
    isTest,
    termsLink: 'https://platform.example/terms',
    apiBase: 'https://api.example',
    platformLink: 'https://platform.example',
    authBase: 'https://auth.example',
    capabilities,
    loginFrame,
    chat,
    state: {read: () => ({}), save: () => {}, flush: () => true, changes$: NEVER},
    tabs: {tell: () => {}},
    services,
    drafts,
    media,
    flow: () => undefined,
    scriptUrl: (url: string) => url,
    prepareWords: messages.loadPart,
  }
  render(<App root={root} router={router} messages={messages} info={info} />)
  return {root, auth, router, messages, stopFocus}
}

test('a signed-in person sees the page asked for inside the shell', async () => {
  await open('/kling', {user})
  expect(await screen.findByRole('heading', {level: 1, name: 'Kling'})).toBeDefined()
  expect(rail().getByRole('link', {name: 'Video'}).getAttribute('aria-current')).toBe('page')
  expect(document.title).toBe('Kling · Foo')
})

test('until start-up has decided a guarded page shows only the frame', async () => {
  const {root} = await open('/kling', {user})
  expect(screen.queryByRole('heading', {level: 1})).toBeNull()
  expect(actorOf(root, 'auth')?.getSnapshot().hasTag('undecided')).toBe(true)
  expect(await screen.findByRole('heading', {level: 1, name: 'Kling'})).toBeDefined()
})

test('a visitor is taken to the login page; what lies below cannot be used', async () => {
  const startLogin = vi.fn(() => ({kind: 'leaving'}) as const)
  await open('/profile', {startLogin})
  expect(await screen.findByRole('heading', {name: 'Taking you to sign in…'})).toBeDefined()
  expect(startLogin).toHaveBeenCalledTimes(1)
  await waitFor(() => expect(document.querySelector('[inert]')).not.toBeNull())
})

test('too many redirects stop with a sentence and a way to try on', async () => {
  const startLogin = vi.fn(({isForced}: {isForced: boolean}) => ({kind: isForced ? 'leaving' : 'loop'}) as const)
  await open('/profile', {startLogin})
  expect((await screen.findByRole('alert')).textContent).toContain('Sign-in keeps coming back here.')
  await userEvent.click(screen.getByRole('button', {name: 'Go to sign in'}))
  expect(await screen.findByRole('heading', {name: 'Taking you to sign in…'})).toBeDefined()
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
  expect(await screen.findByRole('heading', {name: 'Taking you to sign in…'})).toBeDefined()
})

test('signing out in the account menu leaves for the login page', async () => {
  const startLogin = vi.fn((_input: {reason: string}) => ({kind: 'leaving'}) as const)
  await open('/profile', {user, startLogin})
  await userEvent.click(await screen.findByRole('button', {name: 'Account'}))
  expect(await screen.findByText('foo@example.com', {selector: '[role=menu] *'})).toBeDefined()
  await userEvent.click(screen.getByRole('menuitem', {name: 'Log out'}))
  await waitFor(() => expect(startLogin).toHaveBeenCalledTimes(1))
  expect(startLogin.mock.calls[0]?.[0].reason).toBe('logout')
})

test('a session that ended elsewhere asks to sign in again', async () => {
  const {auth} = await open('/profile', {user})
  await screen.findByRole('button', {name: 'Account'})
  await act(async () => auth().send({type: 'session.ended', epoch: 5}))
  expect(await screen.findByRole('heading', {name: 'Sign in again to continue.'})).toBeDefined()
  await userEvent.click(screen.getAllByRole('button', {name: 'Sign in'}).at(-1) as HTMLElement) // as: getAll throws on none
  expect(await screen.findByRole('heading', {name: 'Taking you to sign in…'})).toBeDefined()
})

test('popup flow: the login dialog stands over the page, and a link becomes a QR code', async () => {
  const {auth} = await open('/profile', {flow: 'popup'})
  expect(await screen.findByRole('dialog', {name: 'Sign in'})).toBeDefined()
  await act(async () => auth().send({type: 'qr.received', link: 'https://example.com/phone'}))
  expect(await screen.findByRole('dialog', {name: 'Scan to continue'})).toBeDefined()
  expect(screen.getByText('https://example.com/phone')).toBeDefined()
  act(() => auth().send({type: 'qr.close'}))
  await waitFor(() => expect(screen.queryByText('https://example.com/phone')).toBeNull())
})

test('a new person accepts the terms and gets the general application', async () => {
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
  expect(await screen.findByRole('button', {name: 'Agree and start'})).toBeDefined()
})

test('test mode shows its badge; other modes do not', async () => {
  await open('/profile', {user}, {isTest: true})
  expect(await screen.findByText('Test environment')).toBeDefined()
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
  await open('/profile', {user})
  await screen.findByRole('button', {name: 'Account'})
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void dispatchEvent(new Event('offline')))
  expect(screen.getByText("You're offline. We'll reconnect automatically.")).toBeDefined()
  online.mockRestore()
  act(() => void dispatchEvent(new Event('online')))
  expect(screen.queryByText("You're offline. We'll reconnect automatically.")).toBeNull()
})

test('an unknown address keeps the navigation', async () => {
  await open('/nowhere', {user})
  expect(await screen.findByRole('heading', {level: 1, name: 'Page not found'})).toBeDefined()
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
  await waitFor(() => expect(actorOf(root, 'provisioning/chat')).toBeDefined())
  expect((['startup', 'auth', 'site', 'preferences', 'notices'] as const).map((id) => actorOf(root, id))).toEqual(
    before,
  )
})

test('the tab is named by the conversation in the address; a new one is a new chat', async () => {
  const messages = [{role: 'user' as const, content: 'How tall is a foo?'}]
  const conversations = [
    {key: '1', id: '1', model: 'gpt-5-all', title: 'About foo', messages, updatedAt: 2},
    {key: '2', id: '2', model: 'gpt-5-all', messages, updatedAt: 1},
  ]
  const {root, router} = await open('/chatgpt/conversations/1', {user, conversations})
  await waitFor(() => expect(document.title).toBe('About foo · Foo'))
  await act(() => router.navigate({to: '/chatgpt/conversations'}))
  await waitFor(() => expect(document.title).toBe('New chat · Foo'))
  await act(() => router.navigate({to: '/chatgpt/conversations/$conversationId', params: {conversationId: '2'}}))
  await waitFor(() => expect(document.title).toBe('How tall is a foo? · Foo'))
  act(() => actorOf(root, 'conversations')?.send({type: 'conversation.rename', key: '2', title: 'Renamed'}))
  await waitFor(() => expect(document.title).toBe('Renamed · Foo'))
  await act(() => router.navigate({to: '/chatgpt/conversations/$conversationId', params: {conversationId: 'gone'}}))
  await waitFor(() => expect(document.title).toBe('Chat · Foo'))
}, 30_000)

test('Chat in the rail leads back to the conversation that was left in the group, and to a new one when it is gone', async () => {
  const messages = [{role: 'user' as const, content: 'Foo?'}]
  const conversations = [
    {key: '1', id: '1', model: 'gpt-5-all', title: 'One', messages, updatedAt: 2},
    {key: '2', id: '2', model: 'deepseek-v3', title: 'Two', messages, updatedAt: 1},
  ]
  const {root, router} = await open('/chatgpt/conversations/1', {user, conversations})
  const chat = () => rail().getByRole('link', {name: 'Chat'})
  const goTo = (path: string) => act(async () => router.history.push(path))
  await waitFor(() => expect(chat().getAttribute('href')).toBe('/chatgpt/conversations/1'))
  await goTo('/deepseek/conversations/2')
  await waitFor(() => expect(chat().getAttribute('href')).toBe('/deepseek/conversations/2'))
  await goTo('/chatgpt/conversations')
  await waitFor(() => expect(chat().getAttribute('href')).toBe('/chatgpt'))
  await goTo('/chatgpt/conversations/1')
  await waitFor(() => expect(chat().getAttribute('href')).toBe('/chatgpt/conversations/1'))
  await goTo('/profile')
  await userEvent.click(chat())
  await waitFor(() => expect(router.state.location.pathname).toBe('/chatgpt/conversations/1'))
  await goTo('/profile')
  act(() => actorOf(root, 'conversations')?.send({type: 'conversation.remove', key: '1'}))
  await waitFor(() => expect(chat().getAttribute('href')).toBe('/chatgpt'))
}, 30_000)

test('the tab says how much is being made', async () => {
  const {root} = await open('/chatgpt/conversations', {user})
  await waitFor(() => expect(document.title).toBe('New chat · Foo'))
  await waitFor(() => expect(actorOf(root, 'conversations')).toBeDefined())
  const change = (phase: 'running' | 'settled') => {
    const messages = [{role: 'user' as const, content: 'Foo?'}]
    const record = {key: 'k', model: 'gpt-5-all', messages, updatedAt: 1}
    actorOf(root, 'conversations')?.send({type: 'conversation.changed', phase, record})
  }
  act(() => actorOf(root, 'conversations')?.send({type: 'conversation.create', key: 'k', model: 'gpt-5-all'}))
  act(() => change('running'))
  await waitFor(() => expect(document.title).toBe('(1) New chat · Foo'))
  act(() => change('settled'))
  await waitFor(() => expect(document.title).toBe('New chat · Foo'))
}, 30_000)

test('a media tool and its history are named while they open', async () => {
  const {router} = await open('/kling', {user})
  expect(await screen.findByRole('heading', {level: 1, name: 'Kling'})).toBeDefined()
  act(() => router.history.push('/luma/history'))
  expect(await screen.findByRole('heading', {level: 1, name: 'Luma history'})).toBeDefined()
}, 30_000)
