import {createRootRouteWithContext} from '@tanstack/react-router'
import {type AuthRef} from '#machines/auth/auth.machine.ts'
import {LostInShell, RootScreen} from '../root-screen.tsx'

export type RouterContext = {
  auth: AuthRef
  /** Loads the language of the LOCALE cookie, else the default, before each navigation (spec §2). */
  prepareLanguage: () => Promise<void>
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({context}) => context.prepareLanguage(),
  component: RootScreen,
  notFoundComponent: LostInShell,
})
