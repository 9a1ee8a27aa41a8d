import {createRoute} from '@tanstack/react-router'
import type {MessagePart} from '../locale-messages.ts'
import {lazyScreen} from './lazy-screen.tsx'
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
  component: lazyScreen(async () => (await import('../account/profile-route.tsx')).ProfileRoute),
  staticData: {title: 'index.profile', section: 'you'},
})

/** No login flag (spec §2); the server refuses changes by non-admins. */
export const siteRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/site',
  beforeLoad: prepare('account'),
  component: lazyScreen(async () => (await import('../account/site-route.tsx')).SiteRoute),
  staticData: {title: 'index.menuSite'},
})
