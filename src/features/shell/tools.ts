import {mediaTools} from 'virtual:media-tool-list'
import {type Site} from '#contract/management.ts'
import {modelGroupNames, modelGroups, type ModelGroup} from '#contract/models.ts'
import {type MediaGroup} from '#contract/media/media-tool.ts'
import {offeredTools} from '#domain/offered-tools.ts'

/*
 * The product's tools by group (spec §1, §2; contract/screens §2). The rail shows groups; a group opens its last used
 * tool.
 */
const toolGroups = ['chat', 'image', 'video', 'music'] as const
export type ToolGroup = (typeof toolGroups)[number]

/**
 * Address of a media tool's screen. The routes come from the list of tools; the router's types know one path for all,
 * with a name that no address has, so that links stay checked.
 */
export type MediaToolPath = '/media-tool'
export type ToolEntry = {id: string; name: string; path: MediaToolPath; group: MediaGroup}
export type ChatTool = {
  id: ModelGroup
  name: string
  path: `/${ModelGroup}`
  group: 'chat'
}
export type Tool = ChatTool | ToolEntry

export const tools: readonly Tool[] = [
  ...modelGroups.map((id) => ({id, name: modelGroupNames[id], path: `/${id}` as const, group: 'chat' as const})),
  // as: see MediaToolPath
  ...mediaTools.map((tool) => ({...tool, path: `/${tool.id}` as MediaToolPath})),
]
export const isMediaTool = (tool: Tool): tool is ToolEntry => tool.group !== 'chat'

type Features = Site['features']

/** The tools a site offers. */
export function enabledTools(features: Features): readonly Tool[] {
  const ids = new Set(
    offeredTools(
      features,
      tools.map(({id}) => id),
    ),
  )
  return tools.filter(({id}) => ids.has(id))
}

/** The tool whose screen, or a screen below it, has this path. */
export const toolOfPath = (path: string): Tool | undefined =>
  tools.find((tool) => path === tool.path || path.startsWith(`${tool.path}/`))

/** The link opens the last open `conversation` or `comparison` of the chat; a comparison names its conversations. */
export type GroupLink =
  | {
      group: 'chat'
      path: ChatTool['path']
      conversation?: string | undefined
      comparison?: readonly string[] | undefined
    }
  | {group: MediaGroup; path: MediaToolPath}

/** One link per group with an enabled tool, to the group's last used tool (`recent`, newest first). */
export function groupLinks(features: Features, recent: readonly string[]): GroupLink[] {
  const toolsOfSite = enabledTools(features)
  return toolGroups.flatMap((group) => {
    const ofGroup = toolsOfSite.filter((tool) => tool.group === group)
    const last = recent.map((id) => ofGroup.find((tool) => tool.id === id)).find((tool) => tool !== undefined)
    const tool = last ?? ofGroup[0]
    if (tool === undefined) return []
    return [isMediaTool(tool) ? {group: tool.group, path: tool.path} : {group: tool.group, path: tool.path}]
  })
}
