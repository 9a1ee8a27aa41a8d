import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

/** No login flag (spec §2). */
export const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile',
  component: lazyRouteComponent(() => import('../account/profile-route.tsx'), 'ProfileRoute'),
  staticData: {title: 'index.profile', place: 'you'},
})

/** No login flag (spec §2); the server refuses changes by anybody but admins of the site. */
export const siteRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/site',
  component: lazyRouteComponent(() => import('../account/site-route.tsx'), 'SiteRoute'),
  staticData: {title: 'site.title'},
})
