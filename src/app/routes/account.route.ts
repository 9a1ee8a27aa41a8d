import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {loadPart} from '#ui/load-part.ts'
import type {MessagePart} from '../locale-messages.ts'
import type {RouterContext} from './root.route.tsx'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

const prepare =
  (...parts: MessagePart[]) =>
  async ({context}: {context: RouterContext}): Promise<void> => {
    await Promise.all(parts.map(context.prepareWords))
  }

/** No login flag (spec §2). */
export const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile',
  beforeLoad: prepare('account', 'console', 'commands'),
  component: lazyRouteComponent(() => loadPart(() => import('../account/profile-route.tsx')), 'ProfileRoute'),
  staticData: {title: 'index.profile', section: 'you'},
})

/** No login flag (spec §2); the server refuses changes by non-admins. */
export const siteRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/site',
  beforeLoad: prepare('account'),
  component: lazyRouteComponent(() => loadPart(() => import('../account/site-route.tsx')), 'SiteRoute'),
  staticData: {title: 'index.menuSite'},
})
