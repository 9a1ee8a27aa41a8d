import {createRoute} from '@tanstack/react-router'
import {isMediaTool, tools, type ToolEntry} from '#features/shell/tools.ts'
import {requireLoginAndWords} from './guard.ts'
import {lazyScreen} from './lazy-screen.tsx'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

const toolScreen = lazyScreen(async () => (await import('../media/media-route.tsx')).MediaRoute)
const historyScreen = lazyScreen(async () => (await import('../media/media-history-route.tsx')).MediaHistoryRoute)

const mediaRoute = ({id, name, path, group}: ToolEntry) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    beforeLoad: requireLoginAndWords('media', id),
    component: toolScreen,
    staticData: {toolName: name, section: group, panel: 'tools', fillsHead: true, appName: id},
  })

const historyRoute = ({id, name, path, group}: ToolEntry) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path: `${path}/history`,
    beforeLoad: requireLoginAndWords('media', id),
    component: historyScreen,
    staticData: {
      title: 'index.history',
      toolName: name,
      section: group,
      fillsHead: true,
      appName: id,
    },
  })

const mediaTools = tools.filter(isMediaTool)
/** Screen and history of every media tool (spec §2). */
export const mediaRoutes = [...mediaTools.map(mediaRoute), ...mediaTools.map(historyRoute)]
