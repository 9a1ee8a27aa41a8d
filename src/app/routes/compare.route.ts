import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {loadPart} from '#ui/load-part.ts'
import {requireLoginAndWords} from './guard.ts'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

/** One question to several models (decision 63). `?with=` names the conversations. */
export const compareRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/compare',
  beforeLoad: requireLoginAndWords('thread'),
  component: lazyRouteComponent(() => loadPart(() => import('../chat/compare-zone.tsx')), 'CompareRoute'),
  staticData: {title: 'compare.title', section: 'chat', fillsHead: true, appName: 'chat'},
})
