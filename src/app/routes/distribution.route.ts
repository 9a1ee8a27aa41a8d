import {createRoute, type RouteComponent} from '@tanstack/react-router'
import {requireLoginAndWords} from './guard.ts'
import {lazyScreen} from './lazy-screen.tsx'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

const overviewScreen = lazyScreen(async () => (await import('../distribution/overview-route.tsx')).OverviewRoute)
const rewardsScreen = lazyScreen(async () => (await import('../distribution/rewards-route.tsx')).RewardsRoute)
const inviteesScreen = lazyScreen(async () => (await import('../distribution/invitees-route.tsx')).InviteesRoute)

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
