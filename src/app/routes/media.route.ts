import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {tools, type MediaToolId} from '#features/shell/tools.ts'
import {requireLogin} from './guard.ts'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

const comingScreen = lazyRouteComponent(() => import('../coming-route.tsx'), 'ComingRoute')
const placeOf = (tool: MediaToolId) => tools.find(({id}) => id === tool)?.group

const mediaRoute = <const Tool extends MediaToolId>(tool: Tool) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path: `/${tool}`,
    beforeLoad: requireLogin,
    component: comingScreen,
    staticData: {
      title: `index.tool.${tool}`,
      line: `index.tool.${tool}.line`,
      place: placeOf(tool),
      panel: 'tools',
      appName: tool,
    },
  })

const historyRoute = <const Tool extends MediaToolId>(tool: Tool) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path: `/${tool}/history`,
    beforeLoad: requireLogin,
    component: comingScreen,
    staticData: {
      title: 'index.history',
      line: 'index.historyLine',
      tool,
      place: placeOf(tool),
      panel: 'tools',
      appName: tool,
    },
  })

export const mediaRoutes = [
  mediaRoute('midjourney'),
  mediaRoute('qrart'),
  mediaRoute('luma'),
  mediaRoute('pika'),
  mediaRoute('kling'),
  mediaRoute('veo'),
  mediaRoute('sora'),
  mediaRoute('pixverse'),
  mediaRoute('flux'),
  mediaRoute('hailuo'),
  mediaRoute('headshots'),
  mediaRoute('suno'),
  mediaRoute('nanobanana'),
  historyRoute('luma'),
  historyRoute('kling'),
  historyRoute('veo'),
  historyRoute('sora'),
  historyRoute('pixverse'),
  historyRoute('hailuo'),
  historyRoute('suno'),
] as const
