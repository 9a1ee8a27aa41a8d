import {createRoute, redirect} from '@tanstack/react-router'
import {requireLoginAndWords} from './guard.ts'
import {lazyScreen} from './lazy-screen.tsx'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

const screens = () => import('../console/console-screens.ts')

const parent = createRoute({
  getParentRoute: () => shellRoute,
  path: '/console',
  beforeLoad: requireLoginAndWords('account', 'console'),
})

const index = createRoute({
  getParentRoute: () => parent,
  path: '/',
  beforeLoad: () => {
    redirect({to: '/console/applications', replace: true, throw: true})
  },
})

type Name = keyof Awaited<ReturnType<typeof screens>>

const page = <const Path extends string>(path: Path, name: Name) =>
  createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyScreen(async () => (await screens())[name]),
    staticData: {title: `index.${name}`, section: 'console', panel: 'console'},
  })

/** The console redirects to the applications (spec §2). */
export const consoleRoute = parent.addChildren([
  index,
  page('applications', 'applications'),
  page('applications/$applicationId/credentials', 'credentials'),
  page('applications/$applicationId/extra', 'extra'),
  page('applications/$applicationId/subscribe', 'subscribe'),
  page('orders', 'orders'),
  page('orders/$orderId', 'order'),
  page('usages', 'usages'),
])
