import {createFilesPort} from '#features/chat/draft-files-port.ts'
import {NEVER} from 'rxjs'
import {createMemoryHistory} from '@tanstack/react-router'
import {render, screen, within} from '@testing-library/react'
import {messageLoaders} from 'virtual:message-loaders'
import {vi} from 'vitest'
import {createChatApi} from '#api/chat.ts'
import {createManagementApi} from '#api/management.ts'
import type {AppInfo} from '#app/app-info.tsx'
import type {ManagementDeps} from '#api/management-calls.ts'
import {actorOf} from '#app/actors.context.tsx'
import {App} from '#app/app.tsx'
import {createDrafts} from '#app/chat/drafts.ts'
import {createMessageStore} from '#app/locale-messages.ts'
import {moveFocusOnNavigation} from '#app/route-focus.ts'
import {createAppRouter} from '#app/router.ts'
import {type MediaTools} from '#app/media/media-tools.types.ts'
import {createServerClock} from '#app/logic/server-clock.ts'
import {type ChatPorts} from '#features/chat/chat.context.tsx'
import {type AuthActor} from '#machines/auth/auth.machine.ts'
import '../shell/patience.ts'
import {loadedWords} from '../loaded-words.ts'
import {startRoot, type World} from './fake-root.ts'

/** The tab bar of phones is in the document too; without styles both count as visible. */
export const rail = () => within(screen.getAllByRole('navigation', {name: 'Main'})[0] as HTMLElement) // as: getAll throws on none

export const user = {id: 'foo', email: 'foo@example.com'}

function createLastConversation(): ChatPorts['lastConversation'] {
  const listeners = new Set<() => void>()
  const last = new Map<string, string | undefined>()
  let compared: readonly string[] | undefined
  return {
    read: (group) => last.get(group),
    write: (group, conversation) => {
      last.set(group, conversation)
      compared = undefined
      for (const listener of listeners) listener()
    },
    readCompared: () => compared,
    writeCompared: (names) => {
      compared = names.length === 0 ? undefined : names
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * The app at an address, its real charts on a world that the test describes; what it would load from a server stays
 * away.
 */
export async function open(path: string, world: World, {isTest = false, capabilities = ['account']} = {}) {
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
    {drafts: () => Promise.resolve({}), saveDraft: () => {}},
    {read: () => undefined, write: () => {}},
    {tell: () => {}, facts$: NEVER},
  )
  const chat: ChatPorts = {
    navigation: {
      href: () => '/',
      go: () => {},
      follow: () => {},
      isComparing: () => false,
    },
    ModelChoice: () => null,
    InstructionsDialog: () => null,
    loadModelChoice: async () => undefined,
    AnswerDetails: undefined,
    notify: () => undefined,
    openSettings: () => {},
    startSetUp: () => {},
    files: createFilesPort(() => Promise.reject(new Error('no server'))),
    drafts,
    takeEarlyQuestion: () => undefined,
    models: {read: () => undefined, write: () => {}},
    lastConversation: createLastConversation(),
    labelColours: {read: () => [], write: () => {}},
    threadWords: loadedWords,
    openChanges: () => Promise.reject(new Error('This test changes no messages.')),
    openListChanges: () => undefined,
    openRemovals: () => undefined,
    startPrompts: async () => undefined,
    startVoice: () => Promise.reject(new Error('This test has no voice.')),
    startSearch: () => Promise.reject(new Error('This test has no search.')),
    startExport: () => Promise.reject(new Error('This test has no export.')),
    newKey: () => crypto.randomUUID(),
    now: () => 0,
    media: {pageOrigin: 'http://localhost', ownFiles: [], foreignImages: true},
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
    clock: createServerClock(Date.now),
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
    bulk: {conversations: async () => [], drafts: async () => ({}), intents: async () => []},
    tabs: {tell: () => {}},
    services,
    drafts,
    media,
    flow: () => undefined,
    log: () => undefined,
    scriptUrl: (url: string) => url,
    prepareWords: messages.loadPart,
  }
  render(<App root={root} router={router} messages={messages} info={info} />)
  return {root, auth, router, messages, stopFocus}
}
