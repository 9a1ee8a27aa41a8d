import {useSelector} from '@xstate/react'
import {ToolList} from '#features/shell/tool-list.tsx'
import {isMediaTool, type Tool} from '#features/shell/tools.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {useAppActor} from '../actors.context.tsx'

/** The switcher between the tools of a media tool's group; nothing for other tools. */
export function MediaTools({tool}: {tool: Tool | undefined}) {
  const site = useSelector(useAppActor('site'), selectSite)
  if (tool === undefined || !isMediaTool(tool)) return null
  return <ToolList features={site?.features} group={tool.group} current={tool.id} />
}
