import {createRoute, Outlet, redirect} from '@tanstack/react-router'
import {waitFor} from 'xstate'
import {type AuthActor} from '#machines/auth/auth.machine.ts'
import {lazyScreen} from './lazy-screen.tsx'
import {returnTarget} from './return-target.ts'
import {rootRoute} from './root.route.tsx'

const layout = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth',
  component: () => (
    <main>
      <Outlet />
    </main>
  ),
})

type AuthSearch = {redirect?: string}
type Entering = {context: {auth: () => AuthActor}; search: AuthSearch}

const validateSearch = (search: Record<string, unknown>): AuthSearch =>
  typeof search.redirect === 'string' ? {redirect: search.redirect} : {}

/** Signed in: continue to the requested page. */
async function leaveWhenSignedIn({context, search}: Entering) {
  const decision = await waitFor(context.auth(), (snapshot) => !snapshot.hasTag('undecided'))
  if (decision.hasTag('authenticated')) redirect({href: returnTarget(search), replace: true, throw: true})
  return decision
}

const login = createRoute({
  getParentRoute: () => layout,
  path: 'login',
  validateSearch,
  beforeLoad: async (entering) => {
    const decision = await leaveWhenSignedIn(entering)
    // After a failed login the user decides, or the browser would redirect in circles (security R11).
    if (decision.matches('signedOut') && decision.context.failure === undefined) {
      entering.context.auth().send({type: 'login.request', returnPath: returnTarget(entering.search)})
    }
  },
  component: lazyScreen(async () => (await import('../account/auth-routes.tsx')).LoginRoute),
  staticData: {title: 'index.signIn'},
})

const callback = createRoute({
  getParentRoute: () => layout,
  path: 'callback',
  validateSearch,
  beforeLoad: async (entering) => {
    await leaveWhenSignedIn(entering)
  },
  component: lazyScreen(async () => (await import('../account/auth-routes.tsx')).CallbackRoute),
  staticData: {title: 'index.signIn'},
})

/** Layout with two children (spec §2). */
export const authRoute = layout.addChildren([login, callback])
