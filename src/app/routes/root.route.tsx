import {createRootRouteWithContext} from '@tanstack/react-router'
import type {MessagePart} from '../locale-messages.ts'
import {type AuthActor} from '#machines/auth/auth.machine.ts'
import {FirstWait, LostInShell, RootScreen} from '../root-screen.tsx'

export type RouterContext = {
  /** Called at each navigation, since a crashed actor is replaced. */
  auth: () => AuthActor
  /** Loads the language of the LOCALE cookie, else the default, before each navigation (spec §2). */
  prepareLanguage: () => Promise<void>
  /** Loads the messages that only these screens use. */
  prepareWords: (part: MessagePart) => Promise<unknown>
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({context}) => context.prepareLanguage(),
  component: RootScreen,
  pendingComponent: FirstWait,
  pendingMs: 0,
  pendingMinMs: 0,
  notFoundComponent: LostInShell,
})
