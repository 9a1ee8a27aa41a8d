import {type Site} from '#contract/management.ts'

/*
 * The tools of the product by group (spec §1, §2; contract/screens §2). The rail shows groups; a group opens the tool
 * of it that was used last.
 */
export const toolGroups = ['chat', 'image', 'video', 'music'] as const
export type ToolGroup = (typeof toolGroups)[number]

export const tools = [
  {id: 'chatgpt', path: '/chatgpt', group: 'chat'},
  {id: 'deepseek', path: '/deepseek', group: 'chat'},
  {id: 'grok', path: '/grok', group: 'chat'},
  {id: 'midjourney', path: '/midjourney', group: 'image'},
  {id: 'flux', path: '/flux', group: 'image'},
  {id: 'nanobanana', path: '/nanobanana', group: 'image'},
  {id: 'qrart', path: '/qrart', group: 'image'},
  {id: 'headshots', path: '/headshots', group: 'image'},
  {id: 'luma', path: '/luma', group: 'video'},
  {id: 'pika', path: '/pika', group: 'video'},
  {id: 'kling', path: '/kling', group: 'video'},
  {id: 'veo', path: '/veo', group: 'video'},
  {id: 'sora', path: '/sora', group: 'video'},
  {id: 'pixverse', path: '/pixverse', group: 'video'},
  {id: 'hailuo', path: '/hailuo', group: 'video'},
  {id: 'suno', path: '/suno', group: 'music'},
] as const
export type Tool = (typeof tools)[number]
export type ToolId = Tool['id']
export type ToolPath = Tool['path']
export type MediaTool = Exclude<Tool, {group: 'chat'}>
export type MediaToolId = MediaTool['id']
export type MediaGroup = MediaTool['group']
export const isMediaTool = (tool: Tool): tool is MediaTool => tool.group !== 'chat'

type Features = Site['features']

/**
 * The tools a site offers. A site that names any of our tools in `features` offers exactly those it turned on; a site
 * that names none (a fresh one, or one of a back end without features) offers all.
 */
export function enabledTools(features: Features): readonly Tool[] {
  const named = features ?? {}
  if (!tools.some((tool) => tool.id in named)) return tools
  return tools.filter((tool) => named[tool.id]?.enabled === true)
}

export const enabledMediaTools = (features: Features, group: MediaGroup): readonly MediaTool[] =>
  enabledTools(features)
    .filter(isMediaTool)
    .filter((tool) => tool.group === group)

/** The tool whose screen, or a screen below it, has this path. */
export const toolOfPath = (path: string): Tool | undefined =>
  tools.find((tool) => path === tool.path || path.startsWith(`${tool.path}/`))

export type GroupLink = {group: ToolGroup; path: ToolPath}

/** One link a group that has an enabled tool, to the tool of it that was used last (`recent`, newest first). */
export function groupLinks(features: Features, recent: readonly string[]): GroupLink[] {
  const offered = enabledTools(features)
  return toolGroups.flatMap((group) => {
    const ofGroup = offered.filter((tool) => tool.group === group)
    const last = recent.map((id) => ofGroup.find((tool) => tool.id === id)).find((tool) => tool !== undefined)
    const tool = last ?? ofGroup[0]
    return tool === undefined ? [] : [{group, path: tool.path}]
  })
}
