import {createRoute, lazyRouteComponent, redirect, type RouteComponent} from '@tanstack/react-router'
import {loadPart} from '#ui/load-part.ts'
import {requireLoginAndWords} from './guard.ts'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

const applicationsScreen = lazyRouteComponent(
  () => loadPart(() => import('../console/applications-route.tsx')),
  'ApplicationsRoute',
)

const ordersScreen = lazyRouteComponent(() => loadPart(() => import('../console/orders-route.tsx')), 'OrdersRoute')
const usagesScreen = lazyRouteComponent(() => loadPart(() => import('../console/usages-route.tsx')), 'UsagesRoute')
const orderScreen = lazyRouteComponent(() => loadPart(() => import('../console/order-route.tsx')), 'OrderRoute')
const offers = () => loadPart(() => import('../console/offers-route.tsx'))
const extraScreen = lazyRouteComponent(offers, 'ExtraRoute')
const subscribeScreen = lazyRouteComponent(offers, 'SubscribeRoute')

const credentialsScreen = lazyRouteComponent(
  () => loadPart(() => import('../console/credentials-route.tsx')),
  'CredentialsRoute',
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

const page = <const Path extends string>(path: Path, name: Page, component: RouteComponent) =>
  createRoute({
    getParentRoute: () => parent,
    path,
    component,
    staticData: {title: `index.${name}`, place: 'console', panel: 'console'},
  })

const credentials = createRoute({
  getParentRoute: () => parent,
  path: 'applications/$applicationId/credentials',
  component: credentialsScreen,
  staticData: {title: 'credential.title', place: 'console', panel: 'console'},
})

/** The console redirects to the applications (spec §2). */
export const consoleRoute = parent.addChildren([
  index,
  page('applications', 'applications', applicationsScreen),
  page('applications/$applicationId/extra', 'extra', extraScreen),
  page('applications/$applicationId/subscribe', 'subscribe', subscribeScreen),
  credentials,
  page('orders', 'orders', ordersScreen),
  page('orders/$orderId', 'order', orderScreen),
  page('usages', 'usages', usagesScreen),
])
