import {createRoute, redirect} from '@tanstack/react-router'
import {type ModelGroup} from '#contract/models.ts'
import {ChatRoute} from '../chat/chat-zone.tsx'
import {shellRoute} from './shell.route.tsx'
import './static-data.ts'

/** `/` is the new conversation of the chatgpt group (spec §2). */
export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    redirect({to: '/chatgpt/conversations', replace: true, throw: true})
  },
})

/** A conversation's page has its title once known; until then it is a chat. */
const staticData = (modelGroup: ModelGroup, title: 'index.newChat' | 'index.chat') =>
  ({title, section: 'chat', panel: 'chat', appName: 'chat', modelGroup}) as const

/** The screen belongs to the group's route, so that a new conversation keeps its composer when it gets its address. */
function groupRoutes<const Group extends ModelGroup>(group: Group) {
  const parent = createRoute({getParentRoute: () => shellRoute, path: `/${group}`, component: ChatRoute})
  const index = createRoute({
    getParentRoute: () => parent,
    path: '/',
    beforeLoad: () => {
      redirect({href: `/${group}/conversations`, replace: true, throw: true})
    },
  })
  const fresh = createRoute({
    getParentRoute: () => parent,
    path: 'conversations',
    staticData: staticData(group, 'index.newChat'),
  })
  const one = createRoute({
    getParentRoute: () => parent,
    path: 'conversations/$conversationId',
    staticData: staticData(group, 'index.chat'),
  })
  return parent.addChildren([index, fresh, one])
}

export const chatgptRoute = groupRoutes('chatgpt')
export const deepseekRoute = groupRoutes('deepseek')
export const grokRoute = groupRoutes('grok')
