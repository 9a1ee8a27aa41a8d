import {createRouter, type RouterHistory} from '@tanstack/react-router'
import {NextWait, RouteCrash} from './root-screen.tsx'
import {parseSearch, stringifySearch} from './plain-search.ts'
import {authRoute} from './routes/auth.route.tsx'
import {profileRoute, siteRoute} from './routes/account.route.ts'
import {chatgptRoute, deepseekRoute, grokRoute, homeRoute} from './routes/chat.route.ts'
import {compareRoute} from './routes/compare.route.ts'
import {consoleRoute} from './routes/console.route.ts'
import {distributionRoutes} from './routes/distribution.route.ts'
import {mediaRoutes} from './routes/media.route.ts'
import {rootRoute, type RouterContext} from './routes/root.route.tsx'
import {shellRoute} from './routes/shell.route.tsx'

const routeTree = rootRoute.addChildren([
  authRoute,
  shellRoute.addChildren([
    homeRoute,
    chatgptRoute,
    deepseekRoute,
    grokRoute,
    compareRoute,
    consoleRoute,
    profileRoute,
    siteRoute,
    ...distributionRoutes,
    ...mediaRoutes,
  ]),
])

/** All addresses of the product (spec §2). `history` is the browser's; tests may pass another. */
export const createAppRouter = (context: RouterContext, history?: RouterHistory) =>
  createRouter({
    routeTree,
    context,
    ...(history === undefined ? {} : {history}),
    parseSearch,
    stringifySearch,
    defaultErrorComponent: RouteCrash,
    // The previous screen stays while the next one loads; a slow load shows this after a moment.
    defaultPendingComponent: NextWait,
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    scrollRestoration: false,
  })
export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
  interface HistoryState {
    /** Key of the draft that the page of this entry has in its field. */
    draftKey?: string
  }
}
