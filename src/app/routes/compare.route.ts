import {createRoute} from '@tanstack/react-router'
import {requireLoginAndWords} from './guard.ts'
import {lazyScreen} from './lazy-screen.tsx'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

/** One question to several models (decision 63). `?with=` names the conversations. */
export const compareRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/compare',
  beforeLoad: requireLoginAndWords('thread'),
  component: lazyScreen(async () => (await import('../chat/compare-zone.tsx')).CompareRoute),
  staticData: {title: 'compare.title', section: 'chat', fillsHead: true, appName: 'chat'},
})
