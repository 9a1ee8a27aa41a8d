import {createRoute, lazyRouteComponent, type RouteComponent} from '@tanstack/react-router'
import {loadPart} from '#ui/load-part.ts'
import {requireLoginAndWords} from './guard.ts'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

const overviewScreen = lazyRouteComponent(
  () => loadPart(() => import('../distribution/overview-route.tsx')),
  'OverviewRoute',
)
const rewardsScreen = lazyRouteComponent(
  () => loadPart(() => import('../distribution/rewards-route.tsx')),
  'RewardsRoute',
)
const inviteesScreen = lazyRouteComponent(
  () => loadPart(() => import('../distribution/invitees-route.tsx')),
  'InviteesRoute',
)

type Page = 'distribution' | 'rewards' | 'invitees'

const page = <const Path extends string>(path: Path, name: Page, component: RouteComponent) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    beforeLoad: requireLoginAndWords('account', 'console'),
    component,
    staticData: {title: `index.${name}`, section: 'invite'},
  })

/** The referral programme (spec §2). */
export const distributionRoutes = [
  page('/distribution', 'distribution', overviewScreen),
  page('/distribution/history', 'rewards', rewardsScreen),
  page('/distribution/invitees', 'invitees', inviteesScreen),
] as const
