import {createRoute, lazyRouteComponent, redirect} from '@tanstack/react-router'
import {loadPart} from '#ui/load-part.ts'
import type {MessageId} from '#ui/text.tsx'
import {requireLoginAndWords} from './guard.ts'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

const screens = () => loadPart(() => import('../console/console-screens.ts'))

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

type Screens = Awaited<ReturnType<typeof screens>>

const page = <const Path extends string>(path: Path, screen: keyof Screens, title: MessageId) =>
  createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(screens, screen),
    staticData: {title, place: 'console', panel: 'console'},
  })

/** The console redirects to the applications (spec §2). */
export const consoleRoute = parent.addChildren([
  index,
  page('applications', 'ApplicationsRoute', 'index.applications'),
  page('applications/$applicationId/credentials', 'CredentialsRoute', 'credential.title'),
  page('applications/$applicationId/extra', 'ExtraRoute', 'index.extra'),
  page('applications/$applicationId/subscribe', 'SubscribeRoute', 'index.subscribe'),
  page('orders', 'OrdersRoute', 'index.orders'),
  page('orders/$orderId', 'OrderRoute', 'index.order'),
  page('usages', 'UsagesRoute', 'index.usages'),
])
