import {createRoute, lazyRouteComponent, Outlet, redirect} from '@tanstack/react-router'
import {waitFor} from 'xstate'
import {safeReturnPath} from '#domain/safe-return-path.ts'
import {type AuthRef} from '#machines/auth/auth.machine.ts'
import {rootRoute} from './root.route.tsx'

const layout = createRoute({getParentRoute: () => rootRoute, path: '/auth', component: Outlet})

type AuthSearch = {redirect?: string}
const validateSearch = (search: Record<string, unknown>): AuthSearch =>
  typeof search.redirect === 'string' ? {redirect: search.redirect} : {}

/** Where a login ends: the local page it was started from (security R12), else the start page. */
export const returnTarget = (search: AuthSearch): string => safeReturnPath(search.redirect, location.origin) ?? '/'

/** Signed in: on to the page asked for. Else the screen shows what became of the login. */
async function leaveWhenSignedIn({context, search}: {context: {auth: AuthRef}; search: AuthSearch}) {
  const decided = await waitFor(context.auth, (snapshot) => !snapshot.hasTag('undecided'))
  if (decided.hasTag('authenticated')) throw redirect({href: returnTarget(search), replace: true})
}

const login = createRoute({
  getParentRoute: () => layout,
  path: 'login',
  validateSearch,
  beforeLoad: leaveWhenSignedIn,
  component: lazyRouteComponent(() => import('../account/auth-routes.tsx'), 'LoginRoute'),
  staticData: {title: 'index.signIn'},
})

const callback = createRoute({
  getParentRoute: () => layout,
  path: 'callback',
  validateSearch,
  beforeLoad: leaveWhenSignedIn,
  component: lazyRouteComponent(() => import('../account/auth-routes.tsx'), 'CallbackRoute'),
  staticData: {title: 'index.signIn'},
})

/** Layout with two children (spec §2). */
export const authRoute = layout.addChildren([login, callback])
