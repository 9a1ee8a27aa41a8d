import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {loadPart} from '#ui/load-part.ts'
import {requireLoginAndWords} from './guard.ts'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

const comingScreen = lazyRouteComponent(() => loadPart(() => import('../coming-route.tsx')), 'ComingRoute')

const page = <const Path extends string>(path: Path, name: 'distribution' | 'rewards' | 'invitees') =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    beforeLoad: requireLoginAndWords('account'),
    component: comingScreen,
    staticData: {title: `index.${name}`, line: `index.${name}Line`, place: 'invite'},
  })

export const distributionRoutes = [
  page('/distribution', 'distribution'),
  page('/distribution/history', 'rewards'),
  page('/distribution/invitees', 'invitees'),
] as const
