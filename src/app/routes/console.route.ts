import {createRoute, lazyRouteComponent, redirect} from '@tanstack/react-router'
import {loadPart} from '#ui/load-part.ts'
import {requireLoginAndWords} from './guard.ts'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

const comingScreen = lazyRouteComponent(() => loadPart(() => import('../coming-route.tsx')), 'ComingRoute')

const applicationsScreen = lazyRouteComponent(
  () => loadPart(() => import('../console/applications-route.tsx')),
  'ApplicationsRoute',
)

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

type Page = 'applications' | 'orders' | 'order' | 'usages' | 'extra' | 'subscribe'

const page = <const Path extends string>(path: Path, name: Page, component = comingScreen) =>
  createRoute({
    getParentRoute: () => parent,
    path,
    component,
    staticData: {title: `index.${name}`, line: `index.${name}Line`, place: 'console', panel: 'console'},
  })

/** The console redirects to the applications (spec §2). */
export const consoleRoute = parent.addChildren([
  index,
  page('applications', 'applications', applicationsScreen),
  page('applications/$applicationId/extra', 'extra'),
  page('applications/$applicationId/subscribe', 'subscribe'),
  page('orders', 'orders'),
  page('orders/$orderId', 'order'),
  page('usages', 'usages'),
])
